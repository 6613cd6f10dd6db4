"""Games and positions of go-moku in SGF, the Smart Game Format (FF[4], GM[4]; https://www.red-bean.com/sgf/).

Reads the main line of one game: the moves B and W, stones that are set up (AB, AW, AE), who is to move (PL), and the
size of the board (SZ). Other properties, and all variations but the first, are passed over. Points are two letters,
the column from the left and the row from the top: `hh` is h8 on a board of 15 rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules import Game, Gomoku, open_rules
from proofbase.engine.rules.gomoku import GomokuStones

__all__ = ["is_sgf", "read_sgf", "write_sgf"]

P = TypeVar("P")
Node = dict[str, list[str]]
_LETTERS = "abcdefghijklmnopqrs"


def is_sgf(game: Game[P], text: str) -> bool:
    """Whether a text is to be read as SGF: it begins like one, and the game is go-moku."""
    return text.lstrip().startswith("(") and game.name.partition(":")[0] == "gomoku"


def read_sgf(game: Game[P], text: str) -> tuple[P, list[int], P]:
    """The position that the main line of an SGF begins with, the moves that follow, and the position after them.

    Stones that are set up after moves make a new beginning.

    Args:
        game: a game of the family gomoku, native or in Python; the SGF has to be of its board.

    Raises:
        InvalidPositionError: another game, no SGF, or a line that the rules do not allow; the message says where.
    """
    rules = open_rules(game.name)
    assert isinstance(rules, Gomoku)
    try:
        start, moves, end = _replay(rules, _main_line(text))
    except (InvalidPositionError, InvalidMoveError) as error:
        raise InvalidPositionError(f"SGF: {error}") from None
    return game.parse(rules.text(start)), moves, game.parse(rules.text(end))


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
        for row, line in enumerate(rules.text(position).split("/"))
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


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Kind (`sign`, `name` or `value`) and text of each token."""
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise InvalidPositionError(f"nothing that can be read at character {place + 1}: {quoted(text[place:], 20)}")
        place = found.end()
        kind = str(found.lastgroup)
        yield kind, found[kind]


def _main_line(text: str) -> list[Node]:
    """The nodes of the only game of a collection, in each of its variations the first."""
    nodes: list[Node] = []
    values: list[str] | None = None  # of the last property
    depth = 0
    ended = False  # the first variation has been read to its end
    for kind, word in _tokens(text):
        if depth == 0 and (ended or word != "("):
            raise InvalidPositionError("something follows the first game" if ended else "it begins with '(;'")
        if kind == "sign":
            depth += (word == "(") - (word == ")")
            ended = ended or word == ")"
            values = None
            if word == ";" and not ended:
                nodes.append({})
        elif not ended:
            if not nodes:
                raise InvalidPositionError("it begins with '(;'")
            if kind == "name":
                values = nodes[-1].setdefault(word, [])
            elif values is None:
                raise InvalidPositionError(f"the value {quoted(word, 20)} belongs to no property")
            else:
                values.append(word)
    if depth or not nodes:
        raise InvalidPositionError("the last ')' is missing" if nodes else "it begins with '(;'")
    return nodes


# --- The line --------------------------------------------------------------------------------------------------------
def _replay(rules: Gomoku, nodes: list[Node]) -> tuple[GomokuStones, list[int], GomokuStones]:
    _check_game(rules, nodes[0])
    position = rules.initial()
    start, moves = position, list[int]()
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
                position = start = _position(rules, board)
                moves, board = [], None
            number = f"move {len(moves) + 1}"
            if name != "BW"[rules.side(position)]:
                raise InvalidMoveError(
                    f"{number} is one of {_player(name)}, but {_to_move(rules, position)} is to move"
                )
            point = values[0].strip() if values else ""
            if point in ("", "tt"):
                raise InvalidMoveError(f"{number} is a pass, and go-moku has no passes")
            if len(point) != 2:
                raise InvalidMoveError(f"{number} is {quoted(point, 20)}, not a point such as hh")
            try:
                move = rules.parse_move(position, _points(rules, point)[0])
            except InvalidMoveError as error:
                raise InvalidMoveError(f"{number}: {error}") from None
            moves.append(move)
            position, player = rules.play(position, move), None
    if board is not None:
        position = start = _position(rules, board)
        moves = []
    if player is not None and player[:1].upper() != "BW"[rules.side(position)]:
        raise InvalidPositionError(
            f"PL[{player[:20]}] does not fit the numbers of stones: {_to_move(rules, position)} is to move"
        )
    return start, moves, position


def _check_game(rules: Gomoku, root: Node) -> None:
    kind = root.get("GM", ["4"])[0].strip()
    if kind != "4":
        raise InvalidPositionError(f"GM[{kind[:20]}] is another game: go-moku is GM[4]")
    size = root.get("SZ", [""])[0].strip()
    found = re.fullmatch("([0-9]{1,3})(?::([0-9]{1,3}))?", size)
    if size and (not found or (int(found[1]), int(found[2] or found[1])) != (rules.width, rules.height)):
        raise InvalidPositionError(f"SZ[{size[:20]}] is not the board of {rules.name}, {rules.width}x{rules.height}")


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
    rows = rules.text(position).split("/")
    return {
        f"{_LETTERS[column]}{rules.height - row}": cell
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    }


def _position(rules: Gomoku, board: dict[str, str]) -> GomokuStones:
    columns = _LETTERS[: rules.width]
    return rules.parse("/".join("".join(board[f"{c}{row}"] for c in columns) for row in range(rules.height, 0, -1)))


def _player(name: str) -> str:
    return "Black" if name == "B" else "White"


def _to_move(rules: Gomoku, position: GomokuStones) -> str:
    return _player("BW"[rules.side(position)])
