"""How large the tree of a game is, by sampled games."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import pytest

from proofbase.engine.complexity import FIGURE_6_1, published_size, sample_games
from proofbase.engine.complexity.game_tree import PLIES, GameSample, PlyOfGames
from proofbase.engine.games import open_game


def test_a_sample_has_mean_lengths_and_leaves() -> None:
    sample = GameSample(
        {2: 1, 4: 3}, [PlyOfGames(4, 10.0), PlyOfGames(4, 5.0), PlyOfGames(3, 2.0), PlyOfGames(3, 1.0)], 0, 4
    )
    assert sample.games == 4 and sample.length == 3.5
    assert sample.length_error == pytest.approx(0.5)
    assert sample.branching == pytest.approx((40 + 20 + 6 + 3) / 14)
    assert sample.log10_leaves == pytest.approx(log10(10 * 5 * 2))  # the half ply after three has one move
    assert [sample.length_at(share) for share in (0.25, 0.26, 1.0)] == [2, 4, 4]


@pytest.mark.parametrize("rules", ["native", "python"])
def test_games_of_tic_tac_toe_that_end_in_draws_give_nine_factorial(rules: Any) -> None:
    game = open_game("tic-tac-toe", rules)
    drawn = [4, 0, 1, 7, 6, 2, 5, 3, 8]

    def choices(position: Any, moves: Sequence[int]) -> Sequence[int]:
        return [next(move for move in drawn if move in moves)]

    sample = sample_games(game, 3, choices=choices)
    assert (sample.lengths, sample.won, sample.unfinished) == ({9: 3}, 0, 0)
    assert 10**sample.log10_leaves == pytest.approx(362_880)


def test_random_games_of_connect_four() -> None:
    sample = sample_games(open_game("connect-four"), 400)
    assert sample.plies[0] == (400, 7.0)
    assert min(sample.lengths) >= 7 and max(sample.lengths) <= 42
    assert 20 < sample.length < 23  # 21.3 on average
    assert sample.won > 390
    assert sample == sample_games(open_game("connect-four", "python"), 400), "both rules give moves in one order"
    assert sample != sample_games(open_game("connect-four"), 400, seed=2)


def test_a_game_without_end_is_left() -> None:
    game = open_game("chess")

    def back_and_forth(position: Any, moves: Sequence[int]) -> Sequence[int]:
        return [move for move in moves if game.move_text(position, move) in ("Nf3", "Nf6", "Ng1", "Ng8")][:1]

    sample = sample_games(game, 1, choices=back_and_forth)
    assert (sample.lengths, sample.unfinished, sample.won) == ({PLIES: 1}, 1, 0)


def test_the_games_of_the_figure_are_games_of_ours() -> None:
    for size in FIGURE_6_1:
        assert open_game(size.game, "python").name == size.game
        assert published_size(size.game) == size
    assert published_size("tic-tac-toe") is None
