"""Table files read by plain Python (docs/tables.md): for checks without the native core."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any, Protocol

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.records import Claim
from proofbase.engine.rules.game import Game

__all__ = ["PythonTables", "ValueTables", "broken_by_table", "games_with_tables"]

MAGIC = b"PBTABLE\n"
HEADER_BYTES, TAIL_BYTES, BLOCK_ENTRIES = 256, 8, 8192


class ValueTables(Protocol):
    """Exact values of some positions of a game."""

    def value(self, position: Any) -> int | None:
        """The value for the side to move, None where no table has the position."""

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in, built or not; None for games without tables."""


class PythonTables:
    """The tables of a game in a directory, by its rules in plain Python.

    Every block is held against its checksum when it is first read.
    """

    def __init__(self, game: Game[Any], directory: str | Path) -> None:
        self._game = game
        self._directory = Path(directory)
        self._files: dict[str, _TableFile | None] = {}

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in."""
        entry = self._game.table_entry(position)
        return None if entry is None else entry[0]

    def value(self, position: Any) -> int | None:
        """The value for the side to move, None where no table has the position.

        Raises:
            DamagedTableError: the file is not as it was written, or belongs to other rules.
        """
        entry = self._game.table_entry(position)
        if entry is None:
            return None
        name, number = entry
        if name not in self._files:
            path = self._directory / f"{name.replace(':', '_')}.table"
            self._files[name] = _TableFile(path, self._game) if path.exists() else None
        file = self._files[name]
        return None if file is None else file.value(number)


def games_with_tables(directory: str | Path) -> list[str]:
    """Names of the games whose tables are in a directory, by the headers of the files.

    Files that are no tables are passed over. Whether a table is damaged shows when it is opened.
    """
    names = set[str]()
    for path in Path(directory).glob("*.table"):
        with path.open("rb") as stream:
            header = stream.read(HEADER_BYTES)
        if len(header) == HEADER_BYTES and header[:8] == MAGIC:
            names.add(header[64:128].rstrip(b"\0").decode(errors="replace"))
    return sorted(names)


def broken_by_table(game: Game[Any], tables: ValueTables | None, position: Any, claim: Claim) -> tuple[str, str] | None:
    """The rule that a claim by a table breaks, and why; None when the table's entry confirms the claim.

    A lower claim's witness must lead to a position whose own entry guarantees the bound.
    """
    name = claim.table
    value = None if tables is None else tables.value(position)
    if tables is None or value is None:
        return "evidence", f"table {name!r} is not at hand"
    if name != tables.name(position):
        return "table", f"the position is in table {tables.name(position)}, not in {name!r}"
    if claim.witness is None:
        return None if value <= claim.bound else ("table", f"its value there is {value}")
    if value < claim.bound:
        return "table", f"its value there is {value}"
    child, reward = game.play(position, claim.witness), game.reward(position, claim.witness)
    after = game.terminal(child)
    if after is None:
        after = tables.value(child)
    if after is None or reward - after < claim.bound:
        return "table", f"by the tables, move {game.move_text(position, claim.witness)} does not guarantee the bound"
    return None


class _TableFile:
    def __init__(self, path: Path, game: Game[Any]) -> None:
        self._path = path
        self._blocks: dict[int, int] = {}
        """Blocks read so far, each as one large number."""
        header = self._read(0, HEADER_BYTES)
        if len(header) < HEADER_BYTES or header[:8] != MAGIC or header[8] != 1:
            raise self._damaged("it is no table of proofbase of version 1")
        if zlib.crc32(header[:-4]) != int.from_bytes(header[-4:], "little"):
            raise self._damaged("its header is damaged")
        self._bits: int
        self._entries: int
        self._lowest: int
        self._bits, self._entries, self._lowest, _, rules_version = struct.unpack_from("<IQiII", header, 12)
        owner = header[64:128].rstrip(b"\0").decode(errors="replace")
        if (owner, rules_version) != (game.name, game.rules_version):
            raise self._damaged(f"it is of {owner}, rules version {rules_version}")
        blocks = -(-self._entries // BLOCK_ENTRIES)
        self._block_bytes = BLOCK_ENTRIES // 8 * self._bits
        self._start = (HEADER_BYTES + 4 * blocks + 63) // 64 * 64
        if path.stat().st_size != self._start + blocks * self._block_bytes + TAIL_BYTES:
            raise self._damaged("its size is not what its header asks for")

    def value(self, number: int) -> int:
        if number >= self._entries:
            raise self._damaged(f"it has no entry {number}")
        block, index = divmod(number, BLOCK_ENTRIES)
        if block not in self._blocks:
            crc = int.from_bytes(self._read(HEADER_BYTES + 4 * block, 4), "little")
            data = self._read(self._start + block * self._block_bytes, self._block_bytes)
            if zlib.crc32(data, block) != crc:
                raise self._damaged(f"block {block} is damaged")
            self._blocks[block] = int.from_bytes(data, "little")
        return self._lowest + (self._blocks[block] >> index * self._bits & (1 << self._bits) - 1)

    def _read(self, offset: int, size: int) -> bytes:
        with self._path.open("rb") as stream:
            stream.seek(offset)
            return stream.read(size)

    def _damaged(self, why: str) -> DamagedTableError:
        return DamagedTableError(f"table {self._path}: {why}")
