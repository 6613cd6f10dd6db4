"""What a store holds, and how much room it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import Json, Store
from proofbase.service.cli.session import store_url, usage_errors_of_urls
from proofbase.service.commands.stores.describe_store import describe_store
from proofbase.service.words.amounts import amount, bytes_text
from proofbase.storage import open_store

if TYPE_CHECKING:
    from proofbase.service.commands.stores.describe_store import StoreDescription
    from proofbase.storage import StoreSizes

__all__ = ["info"]


def info(store: Store = None, json: Json = False) -> int:
    """Show what a store holds and how much room it takes, beside whoever uses it.

    Entries of readers that were killed are cleared: they would keep the pages that they saw from being used again.
    """
    with usage_errors_of_urls(), open_store(store_url(store), read_only=True, create=False) as opened:
        description = describe_store(opened)
    if json:
        tables = [table._asdict() for table in description.tables]
        documents.print_document({**documents.document(description), "tables": tables})
    else:
        _print(description)
    return ExitStatus.POSITIVE


def _print(found: StoreDescription) -> None:
    screen.say(f"{found.store}, format {found.format or '-'}")
    if found.games:
        rows = [
            (entry.game, f"{entry.records:,}", f"{entry.generation:,}", entry.fingerprint or "-")
            for entry in found.games
        ]
        screen.print_table(("game", "records", "generation", "fingerprint"), rows, right=("records", "generation"))
    else:
        screen.say("no games")
    if found.tables:
        tables = [
            (table.name, table.game or "-", f"{table.entries:,}", bytes_text(table.size)) for table in found.tables
        ]
        screen.print_table(("table", "game", "entries", "size"), tables, right=("entries", "size"))
    screen.say(f"jobs: {_counts(found.jobs)}; tokens: {_counts(found.tokens)}; sources: {found.sources:,}")
    if found.sizes is not None:
        _print_sizes(found.sizes)


def _print_sizes(sizes: StoreSizes) -> None:
    parts = [(part.name, f"{part.rows:,}", bytes_text(part.bytes), f"{part.dead_rows:,}") for part in sizes.parts]
    columns: tuple[str, ...] = ("part", "rows", "size", "dead rows")
    if not any(part.dead_rows for part in sizes.parts):
        columns, parts = columns[:3], [row[:3] for row in parts]  # type: ignore[misc]
    screen.print_table(columns, parts, right=columns[1:])
    text = f"size: {bytes_text(sizes.total_bytes)}"
    if sizes.used_bytes is not None and sizes.free_bytes is not None:
        share = sizes.free_bytes / max(sizes.total_bytes, 1)
        text += f", of which {bytes_text(sizes.free_bytes)} ({share:.0%}) are free for what is written next"
    screen.say(text)
    if sizes.map_bytes is not None:
        used = sizes.total_bytes / sizes.map_bytes
        screen.say(f"map: {bytes_text(sizes.map_bytes)}, {used:.1%} of it used; it is doubled when it is full")
        behind = [reader for reader in sizes.readers if reader.behind]
        text = "readers: " + ("1 process" if len(sizes.readers) == 1 else f"{len(sizes.readers):,} processes")
        for reader in behind:
            commits = amount(reader.behind or 0, "commit")
            text += f"; process {reader.pid} has a scan open that is {commits} old: its pages are kept"
        if sizes.cleared_readers:
            text += f"; cleared after processes that were killed: {sizes.cleared_readers}"
        screen.say(text)


def _counts(counts: dict[str, Any] | None) -> str:
    if counts is None:
        return "-"
    return ", ".join(f"{number:,} {state}" for state, number in sorted(counts.items())) or "none"
