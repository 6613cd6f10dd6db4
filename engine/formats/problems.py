"""Chess problems by their pieces, as problemists write them: `white Kf4 Qg4 Pb7 black Kc7`.

So are the input of Popeye in English and German (`beginproblem`, `pieces`; `steine`, `weiss Kf4 Dg4`), the entries of
Olive and YACPDB (`white: [Kf4, Qg4]`), and lists in words. White is to move. Castling is allowed where king and rook
stand on their first squares, as it is in problems. What asks for another game than chess, or for more than a direct
mate, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = [
    "REMARK",
    "fen_of_problem",
    "is_problem",
    "is_problem_list",
    "keys_of_solution",
    "problems_of_file",
    "stipulated_moves",
]

REMARK = "White is taken to be to move, and castling to be allowed where king and rook stand on their first squares"


class _Colour(NamedTuple):
    """The pieces of a side in a language: whose they are, and what each letter stands for."""

    white: bool
    letters: dict[str, str]


_ENGLISH = {**dict(zip("KQRBSNP", "KQRBNNP", strict=True)), "": "P"}
_GERMAN = {**dict(zip("KDTLSB", "KQRBNP", strict=True)), "": "P"}
_COLOURS = {
    "white": _Colour(True, _ENGLISH),
    "black": _Colour(False, _ENGLISH),
    "weis": _Colour(True, _GERMAN),
    "weiss": _Colour(True, _GERMAN),
    "weiß": _Colour(True, _GERMAN),
    "schw": _Colour(False, _GERMAN),
    "schwarz": _Colour(False, _GERMAN),
}
_COLOUR = rf"\b(?:{'|'.join(_COLOURS)})\b"
_SEPARATORS = r"[\s,:\[\]\"'-]"
_LISTED = re.compile(rf"(?i)({_COLOUR}){_SEPARATORS}*((?:[A-Z]?(?:[a-h][1-8])+\b{_SEPARATORS}*)+)")
_PIECES = re.compile("([A-Z]?)((?:[a-h][1-8])+)", re.IGNORECASE)
_SECTION = re.compile(r"(?i)\b(?:piec|stei|algebraic)\w*")
_KEYWORD = re.compile(
    r"(?i)\b(?:stip|ford|cond|bed|opti|twin|zwil|zero|null|end|ende|auth|orig|titl|prot|solution|(?!neutral)\w[\w-]*:)"
)
_UNREAD = re.compile(r"[\s,]*([A-Za-z]{0,3}[a-h][1-8]\w*)")
_OTHERS = re.compile(
    r"(?i)\b(cond\w*|bed\w*|twin\w*|zwil\w*|zeroposition|nullstellung|"
    r"(?:half)?duplex|quodlibet|maxsol\w*|mutu\w*|roch\w*|neutral\w*)\b[\s:]*[^\s\[\]{}]"
)
"""Members that change the rules or the position."""
_STIPULATION = re.compile(r"(?i)\b(?:stip|ford)\w*[\s:\"']+([^\s\"',}]+)")
_GOAL = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z-]*[#=]\d")
_NO_CASTLING = re.compile(r"(?i)\b(?:nocast|keineroch)\w*\s+((?:[a-h][1-8])+)")
_EN_PASSANT = re.compile(r"(?i)\benpass\w*\s+[a-h][2457]([a-h][36])[a-h][2457]")
_CORNERS = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
_KEY = re.compile(r"(?<![\w.])1\.(?!\.)\s*([^\s!?]+)(?:\s+(?:\+|#|ep\.))*\s*!(?!\?)")
_LONG = re.compile(r"[KQRBSN]?([a-h][1-8])[-*x]([a-h][1-8])(?:=?([QRBSN]))?")
_PARTS = re.compile(r"(?im)^---.*$|^\s*(?:next|naechst|weiter)\w*\b")
_NAMES = re.compile(r"(?im)^\s*(?:auth|auto|orig|quel|titl|tite|prot|rema|beme|award)\w*\b.*$")
"""Lines of Popeye's input that are for people."""
_MEMBERS = ("algebraic", "stipulation", "solution", "twins", "conditions", "condition", "options")
"""Of an entry of Olive or YACPDB: all others are for people."""


def is_problem(text: str) -> bool:
    """Whether a text is the pieces of both sides."""
    kings = {
        _COLOURS[colour.lower()].white
        for colour, pieces in _LISTED.findall(text)
        if re.search(r"(?i)\bK[a-h][1-8]", pieces)
    }
    return kings == {True, False}


