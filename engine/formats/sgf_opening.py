"""The opening of professional renju in SGF: what is chosen puts no stone on the board.

| move | in SGF |
|---|---|
| `swap`, and White's `pass` between the offers | `W[]`, a pass |
| the squares that Black offers | nodes without a stone: `LB[hg:1]`, after the pass `LB[ih:2]` |
| the answer `h9:i5` | two nodes, `B[hg]` and `W[ik]` |

So other programs show the stones, and the offers as labels. Both labels may stand in one node, also in that of White's
stone before.
"""

from __future__ import annotations

from typing import Any

from proofbase.engine.errors import InvalidMoveError
from proofbase.engine.formats.sgf_line import (
    Node,
    SgfLineReader,
    SgfRules,
    cells_of,
    point_of,
    squares_of_points,
    text_of_cells,
)
from proofbase.engine.rules import ProfessionalRenju

__all__ = ["OpeningLineReader", "node_of_move", "without_choices"]

STONES_BEFORE_OFFERS = 4


class OpeningLineReader(SgfLineReader):
    """Reads a line of professional renju."""

    _chosen: str | None = None
    """The square of Black's stone that White takes, until White's own stone comes."""

    def play(self, name: str, values: list[str]) -> None:
        if len(self._offered()) < 2:
            super().play(name, values)
            return
        square = self.square(values)
        if name != "BW"[self._chosen is not None] or square is None:
            wanted = "B with one of the squares on offer" if self._chosen is None else "W with White's own stone"
            raise InvalidMoveError(f"{self.number} is {name}[{values[0] if values else ''}]: {wanted} is missing")
        if self._chosen is None:
            self._chosen = square
        else:
            self.play_text(f"{self._chosen}:{square}")
            self._chosen = None

    def mark(self, node: Node) -> None:
        """Labels at four stones are offers."""
        if not node.get("LB"):
            return
        self.begin_with_stones()
        if self.rules.men_on_board(self.position) != STONES_BEFORE_OFFERS or len(self._offered()) == 2:
            return
        if len(node["LB"]) > 2:
            raise InvalidMoveError(f"{self.number}: Black offers two squares, but LB has {len(node['LB'])}")
        for value in node["LB"]:
            (square,) = squares_of_points(self.rules, value.partition(":")[0])
            if self._offered() and self.rules.side(self.position) == 1:
                self.play_text("pass")
            self.play_text(square)

    def end(self) -> None:
        if self._chosen is not None:
            raise InvalidMoveError(f"{self.number} ends with Black's stone: W with White's own stone is missing")

    def text_of_pass(self) -> str:
        return "pass" if self._offered() else "swap"

    def _offered(self) -> list[str]:
        return _offered(self.rules, self.position)


def without_choices(rules: ProfessionalRenju, position: Any) -> tuple[Any, list[int]]:
    """The position of the same stones before what was chosen since, and the moves that lead from there."""
    before = rules.parse(text_of_cells(rules, cells_of(rules, position)))
    offered = _offered(rules, position)
    words = ["swap"] if position.swapped else offered[:1] + ["pass"] * (position.passed or len(offered) > 1)
    after, moves = before, list[int]()
    for word in words + offered[1:]:
        moves.append(rules.parse_move(after, word))
        after = rules.play(after, moves[-1])
    return before, moves


def node_of_move(rules: SgfRules, position: Any, move: int) -> str:
    """The node, or nodes, of a move of go-moku or renju."""
    rules_of_position: Any = rules
    text, side = rules_of_position.move_text(position, move), rules_of_position.side(position)
    if not isinstance(rules, ProfessionalRenju):
        return f";{'BW'[side]}[{point_of(rules, text)}]"
    if text in ("swap", "pass"):
        return ";W[]"
    squares = text.split(":")
    if len(squares) == 2:
        return f";B[{point_of(rules, squares[0])}];W[{point_of(rules, squares[1])}]"
    if rules.men_on_board(position) == STONES_BEFORE_OFFERS:
        return f";LB[{point_of(rules, text)}:{1 + position.passed}]"
    return f";{'BW'[side]}[{point_of(rules, text)}]"


def _offered(rules: ProfessionalRenju, position: Any) -> list[str]:
    """The squares that Black offers."""
    return [square for square, cell in cells_of(rules, position).items() if cell == "?"]
