"""Packages of any records and tables, without a game that knows them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from proofbase.storage.package.writing import write_manifest, write_solution
from proofbase.storage.table_blocks import TableDescription

__all__ = ["make_package", "make_solution"]


def make_solution(
    path: Path,
    game: str,
    items: Iterable[tuple[bytes, bytes]],
    tables: Iterable[tuple[TableDescription, Iterable[bytes]]] = (),
    rules_version: int = 1,
) -> dict[str, Any]:
    """Writes the file of a game, and gives what the manifest says of it."""
    records, of_tables = write_solution(path, game, items, tables)
    return {
        "game": game,
        "rules_version": rules_version,
        "root": None,
        "value": {"lower": None, "upper": None},
        "file": path.name,
        "records": records,
        "tables": of_tables,
        "certificate": None,
        "checks": [],
    }


def make_package(
    directory: Path,
    game: str,
    items: Iterable[tuple[bytes, bytes]],
    tables: Iterable[tuple[TableDescription, Iterable[bytes]]] = (),
) -> None:
    """Writes a package of one game."""
    solution = make_solution(directory / "game.blocks", game, items, tables)
    write_manifest(directory, {"licence": "CC0-1.0"}, [solution], [], ["game.blocks"])
