"""Giveaway chess (Allis 1994, 2.3), also called losing chess or antichess: chess but for these rules.

1. Who can capture must capture; among several captures the side to move chooses.
2. The king is a man like all others: there is no check, no mate, no castling; a pawn may become a king.
3. A side that cannot move, because it has no men or because they are blocked, wins.
4. An endless game is a draw.
5. There is no capture in passing, as in the thesis. With `giveaway:antichess` there is, and it is as compulsory as
   other captures: the game that is played on servers and that M. Watkins solved (2016).
"""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.rules.chessboard import fen
from proofbase.engine.rules.chessboard.game import ChessboardGame
from proofbase.engine.rules.chessboard.moves import candidates, target
from proofbase.engine.rules.chessboard.position import ChessPosition
from proofbase.engine.rules.players_words import PlayersWords

__all__ = ["Giveaway"]


class Giveaway(ChessboardGame):
    """The game. Rights to castle in a FEN are read and left out.

    Args:
        antichess: with captures in passing (rule 5).
    """

    loses_by_own_move = True
    table_end_value = 1
    players_words = PlayersWords("win", "loss", "move", sides=("White", "Black"), numbered_lines=True)

    def __init__(self, *, antichess: bool = False) -> None:
        super().__init__()
        self.name = "giveaway:antichess" if antichess else "giveaway"
        self.in_passing = antichess

    def legal(self, position: ChessPosition) -> Iterator[int]:
        if not self.in_passing:
            position = position._replace(en_passant=0)
        moves = list(candidates(position, "QRBNK"))
        captures = [move for move in moves if _captures(position, move)]
        yield from captures or moves

    def terminal(self, position: ChessPosition) -> int | None:
        return None if next(candidates(position, "QRBNK"), None) is not None else 1

    def defect(self, position: ChessPosition) -> str | None:
        return "there is no castling" if position.castling else fen.defect_of_men(position, one_king=False)

    def without_foreign_fields(self, position: ChessPosition) -> ChessPosition:
        return position._replace(castling="", counter=0)


def _captures(position: ChessPosition, move: int) -> bool:
    to = target(move)
    in_passing = position.men[move % 64] == "P" and to == position.en_passant != 0
    return in_passing or position.men[to] != "."
