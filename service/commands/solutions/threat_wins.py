"""Wins by threats as searches find them: a line of threats with one reply each, or a tree of threes and fours.

A win that was found for one position is held against other positions by the rules alone, so that nothing here depends
on what the search has told.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.records import ENDS, ThreatNode
from proofbase.engine.rules import Game
from proofbase.engine.rules.threats import ThreatRules
from proofbase.service.answers import ThreatStep, ThreatWin
from proofbase.service.commands.solutions.lines.threat_lines import attack_of_tree, longest_defence
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit, ProcessorLimitExceededError
from proofbase.service.commands.solutions.proved_attacks import AttackMove, attack_of_records
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.service.resources.native import line_reaches, new_search, winning_lines, winning_threats

__all__ = ["Attack", "Found", "Win", "WinFinder", "square_names", "win_finder"]

MOST_STEPS = 1_000
"""Steps of a win in an answer."""
FOURS_OF_A_NODE = 10
"""Nodes of searches for fours that a node of the algorithm `threats` of renju counts for."""
ATTACK_SECONDS = 5.0
"""The time of that algorithm, and of telling the attack that it has proved."""
FIRST_NODES = 2_000
GROWTH = 4
"""A search that was cut is done again with so many times the nodes."""
CHUNK = 10_000
"""Records."""


class Attack(ABC):
    """A win of the attacker, who is to move."""

    @abstractmethod
    def line(self) -> list[int]:
        """Moves of the attacker and replies in turn, to the end of the game: the longest line."""

    @abstractmethod
    def steps(self) -> Iterator[tuple[int, int | None, int, bool]]:
        """The attacker's moves, depth first: moves before it, what it answers, the move, whether it is the last."""

    @property
    def size(self) -> int:
        """Moves of the attacker in all."""
        return sum(1 for _ in self.steps())


class Win(Attack):
    """A win that can be held against other positions."""

    @abstractmethod
    def stopped_by(self, position: Any, move: int) -> bool:
        """Whether the win no longer works after a move of the other side, by the rules."""


R = TypeVar("R")
W_co = TypeVar("W_co", bound=Attack, covariant=True)


class Found(NamedTuple, Generic[W_co]):
    """What a search came to; `win` is None where it found none."""

    outcome: str
    win: W_co | None
    nodes: int

    def answer(self, game: Game[Any], position: Any) -> ThreatWin:
        """The same with the moves as texts of a position: each square is named alike before and after other moves."""
        if self.win is None:
            return ThreatWin(self.outcome, self.nodes)  # type: ignore[arg-type]  # one of these texts
        names = square_names(game, position)
        steps = [
            ThreatStep(depth, None if reply is None else names[reply], names[move], last)
            for depth, reply, move, last in islice(self.win.steps(), MOST_STEPS)
        ]
        line = tuple(names[move] for move in self.win.line())
        return ThreatWin("won", self.nodes, line, tuple(steps), self.win.size)


def square_names(game: Game[Any], position: Any) -> dict[int, str]:
    """The texts of moves, also of those that are forbidden to the side to move at a position."""
    return {move: game.move_text(at, move) for at in (game.initial(), position) for move in game.moves(at)}


class WinFinder(ABC):
    """Searches for wins by threats in positions of one game that are not finished.

    Args:
        game: with native rules.
        most_nodes: of one search.
        deadline: when the last search has to end, on the clock of `time.monotonic`.
    """

    def __init__(self, game: Game[Any], most_nodes: int, deadline: float) -> None:
        self.game = game
        self.most_nodes = most_nodes
        self.deadline = deadline

    @property
    def out_of_time(self) -> bool:
        """Whether the deadline is over."""
        return time.monotonic() >= self.deadline

    def _in_time(self, find: Callable[[int], R], was_cut: Callable[[R], bool]) -> R:
        """What a search finds with as many nodes as there is time for.

        It cannot be stopped by the clock: it is done with few nodes first, and again with more as long as it is cut and
        there is time for that.
        """
        nodes = min(FIRST_NODES, self.most_nodes)
        while True:
            began = time.monotonic()
            result, used = find(nodes), time.monotonic() - began
            left = self.deadline - time.monotonic()
            if not was_cut(result) or nodes == self.most_nodes or left < GROWTH * used:
                return result
            nodes = min(GROWTH * nodes, self.most_nodes)

    @abstractmethod
    def find(self, position: Any, *, opponent: bool) -> Found[Win]:
        """A win of the side to move, or of the other side if the side to move passes."""

    def find_longer(self, position: Any, found: Found[Win]) -> Found[Attack]:
        """A longer attack of the side to move, where the game has a search for these and `find` found no win."""
        return found


def win_finder(resources: Resources, game: Game[Any], most_nodes: int, deadline: float) -> WinFinder:
    """What finds wins by threats in a game.

    Raises:
        InvalidRequestError: the game has no threats.
        NativeCoreMissingError: the game was opened by the rules in plain Python.
    """
    if not resources.games.is_users_own(game.name):
        python = resources.games.open_python(game.name)
        rules = python.threat_rules()
        if rules is not None:
            return _TreeFinder(game, most_nodes, deadline, python, rules)
    finders: dict[str, type[_LineFinder]] = {"dependency": _LineFinder, "fours": _FoursFinder}
    for name, finder in finders.items():
        with suppress(ValueError):
            winning_lines(game, [], name, most_nodes, opponent=False)
            return finder(game, most_nodes, deadline)
    raise InvalidRequestError(f"{game.name} has no threats to search for: go-moku, renju and qubic have", field="game")


# --- Threats with one reply each (qubic, fours of renju) -----------------------------------------------------------


