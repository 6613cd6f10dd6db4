"""The clients that a server of a store knows: create, list, revoke. They work beside a running server."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.service.access.roles import Role
from proofbase.service.access.tokens import new_certificate_entry, new_token
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, Store
from proofbase.service.cli.session import store_url, usage_errors_of_urls
from proofbase.storage import open_tokens

if TYPE_CHECKING:
    from proofbase.storage import Token, TokenStore

__all__ = ["program"]

program = typer.Typer(help="Create, list and revoke the tokens of a server's clients.", no_args_is_help=True)

_UNITS = {"h": 3_600.0, "d": 86_400.0, "w": 7 * 86_400.0, "y": 365 * 86_400.0}


def end_of(text: str, now: float) -> float:
    """When a token ends: `12h`, `90d`, `2w` or `1y` from now, or a moment such as `2027-01-31` (UTC).

    Raises:
        UsageError: the text is neither, or the moment is over.
    """
    span = re.fullmatch(r"(\d{1,6})([hdwy])", text)
    try:
        if span:
            end = now + int(span[1]) * _UNITS[span[2]]
            datetime.fromtimestamp(end, UTC)  # refuses what is beyond the calendar
        else:
            moment = datetime.fromisoformat(text)
            end = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"--ends {text}: write 12h, 90d, 2w, 1y, or a moment such as 2027-01-31") from None
    if end <= now:
        raise UsageError(f"--ends {text}: that is over")
    return end


@program.command("create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose it is. Several tokens may have one name.")],
    role: Annotated[
        Role, typer.Option(help="reader: reads. solver: also starts work, and imports. admin: everything.")
    ] = "reader",
    ends: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="12h, 90d, 2w, 1y from now, or 2027-01-31.", show_default="never"),
    ] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Know the client by a certificate of this name instead.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> int:
    """Make a token, and print it: this once, and nowhere else.

    A server takes it within a second. With --certificate there is no token: the client is known by its certificate
    (`serve --client-ca`), whose subject or alternative name is NAME.
    """
    end = None if ends is None else end_of(ends, time.time())
    try:
        text, token = (None, new_certificate_entry(name, role, end)) if certificate else new_token(name, role, end)
    except ValueError as error:
        raise UsageError(str(error)) from None
    with _tokens(store) as tokens:
        tokens.add(token)
    if json:
        documents.print_document({**_fields(token), "token": text})
    elif text is None:
        screen.say(f"clients with a certificate of {name} are known as {role}, {_end(token)} ({token.id})")
    else:
        screen.note(f"the token of {name}, {role}, {_end(token)}; it is shown only now:")
        screen.say(text)
    return ExitStatus.POSITIVE


@program.command("list")
def list_tokens(store: Store = None, json: Json = False) -> int:
    """List the tokens, without their secrets."""
    with _tokens(store) as tokens:
        stored = tokens.all()
    if json:
        documents.print_document({"tokens": [_fields(token) for token in stored]})
        return ExitStatus.POSITIVE
    now = time.time()
    rows = [
        (
            token.id,
            token.name,
            token.role,
            "certificate" if token.is_certificate else "token",
            token.state(now),
            _moment(token.created),
            "never" if token.ends is None else _moment(token.ends),
        )
        for token in stored
    ]
    screen.print_table(("id", "name", "role", "by", "state", "created", "ends"), rows)
    return ExitStatus.POSITIVE


@program.command("revoke")
def revoke(
    which: Annotated[str, typer.Argument(metavar="ID|NAME", help="One token by its id, or all of a name.")],
    store: Store = None,
    json: Json = False,
) -> int:
    """Revoke tokens for good: a server refuses them within a second, and ends their streams.

    Exit status 1: there is none that is not revoked already.
    """
    with _tokens(store) as tokens:
        ids = [token.id for token in tokens.all() if which in (token.id, token.name)]
        revoked = tokens.revoke(ids, time.time())
    if json:
        documents.print_document({"revoked": [_fields(token) for token in revoked]})
    else:
        for token in revoked:
            screen.say(f"revoked {token.id} of {token.name}, {token.role}")
        if not revoked:
            screen.say(f"nothing to revoke: {'it is revoked already' if ids else f'no token is called {which}'}")
    return ExitStatus.POSITIVE if revoked else ExitStatus.NEGATIVE


def _tokens(store: str | None) -> TokenStore:
    with usage_errors_of_urls():
        return open_tokens(store_url(store))


def _fields(token: Token) -> dict[str, object]:
    kind = "certificate" if token.is_certificate else "token"
    fields = {"id": token.id, "name": token.name, "role": token.role, "by": kind, "state": token.state(time.time())}
    return {**fields, "created": token.created, "ends": token.ends, "revoked": token.revoked}


def _end(token: Token) -> str:
    return "for ever" if token.ends is None else f"until {_moment(token.ends)}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(" ", "seconds").replace("+00:00", " UTC")
