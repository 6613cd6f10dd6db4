"""Counts of a game ply by ply, from the Python rules.

    python tests/count_positions.py GAME PLIES

prints the rows of the game's perft file (tests/engine/data) for plies 0 to PLIES.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from proofbase.engine import open_rules
from proofbase.engine.rules import Game


def levels(game: Game[Any], plies: int) -> Iterator[Counter[Any]]:
    """Positions of ply 0, 1, ... with the number of ways to play there."""
    level = Counter({game.initial(): 1})
    yield level
    for _ in range(plies):
        after: Counter[Any] = Counter()
        for position, ways in level.items():
            for move in game.moves(position):
                after[game.play(position, move)] += ways
        level = after
        yield level


def counts_per_ply(name: str, plies: int) -> dict[str, list[int]]:
    """Ways to play, lines that end, positions, and positions up to symmetry, for each ply."""
    game = open_rules(name)
    found: dict[str, list[int]] = {"paths": [], "games": [], "positions": [], "keys": []}
    for level in levels(game, plies):
        found["paths"].append(sum(level.values()))
        found["games"].append(sum(ways for position, ways in level.items() if game.terminal(position) is not None))
        found["positions"].append(len(level))
        found["keys"].append(len({game.key(position) for position in level}))
    return found


if __name__ == "__main__":
    for quantity, counts in counts_per_ply(sys.argv[1], int(sys.argv[2])).items():
        print(f"{sys.argv[1]}; {quantity}; {' '.join(map(str, counts))}")
