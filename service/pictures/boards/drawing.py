"""Games without a board of their own (random graphs, users' games): what a terminal shows, as a picture."""

from __future__ import annotations

from proofbase.service.pictures.boards.board import Board, Drawing
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["draw"]

LINES, CHARACTERS = 40, 100
"""More of a drawing is left out, which is said."""
LINE = 20.0
ADVANCE = 9.7


def draw(board: Board) -> Drawing:
    """The lines of the drawing, or of the position's text, in a typewriter face."""
    lines = (board.drawing or board.position).split("\n")
    short_lines = [line if len(line) <= CHARACTERS else f"{line[: CHARACTERS - 1]}…" for line in lines[:LINES]]
    if len(lines) > LINES:
        short_lines.append(f"… and {len(lines) - LINES} lines more")
    width = max(24, *map(len, short_lines)) * ADVANCE + 24
    height = len(short_lines) * LINE + 20
    parts: list[Markup] = [tag("rect", class_="paper", x=0, y=0, width=width, height=height, rx=8)]
    for number, line in enumerate(short_lines):
        y = 10 + (number + 0.75) * LINE
        parts.append(tag("text", line, class_="mono", x=12, y=y, font_size=16))
    return Drawing(width, height, "\n".join(short_lines), joined(*parts))
