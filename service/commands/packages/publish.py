"""Publishes a solution as a package: a static folder that any file server can serve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.commands.packages.citation import Citation
from proofbase.service.commands.packages.described import PROGRAM, described_files, known_value
from proofbase.service.commands.packages.packed_blocks import tables_to_pack
from proofbase.service.commands.transfer.export import export
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.record_selection import below
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.verifications import covering_verification
from proofbase.storage import NotAStoreError, Report
from proofbase.storage.package.folders import MANIFEST
from proofbase.storage.package.manifest import Manifest, file_name
from proofbase.storage.package.writing import (
    LARGEST_SHOWN_MANIFEST,
    SourceNumbers,
    new_file,
    write_manifest,
    write_solution,
)
from proofbase.storage.progress import no_report
from proofbase.storage.scratch_directory import PREFIX, ScratchDirectory

__all__ = ["Published", "publish"]

BATCH = 10_000
Item = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Published:
    """What was published.

    Attributes:
        game, position: what it is about; None: all records of the game.
        lower, upper: what is known of the value of that position, or of the initial one.
        records, fingerprint: of the records.
        tables, entries: tables of values, and their entries together.
        certificate: name of its file, None where there is none.
        bytes: of all files of the package.
        games: of the package.
    """

    game: str
    position: str | None
    lower: int | None
    upper: int | None
    records: int
    fingerprint: str
    tables: int
    entries: int
    certificate: str | None
    bytes: int
    games: tuple[str, ...]


def publish(
    resources: Resources,
    game_name: str,
    where: Where,
    directory: Path,
    citation: Citation,
    *,
    certificate: bool = True,
    tables: bool = True,
    report: Report = no_report,
) -> Published:
    """Writes what a store knows of a game as a package, or adds it to the package of other games that is there.

    A package that is there stays as it is until all of the new files are written. The same call mends what a killed
    process has left.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: only the records that the claims of this position rest on; None for all of the game.
        directory: a new or empty one, or one with a package, in which the same game and position are replaced.
        citation: licence, title and authors.
        certificate: whether to add a certificate of the position, or of the initial one.
        tables: whether to add the tables of values of the game.
        report: told how far it is.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: nothing is known of it, the package has another licence, or the manifest would be so large
            that a position took more than 100 kB.
        NotAStoreError: the directory holds other files.
        MalformedRecordError, DamagedTableError: what is to be published is damaged.
        StoreFullError: it cannot be written.
    """
    game = resources.games.open(game_name)
    position = game.initial() if where is None else find_position(game, where)
    root = None if where is None else game.text(position)
    present = _present(directory)
    others = [] if present is None else [entry for entry in present.document["solutions"] if entry["game"] != game.name]
    _refuse(present, game.name, root, citation)
    stem = file_name(game.name) + ("" if root is None else f"-{sha256(game.key(position)).hexdigest()[:8]}")
    directory.mkdir(parents=True, exist_ok=True)
    with ScratchDirectory(directory) as scratch:
        new = scratch.path
        numbers = SourceNumbers(resources.store.sources(), [] if present is None else present.sources)
        items = _items(resources, game, None if where is None else game.key(position), numbers, report)
        packed = tables_to_pack(resources, resources.games.open_python(game.name)) if tables else iter(())
        blocks = f"{stem}.blocks"
        records, of_tables = write_solution(new / blocks, game.name, items, packed)
        if not records["count"] and not of_tables:
            raise InvalidRequestError(
                f"the store has neither records nor tables of {game.name}: there is nothing to publish"
            )
        certified = (
            _certificate(resources, game, position, new / f"{stem}.certificate", numbers, report)
            if certificate
            else None
        )
        data = resources.store.get_many(game.name, [game.key(position)])[0]
        value = known_value(game, position, data, resources.tables.of(game) if tables else None)
        solution = {
            "game": game.name,
            "rules_version": game.rules_version,
            "root": root,
            "value": {"lower": value[0], "upper": value[1]},
            "file": blocks,
            "records": records,
            "tables": of_tables,
            "certificate": certified,
            "checks": _checks(resources, game, numbers.highest, records),
        }
        solutions = sorted([*others, solution], key=lambda entry: str(entry["game"]))
        about = {"program": PROGRAM, **citation.entries([entry["game"] for entry in solutions])}
        described = described_files(about, solutions)
        for name, content in described.items():
            with new_file(new / name) as file:
                file.write(content)
        for name in _named(others):
            (new / name).symlink_to(directory.resolve() / name)
        manifest = write_manifest(new, about, solutions, numbers.sources, [*described, *_named(solutions)])
        # In a moment, and the manifest last: a reader finds changed blocks by the checksums that it has.
        scratch.put([*described, *_named([solution]), MANIFEST])
        if certified is None:  # one of before, which no manifest names now
            (directory / f"{stem}.certificate").unlink(missing_ok=True)
    size = len(manifest.write())
    return Published(
        game.name,
        root,
        *value,
        records=records["count"],
        fingerprint=records["fingerprint"],
        tables=len(of_tables),
        entries=sum(table["entries"] for table in of_tables),
        certificate=certified,
        bytes=size + sum(entry.size for entry in manifest.files.values()),
        games=tuple(manifest.solutions),
    )


def _named(solutions: list[dict[str, Any]]) -> list[str]:
    """Names of the files of solutions."""
    return [entry[part] for entry in solutions for part in ("file", "certificate") if entry[part] is not None]


def _present(directory: Path) -> Manifest | None:
    """The manifest of the package that is there; None for a new or empty directory."""
    path = directory / MANIFEST
    if path.exists():
        return Manifest.read(path.read_bytes(), str(directory))
    # The first publication was killed where its scratch directory is left: what is beside it is a part of that.
    killed = any(directory.glob(f"{PREFIX}*"))
    if directory.exists() and not killed and (not directory.is_dir() or any(directory.iterdir())):
        raise NotAStoreError(f"{directory} holds something else: name a new or empty directory, or that of a package")
    return None


def _refuse(present: Manifest | None, game: str, root: str | None, citation: Citation) -> None:
    """Raises where a solution cannot be added to a package."""
    if present is None:
        return
    licence = present.document.get("licence")
    if licence != citation.licence:
        raise InvalidRequestError(
            f"the package has the licence {licence}, not {citation.licence}: use a directory of its own",
            field="licence",
        )
    solution = present.solutions.get(game)
    if solution is not None and solution.root != root:
        raise InvalidRequestError(
            f"the package has {game} already, {_of(solution.root)}: use a directory of its own", field="position"
        )
    if len(present.write()) > LARGEST_SHOWN_MANIFEST and solution is None:
        raise InvalidRequestError(
            f"the package has {len(present.solutions)} games, so that its manifest is large: with one more a position "
            "would take more than 100 kB; use a directory of its own"
        )


def _of(root: str | None) -> str:
    return "all of its records" if root is None else f"those below {root}"


def _items(
    resources: Resources, game: Game[Any], root: bytes | None, numbers: SourceNumbers, report: Report
) -> Iterator[Item]:
    """The records to publish, keys ascending, with the numbers of their sources in the package."""
    store = resources.store
    total = store.count(game.name) if root is None else None

    def found() -> Iterator[Item]:
        if root is None:
            yield from store.scan(game.name)
            return
        keys = iter(sorted(key for key, _ in below(store, game, root)))
        while batch := list(islice(keys, BATCH)):
            for key, data in zip(batch, store.get_many(game.name, batch), strict=True):
                if data is not None:
                    yield key, data

    for done, (key, record) in enumerate(found(), 1):
        yield key, numbers.of(record)
        if done % BATCH == 0:
            report("records", done, total, "records")


def _certificate(
    resources: Resources, game: Game[Any], position: Any, path: Path, numbers: SourceNumbers, report: Report
) -> str | None:
    """Writes the certificate of a position, with the sources of what is published of its game.

    None where the store knows nothing of the position.
    """
    used = [source for source in numbers.sources if source.number in numbers.used]
    sources = [f"{source.program}: {source.text}" if source.program else source.text for source in used]
    try:
        chunks = export(resources, game.name, game.text(position), sources=sources)
    except InvalidRequestError:
        return None
    written = 0
    with new_file(path) as file:
        for chunk in chunks:
            written += len(chunk)
            file.write(chunk)
            report("certificate", written, None, "bytes")
    return path.name


def _checks(resources: Resources, game: Game[Any], last_source: int, records: dict[str, Any]) -> list[dict[str, Any]]:
    """The verification of the store that covers all of the records, as a block of the manifest, if there is one."""
    found = covering_verification(resources.store, game.name, game.rules_version, last_source)
    if found is None or not records["count"]:
        return []
    return [
        {
            "by": found.by,
            "when": datetime.fromtimestamp(found.finished, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "program": found.program,
            "rules": found.rules,
            "rules_version": found.rules_version,
            "fingerprint": records["fingerprint"],
            "records": records["count"],
            "sample": None,
            "table_entries": 0,
            "failed": 0,
        }
    ]
