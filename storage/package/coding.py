"""How a package keeps records and entries of tables: blocks, and pages of an index of blocks (docs/packages.md).

A checksum of a block is in a page of the index, a checksum of a page is in the root of the index, and the root is in
the manifest. So whoever has read the manifest can tell whether a block is as it was written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

__all__ = [
    "Block",
    "Page",
    "checksum",
    "claims_in",
    "in_pages",
    "pack",
    "read_page",
    "read_records",
    "read_root",
    "unpack",
    "write_page",
    "write_record",
    "write_root",
]

CHECKSUM_BYTES = 16
MARK_BYTES = 8
MOST_BLOCK_BYTES = 4 << 20
"""A block that says it is larger is not read, and none is unpacked beyond it: a tenth of that is usual at the most."""
MOST_PAGE_BYTES = 1 << 20
"""A page of an index that says it is larger is not read."""
MOST_BLOCK_RECORDS = 1 << 16
"""A block with more records is not read: 24 kB hold a tenth of that."""
MOST_KEY_BYTES = 16 << 20
"""All keys of a block together: each may share most of its bytes with the one before, and takes all of them here."""


@dataclass(frozen=True, slots=True)
class Block:
    """What the index says of a block.

    Attributes:
        start, size: where it is in the file, in bytes.
        checksum: of its bytes in the file.
        first: the key of its first record; empty for a block of a table.
        records: how many it has, likewise 0.
        fingerprint: of its claims, likewise 0.
    """

    start: int
    size: int
    checksum: bytes
    first: bytes = b""
    records: int = 0
    fingerprint: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What the root says of a page of the index.

    Attributes:
        start, size: where it is in the file, in bytes.
        checksum: of its bytes.
        first: the key of its first record; empty in an index of a table.
    """

    start: int
    size: int
    checksum: bytes
    first: bytes = b""


def checksum(data: bytes) -> bytes:
    """The first 16 bytes of SHA-256."""
    return sha256(data).digest()[:CHECKSUM_BYTES]


def pack(data: bytes) -> bytes:
    """Compresses a block: plain DEFLATE (RFC 1951), `deflate-raw` of a browser's DecompressionStream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def unpack(data: bytes) -> bytes:
    """Inverse of `pack`.

    Raises:
        ValueError: it is not one compressed block.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        unpacked = unpacker.decompress(data, MOST_BLOCK_BYTES)
    except zlib.error as error:
        raise ValueError(f"it cannot be decompressed: {error}") from None
    if not unpacker.eof or unpacker.unused_data or unpacker.unconsumed_tail:
        raise ValueError("it is not one compressed block")
    return unpacked


def write_record(before: bytes, key: bytes, record: bytes) -> bytes:
    """A record in a block, behind the one with the key `before` (empty for the first one of the block)."""
    shared, most = 0, min(len(before), len(key))
    while shared < most and before[shared] == key[shared]:
        shared += 1
    rest = key[shared:]
    return b"".join((_varint(shared), _varint(len(rest)), rest, _varint(len(record)), record))


def read_records(data: bytes) -> list[tuple[bytes, bytes]]:
    """The keys and records of an unpacked block.

    Raises:
        ValueError: it is no block of records with ascending keys.
    """
    records: list[tuple[bytes, bytes]] = []
    key, at, end, key_bytes = b"", 0, len(data), 0
    try:
        while at < end:
            shared, at = _read_varint(data, at) if data[at] > 127 else (data[at], at + 1)
            size, at = _read_varint(data, at) if data[at] > 127 else (data[at], at + 1)
            if shared > len(key):
                raise ValueError("a key shares more than there is")
            following = key[:shared] + data[at : at + size]
            at += size
            size, at = _read_varint(data, at) if data[at] > 127 else (data[at], at + 1)
            if following <= key or at + size > end:
                raise ValueError("its keys do not ascend, or it is cut off")
            key = following
            key_bytes += len(key)
            if key_bytes > MOST_KEY_BYTES or len(records) == MOST_BLOCK_RECORDS:
                raise ValueError("it has more records, or longer keys, than a block may have")
            records.append((key, data[at : at + size]))
            at += size
    except IndexError:
        raise ValueError("it is cut off") from None
    return records


