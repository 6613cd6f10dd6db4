"""A trial of both games over the chessboard against python-chess: moves, texts, ends of games, FEN and keys.

    python tests/engine/rules/trial_chess_positions.py [--positions 100000] [--seed 1]

Positions come from random games; every legal move of every position is compared.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

import chess
import chess.variant

from proofbase.engine import open_game

BOARDS: dict[str, type[chess.Board]] = {"chess": chess.Board, "giveaway:antichess": chess.variant.AntichessBoard}
"""The same rules there. Without captures in passing, giveaway is not among its variants."""
LONGEST_GAME = 200


def uci_move(move: int, *, black: bool) -> chess.Move:
    """The move of one of our numbers."""
    turn = 56 if black else 0
    kind = move // 4096
    return chess.Move((move % 64) ^ turn, (move // 64 % 64) ^ turn, kind + 1 if kind else None)


def mirror_image(board: chess.Board) -> str:
    """The FEN of the other position with the same key, left for right."""
    return board.transform(chess.flip_horizontal).fen(en_passant="fen")


def compare(game: Any, position: Any, board: chess.Board) -> dict[chess.Move, int]:
    """Compares all that can be said of one position; its moves."""
    black = not board.turn
    fen = board.fen(en_passant="legal")
    moves = {uci_move(move, black=black): move for move in game.moves(position)}
    assert set(moves) == set(board.legal_moves), fen
    assert game.text(position).split()[:4] == fen.split()[:4]
    assert game.parse(board.fen(en_passant="fen")) == position, fen
    key = game.key(position)
    assert game.key(game.position(key)) == key, fen
    assert game.key(game.parse(board.mirror().fen(en_passant="fen"))) == key, fen
    if not board.has_castling_rights(chess.WHITE) and not board.has_castling_rights(chess.BLACK):
        assert game.key(game.parse(mirror_image(board))) == key, fen
    if game.name == "chess":
        ended = -1 if board.is_checkmate() else 0 if board.is_stalemate() else None
    else:
        ended = None if moves else 1
    assert game.terminal(position) == ended, fen
    for known, move in moves.items():
        # Variants of python-chess mark the end of the game like mate; giveaway has no marks here.
        san = board.san(known).rstrip("#" if game.name != "chess" else "")
        assert game.move_text(position, move) == san, fen
        assert game.parse_move(position, san) == game.parse_move(position, known.uci()) == move, fen
    return moves


def compare_games(name: str, positions: int, seed: int) -> dict[str, int]:
    """Random games until so many positions were compared; how many of them were what."""
    game, random = open_game(name), Random(seed)
    counts = {"positions": 0, "checks": 0, "mates": 0, "stalemates": 0, "en passant": 0, "moves": 0}
    while counts["positions"] < positions:
        position, board = game.initial(), BOARDS[name]()
        for _ in range(LONGEST_GAME):
            moves = compare(game, position, board)
            counts["positions"] += 1
            counts["moves"] += len(moves)
            counts["checks"] += name == "chess" and board.is_check()
            counts["mates"] += name == "chess" and board.is_checkmate()
            counts["stalemates"] += name == "chess" and board.is_stalemate()
            counts["en passant"] += board.has_legal_en_passant()
            if not moves or counts["positions"] >= positions:
                break
            # Captures are half as likely, so that games do not soon run out of men or end.
            chosen = random.choice(list(moves))
            if board.is_capture(chosen):
                chosen = random.choice(list(moves))
            position = game.play(position, moves[chosen])
            board.push(chosen)
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in BOARDS:
        started = time.monotonic()
        counts = compare_games(name, options.positions, options.seed)
        counted = ", ".join(f"{count} {what}" for what, count in counts.items())
        print(f"{name}: {counted}, none of them wrong; {time.monotonic() - started:.0f} s")
