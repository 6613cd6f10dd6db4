"""Rules written here, of games whose states OpenSpiel can neither set up nor tell by a text; tests compare both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from proofbase.engine.openspiel.rules import Rules, rows_of

__all__ = ["Board", "BoardRules", "WrittenRules", "checked_number", "winner_result"]

S = TypeVar("S")


class WrittenRules(Rules[S], Generic[S]):
    """Rules whose states are tuples with a field `player`."""

    def apply(self, state: S, action: int) -> S:
        if self.result(state) is not None or action not in self.actions(state):
            raise ValueError("no action has this number there")
        return self.after(state, action)

    def after(self, state: S, action: int) -> S:
        """The state after a legal action."""
        raise NotImplementedError


class Board(NamedTuple):
    """A state of a game whose men stand on a board."""

    cells: str
    """Row by row from the top."""
    player: int


class BoardRules(WrittenRules[Board]):
    """A board with a player to move: texts are `bbb/.../www b`.

    Attributes:
        rows, columns: of the board.
        signs: by which texts name the players.
        men: the signs that cells may have.
    """

    rows: int
    columns: int
    signs: str
    men: str

    def player(self, state: Board) -> int:
        return state.player

    def text(self, state: Board) -> str:
        return f"{'/'.join(rows_of(state.cells, self.columns))} {self.signs[state.player]}"

    def read(self, text: str) -> Board:
        body, space, sign = text.rpartition(" ")
        cells = body.replace("/", "")
        if not space or len(sign) != 1 or sign not in self.signs or not set(cells) <= set(self.men):
            raise ValueError(f"it is not such as {self.text(self.initial())}")
        state = Board(cells, self.signs.index(sign))
        if len(cells) != self.rows * self.columns or self.text(state) != text:
            raise ValueError(f"it has not rows such as {self.text(self.initial())}")
        return state

    def squares(self, state: Board) -> Sequence[str]:
        return rows_of(state.cells, self.columns)


def winner_result(winner: int) -> int:
    """What the first player has when a player wins."""
    return 1 if winner == 0 else -1


def checked_number(word: str, most: int) -> int:
    """The number of a word of a text.

    Raises:
        ValueError: it is no number from 0 to `most` as it is written.
    """
    if not (word.isascii() and word.isdecimal()) or len(word) > 6 or str(int(word)) != word or int(word) > most:
        raise ValueError(f"{word[:20]!r} is no number from 0 to {most}")
    return int(word)
