"""Mancala (Kalah) as OpenSpiel plays it. The key is the pits with the player to move.

1. Each player has six pits with four seeds and a store. All seeds of a pit are sown one by one into the following pits
   and the own store, not into the other store.
2. The last seed in the own store: the player acts again. The last seed in an empty own pit opposite of seeds: both go
   into the store.
3. The game ends when a player's pits are empty, or after 1,001 moves; the seeds in pits belong to their side. Who has
   more wins.

The number of moves is part of the key as long as the game might still reach that end. Later, when fewer seeds are left,
it is not: `longest_rest` bounds what can follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from proofbase.engine.openspiel.boards import WrittenRules, checked_number

__all__ = ["CAP", "FAR", "OWN", "PITS", "Mancala", "MancalaState", "longest_rest"]

PITS = 14
STORES = (7, 0)
OWN = (range(1, 7), range(8, 14))
SEEDS = 48
CAP = 1000
"""More moves end the game."""
FAR = -1


class MancalaState(NamedTuple):
    """A state."""

    pits: tuple[int, ...]
    """Store of the second player, pits and store of the first, pits of the second: in the order of sowing."""
    player: int
    moves: int
    """Moves that were made; -1 where the cap is out of reach."""


def longest_rest(pits: Sequence[int]) -> int:
    """At most so many moves can follow.

    Every move brings seeds nearer to their store, by one step at the least. Seeds that pass the store are farther from
    the other one, but then a seed is left in the store: it pays for them.
    """
    return sum(seeds * _steps(pit) for pit, seeds in enumerate(pits)) + _paid(SEEDS - pits[0] - pits[7])


def _steps(pit: int) -> int:
    """From a pit to the store of its player."""
    return (PITS - pit) % 7


@cache
def _paid(seeds: int) -> int:
    """What seeds in pits can pay: enough for every sowing, with the move itself, out of those that it stores."""
    most = 0 if seeds == 0 else _paid(seeds - 1)
    for pit in OWN[0]:
        for sown in range(1, seeds + 1):
            to = [1 + (pit + step) % (PITS - 1) for step in range(sown)]  # pits 1 to 13: not the other's store
            stored = to.count(STORES[0])
            if stored:
                farther = sum(map(_steps, to)) - sown * _steps(pit)
                most = max(most, _paid(seeds - stored) + farther + 1)
    return most


class Mancala(WrittenRules[MancalaState]):
    """An action is the number of a pit. Texts: `0,4,4,4,4,4,4,0,4,4,4,4,4,4 1 0`, with the number of moves last."""

    def initial(self) -> MancalaState:
        return MancalaState(tuple(0 if pit in STORES else 4 for pit in range(PITS)), 0, 0)

    def player(self, state: MancalaState) -> int:
        return state.player

    def result(self, state: MancalaState) -> int | None:
        if all(any(state.pits[pit] for pit in own) for own in OWN) and state.moves <= CAP:
            return None
        margin = 2 * sum(state.pits[1:8]) - SEEDS  # rule 3
        return (margin > 0) - (margin < 0)

    def actions(self, state: MancalaState) -> Sequence[int]:
        return [pit for pit in OWN[state.player] if state.pits[pit]]

    def after(self, state: MancalaState, action: int) -> MancalaState:
        pits, store = list(state.pits), STORES[state.player]
        seeds, pits[action] = pits[action], 0
        pit = action
        for _ in range(seeds):  # rule 1
            pit = (pit + 1) % PITS
            if pit == STORES[1 - state.player]:
                pit = (pit + 1) % PITS
            pits[pit] += 1
        if pits[pit] == 1 and pit in OWN[state.player] and pits[PITS - pit]:  # rule 2
            pits[store] += 1 + pits[PITS - pit]
            pits[pit] = pits[PITS - pit] = 0
        moves = state.moves if state.moves == FAR else state.moves + 1
        player = state.player if pit == store else 1 - state.player
        return MancalaState(tuple(pits), player, moves if moves + longest_rest(pits) > CAP else FAR)

    def text(self, state: MancalaState) -> str:
        return f"{','.join(map(str, state.pits))} {state.player + 1} {'-' if state.moves == FAR else state.moves}"

    def read(self, text: str) -> MancalaState:
        words = text.split(" ")
        pits = tuple(checked_number(word, SEEDS) for word in words[0].split(","))
        if len(words) != 3 or words[1] not in ("1", "2") or len(pits) != PITS or sum(pits) != SEEDS:
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        moves = FAR if words[2] == "-" else checked_number(words[2], CAP + 1)
        rest = longest_rest(pits)
        if moves == FAR and rest > CAP:
            raise ValueError("a game may be long there: it needs the number of its moves")
        if moves != FAR and moves + rest <= CAP:
            raise ValueError("no game is too long there: it has - for the number of its moves")
        return MancalaState(pits, int(words[1]) - 1, moves)
