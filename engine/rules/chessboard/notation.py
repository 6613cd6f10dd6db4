"""Moves as texts: standard algebraic notation (SAN), and the moves of UCI protocols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from proofbase.engine.rules.chessboard.moves import origin, promotion, target
from proofbase.engine.rules.chessboard.position import KINDS, ChessPosition, square_name

__all__ = ["castling_text", "described", "fitting", "san", "uci"]

UCI = re.compile("([a-h][1-8])([a-h][1-8])([nbrqk]?)")
SAN = re.compile("([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([NBRQKnbrqk]))?")


class Described(NamedTuple):
    """What a text says of a move; an empty text where it says nothing."""

    man: str
    file: str
    rank: str
    to: str
    becomes: str


def described(text: str) -> Described | None:
    """What a text says of a move that is no castling; None if it is written like no move."""
    if words := UCI.fullmatch(text):
        start, to, kind = words.groups()
        return Described("", start[0], start[1], to, kind.upper())
    words = SAN.fullmatch(text)
    if not words or (words[1] and words[5]):
        return None
    man, file, rank, to, kind = words.groups()
    return Described(man or "P", file, rank, to, (kind or "").upper())


def fitting(position: ChessPosition, moves: Iterable[int], text: Described) -> Iterator[int]:
    """The moves that a description fits, whatever the pawn becomes where the text does not say it."""
    for move in moves:
        man = position.men[origin(move)]
        start = square_name(origin(move), position.black)
        if text.to != square_name(target(move), position.black) or text.man not in ("", man):
            continue
        if text.man == "K" and castling_text(position, move):
            continue
        if text.file in ("", start[0]) and text.rank in ("", start[1]):
            kind = KINDS[promotion(move)] if promotion(move) else ""
            if text.becomes in ("", kind):
                yield move


def castling_text(position: ChessPosition, move: int) -> str | None:
    """`O-O`, `O-O-O`, or None for other moves."""
    if position.men[origin(move)] != "K" or abs(origin(move) - target(move)) != 2:
        return None
    return "O-O" if target(move) > origin(move) else "O-O-O"


def uci(position: ChessPosition, move: int) -> str:
    """A move as protocols write it, such as `g1f3` and `e7e8q`; castling is the move of the king."""
    squares = square_name(origin(move), position.black) + square_name(target(move), position.black)
    return squares + (KINDS[promotion(move)].lower() if promotion(move) else "")


def san(position: ChessPosition, move: int, legal: Iterable[int]) -> str:
    """A legal move without a mark of check. `legal`: all legal moves of the position."""
    if castling := castling_text(position, move):
        return castling
    men, start, to = position.men, origin(move), square_name(target(move), position.black)
    if men[start] == "P":
        captures = start % 8 != target(move) % 8
        capture = f"{square_name(start, position.black)[0]}x" if captures else ""
        return capture + to + (f"={KINDS[promotion(move)]}" if promotion(move) else "")
    rivals = [
        origin(other)
        for other in legal
        if target(other) == target(move) and origin(other) != start and men[origin(other)] == men[start]
    ]
    named = square_name(start, position.black)
    if not rivals:
        named = ""
    elif all(rival % 8 != start % 8 for rival in rivals):
        named = named[0]
    elif all(rival // 8 != start // 8 for rival in rivals):
        named = named[1]
    return men[start] + named + ("x" if men[target(move)] != "." else "") + to
