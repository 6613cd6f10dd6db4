"""The tables of a game as blocks of a package, from files in either form or from another package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from proofbase.engine.rules import Game
from proofbase.engine.rules.tables.table_header import PLIES, rules_fingerprint
from proofbase.engine.tables import BlockCache, PythonTables
from proofbase.engine.tables.files import TableFile
from proofbase.engine.tables.packed import unpacked_entries
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.storage.table_blocks import TableBlocks, TableDescription

__all__ = ["tables_to_pack"]

BLOCK_ENTRIES = 8192
Packed = tuple[TableDescription, Iterator[bytes]]


def tables_to_pack(resources: Resources, rules: Game[Any], names: frozenset[str] | None = None) -> Iterator[Packed]:
    """The tables of a game, by name, each with the blocks that a package has of it.

    Args:
        resources: the store, and where its tables are.
        rules: the game by its rules in plain Python.
        names: only these tables, with those of plies beside them; None: all.

    Raises:
        DamagedTableError: one of them is damaged.
        InvalidRequestError: there is no table of one of the names.
    """
    directory = resources.tables.directory
    present = set[str]()

    def chosen(name: str) -> bool:
        present.update((name, name.removesuffix(PLIES)))
        return names is None or not names.isdisjoint((name, name.removesuffix(PLIES)))

    yield from _stored_tables(resources, rules, chosen) if directory is None else _tables_in(directory, rules, chosen)
    if missing := sorted((names or set()) - present):
        known = ", ".join(sorted(present)[:20]) or "none"
        raise InvalidRequestError(f"there is no table {missing[0]} of {rules.name}; there are: {known}", field="table")


def _stored_tables(resources: Resources, rules: Game[Any], chosen: Callable[[str], bool]) -> Iterator[Packed]:
    stored = resources.store.packed_tables(rules.name)
    for name in sorted(() if stored is None else stored.tables):
        assert stored is not None
        if chosen(name):
            yield stored.tables[name], _stored_blocks(stored, name)


def _tables_in(directory: Path, rules: Game[Any], chosen: Callable[[str], bool]) -> Iterator[Packed]:
    for info in PythonTables(rules, directory).entries():
        if not chosen(info.name):
            continue
        path = directory / f"{info.name.replace(':', '_')}.table"
        game = rules.table_game
        file = TableFile(path, game, info.name, BlockCache(0))
        of_values = info.name if game.table_class(info.name) else info.name.removesuffix(PLIES)
        about = TableDescription(
            info.name,
            info.entries,
            info.bits,
            info.lowest,
            info.plies,
            rules_fingerprint(game, of_values),
            BLOCK_ENTRIES,
        )
        yield about, _blocks(file)


def _stored_blocks(stored: TableBlocks, name: str) -> Iterator[bytes]:
    about = stored.tables[name]
    for number in range(-(-about.entries // about.block_entries)):
        yield stored.block(name, number)


def _blocks(file: TableFile) -> Iterator[bytes]:
    """The entries of a file, in blocks of `BLOCK_ENTRIES`."""
    layout = file.layout
    width = 2 if layout.bits > 8 else 1
    bytes_left, size = layout.entries * width, BLOCK_ENTRIES * width
    waiting = b""
    for block in file.blocks():
        entries = block if layout.compressed else unpacked_entries(block, layout.bits, layout.block_entries)
        entries = entries[:bytes_left]
        bytes_left -= len(entries)
        waiting += entries
        while len(waiting) >= size:
            yield waiting[:size]
            waiting = waiting[size:]
    if waiting:
        yield waiting
