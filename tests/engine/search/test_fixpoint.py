"""pn-fixpoint: against brute force, in checkpoints, and on pawn endings with locked pawns."""

from __future__ import annotations

from random import Random

import pytest
from search_combinations import assert_right_on, assert_settled, random_game, solved

from proofbase.engine import _core, open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.games import open_game

KINDS = ("cyclic", "cyclic with rewards", "repetition wins", "repetition loses")
LASKER_AND_REICHHELM = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"
FAHRNI_AND_ALAPIN = "2k5/8/p1P5/P2K4/8/8/8/8 w - - 0 1"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policies", ["", "+unit", "+order-3"])
def test_random_games_have_their_brute_force_values(kind: str, policies: str) -> None:
    random = Random(f"{kind}{policies}")
    for _ in range(60):
        game, exact = random_game(random, kind, most_nodes=40)
        for at_least in (exact - 1, exact, exact + 1):
            assert_right_on(game, exact, at_least, "pn-fixpoint" + policies)


def test_a_restored_search_gives_the_same_answer() -> None:
    game = open_game("chess")
    position = game.parse(FAHRNI_AND_ALAPIN)
    first = Search(game, position, 1, algorithm="pn-fixpoint")
    assert first.run(nodes=5000).status == "unknown"
    second = Search(game, position, 1, algorithm="pn-fixpoint")
    second.restore(first.checkpoint())
    assert second.progress().nodes == first.progress().nodes
    assert second.run().status == "proved"
    assert_settled(second.solution(), game.key(position), 1, "proved")


def test_a_game_without_cycles_is_refused() -> None:
    with pytest.raises(UnknownAlgorithmError, match="tic-tac-toe has no cycles: pn-dag treats it"):
        Search(open_game("tic-tac-toe"), open_game("tic-tac-toe").initial(), 1, algorithm="pn-fixpoint")


@pytest.mark.parametrize(
    ("text", "at_least", "status"),
    [
        (FAHRNI_AND_ALAPIN, 1, "proved"),
        ("7k/8/3p2p1/3P2P1/8/8/8/K7 w - - 0 1", 1, "proved"),
        ("8/8/3k4/8/1p1p4/1P1P4/3K4/8 w - - 0 1", 1, "disproved"),
        ("8/8/3k4/8/1p1p4/1P1P4/3K4/8 w - - 0 1", 0, "proved"),
    ],
)
def test_pawn_endings_pass_the_check_by_the_python_rules(text: str, at_least: int, status: str) -> None:
    game = open_game("chess")
    search = solved(game, game.parse(text), at_least, "pn-fixpoint")
    assert search.status == status
    assert_settled(search.solution(), game.key(game.parse(text)), at_least, status)
    items = [item for chunk in search.solution(small_search_nodes=0).chunks(1000) for item in chunk]
    assert list(LocalCheck(open_rules("chess")).findings(items, lambda keys: [None] * len(keys))) == []


@pytest.mark.slow
def test_the_king_that_has_to_lose_a_move_finds_the_corresponding_squares() -> None:
    """Lasker and Reichhelm, 1901: only 1. Kb1 wins."""
    game = open_game("chess")
    position = game.parse(LASKER_AND_REICHHELM)
    algorithm, reason, nodes = _core.choose_algorithm(game, position)
    assert (algorithm, nodes) == ("pn-fixpoint", None) and "moves without return" in reason
    search = solved(game, position, 1, algorithm)
    assert search.status == "proved"
    solution = search.solution()
    assert_settled(solution, game.key(position), 1, "proved")
    for move in game.moves(position):
        child = game.play(position, move)
        answer = solved(game, child, 0, algorithm).status if game.move_text(position, move) != "Kb1" else "disproved"
        assert answer == ("disproved" if game.move_text(position, move) == "Kb1" else "proved")


def test_auto_takes_it_where_few_positions_lie_between_moves_without_return() -> None:
    game = open_game("chess")
    for text, algorithm in (
        (LASKER_AND_REICHHELM, "pn-fixpoint"),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "pn-base-twin"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "pn-base-twin"),
    ):
        assert _core.choose_algorithm(game, game.parse(text))[0] == algorithm
    assert _core.choose_algorithm(game)[0] == "pn-base-twin"
