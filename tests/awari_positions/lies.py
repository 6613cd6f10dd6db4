"""Tables that are consistent and false: every entry is what its moves are worth, and only cycles support some."""

from __future__ import annotations

import random

from awari_positions.endgames import endgames
from awari_positions.tables import RULES, expected_values

__all__ = ["consistent_lies"]


def consistent_lies(stones: int, sound: list[int]) -> list[list[int]]:
    """Other solutions of "every value is the maximum over its moves" than the game's."""
    name, lies = f"awari-{stones}", list[list[int]]()
    smaller = [_expected_of_class(n) for n in range(stones - 1)]
    exits, inner = list[int | None](), list[list[int]]()
    for entry in range(len(sound)):
        position = RULES.table_position(name, entry)
        best, stay = RULES.terminal(position), list[int]()
        for move in RULES.moves(position):
            child, reward = RULES.play(position, move), RULES.reward(position, move)
            if reward == 0:
                stay.append(RULES.table_entry(child)[1])
            else:
                worth = reward - smaller[stones - reward][RULES.table_entry(child)[1]]
                best = worth if best is None else max(best, worth)
        exits.append(best)
        inner.append(stay)
    rng = random.Random(stones)
    for _ in range(30):
        values = [rng.choice([-2, -1, 1, 2]) if value == 0 else value for value in sound]
        for _ in range(100):
            changed = False
            for entry, stay in enumerate(inner):
                options = [-values[child] for child in stay]
                best = exits[entry]
                value = max(options if best is None else [*options, best])
                changed |= value != values[entry]
                values[entry] = value
            if not changed:
                break
        if not changed and values != sound and values not in lies:
            lies.append(values)
    return lies[:5]


def _expected_of_class(stones: int) -> list[int]:
    values = dict[int, int]()
    for node, position in enumerate(endgames(5)[1].values()):
        name, entry = RULES.table_entry(position)
        if name == f"awari-{stones}":
            values[entry] = expected_values()[node]
    return [values[entry] for entry in range(len(values))]
