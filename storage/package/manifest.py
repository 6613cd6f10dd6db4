"""The manifest of a package: what it holds, and the roots of the indexes by which it is read (docs/packages.md)."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Any

from proofbase.storage.entries import Source
from proofbase.storage.errors import NotAStoreError, StoreDamagedError, StoreVersionError
from proofbase.storage.package.coding import Page, read_root
from proofbase.storage.table_blocks import TableDescription

__all__ = [
    "MIRROR",
    "MOST_MIRRORS",
    "VERSION",
    "IndexRoot",
    "Manifest",
    "PackedFile",
    "PackedSolution",
    "PackedTable",
    "file_name",
    "page_blocks",
]

VERSION = 1
"""The version of the format of packages."""
MOST_MIRRORS = 16
_SUM = b'"checksum": "'
MIRROR = re.compile(r"https?://[^\s\"'<>@]{1,490}", re.IGNORECASE)
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}")


def file_name(text: str) -> str:
    """A text as a part of the name of a file in a package."""
    return re.sub(r"[^A-Za-z0-9_.+-]", "_", text).lstrip(".+-") or "_"


@dataclass(frozen=True)
class IndexRoot:
    """The root of an index of blocks.

    Attributes:
        file: the file that the blocks and the pages of the index are in.
        blocks: how many blocks there are.
        start: where the first page begins in the file.
        root: the pages, encoded.
        of_records: whether it is of records, or of a table.
    """

    file: str
    blocks: int
    start: int
    root: bytes
    of_records: bool

    @cached_property
    def pages(self) -> list[Page]:
        """The pages.

        Raises:
            ValueError: the root is not one.
        """
        return read_root(self.root, self.start, of_records=self.of_records)

    @property
    def blocks_of_page(self) -> int:
        """How many blocks a page has, but for the last one."""
        return page_blocks(self.blocks)


def page_blocks(blocks: int) -> int:
    """Blocks of a page of the index of so many blocks: neither pages nor the root become large."""
    size = 256
    while size * size < blocks:
        size *= 2
    return size


@dataclass(frozen=True)
class PackedTable(TableDescription):
    """A table of values in a package.

    Attributes:
        index: of its blocks.
    """

    index: IndexRoot


@dataclass(frozen=True)
class PackedSolution:
    """The records and tables of one game in a package.

    Attributes:
        game: canonical name.
        rules_version: version of the rules.
        root: text of the position that the records are about; None for all records of the game.
        value: what is known of it, or of the initial position: the lower and the upper bound, None where not known.
        records, claims: how many there are.
        fingerprint: of the claims.
        index: of the blocks of records.
        tables: by name.
        certificate: name of its file, None where there is none.
        checks: what was checked, by whom, and what was found.
        parts: names of the files of records and tables.
    """

    game: str
    rules_version: int
    root: str | None
    value: tuple[int | None, int | None]
    records: int
    claims: int
    fingerprint: int
    index: IndexRoot
    tables: Mapping[str, PackedTable]
    certificate: str | None
    checks: tuple[Mapping[str, Any], ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file beside the manifest."""

    name: str
    size: int
    sha256: str


