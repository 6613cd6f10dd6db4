"""Writes table files (docs/tables.md), completely or not at all."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import COMPRESSED, PLAIN, PLAIN_BLOCK, header_of

__all__ = ["write_table"]


def write_table(
    path: Path, game: Game[Any], name: str, entries: Sequence[int], compression: tuple[int, int] | None = None
) -> None:
    """Writes a table.

    Args:
        path: of the file.
        game: the rules.
        name: of the table.
        entries: a value each, -120 to 120, or an entry of plies, 0 to 254.
        compression: the level of zstd and the entries of a block; None for the plain form.

    Raises:
        OSError: it cannot be written. Then there is no new file, and an old one is as it was.
    """
    lowest = 0 if game.table_end_value is not None else min(entries)
    bits = max(1, (max(entries) - lowest).bit_length())
    version, block = (PLAIN, PLAIN_BLOCK) if compression is None else (COMPRESSED, compression[1])
    form = block if compression else 0
    given = struct.pack("<8sIIQi12xQQ", b"PBTABLE\n", version, bits, len(entries), lowest, 0, form).ljust(256, b"\0")
    header = header_of(game, name, given)
    assert header, f"the header of {name}"
    blocks = list(_blocks(entries, lowest, bits, block, None if compression is None else compression[0]))
    sums = b"".join(zlib.crc32(data, number).to_bytes(4, "little") for number, data in enumerate(blocks))
    sizes = b"".join(len(data).to_bytes(4, "little") for data in blocks) if compression else b""
    start = header + sums + sizes
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            file.write(start.ljust(-(-len(start) // 64) * 64, b"\0"))
            for data in blocks:
                file.write(data)
            file.write(bytes(8))
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)  # the new name is on the disk when the directory is
    finally:
        os.close(directory)


def _blocks(entries: Sequence[int], lowest: int, bits: int, block: int, level: int | None) -> Iterator[bytes]:
    """The blocks of a file, compressed where a level is given."""
    for first in range(0, len(entries), block):
        part = bytes(entry - lowest for entry in entries[first : first + block])
        if level is not None:
            import zstandard

            yield zstandard.ZstdCompressor(level=level).compress(part)
            continue
        # Eight entries are `bits` whole bytes.
        eights = (
            sum(entry << place * bits for place, entry in enumerate(part[at : at + 8])) for at in range(0, len(part), 8)
        )
        yield b"".join(eight.to_bytes(bits, "little") for eight in eights).ljust(block * bits // 8, b"\0")
