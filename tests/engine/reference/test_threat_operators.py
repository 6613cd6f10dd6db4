"""The operators of qubic and go-moku: their counts as printed, and the same threats as the rules tell of positions."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest

from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.dependency_search import Operator
from proofbase.engine.papers.reference.threat_operators import (
    ATTACKER,
    DEFENDER,
    EMPTY,
    gomoku_operators,
)
from proofbase.engine.papers.reproduce import Options, reproduce


def test_counts_are_as_printed() -> None:
    report = reproduce("allis-operators")
    rows = report.rows
    assert [len(report.notes), len(reproduce("mueller-6.2-boards", Options(positions=1)).notes)] == [1, 1]
    assert [row.measured for row in rows if row.printed is not None] == [
        *(76, 192, 1824, 912, 304),
        *(572, 500, 432, 675, 3076, 23596),
    ]
    assert all(row.measured == row.printed for row in rows if row.printed is not None)
    ways = [row.measured for row in rows if row.printed is None]
    assert ways == [5 * 572, 4 * 500, 20 * 572, 6 * 500, 3 * 432, 6 * 500]


def state_of(attacker: set[int], defender: set[int], squares: int) -> frozenset[Any]:
    owner = {**dict.fromkeys(attacker, ATTACKER), **dict.fromkeys(defender, DEFENDER)}
    return frozenset((square, owner.get(square, EMPTY)) for square in range(squares))


def moves_of(operators: list[Operator], state: frozenset[Any]) -> dict[int, set[int]]:
    """By move, the replies of all operators that can be applied."""
    found: dict[int, set[int]] = {}
    for operator in operators:
        if operator.pre <= state:
            (move,) = (square for square, owner in operator.add if owner == ATTACKER)
            found.setdefault(move, set()).update(square for square, owner in operator.add if owner == DEFENDER)
    return found


@pytest.mark.parametrize("seed", range(2))
def test_fives_and_fours_are_those_of_the_rules(seed: int) -> None:
    random = Random(seed)
    game: Any = open_game("gomoku:9x9", "python")
    rules = game.threat_rules()
    by_kind = gomoku_operators(9, 9)
    fives, fours = (list(chain.from_iterable(by_kind[kind])) for kind in ("five", "four"))
    names = {move: game.move_text(game.initial(), move) for move in game.moves(game.initial())}
    square = {move: int(name[1:]) - 1 + 9 * (ord(name[0]) - ord("a")) for move, name in names.items()}
    compared = 0
    for _ in range(20):
        chosen = random.sample(range(81), 28)
        attacker, defender = set(chosen[:20]), set(chosen[20:])
        attack = rules.attack(*(sum(rules.squares[m] for m in square if square[m] in s) for s in (attacker, defender)))
        state = state_of(attacker, defender, 81)
        wins = {square[m] for m in square if rules.squares[m] & attack.wins}
        assert set(moves_of(fives, state)) == wins
        if not wins:
            compared += 1
            double = {s: replies for s, replies in moves_of(fours, state).items() if len(replies) > 1}
            expected = {
                square[m]: {square[k] for k in square if rules.squares[k] & after}
                for m in square
                for at, after in attack.double_threats
                if at == rules.squares[m]
            }
            assert double == expected
    assert compared
