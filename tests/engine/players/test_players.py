"""Players: alpha-beta against brute force, moves that are proved, and what is known is kept."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Any, cast

import pytest

from proofbase.engine._core import python_game
from proofbase.engine.errors import GameFailedError
from proofbase.engine.games import open_game
from proofbase.engine.players import AlphaBeta, Player, WinSearch
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.engine.rules.tic_tac_toe import TicTacToe

TTT: Any = open_game("tic-tac-toe")


@cache
def value(game: Any, position: Any) -> int:
    end = game.terminal(position)
    if end is not None:
        return int(end)
    return max(game.reward(position, move) - value(game, game.play(position, move)) for move in game.moves(position))


def positions_of(game: Any, seed: int, count: int, plies: range) -> list[Any]:
    random, found = Random(seed), list[Any]()
    while len(found) < count:
        position = game.initial()
        for _ in range(random.choice(plies)):
            if game.terminal(position) is None:
                position = game.play(position, random.choice(list(game.moves(position))))
        if game.terminal(position) is None:
            found.append(position)
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "random-graph:ends=25,values=3,rewards=2"])
def test_alpha_beta_to_the_end_is_minimax(name: str) -> None:
    game: Any = open_game(name)
    for position in positions_of(game, 1, 12, range(2, 6)):
        ranking = AlphaBeta(game).rank(position)
        exact = {m: game.reward(position, m) - value(game, game.play(position, m)) for m in game.moves(position)}
        highest = max(exact.values())
        assert all(exact[move] == highest for move in ranking.best)
        assert round(ranking.scores[ranking.best[0]]) == highest
        for move, score in ranking.scores.items():  # of refuted moves an upper limit
            assert score >= exact[move] - 0.02


def test_limits_and_order_of_alpha_beta() -> None:
    awari: Any = open_game("awari")
    three = AlphaBeta(awari, None, 3).rank(awari.initial())
    assert three.plies == 3 and set(three.scores) == set(awari.moves(awari.initial()))
    quick = AlphaBeta(awari, 0.05).rank(awari.initial())
    assert 1 <= quick.plies < 40
    some = AlphaBeta(awari, None, 2).rank(awari.initial(), [2, 4])
    assert set(some.scores) == {2, 4}
    orders = {tuple(AlphaBeta(TTT, None, 1).rank(TTT.initial(), seed=seed).best) for seed in range(4)}
    assert len(orders) == 4 and {tuple(sorted(order)) for order in orders} == {tuple(range(9))}


def test_a_position_that_comes_back_has_its_repetition_value() -> None:
    game: Any = open_game("awari")
    position = game.parse("0,0,0,0,0,1/1,0,0,0,0,0/S")
    ranking = AlphaBeta(game, None, 12).rank(position)
    assert ranking.scores and all(abs(score) <= 2 for score in ranking.scores.values())


class Hooked(TicTacToe):
    """Tic-tac-toe where nobody looks at more than two moves, and the centre is worth something."""

    def evaluate(self, position: Any) -> float:
        return 0.5

    def promising_moves(self, position: Any) -> list[int]:
        return list(self.moves(position))[:2]


def test_hooks_of_a_game_are_used() -> None:
    rules = Hooked()
    assert rules.evaluates() and not TicTacToe().evaluates()
    ranking = AlphaBeta(rules, None, 1).rank(rules.initial())
    assert ranking.scores == {0: -0.5, 1: -0.5}
    chosen = Player(python_game(rules), rules, seconds=0.2, nodes=0).choose(rules.initial())
    assert chosen.move in (0, 1)


@pytest.mark.parametrize("nodes", [0, 2_000])
def test_tic_tac_toe_is_played_without_a_mistake(nodes: int) -> None:
    for seed, position in enumerate(positions_of(TTT, 2, 25, range(1, 8))):
        player = Player(TTT, seconds=0.3, nodes=nodes, seed=seed)
        chosen = player.choose(position)
        assert -value(TTT, TTT.play(position, chosen.move)) == value(TTT, position), TTT.text(position)
        if chosen.result is not None:
            assert value(TTT, position) == (1 if chosen.result == "win" else -1)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_known_to_lose_is_played_only_where_nothing_else_is_known(seed: int) -> None:
    """Whatever is known of the moves: even where it is wrong, it is believed."""
    random = Random(seed)
    for position in positions_of(TTT, seed, 8, range(4)):
        moves = list(TTT.moves(position))
        limits_of_moves = {move: random.choice([(-1, -1), (-1, 1), (0, 0), (0, 1), (1, 1)]) for move in moves}
        chosen = Player(TTT, seconds=0.02, nodes=0).choose(position, known=limits_of_moves.__getitem__)
        lower, upper = limits_of_moves[chosen.move]
        assert lower == 1 or not any(limits[0] == 1 for limits in limits_of_moves.values())
        assert lower >= 0 or not any(limits[0] >= 0 for limits in limits_of_moves.values())
        assert upper >= 0 or all(limits[1] < 0 for limits in limits_of_moves.values())
        assert (chosen.result == "loss") == all(limits[1] < 0 for limits in limits_of_moves.values())


def test_all_moves_lose_and_the_largest_search_is_chosen() -> None:
    lost = [p for p in positions_of(TTT, 5, 200, range(3, 7)) if value(TTT, p) == -1][:5]
    for position in lost:
        chosen = Player(TTT, seconds=0.3, nodes=2_000).choose(position)
        assert chosen.result == "loss" and "known to lose" in chosen.reason


def test_go_moku_wins_by_threats_and_stops_them() -> None:
    game: Any = open_game("gomoku")
    rules: Any = open_game("gomoku", "python")
    player = Player(game, rules, seconds=1.0)
    position = game.initial()
    for text in ["h8", "a1", "i9", "a15", "h10", "o1", "j8", "o2"]:
        position = game.play(position, game.parse_move(position, text))
    won = player.choose(position)
    assert won.result == "win" and "proved that it wins" in won.reason
    position = game.initial()
    for text in ["h8", "h7", "i8", "i7", "j8"]:
        position = game.play(position, game.parse_move(position, text))
    stopped = player.choose(position)
    after = game.play(position, stopped.move)
    assert WinSearch(game, after).run(5_000, 1.0) is not True or "known to lose" in stopped.reason


def test_a_search_of_threats_has_more_nodes_for_each() -> None:
    """They are cheaper by more than that. In other games the nodes are those that were asked for."""
    searches = {
        name: WinSearch(cast("Any", open_game(name)), open_game(name).initial()) for name in ("gomoku", "awari")
    }
    for name, least, most in (("gomoku", 20_000, 40_000), ("awari", 1_000, 2_000)):
        assert searches[name].run(1_000, 60.0) is None
        assert least <= searches[name].nodes < most


def test_go_moku_looks_at_squares_that_decide() -> None:
    rules: Any = open_game("gomoku", "python")
    for text, squares in (("h8,a1,i8,a3,j8,a5,k8,a7", {"g8", "l8"}), ("h8,a1,i8,a3,j8,a5,k8", {"g8", "l8"})):
        position = rules.initial()
        for move in text.split(","):
            position = rules.play(position, rules.parse_move(position, move))
        assert {rules.move_text(position, move) for move in rules.promising_moves(position)} == squares
        assert abs(rules.evaluate(position)) > 0.9
    assert [rules.move_text(rules.initial(), move) for move in rules.promising_moves(rules.initial())] == ["h8"]
    for seed, standard in product(range(6), ("", ":standard")):
        game: Any = open_game(f"gomoku{standard}", "python")
        position = positions_of(game, seed, 1, range(4, 40))[0]
        found = game.promising_moves(position)
        assert found and set(found) <= set(game.moves(position)) and len(found) == len(set(found))
        assert -1 < game.evaluate(position) < 1


def test_searches_go_on_while_the_other_side_thinks() -> None:
    game: Any = open_game("connect-four:4x4")
    player, position = Player(game, seconds=0.2, nodes=500), open_game("connect-four:4x4").initial()
    left = [30]

    def goes_on() -> bool:
        left[0] -= 1
        return left[0] > 0

    player.ponder(position, 0, goes_on)
    assert left[0] <= 1 or all(search.won is not None for search in player._searches.values())
    after = game.play(position, 0)
    before = player._searches[after]
    assert before.nodes > 0
    player.choose(after)
    assert before.won is not None or before.nodes > 0


class Failing(TicTacToe):
    """An evaluation with a mistake in it."""

    def evaluate(self, position: Any) -> float:
        return 1 / 0


def test_an_evaluation_that_fails_is_named() -> None:
    rules = GuardedGame(Failing())
    player = Player(python_game(Failing()), rules, seconds=0.2, nodes=0)
    with pytest.raises(GameFailedError, match=r"tic-tac-toe: evaluate\(\) raised ZeroDivisionError"):
        player.choose(Failing().initial())
    assert not GuardedGame(TTT).evaluates() and GuardedGame(Hooked()).evaluates()
