"""Games and positions of go-moku in SGF, the Smart Game Format (FF[4], GM[4]; https://www.red-bean.com/sgf/).

Reads the main line of one game: the moves B and W, stones that are set up (AB, AW, AE), who is to move (PL), the size
of the board (SZ), and the rules (RU), which must be those of the game that the text is read as. Other properties are
passed over; a remark says so where one may hold stones. Points are two letters, the column from the left and the row
from the top: `hh` is h8 on a board of 15 rows. `read_sgf_branches` reads all games of a text, with their variations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules import Game, Gomoku, open_rules
from proofbase.engine.rules.gomoku import GomokuStones
from proofbase.engine.rules.set_up import split_mark

__all__ = ["SgfGame", "SgfLine", "is_sgf", "read_sgf", "read_sgf_branches", "write_sgf"]

P = TypeVar("P")
Node = dict[str, list[str]]
_LETTERS = "abcdefghijklmnopqrs"


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
        name: of a game of the family gomoku; the SGF has to be of its rules and of its board.
        text: of the SGF.

    Raises:
        InvalidPositionError: another game, no SGF, or a line that the rules do not allow; the message says where.
    """
    rules = _rules_of(name)
    try:
        nodes = _main_line(text)
        start, moves = _replay(rules, nodes)
    except (InvalidPositionError, InvalidMoveError) as error:
        raise InvalidPositionError(f"SGF: {error}") from None
    return SgfLine(rules.text(start), tuple(moves), tuple(_remarks(nodes)))


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
                played = [_replay(rules, path) for path in paths]
            except (InvalidPositionError, InvalidMoveError) as error:
                raise InvalidPositionError(f"line {line}: {error}") from None
            result = paths[0][0].get("RE", [""])[0].strip()
            remarks = dict.fromkeys(remark for path in paths for remark in _remarks(path))
            branches = tuple(SgfLine(rules.text(start), tuple(moves)) for start, moves in played)
            games.append(SgfGame(line, result, branches, tuple(remarks)))
    except InvalidPositionError as error:
        raise InvalidPositionError(f"SGF: {error}") from None
    return games


def _rules_of(name: str) -> Gomoku:
    rules = open_rules(name)
    if not isinstance(rules, Gomoku) or name.partition(":")[0] != "gomoku":
        raise InvalidPositionError(f"{name}: SGF is read for gomoku; this looks like an SGF")
    return rules


def write_sgf(game: Game[P], start: P, moves: Sequence[int] = ()) -> str:
    """An SGF of one line: a position of go-moku, and the moves from there.

    Raises:
        ValueError: another game.
        InvalidMoveError: a move is not legal.
    """
    rules = open_rules(game.name) if game.name.partition(":")[0] == "gomoku" else None
    if not isinstance(rules, Gomoku):
        raise ValueError(f"{game.name} is not written as SGF: gomoku is")
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}:{rules.height}"
    text = f"(;FF[4]GM[4]CA[UTF-8]AP[proofbase]SZ[{size}]GN[{rules.name}]RU[{_rule(rules)}]"
    position = rules.parse(game.text(start))
    cells = {
        (column, row): cell
        for row, line in enumerate(split_mark(rules.text(position))[0].split("/"))
        for column, cell in enumerate(line)
        if cell != "."
    }
    for stone, name in (("x", "AB"), ("o", "AW")):
        points = [_LETTERS[column] + _LETTERS[row] for (column, row), cell in cells.items() if cell == stone]
        text += name * bool(points) + "".join(f"[{point}]" for point in points)
    if cells:
        text += f"PL[{'BW'[rules.side(position)]}]"
    for move in moves:
        square = rules.move_text(position, move)
        point = square[0] + _LETTERS[rules.height - int(square[1:])]
        text += f";{'BW'[rules.side(position)]}[{point}]"
        position = rules.play(position, move)
    return text + ")"


def _rule(rules: Gomoku) -> str:
    rule = "standard" if rules.standard else "freestyle"
    return rule if rules.length == 5 else f"{rule}, {rules.length} in a row"


# --- The format ------------------------------------------------------------------------------------------------------
_TOKEN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:\\.|[^\]\\])*)\])", re.DOTALL)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind (`sign`, `name` or `value`), text and end of each token."""
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise InvalidPositionError(f"nothing that can be read at character {place + 1}: {quoted(text[place:], 20)}")
        place = found.end()
        kind = str(found.lastgroup)
        yield kind, found[kind], place


