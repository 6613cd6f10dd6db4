"""Writes packages: blocks with their indexes, and the manifest. The same input gives the same bytes."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from proofbase.engine.records import Record, decode_record, encode_record
from proofbase.storage.checksums import fingerprint_of, game_seed
from proofbase.storage.entries import Source
from proofbase.storage.errors import StoreError, StoreFullError
from proofbase.storage.package.coding import (
    Block,
    Page,
    checksum,
    claims_in,
    in_pages,
    pack,
    write_page,
    write_record,
    write_root,
)
from proofbase.storage.package.folders import CHECKSUMS, MANIFEST
from proofbase.storage.package.manifest import VERSION, Manifest, page_blocks
from proofbase.storage.table_blocks import TableAbout

__all__ = [
    "LARGEST_FILE",
    "LARGEST_SHOWN_MANIFEST",
    "MOST_FILES",
    "SourceNumbers",
    "checksums_text",
    "new_file",
    "part_names",
    "write_manifest",
    "write_solution",
]

MOST_FILES, LARGEST_FILE = 90, 4 * 10**9
"""What hosts of data sets, of releases and archives take: files of a package, and bytes of each."""
BLOCK_BYTES = 24 << 10
"""The size of a block of records before it is compressed."""
LARGEST_SHOWN_MANIFEST = 60_000
"""Bytes of a manifest up to which a position takes at most 100 kB."""
Item = tuple[bytes, bytes]


class SourceNumbers:
    """Gives the sources of records the numbers that they have in a package.

    Args:
        stored: the sources of the store, by number.
        known: those that the package has already; new ones come behind them.

    Attributes:
        sources: of the package, by number.
        highest: the highest number in the store of a source that was given one.
        used: numbers in the package that were given.
    """

    def __init__(self, stored: Sequence[Source], known: Sequence[Source]) -> None:
        self._stored = {source.number: source for source in stored}
        self._numbers = {(source.text, source.program): source.number for source in known}
        self.sources = list(known)
        self.highest = 0
        self.used: set[int] = set()
        self._changed: dict[bytes, bytes] = {}

    def of(self, record: bytes) -> bytes:
        """The record with the new numbers. Few records of a game differ, so each is worked out once."""
        renumbered = self._changed.get(record)
        if renumbered is None:
            claims = decode_record(record).claims
            renumbered = encode_record(Record(tuple(claim.with_source(self._number(claim.source)) for claim in claims)))
            if len(self._changed) > 100_000:
                self._changed.clear()
            self._changed[record] = renumbered
        return renumbered

    def _number(self, number: int | None) -> int | None:
        source = None if number is None else self._stored.get(number)
        if source is None:
            return None
        self.highest = max(self.highest, source.number)
        about = source.text, source.program
        if about not in self._numbers:
            self._numbers[about] = len(self.sources) + 1
            self.sources.append(replace(source, number=len(self.sources) + 1))
        self.used.add(self._numbers[about])
        return self._numbers[about]


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears whole, or not at all where the block raises.

    Raises:
        StoreFullError: it cannot be written.
    """
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException as error:
        with suppress(OSError):
            new.unlink()
        if isinstance(error, OSError) and not isinstance(error, StoreError) and error.strerror:
            raise StoreFullError(error.errno, f"{path} cannot be written: {error.strerror}") from None
        raise


def part_names(path: Path) -> list[str]:
    """The names of a file of `write_solution` and of the files that it goes on in."""
    later = [path.with_name(f"{path.name}.{number}") for number in range(1, MOST_FILES)]
    return [path.name, *(file.name for file in takewhile(Path.exists, later))]


class _Parts:
    """A file that goes on in others (`NAME.1`, `NAME.2`) where it would be too large. No block is cut.

    Args:
        path: of the first.
        stack: ends them all.
    """

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path, self._stack = path, stack
        self._file = stack.enter_context(new_file(path))
        self._before = self._number = 0

    def tell(self) -> int:
        """Bytes of all of them."""
        return self._before + self._file.tell()

    def write(self, data: bytes) -> None:
        """Writes a block, or a page of an index."""
        if self._file.tell() and self._file.tell() + len(data) > LARGEST_FILE:
            self._before, self._number = self.tell(), self._number + 1
            self._file = self._stack.enter_context(new_file(self._path.with_name(f"{self._path.name}.{self._number}")))
        self._file.write(data)


