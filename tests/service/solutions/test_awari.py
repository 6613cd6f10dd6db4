"""A game of rewards, cycles and many values through the service; its solution comes from the rules, not a search."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from awari_positions.endgames import endgames, solution
from services import MakeService, Service

from proofbase.engine.papers.reference.graph import values
from proofbase.engine.rules import Awari
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.client import VerificationResult
from proofbase.service.positions.probe import best_first

GAME = Awari()
STONES = 4
ROOT = "24:0,0,1,0,1,0/1,0,0,0,0,1:20/S"


def fill(service: Service) -> Service:
    service.store.put_many("awari", solution(STONES).items(), source="retrograde", rules_version=1)
    return service


def test_lookups_show_the_value_and_the_best_moves(make_service: MakeService) -> None:
    client = fill(make_service()).client
    graph, positions = endgames(STONES)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    for key in Random("lookups").sample(sorted(positions), 150):
        position = positions[key]
        answer = client.lookup("awari", GAME.text(position))
        assert answer.value == Value.of(worth[key])
        gains = {
            GAME.move_text(position, move): GAME.reward(position, move) - worth[GAME.key(GAME.play(position, move))]
            for move in GAME.moves(position)
            if not answer.terminal
        }
        assert {move.move: move.value.lower for move in answer.moves} == gains
        assert [move.value.lower for move in answer.moves] == sorted(gains.values(), reverse=True)
        assert answer.witness is None if answer.terminal else gains[str(answer.witness)] == worth[key]
    keys = sorted(positions)
    packed = client.batch_lookup_keys("awari", keys)
    assert [lower for lower, upper in packed.bounds() if lower == upper] == [worth[key] for key in keys]


def test_a_line_earns_the_value_of_the_position(make_service: MakeService) -> None:
    service = fill(make_service())
    graph, positions = endgames(STONES)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    ends = set()
    for key in Random("lines").sample(sorted(solution(STONES)), 60):
        line = service.client.line("awari", GAME.text(positions[key]))
        position, score, sign = positions[key], 0, 1
        for step in line.steps:
            score += sign * GAME.reward(position, step.number)
            position, sign = GAME.play(position, step.number), -sign
        assert GAME.text(position) == line.last_position
        assert score + sign * (GAME.terminal(position) or 0) == worth[key]
        ends.add(line.stop)
    assert ends == {"end_of_game", "repetition"}


def test_of_equal_gains_the_one_whose_claim_is_nearest_comes_first() -> None:
    exact = Value.of(3)
    capture = MoveAnswer("A1x2", 0, exact, 31, True, "", False)  # gains at once, and the rest takes long
    other = MoveAnswer("B1", 1, exact, 25, True, "", False)
    assert best_first([other, capture], {0: 0, 1: 24}) == [capture, other]
    assert best_first([capture, other]) == [other, capture]


@pytest.mark.parametrize("rules", ["native", "python"])
def test_records_are_verified_exported_checked_and_imported(
    make_service: MakeService, rules: str, tmp_path: Path
) -> None:
    service, other = fill(make_service()), make_service(str(tmp_path / "store"))
    verified = service.client.verify("awari", rules=rules).result  # type: ignore[arg-type]
    assert isinstance(verified, VerificationResult)
    assert (verified.checked, verified.failed) == (len(solution(STONES)), 0)
    certificate = b"".join(service.client.export("awari", ROOT))
    small = other.client.import_([certificate])
    assert 0 < small.added < 100, "mostly claims by small search"
    found = other.client.verify("awari", ROOT, rules=rules).result  # type: ignore[arg-type]
    assert isinstance(found, VerificationResult) and (found.checked, found.failed) == (small.added, 0)
    whole = b"".join(service.client.export("awari", ROOT, form="jsonl"))
    imported = other.client.import_([whole], form="jsonl")
    assert imported.records > 800
    answer = other.client.lookup("awari", ROOT)
    assert (answer.value.lower, answer.value.upper, answer.position) == (-4, -4, ROOT)
    assert other.client.proof("awari", ROOT).nodes[0].kind == "inner"
    checked = other.client.verify("awari", ROOT, rules=rules).result  # type: ignore[arg-type]
    assert isinstance(checked, VerificationResult)
    assert checked.failed == 0 and checked.checked == imported.records


@pytest.mark.parametrize("algorithm", ["auto", "pn-base-twin+mobility", "pn-cyclic"])
def test_a_solve_is_stored_and_verified_by_both_rules(make_service: MakeService, algorithm: str) -> None:
    service = make_service()
    job = service.client.solve("awari", ROOT, algorithm=algorithm)
    assert job.state == "done"
    if algorithm == "pn-cyclic" and service.client.lookup("awari", ROOT).value != Value.of(-4):
        assert job.result.unknown_reason == "repetition"  # type: ignore[union-attr]
    else:
        assert service.client.lookup("awari", ROOT).value == Value.of(-4)
    for rules in ("native", "python"):
        verified = service.client.verify("awari", rules=rules).result  # type: ignore[arg-type]
        assert isinstance(verified, VerificationResult)
        assert (verified.checked, verified.failed) == (service.store.count("awari"), 0)
