"""The two rows of pits of awari with both stores: as South sees them."""

from __future__ import annotations

import re
from math import cos, pi, sin

from proofbase.service.pictures.boards.board import Board, Drawing, Target, badge, picks, ring, target_group, text
from proofbase.service.pictures.markup import Markup, joined, tag

__all__ = ["CHANGES", "draw"]

PIT = 58.0
STORE = 46.0
UPPER, LOWER = 72.0, 142.0
CHANGES = {"+": "one stone more", "-": "one stone less"}
_TEXT = re.compile(r"(?:([0-9]+):)?([0-9,]+)/([0-9,]+)(?::([0-9]+))?/([SN])")


def draw(board: Board) -> Drawing | None:
    """`NORTH/SOUTH/SIDE`, the rows from the left, with the stores before and behind them where they are known."""
    fields = _TEXT.fullmatch(board.position)
    if fields is None:
        return None
    north, south = ([int(stones) for stones in row.split(",")] for row in (fields[2], fields[3]))
    south_moves = fields[5] == "S"
    width = 2 * STORE + 6 * PIT + 20
    parts = [tag("rect", class_="wood", x=0, y=38, width=width, height=138, rx=26)]
    about = board.turns % 4 == 2
    stores = ((STORE / 2 + 4, fields[1]), (width - STORE / 2 - 4, fields[4]))
    for x, stones in ((width - x, stones) for x, stones in stores) if about else stores:
        parts.append(tag("rect", class_="pit", x=x - STORE / 2 + 3, y=52, width=STORE - 6, height=110, rx=20))
        parts.append(text(x, 107, stones or "0", 22, "count"))
    last = board.last[:1] if board.last else ""
    targets = {target.move[:1]: target for target in board.targets}
    pits = []
    lines = (("fedcba", north, LOWER if about else UPPER), ("ABCDEF", south, UPPER if about else LOWER))
    for names, row, y in lines:
        label_y = 26 if y == UPPER else 190
        for column, (name, stones) in enumerate(zip(names, row, strict=True)):
            x = STORE + 10 + ((5 - column if about else column) + 0.5) * PIT
            parts.append(_pit(x, y, stones, last=name == last))
            pits.append((name, x, y))
            parts.append(text(x, label_y, name, 14, "label"))
            if name in targets:
                parts.append(_target(targets[name], x, y, 8 if y == UPPER else 210))
    parts.append(picks(board, pits, PIT))
    mover = "South" if south_moves else "North"
    parts.append(
        text(
            width / 2,
            232,
            f"{mover} is to move; {'South above, North below' if about else 'North above, South below'}",
            12,
            "label",
        )
    )
    rows = f"North f to a: {', '.join(map(str, north))}. South A to F: {', '.join(map(str, south))}."
    captured = f" Stores: North {fields[1] or 0}, South {fields[4] or 0}."
    return Drawing(width, 242, f"{rows}{captured} {mover} is to move", joined(*parts))


def _pit(x: float, y: float, stones: int, *, last: bool) -> Markup:
    reach = 0.31 * PIT
    parts = [tag("circle", class_="pit last-pit" if last else "pit", cx=x, cy=y, r=PIT * 0.44)]
    for number in range(min(stones, 12)):
        angle = 2 * pi * number / max(4, min(stones, 12)) - pi / 2
        parts.append(tag("circle", class_="seed", cx=x + reach * cos(angle), cy=y + reach * sin(angle), r=3.4))
    parts.append(tag("circle", class_="count-back", cx=x, cy=y, r=11))
    parts.append(text(x, y, str(stones), 15, "count"))
    return joined(*parts)


def _target(target: Target, x: float, y: float, badge_y: float) -> Markup:
    top = min(y - PIT / 2, badge_y - 10)
    height = max(y + PIT / 2, badge_y + 10) - top
    area = tag("rect", class_="area", x=x - PIT / 2, y=top, width=PIT, height=height, rx=8)
    spot = tag("circle", class_="spot", cx=x, cy=y, r=PIT * 0.44)
    best = ring(x, y, PIT * 0.46) if target.best else None
    return target_group(target, area, spot, badge(target, x, badge_y, 20), best)
