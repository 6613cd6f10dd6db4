"""Reads the blocks of a package, each against its checksum, and keeps them."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from proofbase.storage.errors import StoreDamagedError, StoreError
from proofbase.storage.package.coding import Block, Page, checksum, read_page, read_records, unpack
from proofbase.storage.package.folders import Allowance, Folder
from proofbase.storage.package.manifest import IndexRoot, PackedTable
from proofbase.storage.table_blocks import TableBlocks, TableDescription

__all__ = ["BlockReader", "Damage", "PackedTables", "Records"]

KEPT_PAGE_BYTES = 32 << 20
"""The pages of indexes that are kept, as they are in the file."""
KEPT_ENTRY_BYTES = 64 << 20
"""The blocks of tables that are kept."""
KEPT_RECORD_BYTES, RECORD_BYTES = 256 << 20, 200
"""The records that are kept, and what each takes beside its key and its claims."""
AT_ONCE, BYTES_AT_ONCE = 200, 32 << 20
"""Blocks that are read together, and their bytes."""
BOARD_REQUESTS = 5
"""Requests that a board with all its moves may take, beside that for the manifest."""
BLOCK_REQUESTS = 2
"""Requests of these for blocks, at least; the others are for pages of the index."""
FIRST_READ, LARGEST_READ = 16 << 10, 2 << 20
"""Bytes of a scan's reads, from the first one, each twice as large as the one before."""

Records = dict[bytes, bytes]
Kept = TypeVar("Kept")


class Damage(StoreDamagedError):
    """A block, or a page of an index, that is not as it was written."""