class Manifest:
    """What a manifest says.

    Attributes:
        document: the manifest as JSON values.
        solutions: by game.
        sources: where claims came from, by number.
        files: all files beside the manifest, by name.
        parts: of each file that goes on in others: their names, and where each begins as if they were one.
        mirrors: URLs of other places of the package.
        data: the bytes that were read; empty for a new manifest.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        """Takes a document.

        Raises:
            ValueError: it lacks something, or something in it makes no sense.
        """
        self.document = document
        self.data = b""
        try:
            solutions = [_solution(entry) for entry in document["solutions"]]
            self.solutions = {solution.game: solution for solution in solutions}
            self.sources = [
                Source(number, str(entry["text"]), float(entry["created"]), str(entry.get("program", "")))
                for number, entry in enumerate(document["sources"], 1)
            ]
            self.mirrors = tuple(map(_mirror, document.get("mirrors", ())))
            files = [
                PackedFile(_name(entry["name"]), _size(entry["bytes"]), entry["sha256"]) for entry in document["files"]
            ]
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"it lacks {error}" if isinstance(error, KeyError) else str(error)) from None
        if len(self.mirrors) > MOST_MIRRORS:
            raise ValueError(f"it names more than {MOST_MIRRORS} mirrors")
        self.files = {file.name: file for file in files}
        if len(self.solutions) < len(solutions):
            raise ValueError("it has a game twice")
        named = set[str]()
        of_games = [name for solution in solutions for name in (*solution.parts, solution.certificate) if name]
        for name in of_games:
            if name not in self.files:
                raise ValueError(f"it does not list the file {name}")
            if name in named:  # a few bytes would be as many games as the manifest likes
                raise ValueError(f"the file {name} is of two games, or of two kinds")
            named.add(name)
        self.parts = dict[str, list[tuple[str, int]]]()
        for solution in solutions:
            sizes = [self.files[name].size for name in solution.parts]
            if len(sizes) > 1:
                begins = [0, *accumulate(sizes[:-1])]
                self.parts[solution.index.file] = list(zip(solution.parts, begins, strict=True))

    @classmethod
    def read(cls, data: bytes, url: str) -> Manifest:
        """Reads a manifest.

        Args:
            data: the bytes of the file.
            url: of the package, for messages.

        Raises:
            NotAStoreError: it is no manifest of a package.
            StoreVersionError: of a later version.
            StoreDamagedError: it has changed since it was written.
        """
        try:
            document = json.loads(data)
            json.dumps(document, ensure_ascii=False).encode()  # JSON can name halves of signs, which are no text
            version = document["package"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise NotAStoreError(f"{url} is no package of proofbase: its manifest.json is something else") from None
        if version != VERSION:
            raise StoreVersionError(
                f"the package {url} has version {version!r} of the format, and this release reads version {VERSION}"
            )
        if document.get("checksum") != sha256(_without_sum(data)).hexdigest():
            raise StoreDamagedError(f"the manifest of {url} is damaged: it is not as it was written")
        try:
            manifest = cls(document)
        except ValueError as error:
            raise NotAStoreError(f"the manifest of {url} makes no sense: {error}") from None
        manifest.data = data
        return manifest

    def write(self) -> bytes:
        """The bytes of the file, which hold their own checksum."""
        document = {**self.document, "checksum": "0" * 64}
        data = json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"
        place = data.rfind(_SUM) + len(_SUM)
        return data[:place] + sha256(data).hexdigest().encode() + data[place + 64 :]


def _without_sum(data: bytes) -> bytes:
    """The bytes of a manifest with zeros in the place of the checksum, which is the last member."""
    place = data.rfind(_SUM) + len(_SUM)
    return data[:place] + b"0" * 64 + data[place + 64 :]


def _solution(entry: dict[str, Any]) -> PackedSolution:
    file, records = _name(entry["file"]), entry["records"]
    tables = [
        PackedTable(
            str(table["name"]),
            _size(table["entries"], 1),
            _size(table["bits"], 1, 16),
            _size(table["lowest"], -(1 << 15), 1 << 15),
            bool(table["plies"]),
            _fingerprint(table["rules_fingerprint"]),
            _size(table["block_entries"], 1, 1 << 16),
            _index(file, table, of_records=False),
        )
        for table in entry["tables"]
    ]
    certificate, root = entry["certificate"], entry["root"]
    value = entry["value"]
    return PackedSolution(
        game=str(entry["game"]),
        rules_version=_size(entry["rules_version"], 1),
        root=None if root is None else str(root),
        value=(_bound(value["lower"]), _bound(value["upper"])),
        records=_size(records["count"]),
        claims=_size(records["claims"]),
        fingerprint=_fingerprint(records["fingerprint"]),
        index=_index(file, records, of_records=True),
        tables={table.name: table for table in tables},
        certificate=None if certificate is None else _name(certificate),
        checks=tuple(dict(check) for check in entry["checks"]),
        parts=(file, *map(_name, entry.get("more_files", ()))),
    )


def _index(file: str, entry: dict[str, Any], *, of_records: bool) -> IndexRoot:
    root = base64.b64decode(entry["index"], validate=True)
    index = IndexRoot(file, _size(entry["blocks"]), _size(entry["index_at"]), root, of_records)
    if len(index.pages) != -(-index.blocks // index.blocks_of_page):
        raise ValueError("the root of an index has another number of pages than its blocks have")
    return index


def _name(text: object) -> str:
    if not isinstance(text, str) or not _FILE.fullmatch(text):
        raise ValueError(f"{text!r} is no name of a file in a package")
    return text


def _mirror(url: object) -> str:
    """A stranger's manifest names web servers, and no files of this machine."""
    if not isinstance(url, str) or not MIRROR.fullmatch(url):
        raise ValueError(f"{url!r} is no URL of a mirror")
    return url


def _size(number: object, least: int = 0, most: int = (1 << 63) - 1) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError(f"{number!r} is no count")
    return number


def _bound(number: object) -> int | None:
    if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
        raise ValueError(f"{number!r} is no bound")
    return number


def _fingerprint(text: object) -> int:
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{16}", text):
        raise ValueError(f"{text!r} is no fingerprint")
    return int(text, 16)