_KNOWN = re.compile(
    "A[BENPRW]|B[LMRT]?|C[AHPR]?|D[DMOT]|E[LVX]|F[FG]|G[BCMNW]|H[AO]|I[DT]|K[MO]|L[BNT]?|MA?|MN|N|O[BMNPTVW]|P[BCLMW]|"
    "R[EGOU]|S[CEILOQTUZ]|T[BCEMRW]|U[CS]|VW?|W[LRT]?"
)
"""The properties of FF[1] to FF[4] for games with stones. The others may be anything."""


def _main_line(text: str) -> list[Node]:
    """The nodes of the only game of a collection, in each of its variations the first."""
    nodes: list[Node] = []
    values: list[str] | None = None  # of the last property
    depth = 0
    ended = False  # the first variation has been read to its end
    for kind, word, _ in _tokens(text):
        if depth == 0 and (ended or word != "("):
            raise InvalidPositionError("something follows the first game" if ended else "it begins with '(;'")
        if kind == "sign":
            depth += (word == "(") - (word == ")")
            ended = ended or word == ")"
            values = None
            if word == ";" and not ended:
                nodes.append({})
        elif not ended:
            values = _add_property(nodes, values, kind, word)
    if depth or not nodes:
        raise InvalidPositionError("the last ')' is missing" if nodes else "it begins with '(;'")
    return nodes


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


def _games(text: str) -> Iterator[tuple[int, list[list[Node]]]]:
    """Line and branches of every game of a collection."""
    path: list[Node] = []
    paths: list[list[Node]] = []
    starts: list[int] = []  # nodes before each bracket that is open
    values: list[str] | None = None
    line, grown = 1, False
    for kind, word, end in _tokens(text):
        if not starts and word != "(":
            raise InvalidPositionError("a game begins with '(;'")
        if kind != "sign":
            values = _add_property(path, values, kind, word)
            continue
        values = None
        if word == "(":
            line = line if starts else text.count("\n", 0, end) + 1
            starts.append(len(path))
        elif word == ";":
            path.append({})
            grown = True
        else:
            if grown:
                paths.append(list(path))
            grown = False
            del path[starts.pop() :]
            if not starts:
                if not paths:
                    raise InvalidPositionError("it begins with '(;'")
                yield line, paths
                paths = []
    if starts or not text.strip():
        raise InvalidPositionError("the last ')' is missing" if starts else "it begins with '(;'")


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


# --- The line --------------------------------------------------------------------------------------------------------
def _replay(rules: Gomoku, nodes: list[Node]) -> tuple[GomokuStones, list[str]]:
    """The position that the line begins with, and the texts of its moves."""
    _check_game(rules, nodes[0])
    position = rules.initial()
    start, moves = position, list[str]()
    board: dict[str, str] | None = None  # squares and stones, while stones are being set up
    player: str | None = None  # who is to move, where the SGF says so
    for node in nodes:
        if node.keys() & {"AB", "AW", "AE"}:
            board = _squares(rules, position) if board is None else board
            for name, stone in (("AE", "."), ("AB", "x"), ("AW", "o")):
                board.update((square, stone) for value in node.get(name, []) for square in _points(rules, value))
        player = node.get("PL", [player])[0]
        for name, values in node.items():
            if name not in ("B", "W"):
                continue
            if board is not None:
                position = start = _position(rules, board, player)
                moves, board = [], None
            number = f"move {len(moves) + 1}"
            if name != "BW"[rules.side(position)]:
                raise InvalidMoveError(
                    f"{number} is one of {_player(name)}, but {_to_move(rules, position)} is to move"
                )
            if len(values) > 1:
                raise InvalidMoveError(f"{number} has {len(values)} points: a move is one, stones set up are AB or AW")
            point = values[0].strip() if values else ""
            if point in ("", "tt"):
                raise InvalidMoveError(f"{number} is a pass, and go-moku has no passes")
            if len(point) != 2:
                raise InvalidMoveError(f"{number} is {quoted(point, 20)}, not a point such as hh")
            try:
                move = rules.parse_move(position, _points(rules, point)[0])
            except InvalidMoveError as error:
                raise InvalidMoveError(f"{number}: {error}") from None
            moves.append(rules.move_text(position, move))
            position, player = rules.play(position, move), None
    if board is not None:
        position = start = _position(rules, board, player)
        moves = []
    if player is not None and player[:1].upper() != "BW"[rules.side(position)]:
        raise InvalidPositionError(
            f"PL[{player[:20]}] does not fit the numbers of stones: {_to_move(rules, position)} is to move"
        )
    return start, moves


