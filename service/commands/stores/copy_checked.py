"""A copy of a store, every claim of which was checked before anybody sees it: a copy is a writer like all others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import EngineError
from proofbase.engine.rules import Game
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.limits import Limits
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.record_cache import RecordCache
from proofbase.service.resources.record_writer import RecordWriter
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.resources.tables import OpenTables
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.storage import (
    CopiedGame,
    OnProgress,
    RulesVersionError,
    SolutionStore,
    StoreError,
    copy_store,
    store_directory,
    tables_directory,
)

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["copy_checked"]

CHECKED_AT_ONCE = 10_000
"""Records that are checked together, at most."""


def copy_checked(source: str, target: str, on_progress: OnProgress, tables: Path | None = None) -> list[CopiedGame]:
    """Copies a store (`copy_store`). The copy appears when each of its claims has passed its local check.

    Args:
        source, target: URLs.
        on_progress: told how far it is.
        tables: directory of the tables that claims rest on; None for the one beside the source.

    Raises:
        UnsoundRecordsError: a claim fails. The message names it, and there is no copy.
        StoreError: there is no copy: the rules of a game are not here, or as of `copy_store`.
        ValueError: as of `copy_store`.
    """
    directory = store_directory(source)
    if tables is None and directory is not None:
        tables = tables_directory(directory)

    def check(copy: SolutionStore) -> None:
        try:
            _check(copy, tables, on_progress)
        except UnsoundRecordsError as error:
            raise UnsoundRecordsError(
                f"there is no copy: at least {error} (`proofbase verify` finds all, `proofbase store repair` mends)",
                failed=error.failed,
            ) from None

    return copy_store(source, target, check, on_progress)


def _check(copy: SolutionStore, tables: Path | None, on_progress: OnProgress) -> None:
    limits = Limits()
    kept = {entry.name: entry for entry in copy.games() if entry.records}
    games = GameCache(stored=kept.__contains__)
    opened: list[Game[Any]] = []
    refused: list[str] = []
    for name, entry in kept.items():
        try:
            game = games.open(name)
            if game.rules_version != entry.rules_version:
                raise RulesVersionError(name, entry.rules_version, game.rules_version)
            games.refuse_broken(name)
        except (EngineError, RulesVersionError) as error:
            refused.append(f"{name} ({error})")
        else:
            opened.append(game)
    if refused:
        raise StoreError(
            "there is no copy, since the rules of these games check its records and cannot be opened here (`--plugin` "
            f"loads games of your own): {', '.join(refused)}"
        )
    memory = TableMemory(limits.table_bytes)
    cache = RecordCache(copy, games, limits.cache_bytes, OpenTables(tables, memory, copy))
    writer = RecordWriter(cache, limits.job_memory_bytes)
    done, total = 0, sum(entry.records for entry in kept.values())
    try:
        for game in opened:
            native = is_native(game)
            if native:
                cache.records(game.name)  # in memory, where it fits: then the children are there
            for items in timed_chunks(copy.scan(game.name), CHECKED_AT_ONCE):
                records: RecordTable | Mapping[bytes, bytes] = dict(items)
                if native:
                    records = new_record_table(game)
                    records.load(items)
                writer.check(game, records)
                done += len(items)
                on_progress("check", done, total, "records")
    finally:
        cache.close()
