"""The fact model (docs/fact-model.md): local checks imply truth. The long trial is trial_fact_model.py."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from reference_records import exact_records
from small_graphs import graph_of
from trials import load_trial

from proofbase.engine import open_rules
from proofbase.engine.checking import checker
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.papers.reference.pn_search import multi_valued_pn_search
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
    search_payload,
    table_payload,
)
from proofbase.engine.rules import Game


def findings(game: Game[int], records: dict[bytes, bytes]) -> list[tuple[bytes, str]]:
    found = LocalCheck(game).findings(list(records.items()), lambda keys: [None] * len(keys))
    return [(finding.key, finding.rule) for finding in found]


def key(node: int) -> bytes:
    return node.to_bytes(4, "big")


def test_whatever_passes_every_local_check_is_true(thorough: bool) -> None:
    graphs = 800 if thorough else 160
    counts = load_trial("checks/trial_fact_model").run(graphs=graphs, seed=2026, mutations=12)
    assert counts.graphs == graphs
    # The trial only says something if it saw all kinds of sets, passing and false ones above all.
    share = graphs / 800
    assert counts.cyclic > 500 * share
    assert counts.with_rewards > 300 * share
    assert counts.by_strategies > 300 * share
    assert counts.mutated_passing > 1500 * share
    assert counts.mutated_false > 2000 * share
    assert counts.random_claims_false > 5000 * share
    assert counts.random_claims_passing > 10_000 * share
    assert counts.merged_records_with_several_claims > 1000 * share


def test_a_trial_finds_the_fault_when_ranks_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial can fail: without the falling rank, false claims carry each other around a cycle."""
    trial = load_trial("checks/trial_fact_model")

    check = checker.broken_rule

    def without_ranks(game: Any, position: Any, claim: Any, moves: Any, records: checker.Records, *rest: Any) -> str:
        low = {key: [other._replace(rank=-1) for other in claims] for key, claims in records.items()}
        return check(game, position, claim, moves, low, *rest)

    def passes(game: ExplicitGame, claims: dict[int, tuple[Claim, ...]]) -> bool:
        return not findings(game, {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()})

    monkeypatch.setattr(checker, "broken_rule", without_ranks)
    monkeypatch.setattr(trial, "passes", passes)
    monkeypatch.setattr(trial, "passing_claims", lambda game, claims: {})
    with pytest.raises(AssertionError):
        trial.run(graphs=300, seed=1, mutations=30)


def test_a_key_that_is_not_canonical_is_no_key_of_a_record() -> None:
    """Rules of a user may take any key: that of the position decides."""

    class TakesAnyKey(ExplicitGame):
        def position(self, key: bytes) -> int:
            return super().position(key[-4:])

    game = TakesAnyKey(graph_of([[(1, 0)], []], {1: -1}, [0, 0]))
    record = encode_record(Record.of([Claim(Side.LOWER, 1, 1, witness=0)]))
    assert findings(game, {key(0): record}) == []
    assert findings(game, {b"x" + key(0): record}) == [(b"x" + key(0), "malformed")]


def test_a_progress_claim_cannot_rest_on_a_cycle() -> None:
    # 0 <-> 1, and 0 may give up. Endless play is worth 0; "0 wins" would carry itself round the cycle.
    game = ExplicitGame(graph_of([[(1, 0), (2, 0)], [(0, 0)], []], {2: 1}, [0, 0, 0]))
    assert values(game.graph) == [0, 0, 1]
    for ranks in ((1, 1), (1, 2), (2, 1), (9, 8), (0, 0)):
        false = {
            key(0): encode_record(Record.of([Claim(Side.LOWER, 1, ranks[0], witness=0)])),
            key(1): encode_record(Record.of([Claim(Side.UPPER, -1, ranks[1])])),
        }
        assert findings(game, false)
    true = {
        key(0): encode_record(Record.of([Claim(Side.LOWER, 0, 0, witness=0), Claim(Side.UPPER, 0, 0)])),
        key(1): encode_record(Record.of([Claim(Side.LOWER, 0, 0, witness=0), Claim(Side.UPPER, 0, 0)])),
    }
    assert findings(game, true) == []
    assert exact_records(game) == true


def test_repetition_may_be_worth_something() -> None:
    # Endless play is worth 1 to the side that moves at 0. The other side moves at 1, and can only give up in 3.
    edges = [[(1, 0), (2, 0)], [(0, 0), (3, 0)], [], []]
    game = ExplicitGame(graph_of(edges, {2: 0, 3: 1}, [1, -1, 1, 1]))
    assert values(game.graph) == [1, -1, 0, 1]
    assert findings(game, exact_records(game)) == []
    drawn = ExplicitGame(graph_of(edges, {2: 0, 3: 1}, [0, 0, 0, 0]))
    assert values(drawn.graph) == [0, 0, 0, 1]
    assert findings(drawn, exact_records(game)) != []


