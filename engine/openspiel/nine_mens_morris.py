"""Nine men's morris as OpenSpiel plays it. The key is the board, the men in hand, who acts, and the number of the turn.

1. Each player puts nine men on the 24 points, then moves them along lines; with three men to any free point.
2. Who makes a mill (three in a line) takes a man of the other side, outside of mills if there is one: a second action.
3. Who has two men or cannot act loses. After 200 turns the game is drawn: so the turn is part of the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from proofbase.engine.openspiel.boards import WrittenRules, checked_number, winner_result

__all__ = ["MorrisState", "NineMensMorris"]

POINTS = 24
MEN = 9
MOST_TURNS = 200
SIGNS = "WB"
FREE = "."
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23)),
    *((0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23)),
)
"""Mills. Points are numbered row by row; neighbours are beside each other in a line."""
STEPS = [(a, b) for line in LINES for a, b in (line[:2], line[1:])]
NEIGHBOURS = tuple(frozenset(sum(step) - point for step in STEPS if point in step) for point in range(POINTS))
LINES_AT = tuple(tuple(line for line in LINES if point in line) for point in range(POINTS))


class MorrisState(NamedTuple):
    """A state."""

    board: str
    hand: tuple[int, int]
    """Men that are not put yet."""
    player: int
    taking: bool
    """The player has made a mill and takes a man."""
    turn: int
    """Turns that are over."""


class NineMensMorris(WrittenRules[MorrisState]):
    """Actions: a point to put a man on or to take one from; 24 + 24 * from + to. Texts: `......(24) W 9:9 0 -`."""

    def initial(self) -> MorrisState:
        return MorrisState(FREE * POINTS, (MEN, MEN), 0, taking=False, turn=0)

    def player(self, state: MorrisState) -> int:
        return state.player

    def men(self, state: MorrisState, player: int) -> int:
        """On the board and in hand."""
        return state.board.count(SIGNS[player]) + state.hand[player]

    def result(self, state: MorrisState) -> int | None:
        if not self.actions(state):  # rule 3, in the order in which OpenSpiel looks at it
            return winner_result(1 - state.player)
        for player in (0, 1):
            if self.men(state, player) <= 2:
                return winner_result(1 - player)
        return 0 if state.turn >= MOST_TURNS else None

    def actions(self, state: MorrisState) -> Sequence[int]:
        own, other = SIGNS[state.player], SIGNS[1 - state.player]
        if state.taking:  # rule 2
            men = [point for point in range(POINTS) if state.board[point] == other]
            outside = [point for point in men if not _in_mill(state.board, point)]
            return outside or men
        free = [point for point in range(POINTS) if state.board[point] == FREE]
        if state.hand[state.player]:  # rule 1
            return free
        flies = self.men(state, state.player) <= 3
        return [
            POINTS + POINTS * point + to
            for point in range(POINTS)
            if state.board[point] == own
            for to in free
            if flies or to in NEIGHBOURS[point]
        ]

    def after(self, state: MorrisState, action: int) -> MorrisState:
        board, hand = list(state.board), list(state.hand)
        if state.taking:
            board[action] = FREE
            return MorrisState("".join(board), state.hand, 1 - state.player, taking=False, turn=state.turn + 1)
        to = action
        if action >= POINTS:
            origin, to = divmod(action - POINTS, POINTS)
            board[origin] = FREE
        else:
            hand[state.player] -= 1
        board[to] = SIGNS[state.player]
        after, men_in_hand = "".join(board), (hand[0], hand[1])
        if _in_mill(after, to):
            return MorrisState(after, men_in_hand, state.player, taking=True, turn=state.turn)
        return MorrisState(after, men_in_hand, 1 - state.player, taking=False, turn=state.turn + 1)

    def text(self, state: MorrisState) -> str:
        hand = f"{state.hand[0]}:{state.hand[1]}"
        return f"{state.board} {SIGNS[state.player]} {hand} {state.turn} {'x' if state.taking else '-'}"

    def read(self, text: str) -> MorrisState:
        words = text.split(" ")
        if (
            len(words) != 5
            or len(words[0]) != POINTS
            or not set(words[0]) <= set(SIGNS + FREE)
            or words[1] not in SIGNS
            or words[4] not in ("x", "-")
        ):
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        first, _, second = words[2].partition(":")
        hand = (checked_number(first, MEN), checked_number(second, MEN))
        turn, taking = checked_number(words[3], MOST_TURNS), words[4] == "x"
        state = MorrisState(words[0], hand, SIGNS.index(words[1]), taking, turn)
        if max(self.men(state, 0), self.men(state, 1)) > MEN:
            raise ValueError(f"a side has more than {MEN} men")
        if self.text(state) != text:
            raise ValueError(f"it would be written {self.text(state)}")
        return state

    def draw(self, state: MorrisState) -> str:
        signs = iter(state.board)
        return "".join(next(signs) if sign == "o" else sign for sign in _DRAWING) + self.text(state)[POINTS:]


_DRAWING = """\
o-----o-----o
|     |     |
| o---o---o |
| |   |   | |
| | o-o-o | |
o-o-o   o-o-o
| | o-o-o | |
| |   |   | |
| o---o---o |
|     |     |
o-----o-----o
"""


def _in_mill(board: str, point: int) -> bool:
    sign = board[point]
    return any(all(board[other] == sign for other in line) for line in LINES_AT[point])