def _check_game(rules: Gomoku, root: Node) -> None:
    kind = root.get("GM", ["4"])[0].strip()
    if kind != "4":
        raise InvalidPositionError(f"GM[{kind[:20]}] is another game: go-moku is GM[4]")
    size = root.get("SZ", [""])[0].strip()
    found = re.fullmatch("([0-9]{1,3})(?::([0-9]{1,3}))?", size)
    width, height = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if size and (width, height) != (rules.width, rules.height):
        what = f"SZ[{size[:20]}] is not the board of {rules.name}, {rules.width}x{rules.height}"
        if 5 <= max(width, height) <= 19 and min(width, height) >= 3:
            what += f": read it as {Gomoku(width, height, standard=rules.standard).name}"
        raise InvalidPositionError(what)
    _check_rules(rules, root.get("RU", [""])[0])


_OPENINGS = re.compile("gomoku|go|moku|gobang|rules?|game|of|in|a|row|without|with|swap2?|pro|long|opening")
"""Words that say nothing of what wins."""
_FREESTYLE = re.compile("freestyle|free|style|overlines?|allowed|or|more|unrestricted")
_STANDARD = re.compile("standard|exactly|exact")
_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6}


def _check_rules(rules: Gomoku, text: str) -> None:
    """Refuses the rules of another game: RU says what wins."""
    words = [word for word in re.findall(r"\w+", text.lower()) if not _OPENINGS.fullmatch(word)]
    lengths = {
        _NUMBERS.get(word) or int(word) for word in words if word in _NUMBERS or re.fullmatch("[0-9]{1,2}", word)
    }
    kinds = [word for word in words if word not in _NUMBERS and not re.fullmatch("[0-9]{1,2}", word)]
    freestyle = [word for word in kinds if _FREESTYLE.fullmatch(word)]
    standard = [word for word in kinds if _STANDARD.fullmatch(word)]
    shown = f"RU[{text.strip()[:30]}]"
    if len(freestyle) + len(standard) < len(kinds) or len(lengths) > 1 or (freestyle and standard):
        raise InvalidPositionError(
            f"{shown} is not a rule set of proofbase, which has freestyle (gomoku) and standard (gomoku:standard): "
            "take RU out to have it read by one of them"
        )
    length = lengths.pop() if lengths else 5 if kinds else rules.length
    if (kinds and bool(standard) != rules.standard) or length != rules.length:
        what = f"{shown} is another game than {rules.name}"
        if 3 <= length <= max(rules.width, rules.height):
            right = Gomoku(rules.width, rules.height, length, bool(standard) if kinds else rules.standard).name
            what += f": read it as {right}"
        raise InvalidPositionError(what)


def _points(rules: Gomoku, value: str) -> list[str]:
    """The squares of a point, or of a rectangle from its upper left point to its lower right one."""
    found = re.fullmatch("([a-s])([a-s])(?::([a-s])([a-s]))?", value.strip())
    corners = [_LETTERS.index(letter) for letter in found.groups() if letter] if found else []
    if not corners:
        raise InvalidPositionError(f"{quoted(value, 20)} is not a point such as hh")
    left, top, right, bottom = corners if len(corners) == 4 else corners * 2
    if not (left <= right < rules.width and top <= bottom < rules.height):
        raise InvalidPositionError(f"the point {quoted(value, 20)} is not on the board of {rules.width}x{rules.height}")
    return [
        f"{_LETTERS[column]}{rules.height - row}" for row in range(top, bottom + 1) for column in range(left, right + 1)
    ]


def _squares(rules: Gomoku, position: GomokuStones) -> dict[str, str]:
    rows = split_mark(rules.text(position))[0].split("/")
    return {
        f"{_LETTERS[column]}{rules.height - row}": cell
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    }


def _position(rules: Gomoku, board: dict[str, str], player: str | None) -> GomokuStones:
    """The stones that are set up, with the side to move that the SGF names, or that their numbers give."""
    columns = _LETTERS[: rules.width]
    rows = ("".join(board[f"{c}{row}"] for c in columns) for row in range(rules.height, 0, -1))
    side = {"B": " x", "W": " o"}.get((player or "")[:1].upper(), "")
    return rules.parse("/".join(rows) + side)


def _player(name: str) -> str:
    return "Black" if name == "B" else "White"


def _to_move(rules: Gomoku, position: GomokuStones) -> str:
    return _player("BW"[rules.side(position)])
