"""Table files read by plain Python (docs/tables.md): their blocks are checked, decoded and kept in memory."""

from __future__ import annotations

import errno
import io
import os
import threading
import weakref
import zlib
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import TableLayout, class_of_table, header_of

__all__ = [
    "HEADER_BYTES",
    "MAGIC",
    "BlockCache",
    "Stamp",
    "TableFile",
    "TableFileInfo",
    "TableInfo",
    "stamp_of",
    "table_files",
]

MAGIC = b"PBTABLE\n"
HEADER_BYTES, TAIL_BYTES = 256, 8
GAME_BYTES = 64
"""Bytes of the name of the game in a header."""

Stamp = tuple[int, int, int, int] | None
"""Device, inode, size and time of change of a file; None where there is none."""


def stamp_of(path: Path | int) -> Stamp:
    """The state of a file."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino, about.st_size, about.st_ctime_ns


class BlockCache:
    """Decoded blocks of tables in memory: the one that was asked for least recently gives way. Thread-safe.

    Args:
        limit: bytes of all blocks together; None for no limit. A larger block is not kept at all.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._blocks: OrderedDict[tuple[int, int], bytes] = OrderedDict()
        """By number of the file and of the block, the one that was asked for last at the end."""
        self._files = 0
        self._lock = threading.Lock()
        self.used = 0
        """Bytes of the blocks."""

    def new_file(self) -> int:
        """A number for a file."""
        with self._lock:
            self._files += 1
            return self._files

    def get(self, file: int, block: int) -> bytes | None:
        """A block, None if it is not in memory."""
        with self._lock:
            data = self._blocks.get((file, block))
            if data is not None:
                self._blocks.move_to_end((file, block))
            return data

    def put(self, file: int, block: int, data: bytes) -> None:
        """Keeps a block, and lets others give way to it."""
        with self._lock:
            self.used += len(data) - len(self._blocks.pop((file, block), b""))
            self._blocks[file, block] = data
            while self._limit is not None and self.used > self._limit:
                self.used -= len(self._blocks.popitem(last=False)[1])

    def forget(self, file: int) -> None:
        """Gives back the memory of a file's blocks."""
        with self._lock:
            for key in [key for key in self._blocks if key[0] == file]:
                self.used -= len(self._blocks.pop(key))


class TableFileInfo(NamedTuple):
    """A table file by its name and its header, which are not checked here: that is done when the table is opened."""

    name: str
    game: str | None
    """None if the file does not begin like a table."""
    entries: int
    size: int
    """Bytes of the file."""


