"""Records that rest on threat trees: served, told in words, verified, exported and imported."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from services import Service
from threat_claims import Example, game_of, random_example

from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import by_threats, check_certificate, wins_by_move
from proofbase.engine.checking.parallel_check import check_with_processes
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    ThreatNode,
    ThreatTrees,
    encode_record,
    threats_payload,
)
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.words.evidence import evidence_text

NAME = "gomoku:7x7-4"


@pytest.fixture(scope="module")
def example() -> Example:
    """A loss by threats with replies that have records of their own."""
    game, random = game_of(NAME), Random("served")
    while True:
        found = random_example(game, random)
        if found.threats.named and found.threats.trees:
            return found


@pytest.fixture
def stored(service: Service, example: Example) -> Service:
    key = example.game.key(example.position)
    records = {**example.children, key: encode_record(Record.of([example.claim]))}
    service.store.put_many(NAME, sorted(records.items()), source="a test", rules_version=1)
    return service


def test_a_lookup_tells_the_trees(stored: Service, example: Example) -> None:
    game = example.game
    for text in (game.text(example.position), "/".join(reversed(game.text(example.position).split("/")))):
        position = game.parse(text)
        answer = stored.client.lookup(NAME, text)
        (claim,) = answer.claims
        threats = claim.threats
        assert claim.evidence == "threats" and threats is not None and threats.against_pass
        assert (threats.trees, threats.nodes) == (1 + len(example.threats.trees), example.threats.nodes)
        children = {game.key(game.play(position, game.parse_move(position, move))) for move in threats.named}
        assert children == set(example.children)
        words = evidence_text(claim)
        assert f"{threats.trees} threat trees of {threats.nodes} nodes; one against a pass" in words
        assert words.endswith(f"replies with records: {' '.join(threats.named)}")


def test_a_proof_goes_on_below_the_named_replies(stored: Service, example: Example) -> None:
    proof = stored.client.proof(NAME, example.game.text(example.position))
    assert [node.kind for node in proof.nodes] == ["inner"] + ["leaf"] * len(example.threats.named)
    assert {node.key for node in proof.nodes[1:]} == set(example.children)
    assert all(node.claim.threats is not None for node in proof.nodes)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_verification_accepts_the_records(stored: Service, rules: str) -> None:
    verified = stored.client.verify(NAME, rules=rules).result  # type: ignore[arg-type]
    assert verified is not None and (verified.checked, verified.failed) == (len(dict(stored.store.scan(NAME))), 0)


@pytest.mark.parametrize("zones", [False, True])
def test_a_verification_uses_zones_if_asked_for(stored: Service, zones: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    def check(*arguments: Any) -> str:
        used.append(arguments[-1])
        return by_threats(*arguments)

    monkeypatch.setattr("proofbase.engine.checking.checker.by_threats", check)
    for rules in ("native", "python"):
        job = stored.client.verify(NAME, rules=rules, zones=zones)  # type: ignore[arg-type]
        assert job.spec.zones is zones and job.result is not None and job.result.failed == 0
    assert used == [zones] * job.result.checked


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
def test_exports_are_imported_again(stored: Service, example: Example, form: str) -> None:
    text = example.game.text(example.position)
    data = b"".join(stored.client.export(NAME, text, form=form))  # type: ignore[arg-type]
    if form == "certificate":
        for zones in (False, True):
            result = check_certificate(data, zones=zones)
            assert result.valid and result.header["upper"] == -1
            assert check_with_processes(data, processes=2, zones=zones) == result
    before = dict(stored.store.scan(NAME))
    imported = stored.client.import_([data], form=form)  # type: ignore[arg-type]
    assert imported.unchanged == len(before)
    assert dict(stored.store.scan(NAME)) == before


OPEN_THREES = "........./........./...xxx..." + 3 * "/........." + "/...ooo..." + 2 * "/........."


def by_witness(game: Gomoku, square: str) -> tuple[bytes, bytes]:
    """The record of x's win in five plies by a double threat, with a witness and the tree that begins with it."""
    position = game.position(game.key(game.parse(OPEN_THREES)))
    move = game.parse_move(position, square)
    claim = Claim(Side.LOWER, 1, 5, Evidence.THREATS, move, threats_payload(ThreatTrees(passed=ThreatNode(move))))
    return game.key(position), encode_record(Record.of([claim]))


def test_a_witness_that_loses_is_refused_and_named(service: Service) -> None:
    """e5 is a smaller witness than the right ones: of equal claims a merge keeps the smallest."""
    game = game_of("gomoku:9x9")
    position = game.position(game.key(game.parse(OPEN_THREES)))
    good = [
        game.move_text(position, move)
        for move in game.moves(position)
        if wins_by_move(game.threat_rules(), ThreatNode(move), *game.threat_rules().stones(position))
    ]
    assert len(good) == 2
    honest, forged = by_witness(game, good[0]), by_witness(game, "e5")
    assert game.parse_move(position, "e5") < min(game.parse_move(position, name) for name in good)
    file = list(certificate_chunks(game, position, [forged]))
    assert not check_certificate(b"".join(file)).valid
    service.client.import_(list(certificate_chunks(game, position, [honest])))
    with pytest.raises(UnsoundRecordsError, match="the side to move wins, not by the witness"):
        service.client.import_(file)
    answer = service.client.lookup("gomoku:9x9", game.text(position))
    assert answer.witness == good[0] and answer.moves[0].move == good[0]
    service.client.import_(list(certificate_chunks(game, position, [by_witness(game, good[1])])))
    assert service.client.lookup("gomoku:9x9", game.text(position)).witness in good
    service.store.put_many("gomoku:9x9", [forged], source="an older release", rules_version=1)
    for rules in ("native", "python"):
        found = service.client.verify("gomoku:9x9", rules=rules).result  # type: ignore[arg-type]
        assert found is not None and found.failed == 1
        (finding,) = found.findings
        assert (finding.rule, finding.detail) == ("threats", "the side to move wins, not by the witness")
