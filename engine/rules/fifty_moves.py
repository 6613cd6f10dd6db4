"""Chess with the fifty-move rule (FIDE Laws of Chess, article 9.3): chess but for these rules.

1. A position has a counter: the plies since the last capture or move of a pawn, 0 to 100. Play begins with 0.
2. A capture and a move of a pawn put the counter back to 0, every other move adds 1.
3. Who is mated loses, whatever the counter is. Otherwise a position with the counter 100 is a draw.

The counter only grows until a move that cannot be taken back, so no position comes again.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.errors import InvalidKeyError, InvalidPositionError, quoted
from proofbase.engine.rules.chess import Chess
from proofbase.engine.rules.chessboard.key import KEY_BYTES
from proofbase.engine.rules.chessboard.moves import origin, target
from proofbase.engine.rules.chessboard.position import ChessPosition

__all__ = ["MOST_PLIES", "FiftyMoveChess"]

MOST_PLIES = 100
"""Of the counter: fifty moves of each side."""


class FiftyMoveChess(Chess):
    """The game `chess:fifty`. The counter is the fifth field of a FEN, and the last byte of a key."""

    name = "chess:fifty"
    acyclic = True
    table_end_value = None
    tables_to_resets = True

    def terminal(self, position: ChessPosition) -> int | None:
        value = super().terminal(position)
        return 0 if value is None and position.counter == MOST_PLIES else value  # rule 3

    def repetition(self, position: ChessPosition) -> None:
        return None

    def moves(self, position: ChessPosition) -> Sequence[int]:
        return () if position.counter == MOST_PLIES else super().moves(position)

    def played(self, position: ChessPosition, move: int) -> ChessPosition:
        converts = position.men[origin(move)] == "P" or position.men[target(move)] != "."
        return super().played(position, move)._replace(counter=0 if converts else position.counter + 1)  # rule 2

    def key(self, position: ChessPosition) -> bytes:
        return super().key(position) + bytes([position.counter])

    def position(self, key: bytes) -> ChessPosition:
        if len(key) != KEY_BYTES + 1:
            raise InvalidKeyError(f"{self.name}: a key has {KEY_BYTES + 1} bytes, not {len(key)}")
        position = super().position(key[:-1])._replace(counter=key[-1])
        if what := self._defect_of_counter(position):
            raise InvalidKeyError(f"{key.hex()} is no {self.name} key: {what}")
        return position

    def parse(self, text: str) -> ChessPosition:
        position = super().parse(text)
        if what := self._defect_of_counter(position):
            raise InvalidPositionError(f"{self.name}: position {quoted(text, 100)}: {what}")
        return position

    def without_foreign_fields(self, position: ChessPosition) -> ChessPosition:
        return position

    def _defect_of_counter(self, position: ChessPosition) -> str | None:
        if position.counter > MOST_PLIES:
            return f"the counter of the fifty-move rule is 0 to {MOST_PLIES}"
        if position.en_passant and position.counter:
            return "a pawn has just moved: the counter of the fifty-move rule is 0"
        return None

    def table_value(self, position: ChessPosition, value: int, plies: int | None) -> int:
        return value if plies is not None and plies + position.counter <= MOST_PLIES else 0
