"""The line of play of an SGF: the nodes from the first one to the end of a variation, played by the rules."""

from __future__ import annotations

import re
from typing import Any

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.sgf_rules import check_game
from proofbase.engine.rules import Gomoku, ProfessionalRenju
from proofbase.engine.rules.set_up import split_mark

__all__ = ["Node", "SgfLineReader", "SgfRules", "cells_of", "point_of", "squares_of_points", "text_of_cells"]

Node = dict[str, list[str]]
"""The values of each property."""
SgfRules = Gomoku | ProfessionalRenju
COLUMNS = "abcdefghijklmnopqrs"


def point_of(rules: SgfRules, square: str) -> str:
    """The point of a square: `hh` of h8 on a board of 15 rows."""
    return square[0] + COLUMNS[rules.height - int(square[1:])]


def squares_of_points(rules: SgfRules, value: str) -> list[str]:
    """The squares of a point, or of a rectangle from its upper left point to its lower right one.

    Raises:
        InvalidPositionError: it is neither, or not on the board.
    """
    letters = re.fullmatch("([a-s])([a-s])(?::([a-s])([a-s]))?", value.strip())
    corners = [COLUMNS.index(letter) for letter in letters.groups() if letter] if letters else []
    if not corners:
        raise InvalidPositionError(f"{quoted(value, 20)} is not a point such as hh")
    left, top, right, bottom = corners if len(corners) == 4 else corners * 2
    if not (left <= right < rules.width and top <= bottom < rules.height):
        raise InvalidPositionError(f"the point {quoted(value, 20)} is not on the board of {rules.width}x{rules.height}")
    return [_square(rules, column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]


def cells_of(rules: SgfRules, position: Any) -> dict[str, str]:
    """What is on each square, row by row from the top: `x`, `o`, `.`, and `?` on those that Black offers."""
    rows = split_mark(rules.text(position))[0].partition(" ")[0].split("/")
    return {_square(rules, column, row): cell for row, line in enumerate(rows) for column, cell in enumerate(line)}


def text_of_cells(rules: SgfRules, cells: dict[str, str]) -> str:
    """The text of a position with these stones, and nothing on offer."""
    board = "".join(cells.values()).replace("?", ".")
    return "/".join(board[start : start + rules.width] for start in range(0, len(board), rules.width))


def _square(rules: SgfRules, column: int, row: int) -> str:
    """The square in a column from the left and a row from the top, counted from 0."""
    return f"{COLUMNS[column]}{rules.height - row}"


class SgfLineReader:
    """Reads one line.

    Args:
        rules: those of the game that the SGF is read as.

    Attributes:
        start: the position that the line begins with.
        position: the one after the moves.
        moves: their texts.
    """

    def __init__(self, rules: SgfRules) -> None:
        self.rules: Any = rules
        self.start = self.position = self.rules.initial()
        self.moves = list[str]()
        self._board: dict[str, str] | None = None  # squares and stones, while stones are being set up
        self._player: str | None = None  # who is to move, where the SGF says so

    def read(self, nodes: list[Node]) -> None:
        """Plays all nodes.

        Raises:
            InvalidPositionError, InvalidMoveError: another game, or what the rules do not allow.
        """
        for node in nodes:
            for name, values in node.items():
                if not values and name not in ("B", "W"):  # a pass may be written without a value
                    raise InvalidPositionError(f"the property {quoted(name, 20)[1:-1]} has no value")
        check_game(self.rules, nodes[0])
        for node in nodes:
            self._set_up(node)
            for name, values in node.items():
                if name in ("B", "W"):
                    self.begin_with_stones()
                    self.play(name, values)
                    self._player = None
            self.mark(node)
        self.begin_with_stones()
        self.end()
        if self._player is not None and self._player[:1].upper() != "BW"[self.rules.side(self.position)]:
            raise InvalidPositionError(
                f"PL[{self._player[:20]}] does not fit the numbers of stones: {self._to_move()} is to move"
            )

    def play(self, name: str, values: list[str]) -> None:
        """Plays `B` or `W`."""
        if name != "BW"[self.rules.side(self.position)]:
            raise InvalidMoveError(f"{self.number} is one of {player_of(name)}, but {self._to_move()} is to move")
        self.play_text(self.square(values) or self.text_of_pass())

    def mark(self, node: Node) -> None:
        """What a node says beside its stones; nothing that counts."""

    def end(self) -> None:
        """Called behind the last node."""

    def text_of_pass(self) -> str:
        """The move that a pass stands for."""
        raise InvalidMoveError(f"{self.number} is a pass, and {self.rules.name} has no passes")

    @property
    def number(self) -> str:
        """The number of the next move, in words."""
        return f"move {len(self.moves) + 1}"

    def square(self, values: list[str]) -> str | None:
        """The square of a move; None for a pass."""
        if len(values) > 1:
            raise InvalidMoveError(f"{self.number} has {len(values)} points: a move is one, stones set up are AB or AW")
        point = values[0].strip() if values else ""
        if point in ("", "tt"):
            return None
        if len(point) != 2:
            raise InvalidMoveError(f"{self.number} is {quoted(point, 20)}, not a point such as hh")
        return squares_of_points(self.rules, point)[0]

    def play_text(self, text: str) -> None:
        """Plays a move by its text."""
        try:
            move = self.rules.parse_move(self.position, text)
        except InvalidMoveError as error:
            raise InvalidMoveError(f"{self.number}: {error}") from None
        self.moves.append(self.rules.move_text(self.position, move))
        self.position = self.rules.play(self.position, move)

    def _set_up(self, node: Node) -> None:
        if node.keys() & {"AB", "AW", "AE"}:
            if self._board is None:
                self._board = cells_of(self.rules, self.position)
            for name, stone in (("AE", "."), ("AB", "x"), ("AW", "o")):
                for value in node.get(name, []):
                    self._board.update((square, stone) for square in squares_of_points(self.rules, value))
        self._player = node.get("PL", [self._player])[0]

    def begin_with_stones(self) -> None:
        """Stones that are set up make a new beginning, with the side to move that the SGF names."""
        if self._board is None:
            return
        side = {"B": " x", "W": " o"}.get((self._player or "")[:1].upper(), "")
        marked = side if isinstance(self.rules, Gomoku) else ""
        self.start = self.position = self.rules.parse(text_of_cells(self.rules, self._board) + marked)
        self.moves, self._board = [], None

    def _to_move(self) -> str:
        return player_of("BW"[self.rules.side(self.position)])


def player_of(name: str) -> str:
    """Black or White."""
    return "Black" if name == "B" else "White"
