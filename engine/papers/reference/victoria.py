"""The search of Victoria, which solved go-moku (Allis 1994, 5.4): pn-search in a DAG with db-search as its evaluator.

An *attacker* is to be proved to win; a draw counts for the defender. Where the attacker is to move (OR nodes),
db-search looks for a winning threat sequence of his, where the defender is to move (AND nodes), of hers. The
enhancements of 5.4.2:

* Equivalent positions are one node.
* The attacker has ten moves, those with the most points (`points`), of the moves that meet the defender's implicit
  threat if there is one.
* The defender has the moves that meet the attacker's implicit threat, where there is one. Which moves meet a threat is
  found by trying each of them: the set that he gets by iterating the related squares.
* A position with the defender to move that is no implicit threat of the attacker counts as not won, unless there are
  fewer than nine stones and no move of the attacker leads to one.
* A frontier node at depth d has the numbers 1 + floor(d/2).

What it proves is proved; what it disproves is disproved for these moves only. A sequence of his db-search is replayed
against every reply before it counts, so a sequence that is found wins; one that is not found says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from proofbase.engine.papers.reference.dag_search import numbers_from_children
from proofbase.engine.rules.gomoku import Gomoku, GomokuStones

__all__ = ["POINTS", "Victoria", "VictoriaNode", "native_wins", "points"]

Wins = Callable[[Sequence[GomokuStones], bool], Sequence[bool]]
"""For each position whether a winning threat sequence is found: of the side to move, or if the second argument is true
of the other side, as if the side to move passed."""

ATTACKERS_MOVES = 10
FEW_STONES = 9
"""With fewer stones than these a move need not be an implicit threat."""

POINTS = (
    (re.compile(r"(?=(\.\.)(aaa)(\.\.))"), 4),
    (re.compile(r"(?=(\.)(aaa)(\.\.))"), 3),
    (re.compile(r"(?=(\.\.)(aaa)(\.))"), 3),
    (re.compile(r"(?=(\.)(aa\.a)(\.))"), 2),
    (re.compile(r"(?=(\.)(a\.aa)(\.))"), 2),
    (re.compile(r"(?=(\.\.)(aa)(\.\.))"), 2),
    (re.compile(r"(?=(\.\.)(a\.a)(\.\.))"), 1),
)
"""What a stone makes on a line, the most first: a three with two replies, one with three replies, a broken three, an
open two, a broken two."""
REACH = 4


@dataclass(eq=False)
class VictoriaNode:
    """A position in the DAG.

    Attributes:
        attacks: whether the attacker is to move.
        depth: moves from the root, by the way on which the node was made.
        proof: proof number; 0 where the attacker is proved to win.
        disproof: disproof number.
        children: the nodes after the moves that are looked at; None before it is expanded.
    """

    position: GomokuStones
    attacks: bool
    depth: int
    proof: float
    disproof: float
    children: list[VictoriaNode] | None = None
    parents: list[VictoriaNode] = field(default_factory=list)


class Victoria:
    """One search. The attacker is the side to move at the root.

    Args:
        rules: go-moku in Python.
        root: a position in which the game goes on.
        wins: the evaluator.

    Attributes:
        nodes: positions in the DAG.
        evaluations: positions that db-search was asked about.
    """

    def __init__(self, rules: Gomoku, root: GomokuStones, wins: Wins) -> None:
        self._rules = rules
        self._wins = wins
        self._attacker = rules.side(root)
        self._known: dict[bytes, VictoriaNode] = {}
        self.nodes = self.evaluations = 0
        self.root = self._node(root, 0)
        if self._found([root], opponent=False)[0]:
            self.root.proof, self.root.disproof = 0, inf

    def run(self, most_nodes: int, stop: Callable[[], bool] = lambda: False) -> bool | None:
        """Expands most-proving nodes: True if the root is proved, False if it is disproved, None at a limit."""
        while self.root.proof and self.root.disproof:
            if self.nodes >= most_nodes or stop():
                return None
            self._update(self._expanded(self._most_proving()))
        return not self.root.proof

    def _most_proving(self) -> VictoriaNode:
        node = self.root
        while node.children is not None:
            number = node.proof if node.attacks else node.disproof
            node = next(c for c in node.children if (c.proof if node.attacks else c.disproof) == number)
        return node

    def _expanded(self, node: VictoriaNode) -> VictoriaNode:
        rules = self._rules
        moves = self._moves_to_look_at(node)
        children = [rules.play(node.position, move) for move in moves]
        new = [
            (move, child) for move, child in zip(moves, children, strict=True) if rules.key(child) not in self._known
        ]
        kept = self._attackers_moves(node, new) if node.attacks else {move for move, _ in new}
        node.children = []
        for move, child in zip(moves, children, strict=True):
            known = self._known.get(rules.key(child))
            if known is None and move in kept:
                known = self._node(child, node.depth + 1)
            if known is not None and known not in node.children:
                known.parents.append(node)
                node.children.append(known)
        return node

    def _moves_to_look_at(self, node: VictoriaNode) -> list[int]:
        """Moves after which no win by threats of the other side is found; of the attacker's the ten with most points.

        Where the attacker meets no implicit threat all moves stand, and the defender's wins are found behind the ten.
        """
        rules, position = self._rules, node.position
        moves = list(rules.moves(position))
        if not node.attacks or self._found([position], opponent=True)[0]:
            answers = self._found([rules.play(position, move) for move in moves], opponent=False)
            moves = [move for move, lost in zip(moves, answers, strict=True) if not lost]
        if node.attacks:
            moves.sort(key=lambda move: -points(rules, position, move))
            moves = moves[:ATTACKERS_MOVES]
        return moves

    def _attackers_moves(self, node: VictoriaNode, new: Sequence[tuple[int, GomokuStones]]) -> set[int]:
        """The attacker's moves that lead to implicit threats, or all if none does and there are few stones."""
        positions = [child for _, child in new]
        ended = {move for move, child in new if self._rules.terminal(child) is not None}
        refuted = self._found(positions, opponent=False)
        threatens = self._found(positions, opponent=True)
        safe = [move for (move, _), lost in zip(new, refuted, strict=True) if not lost and move not in ended]
        strong = {move for (move, _), threat in zip(new, threatens, strict=True) if threat}
        kept = [move for move in safe if move in strong]
        if not kept and self._rules.men_on_board(node.position) + 1 < FEW_STONES:
            kept = safe
        return set(kept)

    def _node(self, position: GomokuStones, depth: int) -> VictoriaNode:
        first = 1 + depth // 2
        node = VictoriaNode(position, self._rules.side(position) == self._attacker, depth, first, first)
        if self._rules.terminal(position) is not None:  # full, or won by the side that moved: then it was found before
            node.proof, node.disproof = inf, 0
        self._known[self._rules.key(position)] = node
        self.nodes += 1
        return node

    def _update(self, node: VictoriaNode) -> None:
        """Sets the numbers of a node and of its ancestors, as far as they change."""
        waiting = [node]
        while waiting:
            current = waiting.pop()
            of_children = [(child.proof, child.disproof) for child in current.children or []]
            numbers = numbers_from_children(current.attacks, of_children)
            if numbers != (current.proof, current.disproof):
                current.proof, current.disproof = numbers
                waiting += current.parents

    def _found(self, positions: Sequence[GomokuStones], *, opponent: bool) -> Sequence[bool]:
        self.evaluations += len(positions)
        return self._wins(positions, opponent) if positions else []


