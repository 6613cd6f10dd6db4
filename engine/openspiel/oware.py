"""Oware as OpenSpiel plays it, on small boards. The key is the board, the scores, and the boards since a capture.

1. All seeds of a house are sown one by one, the house itself is left out. Two or three seeds in the last house of the
   other side, and in those before it, are captured; not if that would take all seeds of that side.
2. Who cannot give seeds to a side without any, and whoever makes a board of before, ends the game: each side gets the
   seeds of its houses. Who has more than half of all seeds wins.

What a repetition does depends on the history. So the boards that would be repeated are part of the key, and the game is
refused where a key could not hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any, NamedTuple

from proofbase.engine.openspiel.boards import WrittenRules, checked_number, winner_result

__all__ = ["Oware", "OwareState", "boards_with", "why_oware_is_too_large"]

MOST_BOARDS = 800
"""With all seeds. Four of them are a sign of the text."""
MOST_MOVES = 999
"""OpenSpiel's cap on the length of a game must be out of reach."""


class OwareState(NamedTuple):
    """A state."""

    seeds: tuple[int, ...]
    """Houses of the first player, then of the second, in the order of sowing."""
    score: tuple[int, int]
    player: int
    seen: frozenset[tuple[tuple[int, ...], int]]
    """Boards since the last capture, with who was to move. This one is one of them."""


def boards_with(seeds: int, houses: int) -> int:
    """How many boards there are with so many seeds, with each player to move."""
    return 2 * comb(seeds + houses - 1, houses - 1)


def why_oware_is_too_large(houses: int, seeds: int) -> str | None:
    """The reason why a game with so many houses for a player and seeds in each is refused; None if it is not."""
    total = 2 * houses * seeds
    if boards_with(total, 2 * houses) > MOST_BOARDS:
        return "a repetition ends the game, and its keys cannot hold all boards that may be repeated"
    # Two seeds are captured at the least.
    if sum(boards_with(left, 2 * houses) for left in range(total, -1, -2)) > MOST_MOVES:
        return f"a game might be longer than the {MOST_MOVES + 1} moves that OpenSpiel allows"
    return None


class Oware(WrittenRules[OwareState]):
    """An action is the number of a house of the player. Texts: `2,2,2,2 0:0 1 SEEN`, SEEN in hexadecimal."""

    def __init__(self, game: Any, houses: int, seeds: int) -> None:
        super().__init__(game)
        self.houses = houses
        self.total = 2 * houses * seeds
        self._numbers: dict[int, dict[tuple[int, ...], int]] = {}

    def initial(self) -> OwareState:
        seeds = (self.total // (2 * self.houses),) * (2 * self.houses)
        return OwareState(seeds, (0, 0), 0, frozenset([(seeds, 0)]))

    def player(self, state: OwareState) -> int:
        return state.player

    def result(self, state: OwareState) -> int | None:
        half = self.total // 2
        if max(state.score) > half:
            return winner_result(state.score.index(max(state.score)))
        return 0 if state.score == (half, half) else None

    def actions(self, state: OwareState) -> Sequence[int]:
        return self._sowable(state.seeds, state.player)

    def after(self, state: OwareState, action: int) -> OwareState:
        seeds, player = list(state.seeds), state.player
        house = last = player * self.houses + action
        seeds_in_hand, seeds[house] = seeds[house], 0
        while seeds_in_hand:  # rule 1
            last = (last + 1) % len(seeds)
            if last != house:
                seeds[last] += 1
                seeds_in_hand -= 1
        captured = self._capture(seeds, last, player)
        score = tuple(stored + captured * (side == player) for side, stored in enumerate(state.score))
        board = (tuple(seeds), 1 - player)
        seen = frozenset() if captured else state.seen
        after = OwareState(board[0], (score[0], score[1]), 1 - player, seen | {board})
        over = self.result(after) is not None
        if board in seen or (not over and not self._sowable(board[0], 1 - player)):
            return self._collected(after)  # rule 2
        return after

    def _sowable(self, seeds: Sequence[int], player: int) -> list[int]:
        own_houses = self._houses_of(player)
        starving = not any(seeds[house] for house in self._houses_of(1 - player))
        least = {house: own_houses.stop - house if starving else 1 for house in own_houses}
        return [house - own_houses.start for house in own_houses if seeds[house] >= least[house]]

    def _houses_of(self, player: int) -> range:
        return range(player * self.houses, (player + 1) * self.houses)

    def _capture(self, seeds: list[int], last: int, player: int) -> int:
        other = self._houses_of(1 - player)
        if last not in other:
            return 0
        taken = []
        for house in range(last, other.start - 1, -1):
            if seeds[house] not in (2, 3):
                break
            taken.append(house)
        if all(house in taken or not seeds[house] for house in other):
            return 0  # a grand slam
        captured = sum(seeds[house] for house in taken)
        for house in taken:
            seeds[house] = 0
        return captured

    def _collected(self, state: OwareState) -> OwareState:
        rest = [sum(state.seeds[house] for house in self._houses_of(player)) for player in (0, 1)]
        score = (state.score[0] + rest[0], state.score[1] + rest[1])
        return OwareState((0,) * len(state.seeds), score, state.player, frozenset())

    def text(self, state: OwareState) -> str:
        number = sum(1 << (2 * self._number(seeds) + player) for seeds, player in state.seen)
        seeds = ",".join(map(str, state.seeds))
        return f"{seeds} {state.score[0]}:{state.score[1]} {state.player + 1} {number:x}"

    def read(self, text: str) -> OwareState:
        words = text.split(" ")
        if len(words) != 4 or words[2] not in ("1", "2") or not set(words[3]) <= set("0123456789abcdef"):
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        seeds = tuple(checked_number(word, self.total) for word in words[0].split(","))
        first, _, second = words[1].partition(":")
        score = (checked_number(first, self.total), checked_number(second, self.total))
        if len(seeds) != 2 * self.houses or sum(seeds) + sum(score) != self.total:
            raise ValueError(f"it has not {2 * self.houses} houses, or not {self.total} seeds")
        player = int(words[2]) - 1
        boards = list(self._boards(sum(seeds)))
        number = int(words[3] or "0", 16)
        if number >> (2 * len(boards)):
            raise ValueError("it names boards that there are not")
        both = [(board, side) for board in boards for side in (0, 1)]
        seen = frozenset(board for at, board in enumerate(both) if number >> at & 1)
        state = OwareState(seeds, score, player, seen)
        # A position in which the game goes on is among the boards; seeds of a game that was ended are collected.
        if self.text(state) != text or ((seeds, player) not in seen and (any(seeds) or seen)):
            raise ValueError("the boards since the last capture are not as they can be")
        if self.result(state) is None and not self._sowable(seeds, player):
            raise ValueError("the game would be over")
        return state

    def _number(self, seeds: tuple[int, ...]) -> int:
        total = sum(seeds)
        if total not in self._numbers:
            self._numbers[total] = {board: at for at, board in enumerate(self._boards(total))}
        return self._numbers[total][seeds]

    def _boards(self, total: int) -> Iterator[tuple[int, ...]]:
        """All boards with so many seeds, in a fixed order."""
        return _shared(total, 2 * self.houses)


def _shared(total: int, houses: int) -> Iterator[tuple[int, ...]]:
    if houses == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _shared(total - first, houses - 1):
            yield (first, *rest)
