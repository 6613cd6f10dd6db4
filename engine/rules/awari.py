"""Awari, from its rules (Allis, van der Meulen, van den Herik 1994, section 6.1).

1. Two rows of six pits, South's A to F and North's a to f, each from the left as its owner sees it, so that f stands
   over A; beside each row a store for captured stones. At the start four stones lie in every pit; South begins.
2. A move takes all stones of a pit of the mover's row and sows them one by one into the pits that follow, counter-
   clockwise (A to F, a to f, A ...), over the stores and over the pit they came from.
3. If the last stone falls into a pit of the opponent that then holds 2 or 3, those are captured; so are the stones of
   the pits before it, as long as they are the opponent's and hold 2 or 3.
4. As long as some move leaves the opponent a stone to move, only such moves are legal.
5. Who cannot move loses all the stones left on the board to his opponent, and the game is over.
6. When play repeats itself, the stones left are divided evenly.

In `awari:oware`, the modern game, a grand slam captures nothing: where rule 3 would take all stones of the opponent's
row, they stay there. The other rules are the same.

The winner is who captures more. Values count the stones still to come: those that the side to move will get, minus
those of its opponent. They do not depend on what lies in the stores, so play is taken to go on after somebody has the
25 stones that decide the game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from math import comb
from typing import NamedTuple

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.game import Game, TableClass

__all__ = ["STONES", "Awari", "AwariPosition"]

STONES = 48
SIDES = ("South", "North")
NAMES = ("ABCDEF", "abcdef")


class AwariPosition(NamedTuple):
    """Stones as the side to move sees them, and which side that is."""

    own: tuple[int, ...]
    """The mover's six pits in the order of sowing."""
    other: tuple[int, ...]
    """The opponent's six pits in the order of sowing: they follow the mover's."""
    own_store: int = 0
    """Captured by the mover: no part of the key."""
    other_store: int = 0
    side: int = 0
    """Who is to move, 0 for South: for showing only, as the rules are the same for both."""


