"""From one service to another, servers among them: records that the other lacks, range by range, and tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.records import decode_record
from proofbase.service.answers import TableInfo
from proofbase.service.client.contract import Service
from proofbase.service.commands.packages.pull_tables import pull_missing
from proofbase.service.commands.packages.pulled import Pulled, PulledTable
from proofbase.service.commands.transfer.record_lines import record_object
from proofbase.service.errors import InvalidRequestError
from proofbase.storage import OnProgress
from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["exchange", "exchange_tables"]


def exchange(
    source: Service,
    target: Service,
    game: str | None = None,
    on_progress: Callable[[str, int, int], object] | None = None,
) -> list[Pulled]:
    """Merges what one service knows into another one. The target checks every record by the rules.

    Args:
        source: is read only.
        target: takes the records.
        game: only this game; None for all.
        on_progress: told the game, how many of its records were read, and how many there are.

    Raises:
        InvalidRequestError: the source has no records of the game.
        Exception: what the target refuses the records with: of that game nothing is stored then.
    """
    there = {entry.game: entry for entry in source.statistics().games if entry.records}
    if game is not None:
        name = source.game(game).name
        if name not in there:
            raise InvalidRequestError(f"{source.target} has no records of {name}", field="game")
        there = {name: there[name]}
    here = {entry.game: entry for entry in target.statistics().games}
    pulled = []
    for name, entry in there.items():
        known = here.get(name)
        equal = known is not None and (known.records, known.fingerprint) == (entry.records, entry.fingerprint)
        if equal and entry.fingerprint is not None:
            pulled.append(Pulled(name, entry.records))
        else:
            pulled.append(_exchange_game(source, target, name, entry.records, on_progress or (lambda *_: None)))
    return pulled


def _exchange_game(
    source: Service, target: Service, name: str, records: int, on_progress: Callable[[str, int, int], object]
) -> Pulled:
    try:
        game = open_game(name)
        target.game(name)
    except EngineError as error:
        return Pulled(name, records, skipped=str(error))
    read = 0
    with ScratchDirectory() as scratch:
        path = scratch.path / "records.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for first, end in _differing(source, target, name):
                for key, record in source.block_records(name, first, end):
                    json.dump(record_object(game, key, decode_record(record)), file, separators=(",", ":"))
                    file.write("\n")
                    read += 1
                on_progress(name, read, records)
        if not read:
            return Pulled(name, records)
        result = target.import_(path, form="jsonl", source=f"pull from {source.target}")
    return Pulled(name, records, read, result.added, result.improved)


def _differing(source: Service, target: Service, name: str) -> Iterator[tuple[bytes, bytes | None]]:
    """The ranges of the source of which the target has not just the same records: where each begins and ends."""
    blocks = list(source.record_blocks(name))
    firsts = [block.first for block in blocks]
    same = {
        (block.first, block.records, block.fingerprint)
        for block in (target.record_blocks(name, firsts) if firsts else ())
    }
    for block, end in zip(blocks, [*firsts[1:], None], strict=True):
        if (block.first, block.records, block.fingerprint) not in same:
            yield block.first, end


def exchange_tables(
    source: Service, target: Service, game: str | None = None, on_progress: OnProgress = lambda *_: None
) -> list[PulledTable]:
    """Gives one service the tables of another one that it lacks. The target verifies every entry before it takes them.

    Args:
        source: is read only.
        target: takes the tables.
        game: only this game; None for all.
        on_progress: told how far it is.

    Raises:
        Exception: what the target refuses the tables of a game with: of that game it takes none then.
    """
    wanted = None if game is None else source.game(game).name
    there: dict[str, list[TableInfo]] = {}
    for table in source.statistics(wanted).tables:
        if table.game is not None:
            there.setdefault(table.game, []).append(table)
    sound = {table.name for table in target.statistics().tables if table.damage is None}

    def take(game: str, tables: Iterator[tuple[str, Iterator[bytes]]]) -> None:
        def each() -> Iterator[tuple[str, Iterator[bytes]]]:
            yield from tables
            on_progress(f"verify the tables of {game}", 0, None, "tables")

        target.import_tables(game, each())

    pulled: list[PulledTable] = []
    for name, tables in there.items():
        pulled += pull_missing(
            name, tables, sound, open_game=target.game, read=source.read_table, take=take, on_progress=on_progress
        )
    return pulled
