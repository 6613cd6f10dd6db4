"""Text for people on standard output and standard error: lines and tables. Plain where there is no terminal.

Texts of others (names, sources, errors, boards of their rules) come out visibly: escapes stand for what would control
the terminal or end a line.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from proofbase.service.words.visible import visible

__all__ = ["WIDTH_OF_FILES", "note", "print_first", "print_table", "say"]

NARROWEST = 12
"""Columns are not shortened further."""
WIDTH_OF_FILES = 200
"""Columns of a line that is not on a terminal."""


def say(text: str = "", *, lines: bool = False) -> None:
    """A line on standard output, or some `lines`; line feeds before and behind the text are empty lines."""
    _print(text, sys.stdout, lines=lines)


def note(text: str, *, lines: bool = False) -> None:
    """The same on standard error: a remark beside the answer."""
    _print(text, sys.stderr, lines=lines)


def print_first(lines: Sequence[str], total: int, most: int, print_line: Callable[[str], None] = say) -> None:
    """Prints a list that may be long: its first lines, and how many more there are.

    Args:
        lines: of the list, or the first of them.
        total: how many the list has.
        most: how many are printed.
        print_line: prints one: `say`, or `note`.
    """
    for line in lines[:most]:
        print_line(line)
    left_out = total - min(most, len(lines))
    if left_out:
        print_line(f"... and {left_out:,} more{' (--json lists them)' if len(lines) == total else ''}")


def _print(text: str, stream: TextIO, *, lines: bool) -> None:
    body = text.strip("\n")
    print(text.replace(body, visible(body, lines=lines)) if body else text, file=stream, flush=True)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[str] = (),
    shorten: Sequence[str] = (),
) -> None:
    """Columns below headings.

    Args:
        headings: of the columns.
        rows: their cells.
        right: columns of numbers.
        shorten: columns whose cells are shortened, the widest first, until a row fits on one line of the terminal.
    """
    lines = [list(headings), *([visible(str(cell)) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    flexible = [column for column, heading in enumerate(headings) if heading in shorten]
    excess = sum(widths) + 2 * (len(widths) - 1) - _width()
    while flexible and excess > 0:
        widest = max(flexible, key=lambda column: widths[column])
        if widths[widest] <= NARROWEST:
            break
        widths[widest] -= 1
        excess -= 1
    for number, line in enumerate(lines):
        cells = [
            _fitted(cell, width).rjust(width) if heading in right else _fitted(cell, width).ljust(width)
            for cell, width, heading in zip(line, widths, headings, strict=True)
        ]
        row = "  ".join(cells).rstrip()
        print(row if number or not _has_styles() else f"\x1b[1m{row}\x1b[0m", flush=True)


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH_OF_FILES


def _has_styles() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def _fitted(cell: str, width: int) -> str:
    """A cell of at most so many characters: one that is longer loses its middle."""
    if len(cell) <= width:
        return cell
    end = (width - 1) // 2
    return f"{cell[: width - 1 - end]}…{cell[len(cell) - end :]}"
