"""What chess and giveaway chess share: the board, how men move, and how positions and moves are written."""

from __future__ import annotations

from proofbase.engine.rules.chessboard.attacks import is_attacked
from proofbase.engine.rules.chessboard.game import ChessboardGame
from proofbase.engine.rules.chessboard.moves import candidates, number_of, origin, promotion, target
from proofbase.engine.rules.chessboard.position import ChessPosition

__all__ = [
    "ChessPosition",
    "ChessboardGame",
    "candidates",
    "is_attacked",
    "number_of",
    "origin",
    "promotion",
    "target",
]
