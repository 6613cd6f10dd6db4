"""Values straight from their definitions: of positions, of nodes of game graphs, and of AND/OR graphs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import TypeVar

from proofbase.engine.papers.reference.and_or_graph import AndOrGraph
from proofbase.engine.papers.reference.complete_sets import SetOfSets
from proofbase.engine.papers.reference.graph import Edge, Graph
from proofbase.engine.papers.reference.recurrence import refuse_recurrence
from proofbase.engine.rules.game import Game

__all__ = ["minimax", "number_of", "smallest_sets", "value_by_strategies", "winners"]

P = TypeVar("P")


def minimax(game: Game[P], position: P, known: dict[bytes, int] | None = None) -> int:
    """Negamax with a table over the keys: `v(p) = terminal(p)`, or the maximum of `reward - v(child)`.

    Args:
        game: the rules; acyclic.
        position: where to start.
        known: the table, key to value; filled on the way, and may be given again.

    Raises:
        ValueError: the game is not acyclic. A BrokenGameError, if it says that it is.
    """
    if not game.acyclic:
        raise ValueError(f"{game.name} has endless lines: see `values`")
    return _negamax(game, position, {} if known is None else known, {})


def _negamax(game: Game[P], position: P, known: dict[bytes, int], line: dict[bytes, P]) -> int:
    value = game.terminal(position)
    if value is not None:
        return value
    key = game.key(position)
    if key in line:
        positions = list(line.values())
        refuse_recurrence(game, [*positions[list(line).index(key) :], position])
    if key not in known:
        line[key] = position
        known[key] = max(
            game.reward(position, move) - _negamax(game, game.play(position, move), known, line)
            for move in game.moves(position)
        )
        del line[key]
    return known[key]


def value_by_strategies(graph: Graph, root: int) -> int:
    """The value of one node from the definition alone: every positional strategy against every other. Tiny graphs only.

    A strategy says what its side plays at every node where it may come to move; two of them make one line of play,
    which ends or repeats.

    Raises:
        ValueError: the two sides differ in what they can force, so the game has no value by positional strategies.
    """
    inner = [node for node in range(len(graph)) if graph.terminal[node] is None]
    strategies = [dict(zip(inner, choice, strict=True)) for choice in product(*(graph.edges[node] for node in inner))]
    scores = [[_score(graph, root, first, second) for second in strategies] for first in strategies]
    forced = max(min(row) for row in scores)
    conceded = min(max(column) for column in zip(*scores, strict=True))
    if forced != conceded:
        raise ValueError(f"one side can force {forced}, the other can hold it to {conceded}")
    return forced


def _score(graph: Graph, node: int, first: dict[int, Edge], second: dict[int, Edge]) -> int:
    """The final score of the side that moves first on the line of two strategies."""
    score, sign, seen = 0, 1, set[tuple[int, int]]()
    while graph.terminal[node] is None:
        if (node, sign) in seen:
            return score + sign * (graph.rho[node] or 0)
        seen.add((node, sign))
        edge = (first if sign > 0 else second)[node]
        score += sign * edge.reward
        node, sign = edge.child, -sign
    return score + sign * (graph.terminal[node] or 0)


def winners(graph: AndOrGraph) -> frozenset[int]:
    """The nodes where the questioner can force a won leaf, by brute force; a line that never ends is lost.

    The least set that holds the won leaves, the max nodes with one child in it, and the min nodes with all children
    in it. Found as the nodes where a win within n moves can be forced, for n = 0, 1, 2, ... until no node is new.
    """
    won = {node for node in range(len(graph)) if graph.won[node]}
    while True:
        new = {
            node
            for node in range(len(graph))
            if node not in won
            and graph.children[node]
            and (any if graph.is_max[node] else all)(child in won for child in graph.children[node])
        }
        if not new:
            return frozenset(won)
        won |= new


def number_of(sets: SetOfSets) -> float:
    """The proof number that belongs to a complete proof set, or the disproof number to a complete disproof set."""
    return min((len(one) for one in sets), default=math.inf)


def smallest_sets(sets: Iterable[frozenset[int]]) -> SetOfSets:
    """The sets with the fewest leaves."""
    sets = frozenset(sets)
    return frozenset(one for one in sets if len(one) == number_of(sets))