def claims_in(item: tuple[bytes, bytes]) -> int:
    """How many claims the record of a key says that it has (docs/record-encoding.md)."""
    return item[1][0] & 15 if item[1] else 0


def write_page(blocks: list[Block]) -> bytes:
    """A page of the index: where its first block begins, and each block."""
    parts = [_varint(blocks[0].start)]
    for block in blocks:
        if block.first:
            parts += [_varint(len(block.first)), block.first]
        parts.append(_varint(block.size))
        if block.first:
            parts += [_varint(block.records), block.fingerprint.to_bytes(MARK_BYTES, "big")]
        parts.append(block.checksum)
    return b"".join(parts)


def read_page(data: bytes, *, of_records: bool) -> list[Block]:
    """Inverse of `write_page`.

    Raises:
        ValueError: it is no page.
    """
    blocks: list[Block] = []
    start, at = _read_varint(data, 0)
    while at < len(data):
        first, records, mark = b"", 0, 0
        if of_records:
            first, at = _read_first(data, at, blocks)
        size, at = _read_size(data, at, MOST_BLOCK_BYTES)
        if of_records:
            records, at = _read_varint(data, at)
            mark_bytes, at = _read_bytes(data, at, MARK_BYTES)
            mark = int.from_bytes(mark_bytes, "big")
        sum_of_block, at = _read_bytes(data, at, CHECKSUM_BYTES)
        blocks.append(Block(start, size, sum_of_block, first, records, mark))
        start += size
    return blocks


def write_root(pages: Iterable[Page]) -> bytes:
    """The root of an index; its pages follow one another in the file."""
    parts = []
    for page in pages:
        if page.first:
            parts += [_varint(len(page.first)), page.first]
        parts += [_varint(page.size), page.checksum]
    return b"".join(parts)


def read_root(data: bytes, start: int, *, of_records: bool) -> list[Page]:
    """Inverse of `write_root`.

    Args:
        data: the root.
        start: where the first page begins in the file.
        of_records: whether the index is of records, or of a table.

    Raises:
        ValueError: it is no root.
    """
    pages: list[Page] = []
    at = 0
    while at < len(data):
        first = b""
        if of_records:
            first, at = _read_first(data, at, pages)
        size, at = _read_size(data, at, MOST_PAGE_BYTES)
        sum_of_page, at = _read_bytes(data, at, CHECKSUM_BYTES)
        pages.append(Page(start, size, sum_of_page, first))
        start += size
    return pages


def in_pages(blocks: list[Block], size: int) -> Iterator[list[Block]]:
    """The blocks of each page, with so many blocks a page."""
    for first in range(0, len(blocks), size):
        yield blocks[first : first + size]


def _varint(number: int) -> bytes:
    """Unsigned LEB128."""
    if number < 128:
        return _SHORT[number]
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


_SHORT = [bytes([number]) for number in range(128)]


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(data) or shift > 56:
            raise ValueError("it is cut off")
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7


def _read_size(data: bytes, at: int, most: int) -> tuple[int, int]:
    """How many bytes a block or a page has in its file."""
    size, at = _read_varint(data, at)
    if not 0 < size <= most:
        raise ValueError(f"it names a part of {size:,} bytes, and those of a package have 1 to {most:,}")
    return size, at


def _read_first(data: bytes, at: int, before: Sequence[Block | Page]) -> tuple[bytes, int]:
    """The first key of a block or a page behind others."""
    first, at = _read_bytes(data, at, None)
    if before and first <= before[-1].first:
        raise ValueError("its first keys do not ascend")
    return first, at


def _read_bytes(data: bytes, at: int, size: int | None) -> tuple[bytes, int]:
    """A run of `size` bytes, or of as many as the number before them says."""
    if size is None:
        size, at = _read_varint(data, at)
    if at + size > len(data):
        raise ValueError("it is cut off")
    return data[at : at + size], at + size