def test_rewards_are_counted_and_progress_may_rest_on_safety() -> None:
    # 0 takes 2 and enters the drawn cycle 1 <-> 2: a progress claim on top of a safety claim.
    game = ExplicitGame(graph_of([[(1, 2)], [(2, 0)], [(1, 0)]], {}, [0, 0, 0]), highest_value=2)
    records = exact_records(game)
    assert values(game.graph) == [2, 0, 0]
    assert decode_record(records[key(0)]).claims == (Claim(Side.LOWER, 2, 1, witness=0), Claim(Side.UPPER, 2, 0))
    assert findings(game, records) == []


def test_safety_claims_have_rank_0() -> None:
    game = ExplicitGame(graph_of([[(1, 0)], [(0, 0)]], {}, [0, 0]))
    records = {
        key(0): encode_record(Record.of([Claim(Side.LOWER, 0, 3, witness=0)])),
        key(1): encode_record(Record.of([Claim(Side.UPPER, 0, 0)])),
    }
    assert findings(game, records) == [(key(0), "safety-rank")]


def test_every_broken_rule_is_named() -> None:
    game = ExplicitGame(graph_of([[(1, 0), (2, 0)], [(2, 0), (3, 0)], [], []], {2: -1, 3: 1}))
    good = exact_records(game)
    assert findings(game, good) == []
    lower, upper = decode_record(good[key(0)]).claims

    def broken(*claims: Claim, at: bytes = key(0)) -> list[str]:
        return [rule for _, rule in findings(game, {**good, at: encode_record(Record(claims))})]

    assert broken(Claim(Side.LOWER, 1, 1, witness=7)) == ["witness"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=0)) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 0, witness=1)) == ["child"]
    assert broken(Claim(Side.UPPER, 0, 5)) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.TABLE, payload=table_payload("pieces"))) == [
        "evidence"
    ]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.LINE, payload=line_payload([1]))) == []
    assert broken(Claim(Side.LOWER, 1, 2, witness=1, evidence=Evidence.LINE, payload=line_payload([1]))) == ["line"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=0, evidence=Evidence.LINE, payload=line_payload([1]))) == ["line"]
    assert broken(Claim(Side.UPPER, 0, 5, evidence=Evidence.LINE, payload=line_payload([1, 1]))) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.SEARCH, payload=search_payload(1))) == []
    assert broken(Claim(Side.LOWER, 1, 2, witness=0, evidence=Evidence.SEARCH, payload=search_payload(9))) == ["search"]
    assert broken(Claim(Side.LOWER, 1, 0, witness=1, evidence=Evidence.SEARCH, payload=search_payload(9))) == ["search"]
    assert broken(lower, upper, at=key(2)) == ["terminal"]
    assert broken(lower, upper, at=key(9)) == ["malformed"]
    assert "contradiction" in broken(lower, Claim(Side.UPPER, 0, 2))
    assert findings(game, {**good, key(0): b"\x11"}) == [(key(0), "malformed")]
    del good[key(1)]
    assert findings(game, good) == []  # 0 wins by its second move at once, and 1 is the limit of all values
    assert broken(Claim(Side.UPPER, 0, 2)) == ["child"]


def test_records_are_checked_in_chunks() -> None:
    game = open_rules("connect-four:3x3")
    records = exact_records(game)
    items, asked = list(records.items()), list[bytes]()

    def get_many(keys: list[bytes]) -> list[bytes | None]:
        asked.extend(keys)
        return [records.get(key) for key in keys]

    check = LocalCheck(game)
    for start in range(0, len(items), 50):
        assert list(check.findings(items[start : start + 50], get_many)) == []
    assert check.checked == len(items) > 300
    assert asked
    broken = [
        finding
        for start in range(0, len(items), 50)
        for finding in LocalCheck(game).findings(items[start : start + 50], lambda keys: [None] * len(keys))
    ]
    assert {finding.rule for finding in broken} == {"child"}


def test_rules_that_raise_are_a_finding() -> None:
    class Raising(ExplicitGame):
        def play(self, position: int, move: int) -> int:
            raise ZeroDivisionError

    graph = graph_of([[(1, 0)], []], {1: 0})
    assert set(findings(Raising(graph), exact_records(ExplicitGame(graph)))) == {(key(0), "rules")}


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:3x3", "connect-four:4x3", "connect-four:2x5"])
def test_exact_records_of_games_pass_and_agree_with_pn_search(name: str) -> None:
    game = open_rules(name)
    records = exact_records(game)
    assert findings(game, records) == []
    lower, upper = decode_record(records[game.key(game.initial())]).claims
    assert lower.bound == upper.bound == 0
    random = Random(name)
    for key in random.sample(sorted(records), 12):
        position = game.position(key)
        if len(game.moves(position)) <= 5:
            exact = decode_record(records[key]).claims[0].bound
            assert multi_valued_pn_search(game, position, -1, 1) == exact