class _LastUsed(Generic[Kept]):
    """What was asked for last, up to a sum of sizes. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self._limit, self._used = limit, 0
        self._found: OrderedDict[tuple[str, int], tuple[Kept, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, place: tuple[str, int]) -> Kept | None:
        with self._lock:
            kept = self._found.get(place)
            if kept is None:
                return None
            self._found.move_to_end(place)
            return kept[0]

    def put(self, place: tuple[str, int], value: Kept, size: int) -> None:
        with self._lock:
            self._used += size - self._found.pop(place, (None, 0))[1]
            self._found[place] = value, size
            while self._used > self._limit and len(self._found) > 1:
                self._used -= self._found.popitem(last=False)[1][1]


class BlockReader:
    """Reads blocks by their indexes. Thread-safe.

    Args:
        folder: where the files are.
        parts: of files that go on in others: names, and where each begins.
    """

    def __init__(self, folder: Folder, parts: Mapping[str, Sequence[tuple[str, int]]] | None = None) -> None:
        self._folder = folder
        self._parts = parts or {}
        self._pages = _LastUsed[list[Block]](KEPT_PAGE_BYTES)
        self._records = _LastUsed[Records](KEPT_RECORD_BYTES)
        self._entries = _LastUsed[bytes](KEPT_ENTRY_BYTES)

    def records_of(self, index: IndexRoot, keys: Sequence[bytes]) -> Iterator[tuple[list[bytes], Records | Damage]]:
        """The blocks that some keys would be in: with each the keys, and its records or what is wrong with it.

        Keys before the first block are left out.

        Raises:
            Damage: a page of the index is damaged.
        """
        firsts = [page.first for page in index.pages]
        by_page: dict[int, list[bytes]] = {}
        for key in keys:
            number = bisect_right(firsts, key) - 1
            if number >= 0:
                by_page.setdefault(number, []).append(key)
        allowance = Allowance(BOARD_REQUESTS, BLOCK_REQUESTS)
        pages = self._read_pages(index.file, [(index, number) for number in by_page], allowance)
        by_block: dict[int, tuple[Block, list[bytes]]] = {}
        for number, wanted in by_page.items():
            blocks = pages[index.start, number]
            starts = [block.first for block in blocks]
            for key in wanted:
                block = blocks[bisect_right(starts, key) - 1]
                by_block.setdefault(block.start, (block, []))[1].append(key)
        for part, allowed in _parts([block for block, _ in by_block.values()], allowance):
            for block, records in zip(part, self._read_records(index.file, part, allowed), strict=True):
                yield by_block[block.start][1], records

    def scan(self, index: IndexRoot, after: bytes | None) -> Iterator[list[tuple[bytes, bytes]] | tuple[Block, Damage]]:
        """The records of each block in their order, or a block with what is wrong with it, behind a key.

        What is read is not kept.
        """
        last = b""
        for batch in _batches(self.blocks(index, after)):
            for block, data in zip(batch, self.read_packed(index.file, batch), strict=True):
                items = self._items(index.file, block, data)
                if not isinstance(items, Damage) and items[0][0] <= last:
                    items = self._damage(f"block at byte {block.start:,}", index.file, "its keys are before others")
                if isinstance(items, Damage):
                    yield block, items
                    continue
                last = items[-1][0]
                yield items

    def blocks(self, index: IndexRoot, after: bytes | None = None) -> Iterator[Block]:
        """All blocks of an index, in their order; those without the ones that end before a key.

        Raises:
            Damage: a page of the index is damaged, or names bytes that an earlier one has named: a small file is no
                large solution.
        """
        pages, end = index.pages, 0
        first = 0 if after is None else max(0, bisect_right([page.first for page in pages], after) - 1)
        for number in range(first, len(pages)):
            blocks = self._read_pages(index.file, [(index, number)])[index.start, number]
            if blocks[0].start < end:
                raise self._damage(f"page {number} of the index", index.file, "its blocks are those of others")
            end, skipped = blocks[-1].start + blocks[-1].size, 0
            if after is not None and number == first:
                skipped = max(0, bisect_right([block.first for block in blocks], after) - 1)
            yield from blocks[skipped:]

    def block_keys(self, index: IndexRoot, block: Block) -> list[bytes]:
        """The keys of a block, ascending.

        Raises:
            Damage: it is damaged.
        """
        (records,) = self._read_records(index.file, [block])
        if isinstance(records, Damage):
            raise records
        return list(records)

    def read_packed(
        self, file: str, blocks: Sequence[Block], allowance: Allowance | None = None
    ) -> list[bytes | Damage]:
        """The bytes of blocks as they are in the file, or what is wrong with each."""
        if not blocks:
            return []
        parts = self._read(file, blocks, allowance)
        return [
            self._damage(f"block at byte {block.start:,}", file) if data is None else data
            for block, data in zip(blocks, parts, strict=True)
        ]

    def _read(self, file: str, parts: Sequence[Block | Page], allowance: Allowance | None) -> list[bytes | None]:
        """The bytes of parts of a file; None for one that no place of the package gives as it was written.

        Raises:
            StoreError: no place gives any of it.
        """
        read: dict[int, bytes | None] = {}
        wrong, failures = list(range(len(parts))), list[StoreError]()
        for place in self._folder.places:
            if not wrong:
                break
            try:
                for name, begin, numbers in self._by_file(file, parts, wrong):
                    ranges = [(parts[number].start - begin, parts[number].size) for number in numbers]
                    for number, data in zip(numbers, place.read(name, ranges, allowance), strict=True):
                        read[number] = data if checksum(data) == parts[number].checksum else None
            except StoreError as error:
                failures.append(error)
                self._folder.places = (*(other for other in self._folder.places if other is not place), place)
            wrong = [number for number in wrong if read.get(number) is None]
            allowance = None
        if len(read) < len(parts):
            raise failures[0]
        return [read[number] for number in range(len(parts))]

    def _by_file(
        self, file: str, parts: Sequence[Block | Page], numbers: Sequence[int]
    ) -> Iterator[tuple[str, int, list[int]]]:
        """The files that hold parts of one that may go on in others: where each begins, the numbers of its parts."""
        files = self._parts.get(file, ((file, 0),))
        begins = [begin for _, begin in files]
        by_file: dict[int, list[int]] = {}
        for number in numbers:
            by_file.setdefault(bisect_right(begins, parts[number].start) - 1, []).append(number)
        for place, of_file in by_file.items():
            yield *files[place], of_file

    def entries(self, file: str, places: Iterable[tuple[PackedTable, int]]) -> list[bytes | Damage]:
        """The entries of blocks of tables in one file, or what is wrong with each.

        One byte an entry, less the lowest value; two, little-endian, where entries have more than 8 bits.

        Args:
            file: the file.
            places: tables, each with the number of a block.
        """
        wanted = list(places)
        by_place: dict[tuple[str, int], bytes | Damage] = {}
        missing: dict[tuple[str, int], PackedTable] = {}
        for table, number in wanted:
            kept = self._entries.get((file + table.name, number))
            if kept is None:
                missing[table.name, number] = table
            else:
                by_place[table.name, number] = kept
        allowance = Allowance(BOARD_REQUESTS, BLOCK_REQUESTS)
        places_of_pages = [
            (table.index, number // table.index.blocks_of_page) for (_, number), table in missing.items()
        ]
        pages = self._read_pages(file, places_of_pages, allowance)
        blocks = [
            pages[table.index.start, number // table.index.blocks_of_page][number % table.index.blocks_of_page]
            for (_, number), table in missing.items()
        ]
        packed = (data for part, allowed in _parts(blocks, allowance) for data in self.read_packed(file, part, allowed))
        for ((name, number), table), data in zip(missing.items(), packed, strict=True):
            block_entries = by_place[name, number] = self._entries_of(table, number, data)
            if isinstance(block_entries, bytes):
                self._entries.put((file + name, number), block_entries, len(block_entries))
        return [by_place[table.name, number] for table, number in wanted]

    def _entries_of(self, table: PackedTable, number: int, data: bytes | Damage) -> bytes | Damage:
        if isinstance(data, Damage):
            return data
        width = 2 if table.bits > 8 else 1
        count = min(table.block_entries, table.entries - number * table.block_entries)
        try:
            unpacked = unpack(data)
        except ValueError as error:
            return self._damage(f"block {number} of {table.name}", table.index.file, error)
        if len(unpacked) != count * width:
            return self._damage(f"block {number} of {table.name}", table.index.file, "it has another number of entries")
        return unpacked

    def _read_pages(
        self, file: str, wanted: Iterable[tuple[IndexRoot, int]], allowance: Allowance | None = None
    ) -> dict[tuple[int, int], list[Block]]:
        """Pages of indexes in one file, by where the index begins and the number of the page.

        Raises:
            Damage: one of them is damaged.
        """
        pages_read: dict[tuple[int, int], list[Block]] = {}
        missing: dict[tuple[int, int], IndexRoot] = {}
        for index, number in wanted:
            kept = self._pages.get((file, index.pages[number].start))
            if kept is None:
                missing[index.start, number] = index
            else:
                pages_read[index.start, number] = kept
        pages = [index.pages[number] for (_, number), index in missing.items()]
        read = self._read(file, pages, allowance)
        for (place, index), page, data in zip(missing.items(), pages, read, strict=True):
            what = f"page {place[1]} of the index"
            if data is None:
                raise self._damage(what, file)
            try:
                blocks = pages_read[place] = read_page(data, of_records=index.of_records)
                if len(blocks) != min(index.blocks_of_page, index.blocks - place[1] * index.blocks_of_page):
                    raise ValueError("it has another number of blocks")
                following = index.pages[place[1] + 1 : place[1] + 2]
                if blocks[0].first != page.first or any(blocks[-1].first >= after.first for after in following):
                    raise ValueError("it has other keys than the manifest says")
            except ValueError as error:
                raise self._damage(what, file, error) from None
            self._pages.put((file, page.start), blocks, page.size)
        return pages_read

    def _read_records(
        self, file: str, blocks: Sequence[Block], allowance: Allowance | None = None
    ) -> Iterator[Records | Damage]:
        """The records of each block, taken apart when it is their turn: of blocks by a stranger they may be many."""
        kept = {block.start: self._records.get((file, block.start)) for block in blocks}
        missing = [block for block in blocks if kept[block.start] is None]
        packed = iter(self.read_packed(file, missing, allowance))
        for block in blocks:
            records: Records | Damage | None = kept.pop(block.start)
            if records is None:
                items = self._items(file, block, next(packed))
                records = items if isinstance(items, Damage) else dict(items)
                if not isinstance(records, Damage):
                    size = sum(len(key) + len(record) + RECORD_BYTES for key, record in records.items())
                    self._records.put((file, block.start), records, size)
            yield records

    def _items(self, file: str, block: Block, data: bytes | Damage) -> list[tuple[bytes, bytes]] | Damage:
        """The records of a block."""
        if isinstance(data, Damage):
            return data
        try:
            items = read_records(unpack(data))
            if len(items) != block.records or not items or items[0][0] != block.first:
                raise ValueError("it has other records than its index says")
        except ValueError as error:
            return self._damage(f"block at byte {block.start:,}", file, error)
        return items

    def _damage(self, what: str, file: str, why: object = None) -> Damage:
        reason = "it is not what the manifest says" if why is None else f"{why}"
        return Damage(
            f"{what} of {file} of the package {self._folder.url} is damaged, or was published anew meanwhile: {reason}"
        )


def _batches(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """The blocks of a scan in parts that are read together, each twice as large as the one before."""
    size = FIRST_READ
    batch: list[Block] = []
    for block in blocks:
        if batch and sum(entry.size for entry in batch) + block.size > size:
            yield batch
            batch, size = [], min(2 * size, LARGEST_READ)
        batch.append(block)
    if batch:
        yield batch


def _parts(blocks: Sequence[Block], allowance: Allowance) -> Iterator[tuple[list[Block], Allowance | None]]:
    """The blocks in parts that are read together; the first one with what is left of an allowance."""
    allowance.kept = 0
    allowed: Allowance | None = allowance
    part: list[Block] = []
    for block in blocks:
        if part and (len(part) == AT_ONCE or sum(entry.size for entry in part) + block.size > BYTES_AT_ONCE):
            yield part, allowed
            part, allowed = [], None
        part.append(block)
    if part:
        yield part, allowed


class PackedTables(TableBlocks):
    """The tables of a game in a package."""

    def __init__(self, reader: BlockReader, tables: Mapping[str, PackedTable]) -> None:
        self._reader = reader
        self._tables = tables

    @property
    def tables(self) -> Mapping[str, TableDescription]:
        return self._tables

    def block(self, name: str, number: int) -> bytes:
        table = self._tables[name]
        (entries,) = self._reader.entries(table.index.file, [(table, number)])
        if isinstance(entries, Damage):
            raise entries
        return entries

    def read_ahead(self, places: Iterable[tuple[str, int]]) -> None:
        by_file: dict[str, dict[tuple[str, int], PackedTable]] = {}
        for name, number in places:
            table = self._tables.get(name)
            if table is not None and number < table.entries:
                by_file.setdefault(table.index.file, {})[name, number // table.block_entries] = table
        for file, wanted in by_file.items():
            self._reader.entries(file, [(table, number) for (_, number), table in wanted.items()])