def write_solution(
    path: Path, game: str, items: Iterable[Item], tables: Iterable[tuple[TableAbout, Iterable[bytes]]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Writes the records and tables of a game as one file, or as several where it would be too large (`part_names`).

    Args:
        path: of the file.
        game: canonical name.
        items: keys, ascending, and records with their sources.
        tables: each with its blocks, as `TableBlocks.block` gives them.

    Returns:
        What the manifest says of the records and of each table.
    """
    with ExitStack() as stack:
        file = _Parts(path, stack)
        blocks, claims, mark = [], 0, 0
        for batch, packed, number in _packed_records(items):
            fingerprint = fingerprint_of(game_seed(game), batch)
            blocks.append(Block(file.tell(), len(packed), checksum(packed), batch[0][0], len(batch), fingerprint))
            file.write(packed)
            claims += number
            mark += fingerprint
        of_tables: list[tuple[TableAbout, list[Block]]] = []
        for about, of_table in tables:
            table_blocks = []
            for entries in of_table:
                packed = pack(entries)
                table_blocks.append(Block(file.tell(), len(packed), checksum(packed)))
                file.write(packed)
            of_tables.append((about, table_blocks))
        records = {
            "count": sum(block.records for block in blocks),
            "claims": claims,
            "fingerprint": f"{mark % (1 << 64):016x}",
            **_write_index(file, blocks),
        }
        table_entries = [_table_entry(about) | _write_index(file, table_blocks) for about, table_blocks in of_tables]
    return records, table_entries


def _packed_records(items: Iterable[Item]) -> Iterator[tuple[list[Item], bytes, int]]:
    """Blocks: their records, their bytes, and the number of their claims."""
    batch: list[Item] = []
    parts: list[bytes] = []
    size = claims = 0
    before = b""
    for key, record in items:
        part = write_record(before, key, record)
        batch.append((key, record))
        parts.append(part)
        before = key
        size += len(part)
        claims += claims_in((key, record))
        if size >= BLOCK_BYTES:
            yield batch, pack(b"".join(parts)), claims
            batch, parts, size, claims, before = [], [], 0, 0, b""
    if batch:
        yield batch, pack(b"".join(parts)), claims


def _write_index(file: _Parts, blocks: list[Block]) -> dict[str, Any]:
    """Writes the pages of an index behind what is there, and gives what the manifest says of it."""
    start, pages = file.tell(), []
    for part in in_pages(blocks, page_blocks(len(blocks))):
        data = write_page(part)
        pages.append(Page(file.tell(), len(data), checksum(data), part[0].first))
        file.write(data)
    return {"blocks": len(blocks), "index_at": start, "index": base64.b64encode(write_root(pages)).decode()}


def _table_entry(about: TableAbout) -> dict[str, Any]:
    return {
        "name": about.name,
        "entries": about.entries,
        "bits": about.bits,
        "lowest": about.lowest,
        "plies": about.plies,
        "rules_fingerprint": f"{about.rules_fingerprint:016x}",
        "block_entries": about.block_entries,
    }


def write_manifest(
    directory: Path,
    about: Mapping[str, Any],
    solutions: Iterable[Mapping[str, Any]],
    sources: Sequence[Source],
    files: Iterable[str],
) -> Manifest:
    """Writes the manifest of a package, the last of its files.

    Args:
        directory: of the package.
        about: title, authors, licence and so on, as in the manifest.
        solutions: what the manifest says of each game.
        sources: of the claims.
        files: names of the other files that belong to the package; those of `solutions` among them.
    """
    entries = [_file_entry(directory / name) for name in sorted({*files} - {CHECKSUMS})]
    with new_file(directory / CHECKSUMS) as file:
        file.write(checksums_text(entries))
    entries = sorted([*entries, _file_entry(directory / CHECKSUMS)], key=lambda entry: str(entry["name"]))
    manifest = Manifest(
        {
            "package": VERSION,
            **about,
            "solutions": sorted(solutions, key=lambda entry: str(entry["game"])),
            "sources": [_source_entry(source) for source in sources],
            "files": entries,
        }
    )
    with new_file(directory / MANIFEST) as file:
        file.write(manifest.write())
    return manifest


def checksums_text(files: Iterable[Mapping[str, Any]]) -> bytes:
    """The file of checksums, from what the manifest says of the files."""
    return "".join(f"{file['sha256']}  {file['name']}\n" for file in files if file["name"] != CHECKSUMS).encode()


def _source_entry(source: Source) -> dict[str, Any]:
    program = {"program": source.program} if source.program else {}
    return {"text": source.text, "created": source.created, **program}


def _file_entry(path: Path) -> dict[str, Any]:
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest.hexdigest()}
