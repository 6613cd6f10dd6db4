"""Chess, from its rules (FIDE Laws of Chess, articles 1 to 5) as far as they are about a position.

1. Men move as everybody knows, with castling, en passant and all promotions; no side leaves its king attacked.
2. A side that is attacked at its king and cannot move is mated and loses. One that is not, and cannot move, has a draw.
3. An endless game is a draw. There is no rule of fifty moves (`chess:fifty` has it, fifty_moves.py), and no draw by
   dead positions: what nobody can win is endless.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.rules.chessboard import attacks, fen
from proofbase.engine.rules.chessboard.game import ChessboardGame
from proofbase.engine.rules.chessboard.moves import after, candidates, number_of, origin
from proofbase.engine.rules.chessboard.position import ChessPosition, turned
from proofbase.engine.rules.players_words import PlayersWords

__all__ = ["Chess"]

E1 = 4


class Chess(ChessboardGame):
    """The game. Illegal are positions that no count of men allows, or in which the side not to move is in check."""

    name = "chess"
    one_king = True
    wins_by_own_move = True
    table_end_value: int | None = -1
    players_words = PlayersWords("mate", "mated", sides=("White", "Black"), numbered_lines=True)

    def legal(self, position: ChessPosition) -> Iterator[int]:
        king = position.men.index("K")
        checked = attacks.is_attacked(position.men, king)
        for move in candidates(position, "QRBN"):
            if self._is_safe(position, move, king, checked):
                yield move
        if not checked:
            yield from _castlings(position)

    def _is_safe(self, position: ChessPosition, move: int, king: int, checked: bool) -> bool:
        """Whether the king is not attacked after a move of `candidates`."""
        start, to = origin(move), move // 64 % 64
        in_passing = position.men[start] == "P" and to == position.en_passant != 0
        if not checked and not in_passing and not attacks.lined_up(king, start):
            return True  # a man that leaves no line of the king opens none
        men = turned(after(position, move)).men
        return not attacks.is_attacked(men, to if start == king else king)

    def terminal(self, position: ChessPosition) -> int | None:
        if next(self.legal(position), None) is not None:
            return None
        return -1 if attacks.is_attacked(position.men, position.men.index("K")) else 0

    def mark(self, position: ChessPosition) -> str:
        if not attacks.is_attacked(position.men, position.men.index("K")):
            return ""
        return "+" if next(self.legal(position), None) is not None else "#"

    def defect(self, position: ChessPosition) -> str | None:
        if what := fen.defect_of_men(position, one_king=True):
            return what
        other = turned(position)
        if attacks.is_attacked(other.men, other.men.index("K")):
            return f"{'White' if position.black else 'Black'}, not to move, is in check"
        for view in (position, other):
            for right, rook in (("K", 7), ("Q", 0)):
                if right in view.castling and not (view.men[E1] == "K" and view.men[rook] == "R"):
                    return "a right to castle asks for king and rook on their first squares"
        return None


def _castlings(position: ChessPosition) -> Iterator[int]:
    """Castling: nothing stands between king and rook, and the king passes no attacked square."""
    for right, between, passes in (("K", (5, 6), (5, 6)), ("Q", (1, 2, 3), (3, 2))):
        if right not in position.castling or any(position.men[square] != "." for square in between):
            continue
        if not any(attacks.is_attacked(position.men, square) for square in passes):
            yield number_of(E1, passes[1])
