"""Solving all moves of a position: over a store, over gRPC."""

from __future__ import annotations

from services import Service
from values_by_definition import minimax

from proofbase.engine import open_game
from proofbase.service.client import Budget

GAME = "connect-four:4x4"


def test_every_move_has_its_exact_value(service: Service) -> None:
    answer = service.client.solve_all_moves(GAME, "1 2")
    game = open_game(GAME)
    position = game.play(game.play(game.initial(), 0), 1)
    values = {move.number: move.value.lower for move in answer.moves if move.known}
    assert values == {
        move: game.reward(position, move) - minimax(game, game.play(position, move)) for move in game.moves(position)
    }
    assert answer.value.lower == max(values.values())


def test_a_budget_that_is_used_up_leaves_moves_open(service: Service) -> None:
    answer = service.client.solve_all_moves("connect-four:5x5", budget=Budget(nodes=1_000))
    assert not answer.known
    assert not any(move.known for move in answer.moves)
    assert len(service.client.jobs()[0]) == 1


def test_moves_of_unknown_value_have_no_rank(service: Service) -> None:
    service.client.solve("tic-tac-toe")
    moves = service.client.lookup("tic-tac-toe").moves
    assert {move.known for move in moves} == {True, False}
    assert all((move.rank is not None) is move.known for move in moves)
    assert service.client.lookup("tic-tac-toe", "moves:5,2").rank is None
    invalid, unknown = service.client.batch_lookup("tic-tac-toe", ["nonsense", "moves:5,2"])
    assert invalid.rank is None and unknown.rank is None
