"""Files of positions for `solve` and `lookup`: one position a line in, one row of CSV or JSON a line out."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from proofbase.engine.errors import InvalidPositionError
from proofbase.service.cli import documents
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.given_texts import listed_positions
from proofbase.service.words.visible import visible

__all__ = ["ListedPosition", "PositionFile", "RowPrinter", "check_alone", "read_positions"]

PositionFile = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="POSITIONS",
        help="One position a line (# starts a remark, - is standard input), or games in a format of "
        "docs/command-line.md, each for its last position; one row of CSV a position, with --json one JSON document.",
        show_default=False,
    ),
]


class ListedPosition(NamedTuple):
    """One position of a file, and its line, counted from 1."""

    line: int
    text: str


def check_alone(file: Path | None, others: dict[str, bool]) -> None:
    """Refuses what cannot go together with `--file`.

    Args:
        file: the file, None where none was named.
        others: names of arguments, and whether they were given.
    """
    clash = next((name for name, given in others.items() if given), None)
    if file is not None and clash is not None:
        raise UsageError(f"--file and {clash} exclude each other")


def read_positions(game: str, file: Path) -> list[ListedPosition]:
    """The positions of a file; `-` is standard input.

    Args:
        game: that they are of; EPD, PGN and SGF are files of some games only.
        file: the file.

    Raises:
        UsageError: it is no text, or has no positions.
        OSError: it cannot be read.
    """
    data, name = (sys.stdin.buffer.read(), "standard input") if str(file) == "-" else (file.read_bytes(), str(file))
    try:
        positions = [ListedPosition(*entry) for entry in listed_positions(game, data, name)]
    except InvalidPositionError as error:
        raise UsageError(str(error) if str(error).startswith(name) else f"{name}: {error}") from None
    if not positions:
        raise UsageError(f"{file} has no positions")
    return positions


class RowPrinter:
    """Prints a row for each position on standard output.

    Args:
        columns: of the CSV, besides line, position and error.
        json: JSON lines instead of CSV; they have all fields.
    """

    def __init__(self, columns: Sequence[str], *, json: bool) -> None:
        names = ("line", "position", *columns, "error")
        self._table = None if json else csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
        if self._table is not None:
            self._table.writeheader()

    def print(self, fields: dict[str, Any]) -> None:
        """Prints the row of a position; what it does not name is empty."""
        fields = {**fields, "error": fields.get("error")}
        if self._table is None:
            documents.print_document(fields)
        else:
            self._table.writerow({name: _cell(entry) for name, entry in fields.items()})

    def flush(self) -> None:
        """Lets a program that reads the rows have those that are printed."""
        sys.stdout.flush()


def _cell(entry: Any) -> Any:
    """A field as it stands in the CSV: words as in JSON, six digits of a number with a fraction."""
    if isinstance(entry, str):
        return visible(entry, lines=True)
    return str(entry).lower() if isinstance(entry, bool) else f"{entry:.6g}" if isinstance(entry, float) else entry