def fen_of_problem(text: str) -> str:
    """The FEN of a text for which `is_problem` is true.

    Raises:
        ValueError: what is wrong, in words.
    """
    stipulation, goal = _STIPULATION.search(text), _GOAL.search(text.partition("solution")[0])
    if stipulation is not None and not re.fullmatch("#[1-9][0-9]?", stipulation[1]):
        raise ValueError(f"{stipulation[1]} is no direct mate, such as #3")
    if goal is not None:
        raise ValueError(f"{goal[0]} is another game: the side to move mates against all defences here")
    if (other := _OTHERS.search(text.partition("solution")[0])) is not None:
        raise ValueError(f"{other[1]} makes another problem of it than the pieces: such members are not read")
    men: dict[str, str] = {}
    for square, piece in _men(text):
        if square in men:
            raise ValueError(f"two pieces stand on {square}")
        men[square] = piece
    ranks = ["".join(men.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    board = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(ranks))
    forbidden = "".join(squares.lower() for squares in _NO_CASTLING.findall(text))
    rights = [
        right
        for right, (king, rook) in _CORNERS.items()
        if men.get(king) == ("K" if right.isupper() else "k")
        and men.get(rook) == ("R" if right.isupper() else "r")
        and king not in forbidden
        and rook not in forbidden
    ]
    passed = _EN_PASSANT.search(text)
    return f"{board} w {''.join(rights) or '-'} {passed[1].lower() if passed else '-'} 0 1"


def _section(text: str) -> str | None:
    """The part of a text that has the pieces and nothing else, from their keyword to the next one; None without it."""
    head = _SECTION.search(text)
    if head is None:
        return None
    rest = text[head.end() :]
    end = next((word for word in _KEYWORD.finditer(rest) if word[0].rstrip(":").lower() not in _COLOURS), None)
    return rest[: end.start()] if end else rest


def _men(text: str) -> Iterator[tuple[str, str]]:
    """Squares with their pieces, in the letters of FEN.

    Raises:
        ValueError: a piece is none of chess.
    """
    section = _section(text)
    if section is not None and (others := re.sub(f"{_SEPARATORS}+", " ", _LISTED.sub("", section)).strip()):
        raise ValueError(f"{others[:40]} is no {_pieces(_COLOURS['white'])}")
    for entry in _LISTED.finditer(section or text):
        colour = _COLOURS[entry[1].lower()]
        for letter, squares in _PIECES.findall(entry[2]):
            piece = colour.letters.get(letter.upper())
            if piece is None:
                raise ValueError(f"{letter}{squares} is no {_pieces(colour)}")
            for square in re.findall("..", squares.lower()):
                yield square, piece if colour.white else piece.lower()
        if (unread := _UNREAD.match(text if section is None else section, entry.end())) is not None:
            raise ValueError(f"{unread[1]} is no {_pieces(colour)}")


def _pieces(colour: _Colour) -> str:
    return f"piece of chess: {', '.join(filter(None, colour.letters))} and a square"


def stipulated_moves(text: str) -> int | None:
    """N of the stipulation #N; None where there is none."""
    stipulation = _STIPULATION.search(text)
    number = re.fullmatch("#([1-9][0-9]?)", stipulation[1]) if stipulation else None
    return int(number[1]) if number else None


def keys_of_solution(text: str) -> tuple[str, ...]:
    """The first moves that a written solution marks as keys (`1.Sf2-g4 + !`), as players write them."""
    keys = list[str]()
    for word in _KEY.findall(text.partition("solution")[2]):
        long = _LONG.match(word)
        key = f"{long[1]}{long[2]}{(long[3] or '').replace('S', 'N').lower()}" if long else word.replace("S", "N")
        keys.append(key)
    return tuple(dict.fromkeys(keys))


def is_problem_list(text: str) -> bool:
    """Whether a text is a file of Popeye, Olive or YACPDB, whatever its name."""
    return re.match(r"(?i)\s*(?:beg|anf)\w*\s*$|(?:\s*---.*\n)?\s*algebraic:", text, re.MULTILINE) is not None


def problems_of_file(data: bytes) -> list[str]:
    """The problems of a file, each on one line: Olive has `---` between them, Popeye `nextproblem`.

    One whose pieces cannot be read is among them: reading it says so.
    """
    parts = [_without_names(part) for part in _PARTS.split(data.decode("utf-8", "replace"))]
    named = re.compile(r"(?i)\b(?:piec\w*|stei\w*|forsyth|algebraic|stip\w*|ford\w*|white|black)\b")
    return [" ".join(part.split()) for part in parts if is_problem(part) or named.search(part)]


def _without_names(part: str) -> str:
    """A problem without what is for people."""
    if re.search(r"(?m)^algebraic:", part) is None:
        return _NAMES.sub("", part)
    members = re.split(r"(?m)^(?=\w[\w-]*:)", part)
    return "\n".join(member for member in members if member.partition(":")[0] in _MEMBERS)
