"""Writes packages: blocks with their indexes, and the manifest. The same input gives the same bytes."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

from proofbase.storage.checksums import fingerprint_of, game_seed
from proofbase.storage.entries import Source
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
from proofbase.storage.package.files import FileInParts, new_file
from proofbase.storage.package.folders import CHECKSUMS, MANIFEST
from proofbase.storage.package.manifest import VERSION, Manifest, page_blocks
from proofbase.storage.table_blocks import TableDescription

__all__ = [
    "LARGEST_SHARED_MANIFEST",
    "checksums_text",
    "write_manifest",
    "write_solution",
]

BLOCK_BYTES = 24 << 10
"""The size of a block of records before it is compressed."""
LARGEST_SHARED_MANIFEST = 60_000
"""The largest manifest, in bytes, with which a lookup of one position reads at most 100 kB."""
Item = tuple[bytes, bytes]


def write_solution(
    path: Path, game: str, items: Iterable[Item], tables: Iterable[tuple[TableDescription, Iterable[bytes]]]
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
        file = FileInParts(path, stack)
        blocks, claims, fingerprint_sum = [], 0, 0
        for batch, packed, number in _packed_records(items):
            fingerprint = fingerprint_of(game_seed(game), batch)
            blocks.append(Block(file.tell(), len(packed), checksum(packed), batch[0][0], len(batch), fingerprint))
            file.write(packed)
            claims += number
            fingerprint_sum += fingerprint
        table_indexes: list[tuple[TableDescription, list[Block]]] = []
        for about, blocks_of_table in tables:
            table_blocks = []
            for entries in blocks_of_table:
                packed = pack(entries)
                table_blocks.append(Block(file.tell(), len(packed), checksum(packed)))
                file.write(packed)
            table_indexes.append((about, table_blocks))
        records = {
            "count": sum(block.records for block in blocks),
            "claims": claims,
            "fingerprint": f"{fingerprint_sum % (1 << 64):016x}",
            **_write_index(file, blocks),
        }
        table_entries = [
            _table_entry(about) | _write_index(file, table_blocks) for about, table_blocks in table_indexes
        ]
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


def _write_index(file: FileInParts, blocks: list[Block]) -> dict[str, Any]:
    """Writes the pages of an index behind what is there, and gives what the manifest says of it."""
    start, pages = file.tell(), []
    for part in in_pages(blocks, page_blocks(len(blocks))):
        data = write_page(part)
        pages.append(Page(file.tell(), len(data), checksum(data), part[0].first))
        file.write(data)
    return {"blocks": len(blocks), "index_at": start, "index": base64.b64encode(write_root(pages)).decode()}


def _table_entry(about: TableDescription) -> dict[str, Any]:
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
