"""Positions of renju: from lists of squares, and of stones at random."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from proofbase.engine import open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.rules.renju import Renju


def squares(text: str) -> set[tuple[int, int]]:
    return {(ord(word[0]) - ord("a"), int(word[1:]) - 1) for word in text.split()}


def text_of(width: int, height: int, black: set[tuple[int, int]], white: set[tuple[int, int]]) -> str:
    """The board with stones on these columns and rows, both counted from 0."""
    cells = {**dict.fromkeys(black, "x"), **dict.fromkeys(white, "o")}
    rows = ["".join(cells.get((column, row), ".") for column in range(width)) for row in reversed(range(height))]
    return "/".join(rows)


def crowded(random: Random, name: str, most: int) -> Any:
    """A position in which the game goes on, of 14 stones or more at random, but fewer than `most`."""
    rules = cast("Renju", open_rules(name))
    squares = [(column, row) for column in range(rules.width) for row in range(rules.height)]
    while True:
        stones = random.sample(squares, random.randrange(14, most))
        half = len(stones) // 2
        try:
            text = text_of(rules.width, rules.height, set(stones[half:]), set(stones[:half]))
            position = rules.parse(text)
        except InvalidPositionError:
            continue
        if rules.terminal(position) is None:
            return position
