"""Files of positions for `solve` and `lookup`: one position a line in, one row of CSV or JSON a line out."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from proofbase.service.cli.exits import Exit, UsageError
from proofbase.service.cli.output.progress import showing_progress

__all__ = ["PositionFile", "answer_rows", "check_alone"]

PositionFile = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="POSITIONS",
        help="One position a line (# starts a remark, - is standard input); one row of CSV a position, "
        "with --json one JSON document.",
        show_default=False,
    ),
]


class Row(NamedTuple):
    """One line of a file of positions."""

    line: int
    position: str


def check_alone(file: Path | None, others: dict[str, bool]) -> None:
    """Refuses what cannot go together with `--file`.

    Args:
        file: the file, None where none was named.
        others: names of arguments, and whether they were given.
    """
    clash = next((name for name, given in others.items() if given), None)
    if file is not None and clash is not None:
        raise UsageError(f"--file and {clash} exclude each other")


def answer_rows(
    file: Path,
    what: str,
    columns: Sequence[str],
    answer: Callable[[str], tuple[dict[str, Any], bool]],
    *,
    json: bool,
) -> Exit:
    """Answers every position of a file, in its order, each row as soon as it is there.

    A position that makes no sense has the message in the column `error`; the other rows are answered.

    Args:
        file: the file of positions; `-` is standard input.
        what: the work, for the progress.
        columns: of the CSV, besides line, position and error.
        answer: the fields of one position, and whether its answer is positive.
        json: JSON lines instead of CSV; they have all fields.

    Returns:
        POSITIVE if all answers are, USAGE if a position makes no sense, else NEGATIVE.
    """
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.exits import exit_of
    from proofbase.service.cli.output.wording import error_text

    rows = list(_rows(file))
    names = ("line", "position", *columns, "error")
    table = None if json else csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    if table is not None:
        table.writeheader()
    outcome = Exit.POSITIVE
    with showing_progress(what) as show:
        started = time.monotonic()
        for number, row in enumerate(rows):
            rate = f"{screen.rate_text(number, time.monotonic() - started)}, " if number else ""
            show(f"{number:,} of {len(rows):,} positions, {rate}line {row.line}: {row.position}", number, len(rows))
            try:
                fields, positive = answer(row.position)
                fields = {"line": row.line, **fields, "error": None}
            except Exception as error:
                if exit_of(error) != Exit.USAGE:
                    raise
                fields = {"line": row.line, "position": row.position, "error": error_text(error)}
                positive, outcome = False, Exit.USAGE
                screen.note(f"proofbase: {file}, line {row.line}: {error_text(error)}")
            if not positive and outcome == Exit.POSITIVE:
                outcome = Exit.NEGATIVE
            if table is None:
                documents.print_document(fields)
            else:
                table.writerow({name: _cell(entry) for name, entry in fields.items()})
                sys.stdout.flush()
    return outcome


def _cell(entry: Any) -> Any:
    """A field as it stands in the CSV: words as in JSON, six digits of a number with a fraction."""
    return str(entry).lower() if isinstance(entry, bool) else f"{entry:.6g}" if isinstance(entry, float) else entry


def _rows(file: Path) -> Iterator[Row]:
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no text in UTF-8: byte {error.start} is {data[error.start]:#04x}") from None
    found = False
    for number, line in enumerate(text.splitlines(), 1):
        position = line.partition("#")[0].strip()
        if position:
            found = True
            yield Row(number, position)
    if not found:
        raise UsageError(f"{file} has no positions")
