"""What a drawing of a board is made from, and the parts that all boards have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from proofbase.service.answers import Outcome
from proofbase.service.pictures.markup import Content, Markup, joined, tag

__all__ = [
    "CLASSES",
    "Board",
    "Drawing",
    "Squares",
    "Target",
    "arrow",
    "badge",
    "kind_of",
    "pick_link",
    "picks",
    "ring",
    "stone",
    "target_group",
    "text",
    "turned",
]

CLASSES: dict[Outcome, str] = {
    "win": "win",
    "draw": "draw",
    "loss": "loss",
    "not_loss": "open",
    "not_win": "open",
    "unknown": "open",
}
"""How the outcome of a move is coloured. Its words stand beside the colour everywhere."""


@dataclass(frozen=True, slots=True)
class Target:
    """A legal move as a board shows it.

    Attributes:
        move: its text.
        number: the game's number of it.
        outcome: of the game as a whole for the side that makes it.
        words: its value in words.
        sign: its value in one to four characters.
        best: whether no other move is known to be better.
        href: where the move leads to; None where the board is only looked at.
        grade: 0 for the quickest win, the slowest loss and the largest gain of the moves, up to 2 for the others.
        searched: whether a search has found the value just now.
    """

    move: str
    number: int
    outcome: Outcome
    words: str
    sign: str
    best: bool = False
    href: str | None = None
    grade: int = 0
    searched: bool = False

    @property
    def label(self) -> str:
        """The move and its value, as it is read aloud."""
        return f"{self.move}: {self.words}{', best' if self.best else ''}"


class Squares(NamedTuple):
    """What a user's game says of its board (`Game.squares`, `Game.move_squares`).

    Attributes:
        rows: from the top, a letter for each square.
        moves: the squares of each move by its text, in the order in which they are clicked.
    """

    rows: tuple[str, ...]
    moves: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Board:
    """A position with its legal moves.

    Attributes:
        game: canonical name.
        position: text of the position.
        side: whose move it is, 0 for the side that began.
        targets: the legal moves.
        last: text of the move that led here; None if that is not known.
        drawing: how a terminal shows the position, for games without a board of their own.
        turns: by how many quarter turns to the right the board is turned.
        chosen: the steps of a move that were chosen so far, separated by commas (steps.py).
        choose: where a choice of steps leads to; None where the board is only looked at.
        squares: of a user's game that offers them.
        pick: where a click on a square leads to, by its number from the top left, where a position is set up. In
            connect-four columns are clicked, in awari pits.
    """

    game: str
    position: str
    side: int
    targets: tuple[Target, ...] = ()
    last: str | None = None
    drawing: str | None = None
    turns: int = 0
    chosen: str = ""
    choose: Callable[[str], str] | None = None
    pick: Callable[[int], str] | None = None
    squares: Squares | None = None


class Drawing(NamedTuple):
    """A board as SVG: its size in its own units, what it shows in words, and the parts."""

    width: float
    height: float
    description: str
    content: Markup


def target_group(target: Target, *parts: Content, data_at: str | None = None) -> Markup:
    """The parts of a legal move on the board: a link where it leads somewhere.

    Args:
        target: the move.
        parts: what is drawn.
        data_at: the square that is its last step, where moves are made in steps.
    """
    kind = f"target {kind_of(target)}"
    title = tag("title", target.label)
    if target.href is None:
        return tag("g", title, *parts, class_=kind)
    return tag(
        "a",
        title,
        *parts,
        class_=kind,
        href=target.href,
        aria_label=target.label,
        data_move=target.move,
        data_at=data_at,
    )


def kind_of(target: Target) -> str:
    """The classes that colour a move by its value."""
    marks = f"{' best' if target.best else ''}{' searched' if target.searched else ''}"
    return f"{CLASSES[target.outcome]} grade-{target.grade}{marks}"


def turned(column: float, row: float, size: int, turns: int) -> tuple[float, float]:
    """Where a square of a square board is drawn when the board is turned by quarter turns to the right."""
    for _ in range(turns % 4):
        column, row = size - 1 - row, column
    return column, row


def ring(x: float, y: float, radius: float) -> Markup:
    """What marks the best move."""
    return tag("circle", class_="best-ring", cx=x, cy=y, r=radius)


def arrow(start: tuple[float, float], end: tuple[float, float], width: float) -> Markup:
    """An arrow from the middle of a square to that of another one."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    if not length:
        return Markup()
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tip, neck, half = length - width, length - 3.2 * width, width / 2
    corners = ((width, half), (neck, half), (neck, 1.4 * width), (tip, 0.0))
    corners += tuple((along, -aside) for along, aside in reversed(corners[:3]))
    points = " ".join(f"{x1 + dx * a - dy * b:.1f},{y1 + dy * a + dx * b:.1f}" for a, b in corners)
    return tag("polygon", class_="best-arrow", points=points)


def picks(board: Board, squares: list[tuple[str, float, float]], size: float) -> Markup:
    """The squares of a board as links, where a position is set up.

    Args:
        board: with `pick`; without it there are no links.
        squares: with names and middles, in the order of the position's text.
        size: of a square.
    """
    if board.pick is None:
        return Markup()
    links = []
    for number, (name, x, y) in enumerate(squares):
        area = tag("rect", class_="area", x=x - size / 2, y=y - size / 2, width=size, height=size)
        links.append(pick_link(board, number, name, area))
    return joined(*links)


def pick_link(board: Board, number: int, name: str, area: Markup) -> Markup:
    """One of them: an area that leads to what a click there makes of the position."""
    assert board.pick is not None
    return tag("a", area, class_="target", href=board.pick(number), aria_label=name, data_at=name)


def badge(target: Target, x: float, y: float, size: float) -> Markup:
    """The sign of a move's value at a place; a long one is written smaller."""
    width = min(1.55, max(1.0, 0.42 * len(target.sign) + 0.35)) * size
    letters = size * min(0.66, 1.9 / max(1, len(target.sign)))
    return joined(
        tag("rect", class_="badge", x=x - width / 2, y=y - size / 2, width=width, height=size, rx=size / 2.6),
        text(x, y, target.sign, letters, "sign"),
    )


def stone(x: float, y: float, radius: float, player: int, *, last: bool = False, grooves: bool = False) -> Markup:
    """A stone of the first or second player.

    Args:
        x, y: its middle.
        radius: of it.
        player: 0 for the first one.
        last: whether it was placed last.
        grooves: whether stones of the second player have a groove, so that nobody has to tell them by colour alone.
    """
    parts = [tag("circle", class_=f"stone {('first', 'second')[player]}", cx=x, cy=y, r=radius)]
    if grooves and player:
        parts.append(tag("circle", class_="groove", cx=x, cy=y, r=radius * 0.55))
    if last:
        parts.append(tag("circle", class_="last", cx=x, cy=y, r=radius * 0.92))
    return joined(*parts)


def text(x: float, y: float, content: str, size: float, kind: str) -> Markup:
    """A text that is centred at a place."""
    return tag("text", content, class_=kind, x=x, y=y + size * 0.35, font_size=size, text_anchor="middle")
