"""The state space of a game: the positions that can arise in play (Allis 1994, section 6.2.4).

Positions that are the same up to a symmetry are counted once each, as Allis does.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from proofbase.engine.complexity.convergence import Convergence, convergence_of
from proofbase.engine.complexity.supersets import Superset
from proofbase.engine.rules import Game

__all__ = ["CountedStates", "EstimatedStates", "count_states", "estimate_states"]


@dataclass(frozen=True, slots=True)
class CountedStates:
    """All positions of a game.

    Attributes:
        positions: how many there are.
        keys: theirs; positions that are the same up to a symmetry have one.
        finished: positions in which the game is over.
        by_men: positions by the number of men on the board; empty for games that do not say where men stand.
        convergence: of these numbers (6.2.2); None where `by_men` is empty.
    """

    positions: int
    keys: frozenset[bytes]
    finished: int
    by_men: dict[int, int]
    convergence: Convergence | None


@dataclass(frozen=True, slots=True)
class EstimatedStates:
    """An estimate of the number of positions.

    Attributes:
        superset: from which positions were drawn.
        samples: how many were drawn, at least 1.
        legal: how many of them can arise in play, as far as the superset tells.
        positions: the sum over the parts of the superset: size times share of legal samples.
        error: the standard error of `positions`. A part without a legal sample counts as if it had one.
        by_men: the estimated number of positions by the number of men on the board.
        convergence: of these numbers (6.2.2); None where `by_men` is empty.
    """

    superset: Superset
    samples: int
    legal: int
    positions: float
    error: float
    by_men: dict[int, float]
    convergence: Convergence | None


def count_states(game: Game[Any], most: int, progress: Callable[[int], None] = lambda _: None) -> CountedStates | None:
    """Visits every position that can arise in play; None where there are more than `most`.

    Args:
        game: in the Python rules, which say where men stand. The position of a game must hold what its future depends
            on and no more (awari's holds the captured stones as well, so that awari is never counted like this).
        most: positions to hold in memory, at least 1. One takes about a kilobyte.
        progress: told how many were visited, now and then.
    """
    initial = game.initial()
    men_of, waiting = {initial: game.men_on_board(initial)}, [initial]
    keys, finished, by_men, edges = set[bytes](), 0, Counter[int](), set[tuple[int | None, int | None]]()
    while waiting:
        position = waiting.pop()
        keys.add(game.key(position))
        if (men := men_of[position]) is not None:
            by_men[men] += 1
        finished += game.terminal(position) is not None
        for move in game.moves(position):
            child = game.play(position, move)
            if child not in men_of:
                if len(men_of) == most:
                    return None
                men_of[child] = game.men_on_board(child)
                waiting.append(child)
                if len(men_of) % 10_000 == 0:
                    progress(len(men_of))
            edges.add((men, men_of[child]))
    return CountedStates(
        len(men_of), frozenset(keys), finished, dict(sorted(by_men.items())), convergence_of(edges, by_men)
    )


def estimate_states(
    game: Game[Any],
    superset: Superset,
    samples: int,
    seed: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> EstimatedStates:
    """Draws members of a superset, and counts those that can arise in play.

    Args:
        game: in the Python rules.
        superset: one of `supersets_of(game)`.
        samples: how many to draw, at least 1; every part of the superset gets as many as the others, and one at least.
        seed: of the random numbers; the same one gives the same estimate.
        progress: told how many were drawn, now and then.
    """
    source = random.Random(seed)
    each = -(-samples // len(superset.parts))
    legal, positions, variance, edges = 0, 0.0, 0.0, set[tuple[int | None, int | None]]()
    by_men = defaultdict[int, float](float)
    for number, part in enumerate(superset.parts):
        progress(number * each)
        legal_drawn, men_found = 0, Counter[int]()
        for _ in range(each):
            position = part.draw(source)
            if position is None:
                continue
            legal_drawn += 1
            men = game.men_on_board(position)
            if men is None:
                continue
            men_found[men] += 1
            moves = game.moves(position)
            if moves:
                edges.add((men, game.men_on_board(game.play(position, source.choice(moves)))))
        legal += legal_drawn
        positions += part.size * (legal_drawn / each)
        share = max(legal_drawn, 1) / each
        variance += (part.size * sqrt(share * (1 - share) / each)) ** 2
        for men, times in men_found.items():
            by_men[men] += part.size * (times / each)
    drawn = each * len(superset.parts)
    return EstimatedStates(
        superset, drawn, legal, positions, sqrt(variance), dict(sorted(by_men.items())), convergence_of(edges, by_men)
    )
