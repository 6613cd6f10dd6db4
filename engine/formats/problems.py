"""Chess problems by their pieces, as problemists write them: `white Kf4 Qg4 Pb7 black Kc7`.

So are the input of Popeye (`beginproblem`, `pieces`), the files of Olive (`white: [Kf4, Qg4]`), and lists in words.
White is to move. Castling is allowed where king and rook stand on their first squares, as it is in problems. What asks
for another game than chess, or for more than a direct mate, is refused.
"""

from __future__ import annotations

import re

__all__ = ["fen_of_problem", "is_problem", "problems_of_file"]

REMARK = "White is taken to be to move, and castling to be allowed where king and rook stand on their first squares"
_LIST = r"\b(?i:{})\b[\s:\[]*((?:[a-h][1-8]|[KQRBSNP]|[\s,])+)"
_COLOURS = tuple(re.compile(_LIST.format(colour)) for colour in ("white", "black"))
_NO_PIECE = re.compile(r"[\s,]*([A-Za-z]{0,3}[a-h][1-8]\w*)")
_OTHERS = re.compile(r"\b(?i:(cond\w*|twin\w*|zeroposition|option\w*\s+[^\n]*\bmaxsol\w*))\b[\s:]*[^\s\[\]]")
"""Members that change the rules or the position."""
_STIPULATION = re.compile(r"\b(?i:stip\w*)[\s:\"']+([^\s\"']+)")
_GOAL = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z-]*[#=]\d")
_CORNERS = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}


def is_problem(text: str) -> bool:
    """Whether a text is the pieces of both sides."""
    return all((pieces := colour.search(text)) and re.search("K[a-h][1-8]", pieces[1]) for colour in _COLOURS)


def fen_of_problem(text: str) -> str:
    """The FEN of a text for which `is_problem` is true.

    Raises:
        ValueError: what is wrong, in words.
    """
    stipulation, goal, other = _STIPULATION.search(text), _GOAL.search(text), _OTHERS.search(text)
    if stipulation is not None and not re.fullmatch("#[1-9][0-9]?", stipulation[1]):
        raise ValueError(f"{stipulation[1]} is no direct mate, such as #3")
    if goal is not None:
        raise ValueError(f"{goal[0]} is another game: the side to move mates against all defences here")
    if other is not None:
        raise ValueError(f"{other[1]} makes another problem of it than the pieces: such members are not read")
    men: dict[str, str] = {}
    for colour, cased in zip(_COLOURS, (str.upper, str.lower), strict=True):
        pieces = colour.search(text)
        if pieces is not None and (unread := _NO_PIECE.match(text, pieces.end())) is not None:
            raise ValueError(f"{unread[1]} is no piece of chess: K, Q, R, B, S or N, P and a square")
        for letter, squares in re.findall("([KQRBSNP]?)((?:[a-h][1-8])+)", pieces[1] if pieces else ""):
            for square in re.findall("..", squares):
                if square in men:
                    raise ValueError(f"two pieces stand on {square}")
                men[square] = cased("N" if letter == "S" else letter or "P")
    ranks = ["".join(men.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    board = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(ranks))
    rights = [
        right
        for right, (king, rook) in _CORNERS.items()
        if men.get(king) == ("K" if right.isupper() else "k") and men.get(rook) == ("R" if right.isupper() else "r")
    ]
    return f"{board} w {''.join(rights) or '-'} - 0 1"


def problems_of_file(data: bytes) -> list[str]:
    """The problems of a file, each on one line: Olive has `---` between them, Popeye `nextproblem`.

    One whose pieces cannot be read is among them: reading it says so.
    """
    parts = re.split(r"^---.*$|^nextproblem\b", data.decode("utf-8", "replace"), flags=re.MULTILINE | re.IGNORECASE)
    named = re.compile(r"\b(?:pieces|forsyth|algebraic|stip\w*|white|black)\b", re.IGNORECASE)
    return [" ".join(part.split()) for part in parts if is_problem(part) or named.search(part)]