class _Line(Win):
    def __init__(self, game: Game[Any], moves: Sequence[int]) -> None:
        self._game = game
        self._moves = list(moves)

    def stopped_by(self, position: Any, move: int) -> bool:
        after = self._game.play(position, move)
        if self._game.terminal(after) is not None:
            return True
        return not line_reaches(self._game, after, self._game.highest_value, self._moves)

    def line(self) -> list[int]:
        return self._moves

    def steps(self) -> Iterator[tuple[int, int | None, int, bool]]:
        own_moves = self._moves[::2]
        replies = [None, *self._moves[1::2]]
        for depth, (reply, move) in enumerate(zip(replies, own_moves, strict=True)):
            yield depth, reply, move, depth + 1 == len(own_moves)


class _LineFinder(WinFinder):
    finder = "dependency"

    def find(self, position: Any, *, opponent: bool) -> Found[Win]:
        (line,), nodes, cut = self._in_time(
            lambda most: winning_lines(self.game, [position], self.finder, most, opponent=opponent),
            lambda result: result[2] > 0,
        )
        if line is None:
            return Found("cut" if cut else "none", None, nodes)
        return Found("won", _Line(self.game, line), nodes)


# --- Moves that threaten to win by fours (renju) -------------------------------------------------------------------


class _ProvedAttack(Attack):
    def __init__(self, first: AttackMove) -> None:
        self._first = first

    def line(self) -> list[int]:
        return self._first.line()

    def steps(self) -> Iterator[tuple[int, int | None, int, bool]]:
        return self._first.steps()

    @property
    def size(self) -> int:
        return self._first.size


class _FoursFinder(_LineFinder):
    """Wins by fours; of the side to move also those that the algorithm `threats` proves."""

    finder = "fours"

    def find_longer(self, position: Any, found: Found[Win]) -> Found[Attack]:
        search = new_search(self.game, position, 1, algorithm="threats")
        most_nodes = max(1, self.most_nodes // FOURS_OF_A_NODE)
        seconds = min(ATTACK_SECONDS, max(0.01, self.deadline - time.monotonic()))
        outcome = search.run(nodes=most_nodes, seconds=seconds)
        nodes = found.nodes + search.progress().nodes
        if outcome.status != "proved":
            cut = found.outcome == "cut" or outcome.reason != "exhausted"
            return Found("cut" if cut else "none", None, nodes)
        records = {key: record for chunk in search.solution().chunks(CHUNK) for key, record in chunk}
        try:
            attack = attack_of_records(self.game, position, records, ProcessorLimit(ATTACK_SECONDS))
        except ProcessorLimitExceededError:
            return Found("cut", None, nodes)
        return Found("won", _ProvedAttack(attack), nodes)


# --- Threats with several replies (go-moku) ------------------------------------------------------------------------


class _Tree(Win):
    def __init__(self, rules: ThreatRules, tree: ThreatNode, attacker: int, defender: int) -> None:
        self._rules, self._tree = rules, tree
        self._attacker, self._defender = attacker, defender
        self._zone = zone_of_tree(rules, tree, attacker, defender)
        self._moves = {square: move for move, square in enumerate(rules.squares)}

    def stopped_by(self, position: Any, move: int) -> bool:
        square = self._rules.squares[move]
        if self._zone is not None and not square & self._zone:
            return False
        return zone_of_tree(self._rules, self._tree, self._attacker, self._defender | square) is None

    def line(self) -> list[int]:
        rules, node, attacker, defender = self._rules, self._tree, self._attacker, self._defender
        moves = list[int]()
        while True:
            wins = rules.attack(attacker, defender).wins
            square, node = attack_of_tree(rules, node, attacker, defender)
            moves.append(self._moves[square])
            attacker |= square
            if wins:
                return moves
            if rules.board == attacker | defender:  # full: the move before has completed no line
                return moves
            square, node = longest_defence(rules, node, defender, attacker)
            moves.append(self._moves[square])
            defender |= square

    def steps(self) -> Iterator[tuple[int, int | None, int, bool]]:
        start = (0, None, self._tree, self._attacker, self._defender)
        waiting: list[tuple[int, int | None, ThreatNode, int, int]] = [start]
        while waiting:
            depth, reply, node, attacker, defender = waiting.pop()
            square, after = attack_of_tree(self._rules, node, attacker, defender)
            below = [
                (depth + 1, answer, child, attacker | square, defender | self._rules.squares[answer])
                for answer, child in after.replies
            ]
            yield depth, reply, self._moves[square], not below
            waiting += reversed(below)


class _TreeFinder(WinFinder):
    def __init__(
        self, game: Game[Any], most_nodes: int, deadline: float, python: Game[Any], rules: ThreatRules
    ) -> None:
        super().__init__(game, most_nodes, deadline)
        self._python, self._rules = python, rules

    def find(self, position: Any, *, opponent: bool) -> Found[Win]:
        ((outcome, tree, nodes),) = self._in_time(
            lambda most: winning_threats(self.game, [position], most, opponent=opponent),
            lambda result: result[0][0] == "cut",
        )
        if tree is None:
            return Found(outcome, None, nodes)
        own, other = self._rules.stones(self._python.parse(self.game.text(position)))
        attacker, defender = (other, own) if opponent else (own, other)
        return Found(outcome, _Tree(self._rules, _read_tree(iter(tree)), attacker, defender), nodes)


def _read_tree(numbers: Iterator[int]) -> ThreatNode:
    """The tree of the numbers of `winning_threats`; it is at most some hundred moves deep."""
    move = next(numbers)
    if move == 0:
        return ENDS
    return ThreatNode(move - 1, tuple((next(numbers), _read_tree(numbers)) for _ in range(next(numbers))))
