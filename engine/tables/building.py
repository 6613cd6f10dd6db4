"""Retrograde analysis of one class of positions in plain Python, for users' own games (docs/tables.md).

The same two schemes as those of the native core: values from the highest to the lowest (docs/tables.md), and
plies from the smallest number to the highest (Thompson 1986). The predecessors are found by playing all moves forwards,
so that a game need not have them.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable
from itertools import accumulate

from proofbase.engine.errors import BrokenGameError
from proofbase.engine.rules.tables.table_values import value_of_entry
from proofbase.engine.tables.places import Places

__all__ = ["entries_of_table"]

DRAWN, NO_POSITION, FINISHED = 0, 1, 2
"""Entries of plies (docs/endgame-tables.md)."""
MOST_PLIES = 252
PIECE = 256
"""So many positions are treated between two reports."""

Report = Callable[[int], None]
"""Is told how many positions are finished. It may raise, which ends the work."""


class _Class:
    """The positions of a class, with what their moves out of it come to, and the predecessors in it.

    Attributes:
        finished: of each finished position, its value.
        empty: numbers without a position.
        inside: of each position, how many moves stay in the class.
        outside: of each position with such moves, the reward and the entry of each move that leaves the class.
    """

    def __init__(self, places: Places, report: Report) -> None:
        self.size = places.table_class.entries
        self.finished, self.empty = dict[int, int](), set[int]()
        self.inside = array("I", bytes(4 * self.size))
        self.outside = dict[int, list[tuple[int, int]]]()
        children, counts = array("Q"), array("I", bytes(4 * self.size))
        for number in range(self.size):
            if number % PIECE == 0:
                report(number)
            found = places.successors(number)
            if found is None:
                self.empty.add(number)
                continue
            if found.finished is not None:
                self.finished[number] = found.finished
            if found.outside:
                self.outside[number] = found.outside
            self.inside[number] = len(found.inside)
            for child in found.inside:
                children.append(child)
                counts[child] += 1
        starts = array("Q", accumulate(counts, initial=0))
        self._starts, self._parents = starts, array("Q", bytes(8 * len(children)))
        free, at = starts[:-1], 0
        for number in range(self.size):
            for _ in range(self.inside[number]):
                child = children[at]
                self._parents[free[child]] = number
                free[child] += 1
                at += 1

    def parents(self, number: int) -> array[int]:
        """The positions of the class with a move to this one, once a move."""
        return self._parents[self._starts[number] : self._starts[number + 1]]


def entries_of_table(places: Places, report: Report) -> array[int]:
    """Solves a class.

    Args:
        places: its positions.
        report: is told how far it is.

    Returns:
        For every number its value, or its entry of plies.

    Raises:
        BrokenGameError: the numbers and the rules do not fit together, or a game lasts longer than tables can say.
    """
    found = _Class(places, report)
    if not places.plies:
        return _values(found)
    assert places.game.table_end_value is not None
    return _Plies(found, places.game.table_end_value).solve(places.name)


def _values(found: _Class) -> array[int]:
    """Values, from the highest to the lowest; what is left is worth 0."""
    no_value = -128
    best = array("b", [no_value]) * found.size
    for number, value in found.finished.items():
        best[number] = value
    for number, moves in found.outside.items():
        best[number] = max(reward - entry for reward, entry in moves)
    unknown, settled = array("I", found.inside), bytearray(found.size)
    highest = max((abs(value) for value in best if value != no_value), default=0)
    for threshold in range(highest, 0, -1):
        stack = [n for n in range(found.size) if not settled[n] and (best[n] == threshold or unknown[n] == 0)]
        for number in stack:
            settled[number] = 1
        while stack:
            number = stack.pop()
            for parent in found.parents(number):
                if settled[parent]:
                    continue
                unknown[parent] -= 1
                best[parent] = max(best[parent], -best[number])
                if best[parent] >= threshold or unknown[parent] == 0:
                    settled[parent] = 1
                    stack.append(parent)
    return array("b", (value if final else 0 for value, final in zip(best, settled, strict=True)))


class _Plies:
    """Entries of plies, from the smallest number to the highest; what is left is drawn."""

    def __init__(self, found: _Class, end_value: int) -> None:
        self._found, self._end_value = found, end_value
        self._entries = array("B", bytes(found.size))
        self._latest = array("B", bytes(found.size))
        """By the moves so far, all of which lose: the entry of the position."""
        self._unknown, self._settled = array("I", found.inside), bytearray(found.size)
        self._awaited: defaultdict[int, list[int]] = defaultdict(list)
        """Positions by the entry that they may get."""
        for number in found.empty:
            self._entries[number], self._settled[number] = NO_POSITION, 1
        for number, value in found.finished.items():
            if value == 0:
                self._settled[number] = 1
            else:
                self._awaited[FINISHED].append(number)
        for number, moves in found.outside.items():
            self._take_exits(number, {entry for _, entry in moves})

    def _take_exits(self, number: int, entries: set[int]) -> None:
        """What the moves out of the class come to, by the entries of the positions after them."""
        worth = {entry: -value_of_entry(entry, self._end_value) for entry in entries}
        wins = [entry + 1 for entry, value in worth.items() if value > 0]
        if wins:
            self._awaited[min(wins)].append(number)
        if max(worth.values()) >= 0:
            self._unknown[number] += 1  # such a move never loses, so that the position is not lost
            return
        self._latest[number] = min(255, max(entries) + 1)
        if self._unknown[number] == 0:
            self._awaited[self._latest[number]].append(number)

    def solve(self, name: str) -> array[int]:
        """The entries of all numbers; BrokenGameError for a longer game than they can say."""
        for entry in range(FINISHED, FINISHED + MOST_PLIES + 2):
            for number in self._awaited.pop(entry, []):
                if self._settled[number]:
                    continue
                if entry > FINISHED + MOST_PLIES:
                    raise BrokenGameError(
                        f"table {name}: a game lasts more than {MOST_PLIES} plies, which none may hold"
                    )
                self._entries[number], self._settled[number] = entry, 1
                self._update_parents(number, entry)
        return self._entries

    def _update_parents(self, number: int, entry: int) -> None:
        is_lost = value_of_entry(entry, self._end_value) < 0
        for parent in self._found.parents(number):
            if self._settled[parent]:
                continue
            if is_lost:
                self._awaited[entry + 1].append(parent)
                continue
            self._unknown[parent] -= 1
            self._latest[parent] = max(self._latest[parent], entry + 1)
            if self._unknown[parent] == 0:
                self._awaited[self._latest[parent]].append(parent)
