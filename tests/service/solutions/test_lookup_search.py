"""Lookups that may search: positions outside the stored solution are answered, and nothing of it is stored."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.engine import open_rules
from proofbase.engine.rules.qubic import layers
from proofbase.service.client import Client, InvalidRequestError, LimitExceededError, Limits, connect

BOARD = "connect-four:4x4"


def values(client: Client, position: str, search: int | None = None) -> tuple[int, int]:
    value = client.lookup(BOARD, position, search=search).value
    return value.lower, value.upper


@pytest.fixture
def partly(service: Service) -> Service:
    """A service that knows that the second player does not lose on the small board: one strategy of his."""
    service.client.solve(BOARD, at_least=1)
    return service


def test_a_position_outside_the_solution_is_searched(partly: Service) -> None:
    game, client = open_rules(BOARD), partly.client
    before = partly.store.count(BOARD)
    outside = 0
    for first in range(1, 5):
        for second in range(1, 5):
            text = f"moves:{first}{second}"
            plain = client.lookup(BOARD, text)
            if plain.stored:
                continue
            outside += 1
            assert plain.searched is None and not plain.known
            answer = client.lookup(BOARD, text, search=100_000, board=True)
            assert answer.known and not answer.stored and answer.claims == () and answer.board
            assert answer.searched is not None and answer.searched.unknown_reason is None
            assert 0 < answer.searched.nodes <= 100_000
            assert answer.searched.algorithm.startswith(("pn-dag", "null-window"))
            # The best move keeps the value, as another search from there says.
            best = answer.moves[0]
            assert best.known and best.value == answer.value and answer.witness in (None, best.move)
            position = game.play(game.parse(answer.position), best.number)
            after = client.lookup(BOARD, game.text(position), search=100_000)
            assert (-after.value.upper, -after.value.lower) == (answer.value.lower, answer.value.upper)
    assert outside >= 4
    assert partly.store.count(BOARD) == before, "nothing is stored"


def test_searched_values_are_those_of_a_full_solution(partly: Service, make_service: MakeService) -> None:
    solved = make_service()
    texts = [f"moves:{moves}" for moves in ("12", "21", "331", "3344", "112", "2222", "43", "1")]
    for text in texts:
        solved.client.solve(BOARD, text)
        assert values(partly.client, text, search=200_000) == values(solved.client, text), text


def test_a_known_position_is_answered_without_a_search(partly: Service) -> None:
    partly.client.solve(BOARD, "moves:12")
    answer = partly.client.lookup(BOARD, "moves:12", search=1)
    assert answer.known and answer.stored and answer.searched is None
    assert answer == partly.client.lookup(BOARD, "moves:12")


def test_a_half_known_position_keeps_what_is_stored(partly: Service) -> None:
    plain = partly.client.lookup(BOARD)
    assert (plain.value.lower, plain.value.upper) == (-1, 0) and plain.stored
    answer = partly.client.lookup(BOARD, search=200_000)
    assert (answer.value.lower, answer.value.upper) == (0, 0) and answer.searched is not None
    assert answer.stored and answer.claims == plain.claims and answer.sources == plain.sources


def test_a_budget_that_is_too_small_gives_unknown_and_says_so(partly: Service) -> None:
    small = partly.client.lookup("connect-four", search=500)
    assert not small.known and small.searched is not None
    assert small.searched.unknown_reason == "nodes" and 0 < small.searched.nodes < 600


def test_budgets_that_are_refused(make_service: MakeService) -> None:
    client = make_service(limits=Limits(search_nodes=1_000)).client
    assert client.limits().search_nodes == 1_000
    with pytest.raises(LimitExceededError) as caught:
        client.lookup(BOARD, search=1_001)
    assert (caught.value.limit, caught.value.largest, caught.value.field) == ("search_nodes", 1_000, "search_nodes")
    for nodes in (0, -1):
        with pytest.raises(InvalidRequestError, match="at least 1"):
            client.lookup(BOARD, search=nodes)
    assert client.lookup(BOARD, search=1_000).searched is not None


def test_qubic_where_white_left_the_strategy(service: Service) -> None:
    """The win after four plies is stored; White makes another move than its own, Black replies."""
    rules, client = open_rules("qubic"), service.client
    cubes = dict.fromkeys((0, 12), "x") | dict.fromkeys((1, 2), "o")
    text = layers("".join(cubes.get(cube, ".") for cube in range(64)))
    client.solve("qubic", text, at_least=1)
    stored = client.lookup("qubic", text)
    start = rules.parse(text)
    assert stored.known and stored.value.lower == 1 and stored.searched is None
    left = rules.play(rules.play(start, 3 if stored.witness != "3" else 48), 21)
    text = rules.text(left)
    assert not client.lookup("qubic", text).stored
    answer = client.lookup("qubic", text, search=200_000)
    assert answer.known and not answer.stored
    assert answer.searched is not None and answer.searched.algorithm == "pn-dag+threats"
    assert answer.witness == answer.moves[0].move
    assert answer.value == answer.moves[0].value


def test_a_search_with_nothing_left_to_try_is_followed_by_another(service: Service, threats_first: None) -> None:
    answer = service.client.lookup("gomoku:4x4-4", "a1b3c2d4", search=100_000)
    assert answer.known and (answer.value.lower, answer.value.upper) == (0, 0)
    assert answer.searched is not None and answer.searched.algorithm.startswith("df-pn")


def test_a_store_that_is_open_for_reading_only(directory: Path) -> None:
    with connect(str(directory)) as client:
        client.solve("tic-tac-toe", "moves:51")
    with connect(str(directory), read_only=True) as client:
        answer = client.lookup("tic-tac-toe", "moves:21", search=10_000)
        assert answer.known and answer.searched is not None
        assert dataclasses.asdict(answer.searched)["unknown_reason"] is None
