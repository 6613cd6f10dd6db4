"""Text for people: values in words, boards, tables. Plain when standard output is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from proofbase.engine.rules.guarded import GuardedGame
from proofbase.service.answers import PositionAnswer, Value

if TYPE_CHECKING:
    from proofbase.engine.rules import Game

__all__ = [
    "age_text",
    "amount",
    "bytes_text",
    "console",
    "duration_text",
    "game_name",
    "margin_text",
    "note",
    "print_board",
    "print_table",
    "rate_text",
    "result_text",
    "say",
    "value_text",
]

_TIME_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
NARROWEST = 12
"""Columns are not shortened further."""
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
    rules = _rules(game)
    return rules.highest_value if rules else 0


def game_name(game: str) -> str:
    """The canonical name of a game; the name as it is when this process does not know the game."""
    rules = _rules(game)
    return rules.name if rules else game


def _rules(game: str) -> Game[Any] | None:
    from proofbase.engine.games import open_game

    try:
        return open_game(game, "python")
    except ValueError:
        return None


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


def result_text(value: Value, answer: PositionAnswer) -> str:
    """The result of the game as a whole for the side to move: its score so far plus the value."""
    lowest, highest = answer.score + value.lower, answer.score + value.upper
    if lowest == highest == 0:
        return "a draw"
    if lowest > 0 or highest < 0:
        result = lowest if lowest > 0 else highest
        margin = margin_text(answer.game, result, answer.side, or_more=lowest != highest)
        return f"{'won' if result > 0 else 'lost'} {margin}"
    return {(True, False): "at least a draw", (False, True): "at most a draw"}.get((lowest == 0, highest == 0), "open")


def margin_text(game: str, result: int, side: int, *, or_more: bool = False) -> str:
    """How clearly a game is won or lost (`Game.margin_text`); only for games that this process knows."""
    rules = _rules(game)
    assert rules is not None  # asked only where the game's highest value is known
    return GuardedGame(rules).margin_text(result, side, or_more=or_more)


def print_board(answer: PositionAnswer) -> None:
    """The board, and below it which player is to move: the value is the value for that player."""
    if answer.board:
        say(answer.board)
    say(f"{('first', 'second')[answer.side]} player to move{', but the game is over' if answer.terminal else ''}")


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
    lines = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    flexible = [column for column, heading in enumerate(headings) if heading in shorten]
    excess = sum(widths) + 2 * (len(widths) - 1) - console().width
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
        text = Text("  ".join(cells).rstrip(), style="" if number else "bold")
        console().print(text, soft_wrap=True)


def _fitted(cell: str, width: int) -> str:
    """A cell of at most so many characters: one that is longer loses its middle."""
    if len(cell) <= width:
        return cell
    end = (width - 1) // 2
    return f"{cell[: width - 1 - end]}…{cell[len(cell) - end :]}"


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


def duration_text(seconds: float) -> str:
    """A time span with two units at most: `0.31 s`, `12 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{whole} s"
    for (name, size), (smaller, smaller_size) in pairwise(_TIME_UNITS):
        if whole >= size:
            rest = whole % size // smaller_size
            return f"{whole // size} {name}" + (f" {rest} {smaller}" if rest else "")
    raise AssertionError("60 seconds or more are a minute")


def rate_text(count: int, seconds: float) -> str:
    """How many in which time: `12 a second`, `3.4 a minute`, `2 an hour`."""
    rate = count / max(seconds, 1e-9)
    units = {"a second": 1, "a minute": 60, "an hour": 3_600}
    unit = next((name for name, size in units.items() if rate * size >= 1), "an hour")
    rate *= units[unit]
    return f"{rate:,.0f} {unit}" if rate >= 10 else f"{rate:.2g} {unit}"


def age_text(seconds: float) -> str:
    """How long ago something was, with one unit: `12 s`, `4 min`, `3 h`, `2 d`."""
    whole = max(0, round(seconds))
    name, size = next((unit for unit in _TIME_UNITS if whole >= unit[1]), _TIME_UNITS[-1])
    return f"{whole // size} {name}"
