"""Text for people: values in words, boards, tables. Plain when standard output is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from proofbase.service.answers import PositionAnswer, Value

__all__ = ["amount", "bytes_text", "console", "note", "print_board", "print_table", "result_text", "say", "value_text"]

_WORDS = {1: "win", 0: "draw", -1: "loss"}


def console(*, stderr: bool = False) -> Console:
    """A console for the current stream; not cut to 80 columns when it is a file or a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 200
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def say(text: str = "") -> None:
    """A line on standard output."""
    console().print(Text(text), soft_wrap=True)


def note(text: str) -> None:
    """A line on standard error: a remark beside the answer."""
    console(stderr=True).print(Text(text), soft_wrap=True)


def highest_value(game: str) -> int:
    """Limit of the game's values; 0 when this process does not know the game."""
    from proofbase.engine.games import open_game

    try:
        return open_game(game, "python").highest_value
    except ValueError:
        return 0


def value_text(value: Value, highest: int) -> str:
    """A value in words where the game has only three of them, otherwise as a number."""

    def one(number: int) -> str:
        return _WORDS[number] if highest == 1 else f"{number:+d}" if number else "0"

    if value.exact:
        return one(value.lower)
    if value.lower_known and value.upper_known:
        return f"{one(value.lower)} to {one(value.upper)}"
    if value.lower_known:
        return f"at least {one(value.lower)}"
    if value.upper_known:
        return f"at most {one(value.upper)}"
    return "unknown"


def result_text(value: Value, score: int) -> str:
    """The result of the game as a whole for the side to move: its score so far plus the value."""
    lowest, highest = score + value.lower, score + value.upper
    if lowest == highest:
        return "a draw" if lowest == 0 else f"{'won' if lowest > 0 else 'lost'} by {abs(lowest)}"
    if lowest > 0 or highest < 0:
        least = min(abs(lowest), abs(highest))
        return f"{'won' if lowest > 0 else 'lost'} by {least} or more"
    return {(True, False): "at least a draw", (False, True): "at most a draw"}.get((lowest == 0, highest == 0), "open")


def print_board(answer: PositionAnswer) -> None:
    """The board, and below it which player is to move."""
    if answer.board:
        say(answer.board)
    if not answer.terminal:
        say(f"{('first', 'second')[answer.side]} player to move")


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> None:
    """Columns below headings; the ones named in `right` are numbers."""
    lines = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    for number, line in enumerate(lines):
        cells = [
            cell.rjust(width) if heading in right else cell.ljust(width)
            for cell, width, heading in zip(line, widths, headings, strict=True)
        ]
        text = Text("  ".join(cells).rstrip(), style="" if number else "bold")
        console().print(text, soft_wrap=True)


def amount(number: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def bytes_text(number: float) -> str:
    """A number of bytes with three digits or so."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TiB"
