"""What a drawing of a board is made from, and the parts that all boards have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from proofbase.service.answers import Outcome
from proofbase.service.pictures.markup import Content, Markup, joined, tag

__all__ = ["Board", "Drawing", "Target", "badge", "stone", "target_group", "text"]

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
    """

    move: str
    number: int
    outcome: Outcome
    words: str
    sign: str
    best: bool = False
    href: str | None = None

    @property
    def label(self) -> str:
        """The move and its value, as it is read aloud."""
        return f"{self.move}: {self.words}{', best' if self.best else ''}"


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
    """

    game: str
    position: str
    side: int
    targets: tuple[Target, ...] = ()
    last: str | None = None
    drawing: str | None = None


class Drawing(NamedTuple):
    """A board as SVG: its size in its own units, what it shows in words, and the parts."""

    width: float
    height: float
    description: str
    content: Markup


def target_group(target: Target, *parts: Content) -> Markup:
    """The parts of a legal move on the board: a link where it leads somewhere."""
    kind = f"target {CLASSES[target.outcome]}{' best' if target.best else ''}"
    title = tag("title", target.label)
    if target.href is None:
        return tag("g", title, *parts, class_=kind)
    return tag("a", title, *parts, class_=kind, href=target.href, aria_label=target.label, data_move=target.move)


def badge(target: Target, x: float, y: float, size: float) -> Markup:
    """The sign of a move's value at a place; a long one is written smaller."""
    width = min(1.55, max(1.0, 0.42 * len(target.sign) + 0.35)) * size
    letters = size * min(0.68, 2.2 / max(1, len(target.sign)))
    return joined(
        tag("rect", class_="badge", x=x - width / 2, y=y - size / 2, width=width, height=size, rx=size / 2.6),
        text(x, y, target.sign, letters, "sign"),
    )


def stone(x: float, y: float, radius: float, player: int, *, last: bool = False, letter: bool = True) -> Markup:
    """A stone of the first or second player, with its letter: nobody has to tell them by their colour alone."""
    parts = [tag("circle", class_=f"stone {('first', 'second')[player]}", cx=x, cy=y, r=radius)]
    if letter:
        parts.append(text(x, y, "xo"[player], radius * 1.1, f"letter {('first', 'second')[player]}"))
    if last:
        parts.append(tag("circle", class_="last", cx=x, cy=y, r=radius * 0.92))
    return joined(*parts)


def text(x: float, y: float, content: str, size: float, kind: str) -> Markup:
    """A text that is centred at a place."""
    return tag("text", content, class_=kind, x=x, y=y + size * 0.35, font_size=size, text_anchor="middle")
