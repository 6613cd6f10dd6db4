"""Copies of whole stores, and smaller files."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, Plugins, Store, Tables
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import check_tables, store_url, usage_errors_of_urls
from proofbase.service.cli.stores.progress import store_progress
from proofbase.service.commands.stores.copy_checked import copy_checked
from proofbase.service.words.amounts import amount, bytes_text, duration_text
from proofbase.storage import compact_store, shown_url, store_directory

__all__ = ["compact", "copy"]

_URL = "A directory or lmdb:///dir, or postgresql://..."


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=f"{_URL} It may be in use.")],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help=f"{_URL} It must hold nothing; a database must be migrated.")
    ],
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Copy a store, while it is used, to a new store of any kind, read the copy back, and check it by the rules.

    The copy is the store of one moment: records with their sources, quarantine, jobs, checkpoints, tokens; tables of
    values where both are directories. It appears whole or not at all: a copy that was broken off is begun anew, and of
    a store with a record that is damaged or fails its check there is none.
    """
    if not source or not target:
        raise UsageError("the URL of a store is empty")
    load_plugins(plugin)
    check_tables(tables)
    began = time.monotonic()
    with usage_errors_of_urls(), store_progress("copy") as on_progress:
        copied = copy_checked(source, target, on_progress, tables)
        without_tables = store_directory(source) is None or store_directory(target) is None
    seconds = time.monotonic() - began
    if json:
        games = [
            {"game": game.name, "records": game.records, "fingerprint": f"{game.fingerprint:016x}"} for game in copied
        ]
        document = {"source": shown_url(source), "target": shown_url(target), "games": games}
        documents.print_document({**document, "tables": not without_tables, "seconds": round(seconds, 3)})
        return ExitStatus.POSITIVE
    rows = [(game.name, f"{game.records:,}", f"{game.fingerprint:016x}") for game in copied]
    if rows:
        screen.print_table(("game", "records", "fingerprint"), rows, right=("records",))
    records = amount(sum(game.records for game in copied), "record")
    screen.say(f"copied, read back and checked: {records} in {duration_text(seconds)}")
    if without_tables:
        screen.note("tables of values are files beside a directory: they were not copied")
    return ExitStatus.POSITIVE


def compact(
    store: Store = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="PostgreSQL: give the room back to the file system; nobody can use a table meanwhile."
        ),
    ] = False,
    json: Json = False,
) -> int:
    """Give back the room of what was deleted.

    A directory: no other process may have it open; its file is replaced by a smaller one in one step. A database:
    VACUUM, beside whoever uses it.
    """
    with usage_errors_of_urls(), store_progress("compact") as on_progress:
        before, after = compact_store(store_url(store), on_progress, full=full)
    if json:
        documents.print_document({"before": before.total_bytes, "after": after.total_bytes})
    else:
        screen.say(f"{bytes_text(before.total_bytes)} before, {bytes_text(after.total_bytes)} now")
    return ExitStatus.POSITIVE
