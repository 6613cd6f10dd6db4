"""Publishes a solution as a package: a static folder that any file server can serve."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from proofbase.service.commands.packages.citation import Citation
from proofbase.service.commands.packages.described import write_description
from proofbase.service.commands.packages.game_parts import write_blocks, write_certificate, write_checks, write_value
from proofbase.service.commands.packages.publication import Publication, named_files
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.storage import NotAStoreError, OnProgress
from proofbase.storage.package.files import MOST_FILES, part_names
from proofbase.storage.package.folders import CHECKSUMS, MANIFEST
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.package.source_numbers import SourceNumbers
from proofbase.storage.package.writing import LARGEST_SHARED_MANIFEST, write_manifest
from proofbase.storage.progress import ignore_progress
from proofbase.storage.scratch_directory import PREFIX, ScratchDirectory

__all__ = ["Published", "publish"]


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
    table_names: Iterable[str] = (),
    on_progress: OnProgress = ignore_progress,
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
        table_names: only these of them; none named: all.
        on_progress: told how far it is.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: nothing is known of it, there is no such table, the package has another licence, or the
            manifest would be so large that a position took more than 100 kB.
        NotAStoreError: the directory holds other files.
        MalformedRecordError, DamagedTableError: what is to be published is damaged.
        StoreFullError: it cannot be written.
    """
    game = resources.games.open(game_name)
    position = game.initial() if where is None else find_position(game, where)
    root = None if where is None else game.text(position)
    present = _present(directory)
    _refuse(present, game.name, root, citation)
    games = [] if present is None else present.document["solutions"]
    directory.mkdir(parents=True, exist_ok=True)
    with ScratchDirectory(directory) as scratch:
        publication = Publication(
            resources,
            game,
            position,
            root,
            folder=scratch.path,
            directory=directory,
            citation=citation,
            other_games=[entry for entry in games if entry["game"] != game.name],
            with_tables=tables,
            table_names=frozenset(table_names) or None,
            sources=SourceNumbers(resources.store.sources(), [] if present is None else present.sources),
            on_progress=on_progress,
        )
        parts = [
            write_blocks,  # the first part: it gives the sources their numbers
            *([write_certificate] if certificate else []),
            write_value,
            write_checks,
            write_description,
            _write_manifest,
        ]
        for part in parts:
            part(publication)
        # In a moment, and the manifest last: a reader finds changed blocks by the checksums that it has.
        scratch.put(publication.files)
        # What was there before, and no manifest names now.
        of_before = {f"{publication.stem}.certificate", *part_names(directory / f"{publication.stem}.blocks")}
        for name in of_before - {*publication.files}:
            (directory / name).unlink(missing_ok=True)
    return _summary(publication)


def _write_manifest(publication: Publication) -> None:
    """The manifest, with the files of the other games, which stay where they are."""
    others = named_files(publication.other_games)
    for name in others:
        (publication.folder / name).symlink_to(publication.directory.resolve() / name)
    publication.manifest = write_manifest(
        publication.folder,
        publication.about,
        publication.games,
        publication.sources.sources,
        [*publication.files, *others],
    )
    if len(publication.manifest.files) >= MOST_FILES:
        raise InvalidRequestError(
            f"the package would have more than {MOST_FILES} files, which hosts of packages do not take: use a "
            "directory of its own"
        )
    publication.files += (CHECKSUMS, MANIFEST)


def _summary(publication: Publication) -> Published:
    entry, manifest = publication.entry, publication.manifest
    return Published(
        entry["game"],
        entry["root"],
        **entry["value"],
        records=entry["records"]["count"],
        fingerprint=entry["records"]["fingerprint"],
        tables=len(entry["tables"]),
        entries=sum(table["entries"] for table in entry["tables"]),
        certificate=entry["certificate"],
        bytes=len(manifest.write()) + sum(file.size for file in manifest.files.values()),
        games=tuple(manifest.solutions),
    )


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
    if len(present.write()) > LARGEST_SHARED_MANIFEST and solution is None:
        raise InvalidRequestError(
            f"the package has {len(present.solutions)} games, so that its manifest is large: with one more a position "
            "would take more than 100 kB; use a directory of its own"
        )


def _of(root: str | None) -> str:
    return "all of its records" if root is None else f"those below {root}"
