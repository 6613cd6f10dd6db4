"""Positions as texts (FEN), drawings, and what makes a position illegal."""

from __future__ import annotations

import re

from proofbase.engine.rules.chessboard.position import ChessPosition, square_name, turned, whites_view

__all__ = ["defect_of_en_passant", "defect_of_men", "draw", "fen", "read_fen"]

BOARD = "a board has 8 ranks of 8 squares, separated by '/'"


def fen(position: ChessPosition) -> str:
    """All six fields; the number of the move, which is no part of the position, as 1."""
    white = whites_view(position)
    ranks = [white.men[rank : rank + 8] for rank in range(56, -1, -8)]
    men = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(ranks))
    passed = square_name(position.en_passant, position.black) if position.en_passant else "-"
    return f"{men} {'b' if position.black else 'w'} {white.castling or '-'} {passed} {position.counter} 1"


def read_fen(text: str) -> ChessPosition:
    """The position of a FEN, legal or not: its first two fields at least; the number of the move is left out.

    Raises:
        ValueError: what is wrong, in words.
    """
    fields = [field for field in text.split(" ") if field]
    if not 2 <= len(fields) <= 6:
        raise ValueError(
            "a FEN has the men, the side to move, the rights to castle, the en-passant square and two counters"
        )
    men = _read_men(fields[0])
    if fields[1] not in ("w", "b"):
        raise ValueError("the side to move is w or b")
    castling, passed = [*fields[2:4], "-", "-"][:2]
    if castling != "-" and not re.fullmatch("K?Q?k?q?", castling):
        raise ValueError("the rights to castle are '-' or some of KQkq")
    if passed != "-" and not re.fullmatch("[a-h][36]", passed):
        raise ValueError("the square of an en-passant capture is '-' or a square such as e3")
    if any(not re.fullmatch("[0-9]+", counter) for counter in fields[4:]):
        raise ValueError("the counters of moves are numbers")
    square = 0 if passed == "-" else "abcdefgh".index(passed[0]) + 8 * (int(passed[1]) - 1)
    counter = int("".join(fields[4:5]).lstrip("0")[:4] or "0")
    white = ChessPosition(men, castling.replace("-", ""))
    if fields[1] == "w":
        return white._replace(en_passant=square, counter=counter)
    return turned(white)._replace(en_passant=square and square ^ 56, counter=counter)


def _read_men(field: str) -> str:
    ranks = []
    for rank in field.split("/"):
        if wrong := re.search("[^1-8PNBRQKpnbrqk]", rank):
            raise ValueError(
                f"men are P, N, B, R, Q, K and p, n, b, r, q, k, empty squares are counted: {wrong[0]!r} is no man"
            )
        ranks.append(re.sub("[1-8]", lambda count: "." * int(count[0]), rank))
    if len(ranks) != 8 or any(len(rank) != 8 for rank in ranks):
        raise ValueError(BOARD)
    return "".join(reversed(ranks))


def defect_of_men(position: ChessPosition, one_king: bool) -> str | None:
    """What no count of men allows, in words."""
    white = whites_view(position).men
    if "p" in (white[:8] + white[56:]).lower():
        return "a pawn stands on the first or last rank"
    for side, men in (("White", white), ("Black", white.swapcase())):
        of_side = [man for man in men if man.isupper()]
        if len(of_side) > 16:
            return f"{side} has {len(of_side)} men: there are 16"
        if of_side.count("P") > 8:
            return f"{side} has {of_side.count('P')} pawns"
        if one_king and of_side.count("K") != 1:
            return f"{side} has {of_side.count('K') or 'no'} king{'s' if of_side.count('K') else ''}"
    return None


def defect_of_en_passant(position: ChessPosition) -> str | None:
    """Whether a pawn of the other side can have passed the square with its last move."""
    men, to = position.men, position.en_passant
    if to // 8 == 5 and men[to - 8] == "p" and men[to] == men[to + 8] == ".":
        return None
    return f"no pawn has just passed {square_name(to, position.black)}"


def draw(position: ChessPosition) -> str:
    """The board with its ranks and files, White below, and what else belongs to the position."""
    white = whites_view(position)
    lines = [f"{rank + 1} {' '.join(white.men[8 * rank : 8 * rank + 8])}" for rank in range(7, -1, -1)]
    lines.append("  a b c d e f g h")
    if white.castling:
        lines.append(f"castling {white.castling}")
    if position.en_passant:
        lines.append(f"en passant {square_name(position.en_passant, position.black)}")
    if position.counter:
        lines.append(f"counter {position.counter}")
    return "\n".join(lines)
