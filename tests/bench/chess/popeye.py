"""Popeye, the solver of problemists (https://github.com/thomas-maeder/popeye), as a second opinion on direct mates."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import chess

__all__ = ["keys_by_popeye"]

LETTERS = dict(zip("KQRBNP", "KQRBSP", strict=True))
_KEY = re.compile(r"^ *1\.(0-0-0|0-0|[KQRBS]?([a-h][1-8])[-*]([a-h][1-8])(?:=([QRBS]))?).*!", re.MULTILINE)
_CASTLING = {"0-0": "e1g1", "0-0-0": "e1c1"}
_ROOKS = {"a1": chess.WHITE, "h1": chess.WHITE, "a8": chess.BLACK, "h8": chess.BLACK}


def keys_by_popeye(
    program: str, board: chess.Board, moves: int, seconds: int, *, one: bool = False, memory: str | None = None
) -> set[str] | None:
    """All first moves that mate within so many moves, as SAN; None where Popeye did not end in time.

    Popeye lets White move: with Black to move the position is mirrored. With `one` it stops after the first such move.
    Its table has at most `memory`, such as 256M.
    """
    position = board if board.turn else board.mirror()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.inp"
        file.write_text(_input(position, moves, seconds, one=one), encoding="ascii")
        command = [program, *(["-maxmem", memory] if memory else []), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    if "input-error" in done.stdout + done.stderr:
        raise ValueError(f"Popeye does not read {board.fen()}: {done.stdout}{done.stderr}")
    keys = set()
    for name, start, end, promoted in _KEY.findall(done.stdout):
        word = _CASTLING.get(name) or f"{start}{end}{promoted.replace('S', 'N').lower()}"
        move = chess.Move.from_uci(word)
        if not board.turn:
            move = chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
        keys.add(board.san(move))
    return keys if "solution finished" in done.stdout or (one and keys) else None


def _input(board: chess.Board, moves: int, seconds: int, *, one: bool) -> str:
    pieces = {
        colour: " ".join(
            f"{LETTERS[piece.symbol().upper()]}{chess.square_name(square)}"
            for square, piece in board.piece_map().items()
            if piece.color == colour
        )
        for colour in chess.COLORS
    }
    options = [f"MaxTime {seconds}", "NoBoard", *(["MaxSolutions 1"] if one else [])]
    forbidden = [
        name
        for name, colour in _ROOKS.items()
        if board.piece_at(square := chess.parse_square(name)) == chess.Piece(chess.ROOK, colour)
        and not board.castling_rights & chess.BB_SQUARES[square]
    ]
    if forbidden:
        options.append(f"NoCastling {''.join(forbidden)}")
    if board.ep_square is not None:
        passed = board.ep_square
        options.append(f"EnPassant {''.join(chess.square_name(passed + step) for step in (8, 0, -8))}")
    return (
        f"BeginProblem\nPieces White {pieces[chess.WHITE]}\n  Black {pieces[chess.BLACK]}\n"
        f"Stipulation #{moves}\nOption {' '.join(options)}\nEndProblem\n"
    )
