"""The program: all commands under one name, and errors as messages with an exit status."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from proofbase import __version__
from proofbase.service.cli import screen
from proofbase.service.cli.commands import COMMANDS, Command
from proofbase.service.cli.exit_status import ExitStatus

__all__ = ["program", "run"]

_new_program = partial(typer.Typer, pretty_exceptions_enable=False, rich_markup_mode=None)


@cache
def load_command(name: str, command: Command) -> Any:
    """Imports a command, with the options that show a server who asks: once, since they are added to the command."""
    from proofbase.service.cli.credentials import add_credential_options  # noqa: PLC0415  for commands only

    module, attribute = command.place.split(":")
    try:
        loaded = getattr(import_module(f"proofbase.service.cli.{module}"), attribute)
    except ModuleNotFoundError as error:
        if command.extra is None or (error.name or "").startswith("proofbase."):
            raise
        raise ModuleNotFoundError(
            f"`{name}` needs packages that are not installed, such as {error.name}: "
            f"pip install 'proofbase[{command.extra}]'"
        ) from None
    holder = _new_program()
    if isinstance(loaded, typer.Typer):
        add_credential_options(loaded)
        holder.add_typer(loaded, name=name, cls=CommandGroup)
    else:
        variables = {"auto_envvar_prefix": command.variables} if command.variables else None
        holder.command(name, context_settings=variables)(loaded)
        add_credential_options(holder)
    return get_group(holder).commands[name]


class CommandGroup(TyperGroup):
    """The commands under one name. The help has the whole sentence of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The first paragraphs of the commands' own help, which others would cut where the line ends."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, (command.help or "").partition("\n\n")[0]) for name, command in self.commands.items()]
            )


class CommandTable(TyperGroup):
    """The commands of the table: the help lists them without importing them, and a call imports the one it names."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called, or whose arguments a shell completes."""
        name, listed, rest = super().resolve_command(ctx, args)
        if name is None or listed is None:
            return name, listed, rest
        return name, load_command(name, _COMMAND_OF[name]), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under what they are for, each with its whole sentence."""
        widest = max(map(len, _COMMAND_OF))
        for purpose, commands in COMMANDS.items():
            with formatter.section(purpose):
                formatter.write_dl([(name.ljust(widest), command.sentence) for name, command in commands.items()])


program = _new_program(
    name="proofbase",
    cls=CommandTable,
    help="Solve positions of two-player games, keep what was proved, and let anyone check it by the rules alone.",
    epilog="Exit status: 0 done and positive, 1 done and negative (disproved, unknown, not valid), 2 usage, 3 failed.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMAND_OF = {name: command for commands in COMMANDS.values() for name, command in commands.items()}
for _name, _command in _COMMAND_OF.items():
    program.command(_name, help=_command.sentence)(lambda: None)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"proofbase {__version__}")
        raise typer.Exit


@program.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """The options before the command; each is handled by its own callback."""


_POSITION = re.compile(r"-[-._*+xoXO0-9BWbw|/\s\[\],:;]{8,}")
"""An argument that begins like an option and is a position, as of othello; a space before it says so."""


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status. Every error becomes one message on standard error.

    0 done and positive, 1 done and negative (disproved, unknown, not valid), 2 usage, 3 failed.
    """
    try:
        words = [f" {text}" if _POSITION.fullmatch(text) else text for text in arguments]
        outcome: Any = program(args=words, prog_name="proofbase", standalone_mode=False)
    except typer.TyperException as error:
        message = error.format_message()
        if message.startswith("Usage: "):  # the help, of a command line without a command
            screen.note(message, lines=True)
        else:
            _print_error(message + _where_to_look(error))
        return ExitStatus.USAGE
    except (typer.Abort, KeyboardInterrupt):
        _print_error("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of the output is gone; the interpreter must not fail at it again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.FAILED
    except Exception as error:
        # A command that failed has loaded what knows the errors; --version and --help have not.
        from proofbase.service.cli.output.failures import report_failure  # noqa: PLC0415

        return report_failure(error)
    return int(outcome or 0)


def _where_to_look(error: Any) -> str:
    """Behind the message about an unknown option: the commands that check or share something else and have it."""
    option = getattr(error, "option_name", None)
    if option is None or error.ctx is None or not str(error).startswith("No such option"):
        return ""
    others: list[str] = []
    about_files = COMMANDS["Check"] | COMMANDS["Share"]
    if error.ctx.info_name in about_files:
        for name, command in about_files.items():
            if any(option in entry.opts for entry in load_command(name, command).params):
                others.append(f"`proofbase {name}`")
    return f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""


def _print_error(message: str) -> None:
    screen.note(f"proofbase: {message}")
