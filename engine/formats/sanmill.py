"""Positions of nine men's morris as Sanmill writes them: `O*O@O*O@/@*@***@O/O@O@O@O* b m s 9 0 8 0 0 8 23`.

The points ring by ring from the inner one, each clockwise from its topmost point; the side to move; what is done
(placing, moving; selecting, taking); men on the board and in hand, of White (`O`), then of Black (`@`); men to be
taken; two counters.
"""

from __future__ import annotations

import re

from proofbase.engine.rules.morris.board import MorrisBoard

__all__ = ["plain_sanmill"]

_FEN = re.compile(
    r"([O@*X]{8})/([O@*X]{8})/([O@*X]{8}) ([wb]) [a-z?] ([a-z?]) (\d+) (\d+) (\d+) (\d+)(?: (\d+).*)?", re.ASCII
)


def plain_sanmill(text: str) -> tuple[str, str] | None:
    """The strict text of a position, and what was passed over, in words. None for another text.

    Raises:
        ValueError: what is wrong, in words.
    """
    fen = _FEN.fullmatch(text.strip())
    if fen is None:
        return None
    if fen[5] == "r":
        raise ValueError(
            "a man is still to be taken: give the position before this move, and the move with its capture"
        )
    if "X" in fen[1] + fen[2] + fen[3]:
        raise ValueError("X marks a point that is banned by a rule of another game")
    counts = [int(number) for number in fen.group(6, 7, 8, 9)]
    signs, hands, side = "O@", [counts[1], counts[3]], "wb".index(fen[4])
    if hands[1] - hands[0] not in (0, 1) or (any(hands) and hands[1] - hands[0] != side):
        signs, hands, side = "@O", hands[::-1], 1 - side  # Black has begun
    on_board = [sum(ring.count(sign) for ring in fen.group(1, 2, 3)) for sign in "O@"]
    if on_board != [counts[0], counts[2]]:
        raise ValueError(
            f"the board has {on_board[0]} O and {on_board[1]} @, and the fields say {counts[0]} and {counts[2]}"
        )
    board = MorrisBoard(9)
    # Points are numbered ring by ring from the outer one, each from its top left corner.
    marks = "".join(ring[-1] + ring[:-1] for ring in fen.group(3, 2, 1)).translate(str.maketrans(signs + "*", "xo."))
    rows = "/".join("".join(marks[point] for point in row) for row in board.rows)
    in_hand = f":{hands[0]},{hands[1]}" if any(hands) else ""
    return f"{rows}:{'xo'[side]}{in_hand}", "" if signs == "O@" else "Black has begun: x is Black"
