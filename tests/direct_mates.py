"""Direct mates by the moves of python-chess alone, as a second opinion on problems."""

from __future__ import annotations

import chess

__all__ = ["keys_of_mate", "mates", "shortest_mate", "wins"]


def wins(board: chess.Board, moves: int) -> bool:
    """Whether the side to move mates within so many moves."""
    if moves == 1:
        return any(board.gives_check(move) and mates(board, move, 1) for move in board.legal_moves)
    first = sorted(board.legal_moves, key=board.gives_check, reverse=True)
    return any(mates(board, move, moves) for move in first)


def mates(board: chess.Board, move: chess.Move, moves: int) -> bool:
    """Whether a move mates within so many moves, itself included."""
    board.push(move)
    try:
        if moves == 1 or not any(board.legal_moves):
            return board.is_checkmate()
        for reply in board.legal_moves:
            board.push(reply)
            won = wins(board, moves - 1)
            board.pop()
            if not won:
                return False
        return True
    finally:
        board.pop()


def shortest_mate(board: chess.Board, most: int) -> int | None:
    """Moves of the shortest mate of the side to move; None if there is none within so many."""
    return next((moves for moves in range(1, most + 1) if wins(board, moves)), None)


def keys_of_mate(board: chess.Board, moves: int) -> set[str]:
    """All first moves that mate within so many moves."""
    return {board.san(move) for move in list(board.legal_moves) if mates(board, move, moves)}
