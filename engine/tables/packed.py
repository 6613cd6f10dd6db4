"""Tables of which somebody else reads the blocks, such as those of a package on a web server."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import PLAIN, class_of_table, header_of
from proofbase.engine.tables.files import MAGIC, TableInfo
from proofbase.engine.tables.reading import PythonTables

__all__ = ["BlockSource", "PackedPythonTables", "PackedTableAbout", "header_by_rules", "unpacked_entries"]

FINGERPRINT = slice(40, 48)
"""Where a header has the fingerprint of the rules and of the numbering."""


class PackedTableAbout(Protocol):
    """What is said of a table beside its entries (docs/tables.md)."""

    @property
    def entries(self) -> int:
        """How many it has."""

    @property
    def bits(self) -> int:
        """Bits of an entry."""

    @property
    def lowest(self) -> int:
        """The value of an entry 0."""

    @property
    def plies(self) -> bool:
        """Whether its entries are plies to the end of the game."""

    @property
    def rules_fingerprint(self) -> int:
        """The fingerprint of the rules and of the numbering."""

    @property
    def block_entries(self) -> int:
        """Entries of a block, but for the last one."""


class BlockSource(Protocol):
    """Where blocks are read."""

    @property
    def tables(self) -> Mapping[str, PackedTableAbout]:
        """The tables, by name."""

    def block(self, name: str, number: int) -> bytes:
        """The entries of a block less the lowest value: a byte each; two, little-endian, where they have more bits.

        Raises:
            DamagedTableError: the block is damaged.
        """


class PackedPythonTables(PythonTables):
    """The tables of a game by its rules in plain Python, with blocks from elsewhere. Damaged ones have no values."""

    def __init__(self, game: Game[Any], blocks: BlockSource) -> None:
        super().__init__(game, Path(), tolerant=True)
        self._blocks = blocks

    def _has_any(self) -> bool:
        return bool(self._blocks.tables)

    def entries(self) -> list[TableInfo]:
        files = [self._file(name) for name in sorted(self._blocks.tables)]
        return [file.info for file in files if file is not None]

    def _open(self, name: str) -> None:
        self._files[name] = None
        if name in self._blocks.tables:
            self._files[name] = _PackedTable(self._game.table_game, name, self._blocks)


class _PackedTable:
    """One table.

    Raises:
        DamagedTableError: it is not the table of that name by these rules.
    """

    def __init__(self, game: Game[Any], name: str, blocks: BlockSource) -> None:
        self._name, self._blocks, self._about = name, blocks, blocks.tables[name]
        about, class_and_plies = self._about, class_of_table(game, name)
        if class_and_plies is None or not header_by_rules(game, name, about):
            raise DamagedTableError(f"table {name}: it is not the table that the rules of {game.name} have")
        self._width = 2 if about.bits > 8 else 1
        self.info = TableInfo(
            name,
            class_and_plies[0].number,
            class_and_plies[0].name,
            about.entries,
            plies=class_and_plies[1],
            present=True,
            bits=about.bits,
            lowest=about.lowest,
            block=about.block_entries,
        )

    def entry(self, number: int) -> int:
        """What the table holds for a number."""
        about = self._about
        if number >= about.entries:
            raise DamagedTableError(f"table {self._name}: it has no entry {number}")
        block, index = divmod(number, about.block_entries)
        data = self._blocks.block(self._name, block)
        return about.lowest + int.from_bytes(data[index * self._width : (index + 1) * self._width], "little")

    def changed(self) -> bool:
        """Never: a block that has changed is damaged."""
        return False


def header_by_rules(game: Game[Any], name: str, about: PackedTableAbout) -> bytes:
    """The header of the table of this name as a file in the plain form, by the rules.

    Empty if the table is not what the rules say.
    """
    claimed_header = struct.pack("<8sIIQi", MAGIC, PLAIN, about.bits, about.entries, about.lowest).ljust(256, b"\0")
    header = header_of(game, name, claimed_header)
    entries = int.from_bytes(header[16:24], "little")
    fingerprint = int.from_bytes(header[FINGERPRINT], "little")
    return header if (entries, fingerprint) == (about.entries, about.rules_fingerprint) else b""


def unpacked_entries(block: bytes, bits: int, entries: int) -> bytes:
    """The entries of a block of a plain file, each in one byte, or in two where they have more than 8 bits.

    Args:
        block: entries of `bits` bits, the first one in the low bits of the first byte.
        bits: of an entry.
        entries: how many the block has, a power of two.
    """
    room = 16 if bits > 8 else 8
    number = int.from_bytes(block, "little")
    half = entries // 2
    while half and bits < room:  # every part of 2 * half entries becomes two parts, the second one in its new place
        low, high = _masks(bits, room, half, entries)
        number = number & low | (number & high) << half * (room - bits)
        half //= 2
    return number.to_bytes(entries * room // 8, "little")


@cache
def _masks(bits: int, room: int, half: int, entries: int) -> tuple[int, int]:
    """The low and the high half of each part of 2 * half entries that begins in its new place."""
    parts = sum(1 << part * 2 * half * room for part in range(entries // (2 * half)))
    ones = (1 << half * bits) - 1
    return parts * ones, parts * (ones << half * bits)
