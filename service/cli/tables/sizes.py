"""Which tables a command is about: `--men N`, `--stones N`, `--size N`, `--table NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from proofbase.engine.games import canonical_alias
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.resources.native import LARGEST_SIZE, new_table_work
from proofbase.service.words.values import is_built_in, rules_of

__all__ = ["Names", "Size", "names_of_size", "size_of", "size_option"]


def size_option(more: str = "") -> Any:
    """Of a command; `more` stands behind its first sentence."""
    return typer.Option(
        "--stones",
        "--men",
        "--size",
        min=0,
        max=LARGEST_SIZE,
        help=f"All classes of so many stones (men of both sides), at most{more}. Not for Othello, whose tables are one "
        "set.",
    )


Size = Annotated[int | None, size_option()]
Names = Annotated[
    list[str] | None,
    typer.Option("--table", metavar="NAME", help="Only this table, such as chess-kq-kr. May be given several times."),
]


def size_of(game: str, size: int | None) -> int:
    """The size that was asked for; LARGEST_SIZE for games with one set of tables, and for those of one's own."""
    rules = rules_of(game)
    if rules is not None and size is not None and not rules.tables_by_size:
        raise UsageError(f"{rules.name} has one set of tables: leave out --stones, --men and --size")
    unit = rules.table_size_unit if rules is not None and is_built_in(canonical_alias(game)) else None
    if size is None and unit is not None:
        raise UsageError(f"--{unit} N is missing: all classes of so many {unit}, at most")
    return LARGEST_SIZE if size is None else size


def names_of_size(game: Any, directory: Path, size: int) -> set[str]:
    """Names of the tables of that size, whether they are there or not."""
    return {entry.name for entry in new_table_work(game, directory, size_of(game.name, size), 1).plan()}
