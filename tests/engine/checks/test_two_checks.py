"""The record encoding exists three times and the local check twice; here they are held against each other."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from reference_records import exact_claims, exact_records
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking import checker
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import MalformedRecordError
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    merge_claims,
    search_payload,
)

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")


def test_two_checks_find_the_same_records_of_random_graphs() -> None:
    trial = load_trial("checks/trial_fact_model")
    counts: Counter[str] = Counter()
    for number in range(250):
        random = Random(f"three {number}")
        game, _, others = trial.draw_graph(random)
        game.highest_value = max(game.highest_value, *(abs(rho or 0) for rho in game.graph.rho))  # asked of all games
        native = core.python_game(game)
        exact = exact_claims(game.graph)
        bases = [exact, *(trial.misjudged(random, game.graph, other) for other in others)]
        for turn in range(12):
            claims = trial.mutated(random, bases[turn % len(bases)])
            records = {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
            found = list(LocalCheck(game).findings(list(records.items()), lambda keys: [None] * len(keys)))
            by_python = {(f.key, f.rule) for f in found if f.rule != "contradiction"}
            table = core.RecordTable(native)
            faults: list[Any] = []
            table.load(records.items(), faults)
            report = table.check()
            by_native = {(f.key, f.rule) for f in report.findings}
            if not faults:  # the native table refuses contradictions when it loads
                assert by_python == by_native
                counts["compared"] += 1
                counts["passing"] += not by_native
    assert counts["compared"] > 2000
    assert counts["passing"] > 300


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:3x3", "connect-four:2x5,score"])
def test_native_and_python_rules_find_the_same_faults(name: str) -> None:
    game, native = open_rules(name), open_game(name)
    records = exact_records(game)
    random = Random(name)
    for _ in range(10):
        changed = dict(records)
        for key in random.sample(sorted(changed), 8):
            data = bytearray(changed[key])
            data[random.randrange(1, len(data))] ^= 1 << random.randrange(8)
            changed[key] = bytes(data)
        table = core.RecordTable(native)
        faults: list[Any] = []
        table.load(changed.items(), faults)
        bad = {fault.key for fault in faults} | {finding.key for finding in table.check().findings}
        found = LocalCheck(game).findings(list(changed.items()), lambda keys: [None] * len(keys))
        python = {finding.key for finding in found}
        # A contradictory record does not get into a native table, so that what rests on it fails there as well.
        assert python == bad or (python < bad and any(fault.rule == "contradiction" for fault in faults))


def test_three_readers_read_any_bytes_alike() -> None:
    game = open_game("tic-tac-toe")
    key = game.key(game.initial())
    random = Random(11)
    counts: Counter[str] = Counter()
    for _ in range(40_000):
        head = 0x10 | random.randint(1, 2)
        body = [random.choice((0, 1, 2, 3, 6, 7, 127, 129, 255, random.randrange(256))) for _ in range(10)]
        data = bytes([head, *body[: random.randint(2, 10)]])
        try:
            record = decode_record(data)
        except MalformedRecordError:
            record = None
        faults: list[Any] = []
        core.RecordTable(game).load([(key, data)], faults)
        contradiction = bool(faults) and faults[0].rule == "contradiction"
        assert (record is not None) == (not faults or contradiction), (data.hex(), faults)
        if record is not None and not record.has_sources:
            for first, second in zip(record.claims, checker.read_record(data), strict=True):
                assert (first.side.name.lower(), first.bound, first.rank) == (second.side, second.bound, second.rank)
                assert (first.witness, first.evidence.name.lower()) == (second.witness, second.evidence)
        counts["refused" if record is None else "read"] += 1
    assert counts["read"] > 1500


@pytest.mark.parametrize(("first", "second"), [(129, 256), (127, 128), (300, 40), (7, 7), (1000, 999)])
def test_of_two_equal_claims_by_search_python_and_core_keep_the_same(first: int, second: int) -> None:
    """Payloads are compared as they are encoded: of 129 and 256 nodes (81 01 and 80 02) the second is kept."""
    game = open_game("tic-tac-toe")
    key = game.key(game.initial())
    claims = [Claim(Side.LOWER, 1, 3, Evidence.SEARCH, 2, search_payload(nodes)) for nodes in (first, second)]
    table = core.RecordTable(game)
    for claim in claims:
        table.put(key, encode_record(Record.of([claim])))
    assert table.get(key) == encode_record(merge_claims(claims))
