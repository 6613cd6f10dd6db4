"""Commands by which people say something of positions: report and note."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Json, OptionalPosition, Plugins, Position, Server, Store, Tables
from proofbase.service.cli.session import opened

__all__ = ["note", "report"]


def report(
    game: GameName,
    position: Position = "-",
    value: Annotated[
        int | None,
        typer.Option("--value", metavar="V", help="What the value is, for the side to move.", show_default=False),
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option("--evidence", metavar="FILE", help="A certificate of the position.", show_default=False),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="Why, in at most 1000 characters.", show_default=False)
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Say that a value is wrong: it is checked, and the verdict is kept.

    The records below the position are checked by two rule sets, and the evidence by the rules. Exit status 0: the store
    stands (agrees, refuted); 1: the store was wrong (confirmed), or it is not decided.
    """
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.watching import run_job
    from proofbase.service.client import ReportResult

    if value is None:
        raise UsageError("--value V is needed: what the value of the position is, for the side to move")
    data = None if evidence is None else evidence.read_bytes()
    with opened(store, server, plugin, create=False, tables=tables) as client:
        job = run_job(client, client.start_report(game, position, value=value, text=text, evidence=data))
    result = job.result
    assert isinstance(result, ReportResult)
    if json:
        documents.print_document({**documents.document(job.spec), **documents.document(result), "job": job.id})
    else:
        for finding in result.findings:
            screen.say(f"{finding.position or finding.key.hex()}: {finding.rule}: {finding.detail}")
        screen.say(f"{result.status}: {result.verdict}")
    return ExitStatus.POSITIVE if result.status in ("agrees", "refuted") else ExitStatus.NEGATIVE


def note(
    game: GameName,
    position: OptionalPosition = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="Plain text of at most 1000 characters.")
    ] = None,
    author: Annotated[str | None, typer.Option("--author", metavar="NAME", help="Who says it.")] = None,
    remove: Annotated[str | None, typer.Option("--remove", metavar="ID", help="Remove this note instead.")] = None,
    store: Store = None,
    server: Server = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Add a note to a position, or to a game as a whole; `lookup --json` shows the ids of notes."""
    from proofbase.service.cli import documents, screen
    from proofbase.service.words.annotations import note_text

    if (text is None) == (remove is None):
        raise UsageError("a note needs --text TEXT, or --remove ID takes one away")
    with opened(store, server, plugin, create=False) as client:
        if remove is not None:
            client.remove_note(game, remove, position)
            return ExitStatus.POSITIVE
        added = client.add_note(game, position, text=text or "", author=author)
    if json:
        documents.print_document(added)
    else:
        screen.say(note_text(added))
    return ExitStatus.POSITIVE
