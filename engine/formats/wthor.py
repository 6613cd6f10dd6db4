"""Games of Othello in the files of the base WThor of the French federation, as GGF.

A file `.wtb` has a header of 16 bytes and 68 bytes a game: tournament and players as numbers, Black's discs as they
were and with best play, and up to 60 moves, row * 10 + column, without the passes. The names of the players are in the
file `.jou` beside it, 20 bytes each (http://www.ffothello.org/wthor/Format_WThor.pdf).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.ggf import write_ggf
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game

__all__ = ["ggf_of_wthor"]

_HEADER = struct.Struct("<4BIHHBBBB")
_GAME = struct.Struct("<HHHBB60s")
_NAME_BYTES = 20


def ggf_of_wthor(data: bytes, file: Path) -> str:
    """The games of a file, one a line, in GGF.

    Args:
        data: the bytes of the file.
        file: its path; names of players are looked for beside it.

    Raises:
        InvalidPositionError: it is no such file, or of another board.
    """
    if len(data) < _HEADER.size:
        raise InvalidPositionError(f"WThor: {len(data)} bytes are less than a header")
    games, board, kind = (_HEADER.unpack_from(data)[number] for number in (4, 7, 8))
    if board not in (0, 8) or kind != 0:
        what = "of problems" if kind else f"of boards of {board}x{board}"
        raise InvalidPositionError(f"WThor: the file is {what}, and games of 8x8 are read")
    if len(data) != _HEADER.size + games * _GAME.size:
        expected = f"{games} games take {_HEADER.size + games * _GAME.size} bytes"
        raise InvalidPositionError(f"WThor: {expected}, and the file has {len(data)}: it is cut short, or no WThor")
    names, game = _names(file), open_game("othello")
    lines = list[str]()
    for number in range(games):
        _, black, white, _, _, moves = _GAME.unpack_from(data, _HEADER.size + number * _GAME.size)
        players = [names[player] if player < len(names) else f"player {player}" for player in (black, white)]
        lines.append(write_ggf((players[0], players[1]), _moves(game, moves, number + 1)))
    return "\n".join(lines) + "\n"


def _moves(game: Game[Any], squares: bytes, number: int) -> list[tuple[str, str]]:
    """The moves of a game, with the passes."""
    position, played = game.initial(), list[tuple[str, str]]()
    for ply, square in enumerate(squares.rstrip(b"\0"), 1):
        row, column = divmod(square, 10)
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise InvalidPositionError(f"WThor: game {number}: move {ply}: {square} is no square")
        text = f"{'abcdefgh'[column - 1]}{row}"
        moves = game.moves(position)
        if len(moves) == 1 and game.move_text(position, moves[0]) == "pass":
            played.append(("BW"[game.side(position)], "pass"))
            position = game.play(position, moves[0])
        try:
            move = game.parse_move(position, text)
        except InvalidMoveError as error:
            raise InvalidPositionError(f"WThor: game {number}: move {ply}: {error}") from None
        played.append(("BW"[game.side(position)], text))
        position = game.play(position, move)
    return played


def _names(file: Path) -> list[str]:
    """The names of players in the file `.jou` beside a file; none where there is no such file."""
    for beside in sorted(file.parent.iterdir()) if file.parent.is_dir() else ():
        if beside.suffix.lower() == ".jou":
            data = beside.read_bytes()[_HEADER.size :]
            parts = [data[place : place + _NAME_BYTES] for place in range(0, len(data), _NAME_BYTES)]
            return [part.partition(b"\0")[0].decode("latin-1").strip() for part in parts]
    return []
