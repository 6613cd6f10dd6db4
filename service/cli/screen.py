"""Text for people: values in words, boards, tables. Plain when standard output is not a terminal.

All of it goes through `console`, and each line through `say`, `note` or a table. Texts of others (names, sources,
errors, boards of their rules) come out visibly there: escapes for what would control the terminal or end a line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from proofbase.service.answers import PositionAnswer
from proofbase.service.words.amounts import age_text, amount, bytes_text, duration_text, rate_text
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import game_name, highest_value, margin_text, result_text, value_text
from proofbase.service.words.visible import visible

__all__ = [
    "age_text",
    "amount",
    "bytes_text",
    "console",
    "duration_text",
    "game_name",
    "highest_value",
    "margin_text",
    "note",
    "print_board",
    "print_table",
    "rate_text",
    "result_text",
    "say",
    "value_text",
]

NARROWEST = 12
"""Columns are not shortened further."""


class _Console(Console):
    """Shows what comes from elsewhere visibly. Codes of its own, such as colours, are no text of segments."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text, lines=True))


def console(*, stderr: bool = False) -> Console:
    """A console for the current stream; not cut to 80 columns when it is a file or a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 200
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def say(text: str = "", *, lines: bool = False) -> None:
    """A line on standard output, or some `lines`; line feeds before and behind the text are empty lines."""
    console().print(_text(text, lines=lines), soft_wrap=True)


def note(text: str, *, lines: bool = False) -> None:
    """The same on standard error: a remark beside the answer."""
    console(stderr=True).print(_text(text, lines=lines), soft_wrap=True)


def _text(text: str, *, lines: bool) -> Text:
    body = text.strip("\n")
    return Text(text.replace(body, visible(body, lines=lines)) if body else text)


def print_board(answer: PositionAnswer) -> None:
    """The board, and below it which player is to move: the value is the value for that player."""
    if answer.board:
        say(answer.board, lines=True)
    side = GameWords.of(answer.game).side(answer.side)
    say(f"{side} to move{', but the game is over' if answer.terminal else ''}")


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
