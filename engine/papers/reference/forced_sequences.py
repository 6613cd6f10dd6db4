"""Conventional search of forced sequences in qubic (Patashnik 1980; Allis 1994, 4.5.3): every threat in every order."""

from __future__ import annotations

from proofbase.engine.rules.qubic import LINES

__all__ = ["wins_by_force"]

MASKS = [sum(1 << cube for cube in line) for line in LINES]


def wins_by_force(attacker: int, defender: int, most_nodes: int) -> tuple[bool | None, int]:
    """Whether the attacker, to move, wins by threats that leave one reply each, searched depth first.

    Args:
        attacker: his cubes, as a set of bits.
        defender: hers.
        most_nodes: the search is given up when there are more.

    Returns:
        The answer, None where it was given up; and the nodes.
    """
    nodes = 0

    def wins(own: int, other: int) -> bool:
        nonlocal nodes
        nodes += 1
        threats, block = list[tuple[int, int]](), 0
        for line in MASKS:
            if not line & other:
                empty = line & ~own
                first = empty & -empty
                if empty == first:
                    return True
                if empty.bit_count() == 2:
                    threats += [(first, empty ^ first), (empty ^ first, first)]
            elif not line & own and (line & other).bit_count() == 3:
                block |= line & ~other
        if block & (block - 1):
            return False  # she has two cubes to win on
        return any(
            nodes <= most_nodes and wins(own | move, other | reply)
            for move, reply in threats
            if not block or move == block
        )

    won = wins(attacker, defender)
    return (None if not won and nodes > most_nodes else won), nodes
