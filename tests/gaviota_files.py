"""Gaviota tables as python-chess reads them, with the values that a test gives: no tables of others are at hand."""

from __future__ import annotations

import lzma
import struct
from collections.abc import Mapping
from pathlib import Path

import chess
import chess.gaviota as gaviota

__all__ = ["write_gaviota"]

BLOCK = gaviota.ENTRIES_PER_BLOCK


def write_gaviota(directory: Path, name: str, plies: Mapping[str, int]) -> None:
    """A table such as `krk` of the given positions; all others are draws in it.

    Args:
        directory: where the file is made.
        name: of the table.
        plies: to the mate by FEN, for the side to move: positive where it wins, negative where it loses, 0 for a draw.
    """
    table = gaviota.EGKEY[name]
    entries = [bytearray(table.maxindex), bytearray(table.maxindex)]
    reader = gaviota.PythonTablebase()
    reader.available_tables[name] = ""
    for fen, number in plies.items():
        board = chess.Board(fen)
        sides = [(list(chess.SquareSet(board.occupied_co[color])), color) for color in (chess.WHITE, chess.BLACK)]
        squares = [(found, [board.piece_type_at(square) or 0 for square in found]) for found, _ in sides]
        request = gaviota.Request(*squares[0], *squares[1], 0 if board.turn else 1)
        request.realside = request.side
        reader._open_tablebase = lambda request: None  # type: ignore[method-assign,assignment,return-value]
        reader._setup_tablebase(request)
        index = table.pctoi(request)
        white_wins = (number > 0) == (request.side == 0)
        result = gaviota.iDRAW if number == 0 else gaviota.iWMATE if white_wins else gaviota.iBMATE
        packed = {gaviota.dtm_unpack(request.side, byte): byte for byte in range(255, -1, -1)}
        entries[request.side][index] = packed[abs(number) << gaviota.PLYSHIFT | result]
    blocks = [bytes(side[start : start + BLOCK]) for side in entries for start in range(0, table.maxindex, BLOCK)]
    zipped = [b"\0\0" + lzma.compress(block, lzma.FORMAT_ALONE) for block in blocks]
    places = [40 + 4 * (len(blocks) + 1)]
    for block in zipped:
        places.append(places[-1] + len(block))
    header = struct.pack("<10I", *[0] * 8, places[0], 0)
    index_bytes = struct.pack(f"<{len(places)}I", *places)
    (directory / f"{name}.gtb.cp4").write_bytes(header + index_bytes + b"".join(zipped))
