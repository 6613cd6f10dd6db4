"""Games and positions of go-moku and renju in SGF, the Smart Game Format (FF[4], GM[4]; red-bean.com/sgf).

Reads the main line of one game: the moves B and W, stones that are set up (AB, AW, AE), who is to move (PL), the size
of the board (SZ), and the rules (RU), which must be those of the game that the text is read as. Other properties are
passed over; a remark says so where one may hold stones. Points are two letters, the column from the left and the row
from the top: `hh` is h8 on a board of 15 rows. `read_sgf_branches` reads all games of a text, with their variations.
`sgf_opening.py` has what the opening of professional renju is written as.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.pgn import Branch
from proofbase.engine.formats.sgf_line import Node, SgfLineReader, SgfRules, cells_of, point_of
from proofbase.engine.formats.sgf_opening import OpeningLineReader, node_of_move, without_choices
from proofbase.engine.formats.sgf_rules import rule_text
from proofbase.engine.rules import Game, Gomoku, ProfessionalRenju, open_rules

__all__ = ["FAMILIES", "SgfGame", "SgfLine", "is_sgf", "read_sgf", "read_sgf_branches", "write_sgf"]

P = TypeVar("P")
FAMILIES = ("gomoku", "renju")


class SgfLine(NamedTuple):
    """The main line of an SGF.

    Attributes:
        start: text of the position that it begins with.
        moves: that follow, as texts.
        remarks: what was passed over and may hold stones, in words.
    """

    start: str
    moves: tuple[str, ...]
    remarks: tuple[str, ...] = ()


class SgfGame(NamedTuple):
    """A game with its variations.

    Attributes:
        line: of the text where it begins, counted from 1.
        result: what `RE` says; empty where it is missing.
        branches: from the beginning to each end of a variation, the main line first.
        remarks: as of a line.
    """

    line: int
    result: str
    branches: tuple[SgfLine, ...]
    remarks: tuple[str, ...] = ()


def is_sgf(text: str) -> bool:
    """Whether a text begins like an SGF."""
    return re.match(r"\s*\(\s*(;|$)|\s*\([A-Z;]", text) is not None


def read_sgf(name: str, text: str) -> SgfLine:
    """The main line of an SGF. Stones that are set up after moves make a new beginning.

    Args:
        name: of a game of the families gomoku and renju; the SGF has to be of its rules and of its board.
        text: of the SGF.

    Raises:
        InvalidPositionError: another game, no SGF, or a line that the rules do not allow; the message says where.
    """
    rules = _rules_of(name)
    try:
        nodes = _main_line(text)
        line = _replay(rules, nodes)
    except (InvalidPositionError, InvalidMoveError) as error:
        raise InvalidPositionError(f"SGF: {error}") from None
    return line._replace(remarks=tuple(_remarks(nodes)))


def read_sgf_branches(name: str, text: str) -> list[SgfGame]:
    """The games of an SGF, each with all its variations.

    Args:
        name, text: as for `read_sgf`.

    Raises:
        InvalidPositionError: as of `read_sgf`; the message names the line where the game begins.
    """
    rules = _rules_of(name)
    games = list[SgfGame]()
    try:
        for line, paths in _games(text):
            try:
                branches = tuple(_replay(rules, path) for path in paths)
            except (InvalidPositionError, InvalidMoveError) as error:
                raise InvalidPositionError(f"line {line}: {error}") from None
            result = paths[0][0].get("RE", [""])[0].strip()
            remarks = dict.fromkeys(remark for path in paths for remark in _remarks(path))
            games.append(SgfGame(line, result, branches, tuple(remarks)))
    except InvalidPositionError as error:
        raise InvalidPositionError(f"SGF: {error}") from None
    return games


def _rules_of(name: str) -> SgfRules:
    rules = open_rules(name)
    if not isinstance(rules, (Gomoku, ProfessionalRenju)):
        raise InvalidPositionError(f"{name}: SGF is read for gomoku and renju; this looks like an SGF")
    return rules


def _replay(rules: SgfRules, nodes: list[Node]) -> SgfLine:
    reader = OpeningLineReader(rules) if isinstance(rules, ProfessionalRenju) else SgfLineReader(rules)
    reader.read(nodes)
    return SgfLine(reader.rules.text(reader.start), tuple(reader.moves))


def write_sgf(
    game: Game[P], start: P, moves: Sequence[int] = (), below: Sequence[Branch] = (), *, comment: str = ""
) -> str:
    """An SGF: a position of go-moku or renju, the moves from there, and the variations behind them.

    Args:
        game: native or in Python.
        start: where the game begins.
        moves: that were played.
        below: what may follow.
        comment: about the position after the moves.

    Raises:
        ValueError: another game.
        InvalidMoveError: a move is not legal.
    """
    rules: Any = open_rules(game.name) if game.name.partition(":")[0] in FAMILIES else None
    if rules is None:
        raise ValueError(f"{game.name} is not written as SGF: gomoku and renju are")
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}:{rules.height}"
    text = f"(;FF[4]GM[4]CA[UTF-8]AP[proofbase]SZ[{size}]GN[{rules.name}]RU[{rule_text(rules)}]"
    position = rules.parse(game.text(start))
    if isinstance(rules, ProfessionalRenju):
        position, choices = without_choices(rules, position)
        moves = [*choices, *moves]
    cells = cells_of(rules, position)
    for stone, name in (("x", "AB"), ("o", "AW")):
        points = [point_of(rules, square) for square, cell in cells.items() if cell == stone]
        text += name * bool(points) + "".join(f"[{point}]" for point in points)
    if set(cells.values()) != {"."}:
        text += f"PL[{'BW'[rules.side(position)]}]"
    for move in moves:
        text += node_of_move(rules, position, move)
        position = rules.play(position, move)
    return text + _comment(comment) + _variations(rules, position, below) + ")"


def _comment(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("]", "\\]")
    return f"C[{escaped}]" if text else ""


def _variations(rules: Any, position: Any, below: Sequence[Branch]) -> str:
    """The nodes of all lines below a position. Without recursion: a proof may be deep."""
    parts = list[str]()
    entries: list[str | tuple[Any, Sequence[Branch]]] = [(position, below)]
    while entries:
        entry = entries.pop()
        if isinstance(entry, str):
            parts.append(entry)
            continue
        branching, branches = entry
        if len(branches) > 1:
            entries += [part for branch in reversed(branches) for part in (")", (branching, [branch]), "(")]
        elif branches:
            parts.append(node_of_move(rules, branching, branches[0].move) + _comment(branches[0].comment))
            entries.append((rules.play(branching, branches[0].move), branches[0].replies))
    return "".join(parts)


# --- The format ------------------------------------------------------------------------------------------------------
_TOKEN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:\\.|[^\]\\])*)\])", re.DOTALL)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind (`sign`, `name` or `value`), text and end of each token."""
    place, text = 0, text.rstrip()
    while place < len(text):
        token = _TOKEN.match(text, place)
        if not token:
            raise InvalidPositionError(f"nothing that can be read at character {place + 1}: {quoted(text[place:], 20)}")
        place = token.end()
        kind = str(token.lastgroup)
        yield kind, token[kind], place