def points(rules: Gomoku, position: GomokuStones, move: int) -> int:
    """The points of a stone of the side to move (5.4.2): on each line what it makes there, the most only."""
    own, other = position
    threats = rules.threat_rules()
    assert threats is not None
    board = threats.board
    bit = threats.squares[move].bit_length() - 1
    total = 0
    for step in (1, rules.width + 1, rules.width + 2, rules.width):
        cells = []
        for k in range(-REACH, REACH + 1):
            at = 1 << bit + k * step if bit + k * step >= 0 else 0
            taken = "a" if k == 0 or own & at else "d" if other & at or not at & board else "."
            cells.append(taken)
        total += _points_of("".join(cells))
    return total


def _points_of(line: str) -> int:
    for shape, worth in POINTS:
        for shape_at in shape.finditer(line):
            if shape_at.start(2) <= REACH < shape_at.end(2):
                return worth
    return 0


def native_wins(game: Any, rules: Gomoku, most_nodes: int) -> Wins:
    """The evaluator by the native db-search.

    Args:
        game: the native game of the rules.
        most_nodes: of one search.
    """

    def wins(positions: Sequence[GomokuStones], opponent: bool) -> Sequence[bool]:
        answers = game.winning_threats(
            [game.parse(rules.text(p)) for p in positions], "sequences", most_nodes, opponent
        )
        return [outcome == "won" for outcome, _, _ in answers[0]]

    return wins