def table_files(directory: str | Path, game: str | None = None) -> list[TableFileInfo]:
    """The table files of a directory, or those of one game, by name; none where there is no such directory."""
    infos = list[TableFileInfo]()
    for path in sorted(Path(directory).glob("*.table")):
        try:
            size = path.stat().st_size if path.is_file() else 0
            with path.open("rb") if size else io.BytesIO() as stream:
                header = stream.read(HEADER_BYTES)
        except OSError:
            size, header = 0, b""
        owner, entries = None, 0
        if len(header) == HEADER_BYTES and header[:8] == MAGIC:
            owner = header[64:128].rstrip(b"\0").decode(errors="replace")
            entries = int.from_bytes(header[16:24], "little")
        infos.append(TableFileInfo(path.stem, owner, entries, size))
    if game is None:
        return infos
    name = game.encode()[:GAME_BYTES].decode(errors="replace")
    return [info for info in infos if info.game == name]


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table of a game, as the native core's `TableEntry` says it.

    Attributes:
        name: of the table, as in records; its file is NAME.table.
        table_class: number of its class.
        class_name: of its class.
        entries: positions of the class.
        plies: whether it holds plies to the end of the game.
        present: whether there is a file. Without one the next five are 0.
        bytes: of the file.
        bits: of an entry.
        lowest: the lowest value that an entry can have.
        plain_bytes: of the file in the plain form.
        block: entries of a compressed block; 0 for a plain file.
        checksum: of the header and of the checksums of all blocks.
    """

    name: str
    table_class: int
    class_name: str
    entries: int
    plies: bool
    present: bool = False
    bytes: int = 0
    bits: int = 0
    lowest: int = 0
    plain_bytes: int = 0
    block: int = 0
    checksum: int = 0


class TableFile:
    """One table: its blocks, each read and checked when it is asked for and not in memory.

    Args:
        path: of the file.
        game: the rules.
        name: of the table.
        cache: keeps the blocks.

    Raises:
        DamagedTableError: it is not the table of that name by these rules, or it is damaged.
    """

    def __init__(self, path: Path, game: Game[Any], name: str, cache: BlockCache) -> None:
        self._path = path
        self._cache, self._number = cache, cache.new_file()
        try:
            # Not blocking: the open of a named pipe would wait for a writer.
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise  # this says nothing of the file
            raise self._damaged(f"it cannot be read: {error.strerror}") from None
        weakref.finalize(self, os.close, self._file)
        weakref.finalize(self, cache.forget, self._number)
        self._stamp = stamp_of(self._file)
        size = 0 if self._stamp is None else self._stamp[2]
        header = self._read(0, HEADER_BYTES)
        if len(header) < HEADER_BYTES or header[:8] != MAGIC or header[8] not in (1, 2):
            raise self._damaged("it is no table of proofbase of version 1 or 2")
        if zlib.crc32(header[:-4]) != int.from_bytes(header[-4:], "little"):
            raise self._damaged("its header is damaged: the checksum is another")
        if header != header_of(game, name, header):
            owner, of_class = (
                part.rstrip(b"\0").decode(errors="replace") for part in (header[64:128], header[128:160])
            )
            raise self._damaged(f"it is not what the rules say of {name}: it is the table of {owner}, {of_class}")
        self.layout = TableLayout(header)
        directory = self._read(HEADER_BYTES, self.layout.start - HEADER_BYTES)
        try:
            self.layout.read_directory(directory, size)
        except ValueError as error:
            raise self._damaged(str(error)) from None
        if any(self._read(size - TAIL_BYTES, TAIL_BYTES)):
            raise self._damaged("it is damaged between its parts")
        class_and_plies = class_of_table(game, name)
        assert class_and_plies is not None  # its header is that of a table of the game
        sums = header + directory[: 4 * self.layout.blocks]
        low, high = zlib.crc32(sums), zlib.crc32(sums, 0x9E3779B9)
        self.info = TableInfo(
            name,
            class_and_plies[0].number,
            class_and_plies[0].name,
            self.layout.entries,
            plies=class_and_plies[1],
            present=True,
            bytes=size,
            bits=self.layout.bits,
            lowest=self.layout.lowest,
            plain_bytes=self.layout.plain_bytes,
            block=self.layout.block_entries if self.layout.compressed else 0,
            checksum=high << 32 | low,
        )

    def entry(self, number: int) -> int:
        """What the table holds for a number.

        Raises:
            DamagedTableError: its block is damaged.
        """
        if number >= self.layout.entries:
            raise self._damaged(f"it has no entry {number}")
        block, index = divmod(number, self.layout.block_entries)
        data = self._cache.get(self._number, block)
        if data is None:
            data = self._block(block)
            self._cache.put(self._number, block, data)
        return self.layout.value(data, index)

    def counts(self) -> Counter[int]:
        """How many entries hold each number, in a pass over the file.

        Raises:
            DamagedTableError: a block is damaged.
        """
        counts = Counter[int]()
        for number, block in enumerate(self.blocks()):
            counts.update(self.layout.counts(number, block))
        return counts

    def blocks(self) -> Iterator[bytes]:
        """The decoded blocks, for `TableLayout.value`, in their order. They are not kept.

        Raises:
            DamagedTableError: one of them is damaged.
        """
        for block in range(self.layout.blocks):
            yield self._block(block)

    def _block(self, block: int) -> bytes:
        start, end = self.layout.place(block)
        try:
            return self.layout.read_block(block, self._read(start, end - start))
        except ValueError as error:
            raise self._damaged(str(error)) from None

    def changed(self) -> bool:
        """Whether the file is another than when it was opened."""
        return stamp_of(self._file) != self._stamp

    def _read(self, offset: int, size: int) -> bytes:
        try:
            return os.pread(self._file, size, offset)
        except OSError as error:
            raise self._damaged(f"it cannot be read: {error.strerror}") from None

    def _damaged(self, why: str) -> DamagedTableError:
        return DamagedTableError(f"table {self._path}: {why}")
