"""Options by which every command that asks a server shows who it is: described once, and added to those commands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from proofbase.service.cli.exit_status import UsageError

__all__ = ["add_credential_options", "credential_words", "given_credentials"]

ASKING_BY_URL = ("pull", "push")

Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="TOKEN|@FILE",
        envvar="PROOFBASE_TOKEN",
        show_envvar=True,
        help="With --server: who you are; @FILE reads it from a file, so that lists of processes do not show it.",
        show_default=False,
    ),
]
Authority = Annotated[
    str | None,
    typer.Option(
        "--ca",
        metavar="FILE",
        envvar="PROOFBASE_CA",
        help="With --server: TLS, with a server whose certificate this authority has signed; `system`: any known one.",
        show_default=False,
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option(
        "--client-certificate",
        metavar="FILE",
        envvar="PROOFBASE_CERTIFICATE",
        help="With --server: your own certificate (PEM).",
        show_default=False,
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--client-key", metavar="FILE", envvar="PROOFBASE_KEY", help="The private key of it.", show_default=False
    ),
]
OPTIONS = {"token": Token, "ca": Authority, "client_certificate": Certificate, "client_key": Key}
_given: dict[str, Any] = {}
"""What the command of this process was given."""


def add_credential_options(program: typer.Typer) -> None:
    """Gives the options to every command of a program that has the option `--server`, or asks servers by URLs."""
    for info in program.registered_commands:
        command = info.callback
        if command is None:
            continue
        if "server" in inspect.signature(command).parameters or command.__name__ in ASKING_BY_URL:
            info.callback = _with_options(command)


def _with_options(command: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(command)
    def run(**arguments: Any) -> int:
        _given.clear()
        _given.update((name, arguments.pop(name)) for name in OPTIONS)
        return command(**arguments)

    hints = get_type_hints(command, include_extras=True)
    parameters = [
        entry.replace(annotation=hints[entry.name]) for entry in inspect.signature(command).parameters.values()
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in OPTIONS.items()
    ]
    run.__signature__ = inspect.Signature([*parameters, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {**hints, **OPTIONS}
    return run


def given_credentials() -> dict[str, Any]:
    """The credentials of the command, as `connect` takes them.

    Raises:
        UsageError: the file of the token cannot be read.
    """
    token = _given.get("token")
    if token is not None and token.startswith("@"):
        try:
            token = Path(token[1:]).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--token {token}: {getattr(error, 'strerror', None) or 'no text'}") from None
    certificate, key = _given.get("client_certificate"), _given.get("client_key")
    return {"token": token, "ca": _given.get("ca"), "certificate": certificate, "key": key}


def credential_words() -> list[str]:
    """The options for another command to the same server. A token is not among them: it would be shown."""
    named = {"--ca": "ca", "--client-certificate": "client_certificate", "--client-key": "client_key"}
    return [word for option, name in named.items() if _given.get(name) for word in (option, str(_given[name]))]
