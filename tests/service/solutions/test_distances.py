"""Lookups with distances: what the store's records of `within:N:GAME` prove of a position and of its moves."""

from __future__ import annotations

import pytest
from services import Service
from values_by_definition import minimax

from proofbase.engine.games import open_game
from proofbase.engine.rules import Within, open_rules
from proofbase.service.client import Client
from proofbase.service.client.shortest import ShortestWin, shortest_win, trial
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.storage import Claim, Record, Side, encode_record

MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def shortest(client: Client, game: str, position: str) -> int | None:
    return shortest_win(client, game, position, lambda job: client.wait(job.id)).plies


def test_both_halves_of_a_distance_are_in_an_answer(service: Service) -> None:
    assert shortest(service.client, "chess", MORPHY) == 3
    plain = service.client.lookup("chess", MORPHY)
    assert (plain.rank, plain.no_win_within, plain.no_loss_within) == (3, 0, 0)
    answer = service.client.lookup("chess", MORPHY, distances=True)
    assert (answer.rank, answer.no_win_within) == (3, 1)
    assert answer.witness == "Ra6"
    game = open_game("chess")
    after = game.text(game.play(game.parse(MORPHY), game.parse_move(game.parse(MORPHY), "Ra6")))
    lost = service.client.lookup("chess", after, distances=True)
    assert lost.value.upper == -1 and lost.rank == 2


def test_distances_of_positions_and_moves_are_those_of_brute_force(service: Service) -> None:
    game, start = open_rules("tic-tac-toe"), "xo./.../..."
    assert shortest(service.client, game.name, start) is not None
    answers = [service.client.lookup(game.name, start, distances=True)]
    line = service.client.line(game.name, start)
    answers += [service.client.lookup(game.name, step.position, distances=True) for step in line.steps[:-1]]
    proved = 0
    for answer in answers:
        position = game.parse(answer.position)
        facts = [(position, answer.no_win_within, answer.no_loss_within, 1)]
        for move in answer.moves:
            child = game.play(position, move.number)
            facts.append((child, move.no_loss_within - 1, move.no_win_within - 1, -1))
        for where, no_win, no_loss, _ in facts:
            for plies, wrong in ((no_win, lambda value: value > 0), (no_loss, lambda value: value < 0)):
                if plies > 0:
                    proved += 1
                    within = Within(plies, game)
                    assert not wrong(minimax(within, within.parse(f"{game.text(where)} plies={plies}")))
    assert proved >= 3


def test_an_open_question_says_how_far_it_is_refuted(service: Service) -> None:
    start = "8/8/8/8/8/2k5/8/K2R4 w - - 0 1"
    rules = open_game("within:3:chess")
    job = service.client.start_solve(rules.name, f"{start} plies=3", at_least=1)
    service.client.wait(job.id)
    answer = service.client.lookup("chess", start, distances=True)
    assert not answer.known and answer.no_win_within == 3 and answer.no_loss_within == 0


def test_damaged_and_foreign_records_prove_nothing(service: Service) -> None:
    game = open_rules("within:5:random-graph:rewards=2,nodes=40,seed=2")
    key = game.key(game.initial())
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 5)]))
    service.store.put_many(game.name, [(key, record)], source="test", rules_version=game.rules_version)
    inner = game.name.split(":", 2)[2]
    answer = service.client.lookup(inner, distances=True)
    assert answer.no_win_within == 0, "a bound within n plies says nothing of a game with rewards"


@pytest.mark.parametrize("position", ["-", MORPHY])
def test_a_store_without_such_records_proves_nothing(service: Service, position: str) -> None:
    answer = service.client.lookup("chess", position, distances=True)
    assert (answer.no_win_within, answer.no_loss_within) == (0, 0)
    assert answer == service.client.lookup("chess", position)


def asked_within(client: Client, fen: str, budget: Budget | None = None) -> tuple[ShortestWin, list[int]]:
    """What is found of the shortest mate, and the plies that were asked about, in turn."""
    found = shortest_win(client, "chess", fen, lambda job: client.wait(job.id), budget=budget)
    games = [job.spec.game for job in found.jobs if isinstance(job.spec, SolveSpec)]
    return found, [int(game.split(":")[1]) for game in games if game != "chess"]


def test_a_win_that_a_trial_sees_leaves_one_refutation(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short trial sees a mate in eight sooner than that in seven."""
    monkeypatch.setattr(trial, "HARD_NODES", 500)
    monkeypatch.setattr(trial, "TRIAL_NODES", (2_000, 18_000))
    fen = "8/3p4/3p4/8/2N5/1P3K2/1R6/k7 w - - 0 1"
    found, asked = asked_within(service.client, fen)
    assert (found.plies, found.no_win_within) == (13, 11)
    assert asked == [1, 3, 5, 7, 9, 11, 13, 15, 13, 11]
    assert service.client.lookup("chess", fen, distances=True).no_win_within == 11


@pytest.mark.slow
def test_shorter_wins_are_refuted_where_the_budget_does_not_suffice_for_all(service: Service) -> None:
    fen = "8/8/8/7K/6Np/7p/7N/7k w - - 0 1"
    found, asked = asked_within(service.client, fen, Budget(nodes=1_200_000))
    assert (found.plies, found.win_within, found.reason) == (None, 19, "nodes")
    assert asked == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 17, 13, 15]
    assert found.no_win_within == 13
