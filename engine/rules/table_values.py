"""Values from table files (docs/tables.md), read by plain Python and held against the rules of the game.

The checker of certificates reads tables with this class where it is told to (`--tables`). The engine and the native
core have readers of their own.

An entry of a table of plies says how a position ends, and when. 0: a draw. 1: no position has this number. From 2 on:
the game ends in (entry - 2) plies if both sides play for that, the winner for the soonest end and the loser for the
latest. Who wins follows from the plies, as the sides take turns.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

from proofbase.engine.rules.game import Game
from proofbase.engine.rules.table_header import header_of

__all__ = ["TableValues", "plies_of_entry", "value_of_entry"]

FINISHED = 2
"""The entry of a finished game that is not drawn."""


class TableValues:
    """Values from the table files of a directory, by the game's own numbering; none without a directory."""

    def __init__(self, game: Game[Any], directory: Path | None) -> None:
        self.game, self.directory = game, directory
        self.files, self.headers = dict[str, bytes | None](), dict[str, bytes]()
        self.sound_blocks = set[tuple[str, int]]()

    def of(self, position: Any) -> int | None:
        """The exact value of a position that is not finished; ValueError for a damaged table."""
        entry = None if self.directory is None else self.game.table_entry(position)
        if self.directory is None or entry is None:
            return None
        (name, number), path = entry, self.directory / f"{entry[0].replace(':', '_')}.table"
        if name not in self.files:
            self.files[name] = data = path.read_bytes() if path.exists() else None
            self.headers[name] = header_of(self.game, name, data or b"")
        if (data := self.files[name]) is None:
            return None
        bits, entries, lowest = struct.unpack_from("<IQi", data.ljust(256, b"\0"), 12)
        block, index = divmod(number, 8192)
        size, start = 1024 * bits, (256 + 4 * -(-entries // 8192) + 63) // 64 * 64
        packed = data[start + block * size : start + (block + 1) * size]
        if (name, block) not in self.sound_blocks:
            if data[:256] != self.headers[name] or len(data) != start + size * -(-entries // 8192) + 8:
                raise ValueError(f"{path} is damaged, or not the table of this name by these rules")
            if zlib.crc32(packed, block).to_bytes(4, "little") != data[256 + 4 * block : 260 + 4 * block]:
                raise ValueError(f"block {block} of {path} is damaged")
            self.sound_blocks.add((name, block))
        byte, bit = divmod(index * bits, 8)
        found = int(lowest + (int.from_bytes(packed[byte : byte + 2], "little") >> bit & (1 << bits) - 1))
        return value_of_entry(found, self.game.table_end_value)


def value_of_entry(entry: int, end_value: int | None) -> int:
    """The value for the side to move; the entry itself in a table of values.

    Args:
        entry: what the table holds.
        end_value: the game's `table_end_value`.
    """
    if end_value is None:
        return entry
    if entry < FINISHED:
        return 0
    return -end_value if entry % 2 else end_value


def plies_of_entry(entry: int, end_value: int | None) -> int | None:
    """Plies to the end of the game, 0 for draws; None in a table of values."""
    return None if end_value is None else max(entry - FINISHED, 0)
