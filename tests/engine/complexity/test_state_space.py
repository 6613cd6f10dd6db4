"""How many positions a game has: counted, and estimated from supersets."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from math import sqrt
from typing import Any

import pytest

from proofbase.engine.complexity import (
    Convergence,
    convergence_of,
    count_states,
    estimate_states,
    supersets_of,
)
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game

POSITIONS_7X6 = 4_531_985_219_092
"""Of connect-four (S. Edelkamp, P. Kissmann, 2008)."""


def reachable(game: Game[Any]) -> set[Any]:
    """All positions that can arise in play."""
    seen, waiting = {game.initial()}, [game.initial()]
    while waiting:
        position = waiting.pop()
        for move in game.moves(position):
            child = game.play(position, move)
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return seen


def test_tic_tac_toe_has_the_numbers_of_the_thesis() -> None:
    game = open_game("tic-tac-toe", "python")
    counted = count_states(game, 10_000)
    assert counted is not None
    assert (counted.positions, len(counted.keys), counted.finished) == (5_478, 765, 958)
    assert counted.by_men[0] == 1 and counted.by_men[1] == 9 and sum(counted.by_men.values()) == 5_478
    assert [superset.size for superset in supersets_of(game)] == [19_683, 6_046]


def test_more_positions_than_asked_for_are_not_counted() -> None:
    game = open_game("tic-tac-toe", "python")
    assert count_states(game, 5_477) is None
    assert count_states(game, 5_478) is not None


def test_a_board_of_tic_tac_toe_counts_where_it_can_arise() -> None:
    game = open_game("tic-tac-toe", "python")
    accepted = set()
    for cells in product(".xo", repeat=9):
        try:
            accepted.add(game.parse("/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))))
        except InvalidPositionError:
            continue
    assert accepted == reachable(game)


@pytest.mark.parametrize("name", ["connect-four:4x3", "connect-four:1x6", "connect-four:2x5"])
def test_columns_count_where_they_can_arise(name: str) -> None:
    game = open_game(name, "python")
    positions = reachable(game)
    for superset in supersets_of(game):
        drawn = {part.draw(random.Random(seed)) for part in superset.parts for seed in range(60)} - {None}
        assert drawn <= positions
    in_turn = supersets_of(game)[-1]
    by_stones = Counter(sum(map(len, position)) for position in positions)
    for stones, part in enumerate(in_turn.parts):
        source, draws = random.Random(7), 400
        share = by_stones[stones] / part.size
        legal = sum(part.draw(source) is not None for _ in range(draws))
        assert abs(legal - draws * share) <= 5 * sqrt(draws * share * (1 - share)), stones


def test_the_members_of_a_part_have_equal_chances() -> None:
    part = supersets_of(open_game("connect-four:3x2", "python"))[-1].parts[3]
    source, draws = random.Random(3), 6_000
    found = Counter(part.draw(source) for _ in range(draws))
    assert None not in found, "no line of four fits, and three stones can be put in some order"
    assert len(found) == part.size == 21
    assert all(abs(times - draws / part.size) < 5 * sqrt(draws / part.size) for times in found.values())


@pytest.mark.parametrize(
    ("name", "exact"), [("tic-tac-toe", 5_478), ("connect-four:4x4", 161_029), ("connect-four", POSITIONS_7X6)]
)
def test_estimates_are_within_three_standard_errors(name: str, exact: int) -> None:
    game = open_game(name, "python")
    for superset in supersets_of(game)[1:]:
        found = estimate_states(game, superset, 6_000, seed=5)
        assert found.samples >= 6_000 and 0 < found.error < 0.15 * exact
        assert abs(found.positions - exact) < 3 * found.error
        assert found.convergence is Convergence.DIVERGING
        assert sum(found.by_men.values()) == pytest.approx(found.positions)


def test_equal_seeds_give_equal_estimates() -> None:
    game = open_game("qubic", "python")
    first, second, other = (estimate_states(game, supersets_of(game)[1], 500, seed) for seed in (1, 1, 2))
    assert first.positions == second.positions != other.positions


@pytest.mark.parametrize("name", ["mens-morris:3", "othello:4x4", "awari"])
def test_supersets_contain_the_positions_of_games(name: str) -> None:
    game = open_game(name, "python")
    (superset,) = supersets_of(game)
    assert not superset.exact
    source, seen = random.Random(2), Counter[Any]()
    for _ in range(30):
        position = game.initial()
        while moves := game.moves(position):
            position = game.play(position, source.choice(moves))
            seen[game.men_on_board(position)] += 1
            if seen.total() % 200 == 0:
                break
    draws = [part.draw(source) for part in superset.parts for _ in range(30)]
    drawn = {game.men_on_board(position) for position in draws if position is not None}
    assert set(seen) <= drawn


def test_three_mens_morris_has_no_more_positions_than_its_superset() -> None:
    game = open_game("mens-morris:3", "python")
    counted = count_states(game, 10_000)
    assert counted is not None and counted.positions == 5_262
    (superset,) = supersets_of(game)
    assert counted.positions < superset.size == estimate_states(game, superset, 1_000).positions


def test_awari_has_the_positions_of_its_tables_at_most() -> None:
    game = open_game("awari", "python")
    (superset,) = supersets_of(game)
    entries = [game.table_class(f"awari-{stones}") for stones in range(49)]
    assert superset.size == sum(entry.entries for entry in entries if entry is not None)
    found = estimate_states(game, superset, 10_000)
    # J. Romein, H. Bal, "Awari is solved" (2002): 889,063,398,406 positions.
    assert abs(found.positions - 889_063_398_406) < 3 * found.error
    assert found.convergence is Convergence.CONVERGING


def test_most_edges_say_whether_a_game_converges() -> None:
    sizes = {4: 100.0, 3: 50.0, 2: 60.0}
    assert convergence_of({(4, 3), (4, 2), (3, 2)}, sizes) is Convergence.CONVERGING
    assert convergence_of({(3, 2), (2, 4), (4, 3)}, sizes) is Convergence.DIVERGING
    assert convergence_of({(4, 3), (3, 2)}, sizes) is Convergence.UNCHANGEABLE
    assert convergence_of({(4, 9)}, sizes) is Convergence.UNCHANGEABLE


def test_the_pieces_of_checkers() -> None:
    """Schaeffer et al. count 5.01 x 10^20 positions of at most twelve pieces a side, for one side to move."""
    rules = open_game("checkers", "python")
    (superset,) = supersets_of(rules)
    assert superset.size > 4 * 10**21
    estimate = estimate_states(rules, superset, 40_000)
    assert abs(estimate.positions / 2 - 5.01e20) < 3 * estimate.error
    assert estimate.error < 0.1 * estimate.positions
    for part in superset.parts[:: len(superset.parts) // 100]:
        position = part.draw(random.Random(1))
        assert position is None or rules.parse(rules.text(position)) == position
