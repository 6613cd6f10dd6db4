"""What a package says of its own content beside the manifest: the value, the first page, the citation, the scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proofbase import __version__
from proofbase.service.commands.packages.citation import CITATION, citation_file
from proofbase.service.commands.packages.data_card import CARD, data_card
from proofbase.service.commands.packages.overview import OVERVIEW, overview_page
from proofbase.service.commands.packages.publication import Publication, named_files
from proofbase.service.commands.stores.check_store import StoreCheck
from proofbase.service.package_page import page_files
from proofbase.storage.package.files import new_file
from proofbase.storage.package.folders import CHECKSUMS, MANIFEST
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.package.writing import checksums_text

__all__ = ["PROGRAM", "check_described", "described_files", "write_description"]

PROGRAM = f"proofbase {__version__}"


def described_files(about: Mapping[str, Any], solutions: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """The files that follow from the manifest and this release, by name.

    Args:
        about: what the manifest says of the package.
        solutions: what it says of each game.
    """
    return {
        CITATION: citation_file(about, [_line(entry) for entry in solutions]).encode(),
        CARD: data_card(about, solutions).encode(),
        OVERVIEW: overview_page(about, solutions).encode(),
        **page_files(),
    }


def write_description(publication: Publication) -> None:
    """Writes them, for a package that is published."""
    names = [entry["game"] for entry in publication.games]
    publication.about = {"program": PROGRAM, **publication.citation.entries(names)}
    for name, content in described_files(publication.about, publication.games).items():
        with new_file(publication.folder / name) as file:
            file.write(content)
        publication.files.append(name)


def check_described(directory: Path, manifest: Manifest, found: StoreCheck) -> None:
    """Writes these files again, and compares; those of another release are passed over.

    Args:
        directory: of the package.
        manifest: its manifest.
        found: receives what is wrong.
    """
    program, solutions = manifest.document.get("program"), manifest.document["solutions"]
    if program != PROGRAM:
        names = ", ".join((CARD, CHECKSUMS, CITATION, OVERVIEW, *page_files()))
        found.passed_over.append(f"{names}: the package is of {str(program)[:40]!r}, and this is {PROGRAM}")
        return
    try:
        files = described_files(manifest.document, solutions)
        files[CHECKSUMS] = checksums_text(manifest.document["files"])
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        found.add("files", OVERVIEW, f"the manifest does not say what it shows ({type(error).__name__}: {error})")
        return
    for name, content in files.items():
        path = directory / name
        same = path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
        if not same:
            found.add("files", name, f"it is not what {PROGRAM} writes for this manifest")
    of_games = named_files(solutions)
    present = {path.name for path in directory.iterdir()} | set(manifest.files)
    for name in sorted(present - {MANIFEST, *files, *of_games}):
        found.passed_over.append(f"{name[:200]!r}, which is no file of a package")


def _line(entry: Mapping[str, Any]) -> str:
    """A solution in a line of text."""
    records, tables = entry["records"], entry["tables"]
    of = "" if entry["root"] is None else f" below {entry['root']}"
    parts = [f"{records['count']:,} records (fingerprint {records['fingerprint']})"] if records["count"] else []
    parts += [f"{len(tables)} tables with {sum(table['entries'] for table in tables):,} entries"] if tables else []
    return f"{entry['game']}{of}: {', '.join(parts)}"
