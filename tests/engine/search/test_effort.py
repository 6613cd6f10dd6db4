"""The initialisations that a game or a node's depth gives: `effort` of games in Python, `depth` in a DAG."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from proofbase.engine import _core
from proofbase.engine._core import Search, algorithms, full_algorithm_name
from proofbase.engine.errors import BrokenGameError, UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.rules.tic_tac_toe import TicTacToe


class Estimated(TicTacToe):
    """Tic-tac-toe in Python with an effort."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.asked: Counter[int] = Counter()

    def effort(self, position: Any, bound: int) -> Any:
        self.asked[bound] += 1
        return self.answer or (1, len(self.moves(position)))


def solved(game: Any, algorithm: str, moves: tuple[int, ...] = ()) -> int:
    """The nodes of a search that proves at least a draw."""
    position = game.initial()
    for move in moves:
        position = game.play(position, move)
    search = Search(game, position, 0, algorithm=algorithm)
    assert search.run(nodes=200_000).status == "proved"
    return search.progress().nodes


@pytest.mark.parametrize("family", ["pn-tree", "pn-dag", "pss", "df-pn", "pn2"])
def test_an_effort_is_taken_by_every_search_with_initialisations(family: str) -> None:
    """The number of moves as effort gives the very search of `mobility`."""
    rules = Estimated()
    game, plain = _core.python_game(rules), _core.python_game(TicTacToe())
    assert "effort" in full_algorithm_name(game, family).split("+")
    by_effort = solved(game, family, (4, 0))
    assert set(rules.asked) == {0, 1}
    assert by_effort == solved(plain, f"{family}+mobility", (4, 0))
    with pytest.raises(UnknownAlgorithmError, match="has no estimate of the effort"):
        full_algorithm_name(plain, f"{family}+effort")
    assert dict(dict(algorithms(game))[family])["initialisation"][0] == "effort"


def test_games_with_cycles_take_it_too() -> None:
    families = {
        family for family, kinds in algorithms(open_game("awari")) if "effort" in dict(kinds).get("initialisation", ())
    }
    assert {"pn-cyclic", "pn-base-twin", "pn-fixpoint"} <= families


@pytest.mark.parametrize("answer", [(0, 1), (1, 0), (1, 1_000_001), (1,), (1, 2, 3), [1, 2], ("1", "2"), 7])
def test_an_effort_that_makes_no_sense_is_refused(answer: Any) -> None:
    game = _core.python_game(Estimated(answer))
    with pytest.raises(BrokenGameError, match=r"tic-tac-toe: effort\(\) gave"):
        Search(game, game.initial(), 1, algorithm="pn-dag").run(nodes=1_000)


def test_auto_says_that_it_goes_by_effort() -> None:
    game = _core.python_game(Estimated())
    assert _core.choose_algorithm(game, None)[:2] == ("pn-dag", "acyclic, the game estimates effort")


@pytest.mark.parametrize("updates", ["", "+stack", "+queue"])
def test_depth_in_a_dag(updates: str) -> None:
    """All lines to a position are equally long, so every order of updates makes the same search."""
    game = open_game("connect-four:4x4")
    assert "depth" in full_algorithm_name(game, f"pn-dag+depth{updates}").split("+")
    assert solved(game, f"pn-dag+depth{updates}") == 17_521
    assert solved(game, f"pn-dag+unit{updates}") != 17_521


def test_depth_is_kept_in_checkpoints() -> None:
    game = open_game("connect-four:5x4")
    whole = Search(game, game.initial(), 1, algorithm="pn-dag+depth")
    whole.run(nodes=30_000)
    first = Search(game, game.initial(), 1, algorithm="pn-dag+depth")
    first.run(nodes=9_000)
    second = Search(game, game.initial(), 1, algorithm="pn-dag+depth")
    second.restore(first.checkpoint())
    second.run(nodes=30_000)
    assert second.progress().nodes == whole.progress().nodes
    assert (second.progress().proof, second.progress().disproof) == (whole.progress().proof, whole.progress().disproof)
