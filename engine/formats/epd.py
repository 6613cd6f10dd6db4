"""Positions of chess as programs and people write them: FEN with its liberties, and EPD with its operations.

EPD is the Extended Position Description of the PGN standard (section 16.2): the first four fields of a FEN, then
operations such as `bm Qh7#; dm 4; id "WAC.001";`. Read as well are the six fields of a FEN before the operations, a
board without more (White is to move), underscores for spaces, and rights to castle by the files of the rooks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from proofbase.engine.errors import quoted

__all__ = ["Epd", "Operation", "is_epd", "read_epd"]

_MEN = re.compile("[1-8PNBRQKpnbrqk]+(?:/[1-8PNBRQKpnbrqk]+){3,}")
_OPERATION = re.compile(
    r'\s*(?P<code>[A-Za-z][A-Za-z0-9_]{0,14})(?![^\s:;"]):?(?P<operands>(?:"[^"]*"|[^";])*)(?P<end>;|$)'
)
_CODES = re.compile("[ab]m|ac[dns]|ce|dm|eco|fmvn|hmvc|id|nic|noop|p[mv]|rc|resign|sm|draw_[a-z]+|[cv][0-9]|D[0-9]+")
"""Operations of the standard, and the counts of perft: the last one may lack its semicolon."""


class Operation(NamedTuple):
    """One operation of an EPD: `bm Nf3 e4` has the code `bm` and the operands `("Nf3", "e4")`; quotes are left out."""

    code: str
    operands: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.code, *self.operands))


class Epd(NamedTuple):
    """What an EPD says.

    Attributes:
        fen: the position as a strict FEN of four fields.
        operations: in their order.
        remark: what was assumed, in words; empty where nothing was.
    """

    fen: str
    operations: tuple[Operation, ...]
    remark: str = ""


def is_epd(text: str) -> bool:
    """Whether a text is meant as a FEN or an EPD: it begins with ranks of a board."""
    first = re.split(r"[\s_]", text, maxsplit=1)[0]
    return first.count("/") >= 3 and _MEN.fullmatch(first) is not None


def read_epd(text: str, *, castling: bool) -> Epd:
    """The position and the operations of a FEN or an EPD.

    Args:
        text: with plain characters.
        castling: whether the game has castling; rights are left out where it has none.

    Raises:
        ValueError: what is wrong, in words. What only the rules can tell is not looked at.
    """
    head, _, _ = text.partition('"')
    if "_" in head and not re.search(r"\s", head.strip()):
        text = text.replace("_", " ")
    words = [(word[0], word.start()) for word in re.finditer(r"\S+", text)]
    men, place = words[0][0], 1
    remark = ""
    if len(words) == 1:
        return Epd(
            f"{men} w - -", (), "only the board is given: White is taken to be to move, without rights to castle"
        )
    side = {"w": "w", "b": "b", "white": "w", "black": "b"}.get(words[1][0].lower().rstrip(";"))
    if side is None:
        if _CODES.fullmatch(words[1][0].rstrip(";")) or words[1][0] == "-":
            raise ValueError("name the side to move, w or b, behind the board")
        raise ValueError("the side to move is w or b")
    place = 2
    fields, counter = ["-", "-"], "-"
    patterns = ("-|[A-Ha-hKQkq]{1,4}", "-|[A-Za-z][0-9]")
    for number, pattern in enumerate(patterns):
        if place == len(words) or _CODES.fullmatch(words[place][0]) or not re.fullmatch(pattern, words[place][0]):
            break
        fields[number] = words[place][0]
        place += 1
    else:
        for number in range(2):  # the counter of the fifty-move rule, and that of moves
            if place < len(words) and re.fullmatch("(-|[0-9]+);?", words[place][0]):
                counter = words[place][0].rstrip(";") if number == 0 else counter
                place += 1
    rest = text[words[place][1] :] if place < len(words) else ""
    operations = tuple(_operations(rest))
    rights = _rights(men, fields[0]) if castling else "-"
    stated = [one.operands[0] for one in operations if one.code == "hmvc" and one.operands]
    for operand in stated:
        if not re.fullmatch("[0-9]+", operand):
            raise ValueError(f"{quoted(operand, 10)} is no counter of the fifty-move rule: hmvc takes a number")
    stated = stated if counter == "-" else [counter, *stated]
    if len({number.lstrip("0") for number in stated}) > 1:
        raise ValueError(f"the counter of the fifty-move rule is {stated[0]}, and {quoted(stated[-1], 10)} in hmvc")
    counter = stated[0] if stated else "-"
    counters = f" {counter} 1" if re.fullmatch("0*[1-9][0-9]*", counter) else ""
    return Epd(f"{men} {side} {rights} {fields[1].lower()}{counters}", operations, remark)


def _operations(text: str) -> list[Operation]:
    operations: list[Operation] = []
    place, text = 0, text.strip()
    text = text.removeprefix(";")
    while text[place:].strip():
        operation = _OPERATION.match(text, place)
        if operation is None or not (operation["end"] or _CODES.fullmatch(operation["code"])):
            raise ValueError(
                f"{quoted(text[place:].strip(), 30)} is no field of a FEN and no operation of an EPD such as dm 4;"
            )
        place = operation.end()
        operands = re.findall(r'"([^"]*)"|(\S+)', operation["operands"])
        operations.append(Operation(operation["code"], tuple(quotation or word for quotation, word in operands)))
    return operations


def _rights(men: str, field: str) -> str:
    """The rights to castle as some of KQkq.

    Raises:
        ValueError: rights of Chess960.
    """
    if field == "-":
        return field
    ranks = [re.sub("[1-8]", lambda count: "." * int(count[0]), rank) for rank in men.split("/")]
    if len(ranks) != 8:
        return field
    rights = set[str]()
    for letter in field:
        rank, king, rook = (ranks[7], "K", "R") if letter.isupper() else (ranks[0], "k", "r")
        named = {"k": "h", "q": "a"}.get(letter.lower(), letter.lower())
        if rank.find(king) != 4 or named not in "ah":
            if king in rank and rook in rank:
                raise ValueError(
                    f"the right to castle {letter!r} is one of Chess960, which is another game: in chess the king "
                    "castles from the file e with a rook of the file a or h; write - for no castling"
                )
            raise ValueError("a right to castle asks for king and rook on their first squares")
        right = "k" if named == "h" else "q"
        rights.add(right.upper() if letter.isupper() else right)
    return "".join(right for right in "KQkq" if right in rights)
