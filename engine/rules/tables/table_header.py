"""The header that the table of a class must have by the rules of its game, and its blocks (docs/tables.md).

A reader of tables compares the 256 bytes with those of the file. So a table under the name of another one, of another
class, of another game, or of other rules is refused.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, repeat
from typing import Any

from proofbase.engine.rules.game import Game, TableClass

__all__ = ["COMPRESSED", "PLAIN", "PLIES", "TableLayout", "class_of_table", "header_of", "rules_fingerprint"]

PLIES = "-plies"
"""What the name of a table of plies beside one of values has behind it, and the name of its class."""

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
        256 bytes; empty if the file is shorter, its version is neither 1 nor 2, its bits are not 1 to 8 (16 in a table
        of plies), its lowest value is outside the game's range, its blocks have another number of entries than 2^10 to
        2^20, or no table of the game has this name.
    """
    of_name = class_of_table(game, name)
    if of_name is None or len(data) < 256:
        return b""
    found, plies = of_name
    version, bits, _, lowest = struct.unpack_from("<IIQi", data, 8)
    if not 1 <= bits <= (16 if plies else 8) or abs(lowest) > game.highest_value:
        return b""
    block = int.from_bytes(data[48:56], "little") if version == COMPRESSED else 0
    if version not in (PLAIN, COMPRESSED) or (version == COMPRESSED and block not in COMPRESSED_BLOCKS):
        return b""
    fixed = struct.pack(
        "<8sIIQiIII",
        b"PBTABLE\n",
        version,
        bits,
        found.entries,
        lowest,
        found.number,
        game.rules_version,
        2 if game.tables_to_resets else plies,
    )
    fingerprint = struct.pack(
        "<QQ8x", rules_fingerprint(game, name if game.table_class(name) else name.removesuffix(PLIES)), block
    )
    names = struct.pack("64s32s92x", game.name.encode(), found.name.encode())
    header = fixed + fingerprint + names
    return header + struct.pack("<I", zlib.crc32(header))


def class_of_table(game: Game[Any], name: str) -> tuple[TableClass, bool] | None:
    """The class whose table has this name, and whether the table holds plies; None where no table of the game has it.

    The class of a table of plies beside one of values has its name with `PLIES` behind it.
    """
    table_class = game.table_class(name)
    if table_class is not None:
        return table_class, game.table_end_value is not None
    if game.plies_end_value is None or not name.endswith(PLIES):
        return None
    table_class = game.table_class(name.removesuffix(PLIES))
    return None if table_class is None else (table_class._replace(name=table_class.name + PLIES), True)


class TableLayout:
    """Where the blocks of a table are in its file, and what they hold.

    Args:
        header: of the file, 256 bytes that make sense (`header_of`).

    Attributes:
        bits: of an entry.
        entries: of the table.
        lowest: the value of an entry 0.
        compressed: whether the blocks are compressed.
        blocks: how many there are.
        block_entries: of a block; the last block of a compressed file may have fewer.
        start: where the directory ends, which begins behind the header, and the first block begins.
    """

    def __init__(self, header: bytes) -> None:
        self.bits: int
        self.entries: int
        self.lowest: int
        version, self.bits, self.entries, self.lowest = struct.unpack_from("<IIQi", header, 8)
        self.compressed = version == COMPRESSED
        self._width = 2 if self.bits > 8 else 1  # bytes of an entry in a block before it is compressed
        self.block_entries = int.from_bytes(header[48:56], "little") if self.compressed else PLAIN_BLOCK
        self.blocks = -(-self.entries // self.block_entries)
        self._numbers = (8 if self.compressed else 4) * self.blocks
        self.start = (256 + self._numbers + 63) // 64 * 64
        self._sums, self._starts = b"", list[int]()

    @property
    def plain_bytes(self) -> int:
        """Bytes of the file in the plain form."""
        blocks = -(-self.entries // PLAIN_BLOCK)
        return (256 + 4 * blocks + 63) // 64 * 64 + blocks * PLAIN_BLOCK // 8 * self.bits + 8

    def read_directory(self, directory: bytes, size: int) -> None:
        """Takes the bytes between the header and the first block of a file of `size` bytes.

        Raises:
            ValueError: the file is damaged.
        """
        split = 4 * self.blocks
        self._sums = directory[:split]
        if len(directory) < self._numbers:
            raise ValueError("it is shorter than its directory")
        sizes: Iterable[int] = repeat(self.block_entries // 8 * self.bits, self.blocks)
        if self.compressed:
            sizes = struct.unpack_from(f"<{self.blocks}I", directory, split)
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
        if not self.compressed:
            return data
        import zstandard

        size = min(self.block_entries, self.entries - block * self.block_entries)
        try:
            # The frame says how much it holds: no more memory is taken than a block may have.
            whole = zstandard.frame_content_size(data) == size * self._width
            decoded = zstandard.ZstdDecompressor().decompress(data) if whole else b""
        except zstandard.ZstdError:
            decoded = b""
        if len(decoded) != size * self._width:
            raise ValueError(f"block {block} is damaged: it cannot be decompressed")
        if max(decoded if self._width == 1 else struct.unpack(f"<{size}H", decoded)) >> self.bits:
            raise ValueError(f"block {block} is damaged: it has entries of more bits")
        return decoded

    def counts(self, block: int, decoded: bytes) -> Counter[int]:
        """How many entries of a block, as `read_block` gives it, have each value."""
        entries = min(self.block_entries, self.entries - block * self.block_entries)
        width, bits = (8 * self._width, 8 * self._width) if self.compressed else (self.bits, self.bits)
        counts = Counter[int]()
        if bits == 8:
            counts = Counter(decoded[:entries])
            return Counter({self.lowest + entry: count for entry, count in counts.items()})
        # Eight entries take `bits` bytes. The j-th ones of all these groups lie in the same two or three bytes of them.
        for first in range(8):
            byte, bit = divmod(first * bits, 8)
            columns_length = len(range(first, entries, 8))
            columns = [decoded[byte + more :: bits][:columns_length] for more in range((bit + width + 7) // 8)]
            for parts, count in Counter(zip(*columns, strict=True)).items():
                counts[self.lowest + (int.from_bytes(parts, "little") >> bit & (1 << width) - 1)] += count
        return counts

    def value(self, decoded: bytes, index: int) -> int:
        """What a decoded block holds for the entry with this number in the block."""
        if self.compressed:
            return self.lowest + int.from_bytes(decoded[index * self._width : (index + 1) * self._width], "little")
        byte, bit = divmod(index * self.bits, 8)
        return self.lowest + (int.from_bytes(decoded[byte : byte + 3], "little") >> bit & (1 << self.bits) - 1)


def rules_fingerprint(game: Game[Any], name: str) -> int:
    """The fingerprint of the rules and of the numbering of a class: two CRC-32 of 64 positions and of their moves.

    Raises:
        ValueError: no table of the game has this name.
    """
    table_class = game.table_class(name)
    if table_class is None:
        raise ValueError(f"{game.name} has no table {name!r}")
    text = bytearray()
    for sample in range(SAMPLES):
        entries = table_class.entries
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
