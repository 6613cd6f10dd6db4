"""Exact values of connect-four 7x6 against bitbully, a public perfect-play solver by other means (alpha-beta)."""

from __future__ import annotations

from random import Random

import pytest
from bitbully import BitBully, Board

from proofbase.engine.games import open_game
from proofbase.service.client import SolveResult, connect

PLIES = 18


def random_moves(random: Random) -> list[int]:
    """Moves from the empty board to a position where the game goes on."""
    game = open_game("connect-four")
    while True:
        position, moves = game.initial(), []
        while len(moves) < PLIES and game.terminal(position) is None:
            moves.append(random.choice(list(game.moves(position))))
            position = game.play(position, moves[-1])
        if game.terminal(position) is None:
            return moves


@pytest.fixture(scope="module")
def other() -> BitBully:
    return BitBully(opening_book=None)


def test_exact_values_and_best_moves_agree(other: BitBully) -> None:
    random = Random(18)
    values = set()
    with connect("memory:") as client:
        for _ in range(30):
            moves = random_moves(random)
            where = "moves:" + ",".join(str(move + 1) for move in moves)
            result = client.solve("connect-four", where).result
            assert isinstance(result, SolveResult)
            score = other.mtdf(Board(moves))
            assert result.status == "exact"
            assert result.value.lower == (score > 0) - (score < 0), where
            values.add(result.value.lower)
            if result.best_move is not None:
                best = other.score_move(Board(moves), int(result.best_move) - 1)
                assert (best > 0) - (best < 0) == result.value.lower, (where, result.best_move)
        report = client.verify("connect-four").result
        assert report is not None
        assert report.failed == 0
    assert values == {-1, 0, 1}, "the sample has all three values"
