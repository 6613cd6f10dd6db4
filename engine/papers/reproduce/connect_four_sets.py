"""The positions of the table `connect-four`: empty boards, and files of positions with their exact values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

__all__ = ["EMPTY_BOARDS", "SETS", "Question", "SetFile", "read_set"]


@dataclass(frozen=True, slots=True)
class Question:
    """Positions of one board with their values.

    Attributes:
        name: in the report.
        board: width and height.
        score: whether the value counts how soon a win comes, or only win, draw and loss.
        positions: the columns of the moves from the empty board, from 0.
        values: what is right; scores or -1, 0 and 1, for the side to move.
        printed: the time of a position that other programs take, in `unit`; None where none is known.
        unit: of the times.
        signs: whether `values` has only the signs of the scores that are asked for.
    """

    name: str
    board: tuple[int, int]
    score: bool
    positions: Sequence[Sequence[int]]
    values: Sequence[int]
    printed: float | None = None
    unit: str = "us"
    signs: bool = False

    @property
    def game(self) -> str:
        """The name of the game."""
        width, height = self.board
        return f"connect-four:{width}x{height}" + (",score" if self.score else "")

    def texts(self) -> list[str] | list[Sequence[int]]:
        """The positions as they are solved: as texts where a column is one digit."""
        if self.board[0] > 9:
            return list(self.positions)
        return ["moves:" + "".join(str(column + 1) for column in moves) for moves in self.positions]

    def checked(self, value: int) -> int:
        """What is compared with `values`."""
        return (value > 0) - (value < 0) if self.signs else value

    def first(self, count: int | None) -> Question:
        """The same about the first positions; about all of them for None."""
        return replace(self, positions=self.positions[:count], values=self.values[:count])

    def sample(self, count: int, random: Random) -> Question:
        """The same about some of the positions."""
        chosen = sorted(random.sample(range(len(self.positions)), min(count, len(self.positions))))
        return replace(self, positions=[self.positions[i] for i in chosen], values=[self.values[i] for i in chosen])

    def as_score(self) -> Question:
        """The same for a program that gives scores."""
        return self if self.score else replace(self, score=True, signs=True)


class SetFile(NamedTuple):
    """A file of positions: the moves, then the value, separated by spaces; lines with `#` are remarks.

    Attributes:
        file: its name.
        question: about it, without the positions. A value is a score or, as the question, `win`, `draw` or `loss`.
        first_column: how the leftmost column is written.
        sample: so many of the positions are taken, at random; None for all.
    """

    file: str
    question: Question
    first_column: int
    sample: int | None = None


SETS = (
    SetFile("c4_pons_Test_L3_R1.txt", Question("Pons L3_R1", (7, 6), True, (), (), 6.7), 1),
    SetFile("c4_pons_Test_L2_R1.txt", Question("Pons L2_R1", (7, 6), True, (), (), 43), 1),
    SetFile("c4_pons_Test_L2_R2.txt", Question("Pons L2_R2", (7, 6), True, (), (), 3.0, "ms"), 1),
    SetFile("c4_pons_Test_L1_R1.txt", Question("Pons L1_R1", (7, 6), True, (), (), 306), 1),
    SetFile("c4_pons_Test_L1_R2.txt", Question("Pons L1_R2", (7, 6), True, (), (), 122, "ms"), 1),
    SetFile("c4_pons_Test_L1_R3.txt", Question("Pons L1_R3", (7, 6), True, (), (), 1.7, "s"), 1),
    SetFile("c4_uci_8ply.txt", Question("UCI, 8 plies, outcome", (7, 6), False, (), (), unit="ms"), 1, 2000),
    SetFile("c4_9x5_endgame_L1.txt", Question("9x5 endgame L1", (9, 5), True, (), ()), 0),
    SetFile("c4_9x5_midgame_L1.txt", Question("9x5 midgame L1", (9, 5), True, (), ()), 0),
    SetFile("c4_9x5_midgame_L2.txt", Question("9x5 midgame L2", (9, 5), True, (), (), unit="ms"), 0),
    SetFile("c4_9x5_opening_L1.txt", Question("9x5 opening L1", (9, 5), True, (), (), unit="ms"), 0),
    SetFile("c4_9x5_opening_L2.txt", Question("9x5 opening L2", (9, 5), True, (), (), unit="ms"), 0),
    SetFile("c4_9x5_opening_L3.txt", Question("9x5 opening L3", (9, 5), True, (), (), unit="s"), 0),
    SetFile("c4_10x6_endgame_L1.txt", Question("10x6 endgame L1", (10, 6), True, (), ()), 0),
    SetFile("c4_10x6_midgame_L1.txt", Question("10x6 midgame L1", (10, 6), True, (), (), unit="ms"), 0),
    SetFile("c4_10x6_midgame_L2.txt", Question("10x6 midgame L2", (10, 6), True, (), (), unit="ms"), 0),
    SetFile("c4_10x6_opening_L1.txt", Question("10x6 opening L1", (10, 6), True, (), (), unit="ms"), 0),
    SetFile("c4_10x6_opening_L2.txt", Question("10x6 opening L2", (10, 6), True, (), (), unit="s"), 0),
)

# Values of empty boards: J. Tromp, "John's Connect Four Playground". The score of 7x6: the first player wins with the
# last stone but one (J. D. Allen 1990; P. Pons 2015).
_VALUES = {
    (4, 4): 0, (5, 4): 0, (4, 5): 0, (6, 4): -1, (5, 5): 0, (4, 6): 0, (7, 4): 0, (6, 5): 0, (5, 6): 0,
    (7, 5): 0, (6, 6): -1, (7, 6): 1,
}  # fmt: skip
_PRINTED = {((7, 6), False): 22.4, ((7, 6), True): 30.9}
_SCORES = {(7, 6): 1}

EMPTY_BOARDS = tuple(
    Question(
        f"empty {board[0]}x{board[1]}, {'score' if score else 'outcome'}",
        board,
        score,
        [()],
        [_SCORES[board] if score else value],
        _PRINTED.get((board, score)),
        "s",
    )
    for board, value in _VALUES.items()
    for score in ((False, True) if board in _SCORES else (False,))
)


def read_set(entry: SetFile, path: Path) -> Question:
    """The positions of a file.

    Raises:
        ValueError: a line is none of a set; the message names the file and the line.
    """
    positions: list[tuple[int, ...]] = []
    values: list[int] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            positions.append(tuple(int(column) - entry.first_column for column in words[0]))
            values.append(int(words[1]) if entry.question.score else {"win": 1, "draw": 0, "loss": -1}[words[1]])
        except (ValueError, KeyError, IndexError):
            raise ValueError(f"{path}, line {number}: not the moves and the value of a position") from None
    return replace(entry.question, positions=positions, values=values)
