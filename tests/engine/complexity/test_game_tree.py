"""How large the tree of a game is, by sampled games."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import pytest

from proofbase.engine.complexity import FIGURE_6_1, published_size, sample_games, sample_lines, solution_tree
from proofbase.engine.complexity.game_tree import PLIES, GameSample, PlyOfGames
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph
from proofbase.engine.players import good_games


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


def test_given_games_are_measured_as_far_as_they_go() -> None:
    game = open_game("connect-four")
    sample = sample_lines(game, [[3, 4, 3, 4, 3, 4, 3], [0, 0, 0, 0, 0, 0, 1]])
    assert (sample.lengths, sample.won, sample.unfinished) == ({7: 2}, 1, 1)
    assert [ply.moves for ply in sample.plies] == [7.0] * 6 + [6.5], "a column of the second game is full"


def test_good_games_end_where_the_winner_is_settled_or_a_position_comes_again() -> None:
    game = open_game("awari")
    to_the_end = sample_games(game, 20)
    settled = sample_games(game, 20, to_the_end=False)
    assert settled.length < to_the_end.length - 10
    assert settled.unfinished == 0 and settled.won >= 15
    graph = Graph([[Edge(0, 1, 5)], [Edge(0, 2, 0)], []], [None, None, 0], [None] * 3, [b"a", b"b", b"c"])
    behind_five = ExplicitGame(graph, 5, [5, 1, 1])
    assert sample_games(behind_five, 1, to_the_end=False).lengths == {1: 1}
    assert sample_games(behind_five, 1).lengths == {2: 1}
    chess = open_game("chess")

    def back_and_forth(position: Any, moves: Sequence[int]) -> Sequence[int]:
        return [move for move in moves if chess.move_text(position, move) in ("Nf3", "Nf6", "Ng1", "Ng8")][:1]

    assert sample_games(chess, 1, choices=back_and_forth, to_the_end=False).lengths == {4: 1}


def test_good_games_are_longer_than_random_ones() -> None:
    sample = good_games("connect-four", 4, positions=200)
    assert sample.length > 28 and sample == good_games("connect-four", 4, positions=200)


@pytest.mark.parametrize(
    ("name", "moves"),
    [("tic-tac-toe", (4, 1, 0)), ("tic-tac-toe", (0, 1, 4)), ("connect-four:4x3", (0, 0, 0, 1, 1))],
)
def test_the_tree_that_solves_a_game_is_that_of_the_definitions(name: str, moves: Sequence[int]) -> None:
    class Later:
        """The game from a position on."""

        def initial(self) -> Any:
            position = game.initial()
            for move in moves:
                position = game.play(position, move)
            return position

        def __getattr__(self, attribute: str) -> Any:
            return getattr(game, attribute)

    game: Any = open_game(name, "python")

    def bounds(position: Any, depth: int) -> tuple[int, int]:
        if (end := game.terminal(position)) is not None:
            return end, end
        if depth == 0:
            return -1, 1
        below = [bounds(game.play(position, move), depth - 1) for move in game.moves(position)]
        return max(-high for _, high in below), max(-low for low, _ in below)

    def leaves(position: Any, depth: int) -> int:
        if depth == 0 or game.terminal(position) is not None:
            return 1
        return sum(leaves(game.play(position, move), depth - 1) for move in game.moves(position))

    later: Any = Later()
    tree = solution_tree(later, 1_000_000)
    assert tree is not None and solution_tree(later, 5) is None
    root = later.initial()
    low, high = bounds(root, tree.depth)
    assert low == high and len(set(bounds(root, tree.depth - 1))) == 2
    assert tree.leaves == leaves(root, tree.depth)


def test_the_tree_that_solves_tic_tac_toe_has_its_games_as_leaves() -> None:
    assert solution_tree(open_game("tic-tac-toe"), 100_000) == (9, 255_168)
