"""The program: all commands under one name, and errors as messages with an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from proofbase.service.cli import (
    analysing,
    jobs,
    measuring,
    packages,
    plugins,
    quickstart,
    reading,
    reproducing,
    scoring,
    serving,
    solving,
    tables,
    threatening,
    tokens,
    transfer,
)
from proofbase.service.cli.credentials import add_credential_options
from proofbase.service.cli.exit_status import ExitStatus, UsageError, exit_status_of
from proofbase.service.cli.output.wording import error_text
from proofbase.service.cli.play.command import play
from proofbase.service.cli.settings.config_file import PREFIX
from proofbase.service.cli.stores import program as stores

__all__ = ["program", "run_program"]

program = typer.Typer(
    name="proofbase",
    help="Solve positions of two-player games, keep what was proved, and let anyone check it by the rules alone.",
    epilog="Exit status: 0 done and positive, 1 done and negative (disproved, unknown, not valid), 2 usage, 3 failed.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, command in (
    ("quickstart", quickstart.quickstart),
    ("games", reading.games),
    ("rules", reading.rules),
    ("solve", solving.solve),
    ("lookup", reading.lookup),
    ("moves", reading.moves),
    ("line", reading.line),
    ("tree", reading.tree),
    ("threats", threatening.threats),
    ("analyse", analysing.analyse),
    ("score", scoring.score),
    ("play", play),
    ("verify", solving.verify),
    ("publish", packages.publish),
    ("pull", packages.pull),
    ("push", packages.push),
    ("export", transfer.export),
    ("import", transfer.import_file),
    ("check", transfer.check),
    ("check-game", plugins.check_game),
    ("stats", reading.stats),
    ("measure", measuring.measure),
    ("reproduce", reproducing.reproduce),
    ("migrate", serving.migrate),
    ("serve", serving.serve),
):
    prefixed = {"auto_envvar_prefix": PREFIX} if command is serving.serve else None
    program.command(name, context_settings=prefixed)(command)
for part in (program, tables.program, jobs.program):
    add_credential_options(part)
program.add_typer(tables.program, name="tables")
program.add_typer(jobs.program, name="jobs")
program.add_typer(tokens.program, name="tokens")
program.add_typer(stores.program, name="store")


def _show_version(wanted: bool) -> None:
    if wanted:
        from proofbase import __version__

        print(f"proofbase {__version__}")
        raise typer.Exit


@program.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """The options before the command; each is handled by its own callback."""


def run_program(arguments: Sequence[str]) -> int:
    """Runs one command line. Every error becomes one message on standard error and an exit status."""
    try:
        outcome: Any = program(args=list(arguments), prog_name="proofbase", standalone_mode=False)
    except typer.TyperException as error:
        _print_error(error.format_message())
        return ExitStatus.USAGE
    except (typer.Abort, KeyboardInterrupt):
        _print_error("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of the output is gone; the interpreter must not fail at it again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.FAILED
    except Exception as error:
        return _failed(error)
    return int(outcome or 0)


def _failed(error: Exception) -> int:
    from proofbase.service.cli import screen
    from proofbase.service.errors import error_mapping

    if isinstance(error, UsageError | OSError | ModuleNotFoundError) or error_mapping(error).type is not Exception:
        _print_error(error_text(error))
    else:
        # A mistake in the program or in a user's game: the traceback shows where.
        screen.note(traceback.format_exc(), lines=True)
        _print_error(f"internal error: {type(error).__name__}: {error}")
    return exit_status_of(error)


def _print_error(message: str) -> None:
    from proofbase.service.cli import screen

    screen.note(f"proofbase: {message}")