_KNOWN = re.compile(
    "A[BENPRW]|B[LMRT]?|C[AHPR]?|D[DMOT]|E[LVX]|F[FG]|G[BCMNW]|H[AO]|I[DT]|K[MO]|L[BNT]?|MA?|MN|N|O[BMNPTVW]|P[BCLMW]|"
    "R[EGOU]|S[CEILOQTUZ]|T[BCEMRW]|U[CS]|VW?|W[LRT]?"
)
"""The properties of FF[1] to FF[4] for games with stones. The others may be anything."""


def _main_line(text: str) -> list[Node]:
    """The nodes of the only game of a collection, in each of its variations the first."""
    branches = _branches(text)
    start, path = next(branches)
    nodes = list(path)
    if any(other != start for other, _ in branches):
        raise InvalidPositionError("the text has several games: give one of them, or all as a file with --file")
    return nodes


def _games(text: str) -> Iterator[tuple[int, list[list[Node]]]]:
    """Line and branches of every game of a collection."""
    for start, branches in groupby(_branches(text), key=itemgetter(0)):
        yield text.count("\n", 0, start) + 1, [list(path) for _, path in branches]


def _branches(text: str) -> Iterator[tuple[int, list[Node]]]:
    """Every branch of the games of a collection: where its game begins, as a character, and its nodes.

    The list of nodes changes with the next branch.
    """
    path: list[Node] = []
    opened: list[int] = []  # nodes before each bracket that is open
    values: list[str] | None = None  # of the last property
    start, empty, grown, before = 0, True, False, ""
    no_game = "it begins with '(;'"
    for kind, word, end in _tokens(text):
        if not opened and word != "(":
            raise InvalidPositionError(no_game)
        if kind != "sign":
            if kind == "name" and before == "(" and path:  # its ';' is missing, as some programs leave it out
                path.append({})
                grown = True
            if path and not grown:
                raise InvalidPositionError(f"{quoted(word, 20)} belongs to no node")
            values, before = _add_property(path, values, kind, word), ""
            continue
        values, before = None, word
        if word == "(":
            if not opened:
                start, empty = end, True
            opened.append(len(path))
        elif word == ";":
            path.append({})
            grown = True
        else:
            if grown:
                yield start, path
                empty = grown = False
                no_game = "something follows the last game"
            del path[opened.pop() :]
            if empty and not opened:
                raise InvalidPositionError(no_game)
    if opened or empty:
        raise InvalidPositionError(no_game if empty and not path else "the last ')' is missing")


def _add_property(nodes: list[Node], values: list[str] | None, kind: str, word: str) -> list[str]:
    """Adds a name or a value to the last node; gives the values of the property that is being read."""
    if not nodes:
        raise InvalidPositionError("it begins with '(;'")
    if kind == "name":
        # Before FF[4] names had small letters for people: `Black` is B.
        name = re.sub("[a-z]", "", word) or word.upper()
        return nodes[-1].setdefault(name, [])
    if values is None:
        raise InvalidPositionError(f"the value {quoted(word, 20)} belongs to no property")
    values.append(word)
    return values


def _remarks(nodes: list[Node]) -> list[str]:
    """On properties that are passed over and may hold stones."""
    strange = {
        name: values[0]
        for node in reversed(nodes)
        for name, values in node.items()
        if not _KNOWN.fullmatch(name) and any(re.fullmatch("[a-s]{2}(:[a-s]{2})?", value.strip()) for value in values)
    }
    return [
        f"SGF: {quoted(name, 20)[1:-1]}[{value.strip()[:20]}] is passed over: moves are B and W, stones AB and AW"
        for name, value in sorted(strange.items())
    ]
