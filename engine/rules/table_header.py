"""The header that the table of a class must have by the rules of its game, and its blocks (docs/tables.md).

A reader of tables compares the 256 bytes with those of the file. So a table under the name of another one, of another
class, of another game, or of other rules is refused.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from itertools import accumulate, repeat
from typing import Any

from proofbase.engine.rules.game import Game

__all__ = ["TableLayout", "header_of", "rules_fingerprint"]

SAMPLES = 64
"""Positions of a class that its fingerprint is made of."""
PLAIN, COMPRESSED = 1, 2
"""The versions of the format."""
PLAIN_BLOCK = 8192
"""Entries of a block of a plain file."""
COMPRESSED_BLOCKS = [1 << power for power in range(10, 21)]
"""Entries that the blocks of a compressed file may have."""
SECOND_START = 0x9E3779B9
"""Where the second of the two checksums of a fingerprint starts."""


def header_of(game: Game[Any], name: str, data: bytes) -> bytes:
    """The header that the table of this name must have; bits, lowest value and compression are taken from the file.

    Args:
        game: the rules.
        name: name of a table.
        data: the file, or its first 256 bytes at least; empty for a file that is not there.

    Returns:
        256 bytes; empty if the file is shorter, its version is neither 1 nor 2, its bits are not 1 to 8, its lowest
        value is outside the game's range, its blocks have another number of entries than 2^10 to 2^20, or no table of
        the game has this name.
    """
    found = game.table_class(name)
    if found is None or len(data) < 256:
        return b""
    version, bits, _, lowest = struct.unpack_from("<IIQi", data, 8)
    if not 1 <= bits <= 8 or abs(lowest) > game.highest_value:
        return b""
    block = int.from_bytes(data[48:56], "little") if version == COMPRESSED else 0
    if version not in (PLAIN, COMPRESSED) or (version == COMPRESSED and block not in COMPRESSED_BLOCKS):
        return b""
    plies = int(game.table_end_value is not None)
    fixed = struct.pack(
        "<8sIIQiIII", b"PBTABLE\n", version, bits, found.entries, lowest, found.number, game.rules_version, plies
    )
    fingerprint = struct.pack("<QQ8x", rules_fingerprint(game, name), block)
    names = struct.pack("64s32s92x", game.name.encode(), found.name.encode())
    header = fixed + fingerprint + names
    return header + struct.pack("<I", zlib.crc32(header))


class TableLayout:
    """Where the blocks of a table are in its file, and what they hold.

    Args:
        header: of the file, 256 bytes that make sense (`header_of`).

    Attributes:
        entries: of the table.
        block_entries: of a block; the last block of a compressed file may have fewer.
        start: where the directory ends, which begins behind the header, and the first block begins.
    """

    def __init__(self, header: bytes) -> None:
        self._bits: int
        self.entries: int
        self._lowest: int
        version, self._bits, self.entries, self._lowest = struct.unpack_from("<IIQi", header, 8)
        self._compressed = version == COMPRESSED
        self.block_entries = int.from_bytes(header[48:56], "little") if self._compressed else PLAIN_BLOCK
        self._blocks = -(-self.entries // self.block_entries)
        self._numbers = (8 if self._compressed else 4) * self._blocks
        self.start = (256 + self._numbers + 63) // 64 * 64
        self._sums, self._starts = b"", list[int]()

    def read_directory(self, directory: bytes, size: int) -> None:
        """Takes the bytes between the header and the first block of a file of `size` bytes.

        Raises:
            ValueError: the file is damaged.
        """
        split = 4 * self._blocks
        self._sums = directory[:split]
        if len(directory) < self._numbers:
            raise ValueError("it is shorter than its directory")
        sizes: Iterable[int] = repeat(self.block_entries // 8 * self._bits, self._blocks)
        if self._compressed:
            sizes = struct.unpack_from(f"<{self._blocks}I", directory, split)
        self._starts = list(accumulate(sizes, initial=self.start))
        if self._starts[-1] + 8 != size:
            raise ValueError(f"it has {size} bytes, its header asks for another size")
        if any(directory[self._numbers :]):
            raise ValueError("it is damaged between its parts")

    def place(self, block: int) -> tuple[int, int]:
        """Where a block begins in the file, and where it ends."""
        return self._starts[block], self._starts[block + 1]

    def read_block(self, block: int, data: bytes) -> bytes:
        """Decodes the bytes of a block for `value`.

        Raises:
            ValueError: the block is damaged.
        """
        if zlib.crc32(data, block).to_bytes(4, "little") != self._sums[4 * block : 4 * block + 4]:
            raise ValueError(f"block {block} is damaged: the checksum is another")
        if not self._compressed:
            return data
        import zstandard

        size = min(self.block_entries, self.entries - block * self.block_entries)
        try:
            # The frame says how much it holds: no more memory is taken than a block may have.
            whole = zstandard.frame_content_size(data) == size
            decoded = zstandard.ZstdDecompressor().decompress(data) if whole else b""
        except zstandard.ZstdError:
            decoded = b""
        if len(decoded) != size:
            raise ValueError(f"block {block} is damaged: it cannot be decompressed")
        if max(decoded) >> self._bits:
            raise ValueError(f"block {block} is damaged: it has entries of more bits")
        return decoded

    def value(self, decoded: bytes, index: int) -> int:
        """What a decoded block holds for the entry with this number in the block."""
        if self._compressed:
            return self._lowest + decoded[index]
        byte, bit = divmod(index * self._bits, 8)
        return self._lowest + (int.from_bytes(decoded[byte : byte + 2], "little") >> bit & (1 << self._bits) - 1)


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
