"""The header that the table of a class of positions must have by the rules of its game (docs/tables.md).

A reader of tables compares the 256 bytes with those of the file. So a table under the name of another one, of another
class, of another game, or of other rules is refused.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

from proofbase.engine.rules.game import Game

__all__ = ["header_of", "rules_fingerprint"]

SAMPLES = 64
"""Positions of a class that its fingerprint is made of."""
SECOND_START = 0x9E3779B9
"""Where the second of the two checksums of a fingerprint starts."""


def header_of(game: Game[Any], name: str, data: bytes) -> bytes:
    """The header that the table of this name must have, its bits and its lowest value taken from the file.

    Args:
        game: the rules.
        name: name of a table.
        data: the file, or its first 256 bytes at least; empty for a file that is not there.

    Returns:
        256 bytes; empty if the file is shorter, its bits are not 1 to 8, its lowest value is outside the game's range,
        or no table of the game has this name.
    """
    found = game.table_class(name)
    if found is None or len(data) < 256:
        return b""
    bits, _, lowest = struct.unpack_from("<IQi", data, 12)
    if not 1 <= bits <= 8 or abs(lowest) > game.highest_value:
        return b""
    plies = int(game.table_end_value is not None)
    fixed = struct.pack(
        "<8sIIQiIII", b"PBTABLE\n", 1, bits, found.entries, lowest, found.number, game.rules_version, plies
    )
    fingerprint = struct.pack("<Q16x", rules_fingerprint(game, name))
    names = struct.pack("64s32s92x", game.name.encode(), found.name.encode())
    header = fixed + fingerprint + names
    return header + struct.pack("<I", zlib.crc32(header))


def rules_fingerprint(game: Game[Any], name: str) -> int:
    """The fingerprint of the rules and of the numbering of a class: two CRC-32 of 64 positions and of their moves.

    Raises:
        ValueError: no table of the game has this name.
    """
    found = game.table_class(name)
    if found is None:
        raise ValueError(f"{game.name} has no table {name!r}")
    text = bytearray()
    for sample in range(SAMPLES):
        entries = found.entries
        number = sample % entries if entries <= SAMPLES else sample * (entries // SAMPLES)
        position = game.table_position(name, number)
        if position is None:
            continue
        text += game.key(position)
        value = game.terminal(position)
        if value is not None:
            text += value.to_bytes(8, "big", signed=True)
            continue
        for move in game.moves(position):
            child = game.play(position, move)
            text += game.key(child)
            text += game.reward(position, move).to_bytes(8, "big", signed=True)
            entry = game.table_entry(child)
            text += b"" if entry is None else entry[1].to_bytes(8, "big")
    return zlib.crc32(text, SECOND_START) << 32 | zlib.crc32(text)
