"""Writes the tables of a package as table files again, which the native core reads."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules import Game
from proofbase.engine.rules.tables.table_header import COMPRESSED, header_of
from proofbase.engine.tables.files import MAGIC
from proofbase.storage import OnProgress
from proofbase.storage.package.files import new_file
from proofbase.storage.table_blocks import TableBlocks, TableDescription

__all__ = ["write_table_file"]

LEVEL = 3
"""The level of zstd."""


def write_table_file(
    directory: Path,
    rules: Game[Any],
    about: TableDescription,
    blocks: TableBlocks,
    on_progress: OnProgress,
) -> Path:
    """Writes a table in the compressed form (docs/tables.md).

    Args:
        directory: where to write NAME.table.
        rules: the game by its rules in plain Python.
        about: the table.
        blocks: its blocks.
        on_progress: told how far it is.

    Raises:
        DamagedTableError: it is not the table that the rules have, or has entries of more bits than it says.
        StoreDamagedError: a block is damaged.
    """
    import zstandard

    claimed_header = struct.pack("<8sIIQi", MAGIC, COMPRESSED, about.bits, about.entries, about.lowest).ljust(48, b"\0")
    header = header_of(rules, about.name, (claimed_header + struct.pack("<Q", about.block_entries)).ljust(256, b"\0"))
    stated = about.rules_fingerprint.to_bytes(8, "little")
    if not header or header[16:24] != claimed_header[16:24] or header[40:48] != stated:
        raise DamagedTableError(f"table {about.name}: it is not the table that the rules of {rules.name} have")
    count = -(-about.entries // about.block_entries)
    start = (256 + 8 * count + 63) // 64 * 64
    sums, sizes = bytearray(), bytearray()
    packer = zstandard.ZstdCompressor(level=LEVEL)
    path = directory / f"{about.name.replace(':', '_')}.table"
    with new_file(path) as file:
        file.write(bytes(start))
        for number, entries in enumerate(_blocks(about, blocks, count)):
            packed = packer.compress(entries)
            sums += zlib.crc32(packed, number).to_bytes(4, "little")
            sizes += len(packed).to_bytes(4, "little")
            file.write(packed)
            if number % 100 == 0:
                on_progress(f"table {about.name}", number, count, "blocks")
        file.write(bytes(8))
        file.seek(0)
        file.write(header + sums + sizes)
    return path


def _blocks(about: TableDescription, blocks: TableBlocks, count: int) -> Iterator[bytes]:
    for number in range(count):
        entries = blocks.block(about.name, number)
        high = max(entries) if about.bits <= 8 else max(struct.unpack(f"<{len(entries) // 2}H", entries))
        if high >> about.bits:
            raise DamagedTableError(f"table {about.name}: block {number} has entries of more than {about.bits} bits")
        yield entries