class Awari(Game[AwariPosition]):
    """The game of section 6.1. Move m empties the mover's pit m, counted from 0; its text is the paper's, as D19x7.

    Args:
        oware: whether a grand slam captures nothing.
    """

    highest_value = STONES
    acyclic = False
    table_size_unit = "stones"

    def __init__(self, *, oware: bool = False) -> None:
        self.name = "awari:oware" if oware else "awari"
        self.oware = oware

    def initial(self) -> AwariPosition:
        return AwariPosition((4,) * 6, (4,) * 6)  # rule 1

    def side(self, position: AwariPosition) -> int:
        return position.side

    def limit(self, position: AwariPosition) -> int:
        return sum(position.own) + sum(position.other)

    def score(self, position: AwariPosition) -> int:
        return position.own_store - position.other_store

    def terminal(self, position: AwariPosition) -> int | None:
        return None if any(position.own) else -sum(position.other)  # rule 5

    def repetition(self, position: AwariPosition) -> int:
        return 0  # rule 6

    def moves(self, position: AwariPosition) -> Sequence[int]:
        moves = [pit for pit in range(6) if position.own[pit]]
        feeding = [pit for pit in moves if any(self._sow(position, pit)[6:])]
        return feeding or moves  # rule 4

    def play(self, position: AwariPosition, move: int) -> AwariPosition:
        if not 0 <= move < 6 or not position.own[move]:
            raise InvalidMoveError(f"pit {move} does not exist or is empty in {self.text(position)}")
        pits = self._sow(position, move)
        store = position.own_store + self.reward(position, move)
        return AwariPosition(pits[6:], pits[:6], position.other_store, store, 1 - position.side)

    def reward(self, position: AwariPosition, move: int) -> int:
        return sum(position.own) + sum(position.other) - sum(self._sow(position, move))  # rule 3

    # Tables: one for every number of stones on the board. Twelve pits with n stones are n stones and 11 bars in a row;
    # bar j (1 to 11) has S_j + j - 1 of them before it, S_j the stones of the first j pits. Entry: sum of
    # C(S_j + j - 1, j) over the bars.

    @property
    def _table_prefix(self) -> str:
        return f"{self.name.replace(':', '_')}-"

    def table_entry(self, position: AwariPosition) -> tuple[str, int]:
        sums = list(accumulate(position.own + position.other))
        return f"{self._table_prefix}{sums[-1]}", sum(
            comb(stones + bar, bar + 1) for bar, stones in enumerate(sums[:-1])
        )

    def table_class(self, name: str) -> TableClass | None:
        fields = re.fullmatch(rf"{self._table_prefix}(0|[1-9][0-9]?)", name)
        if not fields or int(fields[1]) > STONES:
            return None
        return TableClass(int(fields[1]), fields[1], comb(int(fields[1]) + 11, 11))

    def table_position(self, name: str, entry: int) -> AwariPosition:
        """Inverse of `table_entry`, the stores empty and South to move."""
        stones, pits = int(name.rpartition("-")[2]), list[int]()
        for bar in range(10, -1, -1):
            stones_behind = max(s for s in range(stones + 1) if comb(s + bar, bar + 1) <= entry)
            entry -= comb(stones_behind + bar, bar + 1)
            pits.insert(0, stones - stones_behind)
            stones = stones_behind
        pits.insert(0, stones)
        return AwariPosition(tuple(pits[:6]), tuple(pits[6:]))

    # Key: 14 fields from the low end, the mover's pits, the opponent's, the mover's store, the opponent's, each written
    # as so many ones and a zero; bit 63 is the side. Two stores without stones and South to move make the smallest.

    def key(self, position: AwariPosition) -> bytes:
        number = 0
        for stones in (*reversed(position.other), *reversed(position.own)):
            number = number << stones + 1 | (1 << stones) - 1
        return number.to_bytes(8, "big")

    def position(self, key: bytes) -> AwariPosition:
        if len(key) != 8:
            raise InvalidKeyError(f"an awari key has 8 bytes, not {len(key)}")
        bits = f"{int.from_bytes(key, 'big'):064b}"[::-1]
        pits = [len(ones) for ones in bits.split("0", 12)[:12]]
        if bits.count("1") > sum(pits):
            raise InvalidKeyError(f"{key.hex()} is not an awari key: bits are set above the 12 pits")
        if sum(pits) > STONES:
            raise InvalidKeyError(f"{key.hex()} is not an awari key: more than {STONES} stones")
        return AwariPosition(tuple(pits[:6]), tuple(pits[6:]))

    # Text: the two rows as South sees them, North's first, with the stores at their places once there is something in
    # one of them: 7:0,0,1,3,1,1/1,0,4,19,4,2:5/S

    def text(self, position: AwariPosition) -> str:
        (south, south_store), (north, north_store) = _by_side(position)
        rows = ",".join(map(str, reversed(north))) + "/" + ",".join(map(str, south))
        if south_store or north_store:
            rows = f"{north_store}:{rows}:{south_store}"
        return f"{rows}/{SIDES[position.side][0]}"

    def parse(self, text: str) -> AwariPosition:
        row = "[0-9]{1,2}(?:,[0-9]{1,2}){5}"
        fields = re.fullmatch(f"(?:([0-9]{{1,2}}):)?({row})/({row})(?::([0-9]{{1,2}}))?(?:/([SN]))?", text)
        if not fields or (fields[1] is None) is not (fields[4] is None):
            raise InvalidPositionError(
                f"{quoted(text, 80)} is not two rows of six pits, North's f to a first, and the side to move, such as"
                " 0,0,1,3,1,1/1,0,4,19,4,2/S, or with both stores 7:0,0,1,3,1,1/1,0,4,19,4,2:5/S"
            )
        north, south = ([int(stones) for stones in row.split(",")] for row in (fields[2], fields[3]))
        south_store, north_store = int(fields[4] or 0), int(fields[1] or 0)
        stones = sum(north) + sum(south) + south_store + north_store
        if stones > STONES:
            raise InvalidPositionError(f"{stones} stones: the game has {STONES}")
        rows = ((tuple(south), south_store), (tuple(reversed(north)), north_store))
        side = int(fields[5] == "N")
        (own, own_store), (other, other_store) = rows[side], rows[1 - side]
        return AwariPosition(own, other, own_store, other_store, side)

    def draw(self, position: AwariPosition) -> str:
        """Fig. 11 of the paper: North's store at the left of the board, South's at its right."""
        (south, south_store), (north, north_store) = _by_side(position)
        names = [side + " (to move)" * (position.side == number) for number, side in enumerate(SIDES)]
        lines = [
            f"{'':4}{names[1]:^23}",
            f"{'':4}" + "".join(f"{name:>3} " for name in reversed(NAMES[1])),
            f"{north_store:>3} " + "".join(f"{stones:>3} " for stones in reversed(north)) + f"{south_store:>3}",
            f"{'':4}" + "".join(f"{stones:>3} " for stones in south),
            f"{'':4}" + "".join(f"{name:>3} " for name in NAMES[0]),
            f"{'':4}{names[0]:^23}",
        ]
        return "\n".join([line.rstrip() for line in lines])

    def men_on_board(self, position: AwariPosition) -> int:
        return sum(position.own) + sum(position.other)

    def move_text(self, position: AwariPosition, move: int) -> str:
        captured = self.reward(position, move)
        return f"{NAMES[position.side][move]}{position.own[move]}" + (f"x{captured}" if captured else "")

    def parse_move(self, position: AwariPosition, text: str) -> int:
        """A pit, also with the number of its stones, also with that of the stones captured: both have to be right."""
        fields = re.fullmatch("([A-Fa-f])([0-9]{1,2})?(?:[x\N{MULTIPLICATION SIGN}]([0-9]{1,2}))?", text)
        if not fields:
            raise InvalidMoveError(f"{quoted(text)} is not a move: moves are pits, such as A, A1 or D19x7")
        pit = NAMES[position.side].find(fields[1])
        where = f"in {self.text(position)}"
        if pit < 0:
            raise InvalidMoveError(f"no move {text}: {SIDES[position.side]} is to move {where}")
        if not position.own[pit]:
            raise InvalidMoveError(f"no move {text}: the pit is empty {where}")
        if pit not in self.moves(position):
            raise InvalidMoveError(f"no move {text}: it leaves the opponent no move, others do not {where}")
        captured = self.reward(position, pit)
        if fields[2] not in (None, str(position.own[pit])) or fields[3] not in (None, str(captured)):
            raise InvalidMoveError(f"{text} should be {self.move_text(position, pit)} {where}")
        return pit

    def _sow(self, position: AwariPosition, move: int) -> tuple[int, ...]:
        """The mover's pits and the opponent's after a move, captured stones taken off (rules 2 and 3)."""
        pits = [*position.own, *position.other]
        stones, pits[move] = pits[move], 0
        pit = move
        while stones:
            pit = (pit + 1) % 12
            if pit != move:
                pits[pit] += 1
                stones -= 1
        sown = tuple(pits)
        while pit >= 6 and pits[pit] in (2, 3):
            pits[pit] = 0
            pit -= 1
        return sown if self.oware and any(sown[6:]) and not any(pits[6:]) else tuple(pits)


def _by_side(position: AwariPosition) -> tuple[tuple[tuple[int, ...], int], tuple[tuple[int, ...], int]]:
    """Row and store of South and of North."""
    own, other = (position.own, position.own_store), (position.other, position.other_store)
    return (other, own) if position.side else (own, other)
