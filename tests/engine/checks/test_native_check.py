"""The native local check against the one in Python: the same findings on sound, mutated and random records."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from reference_records import exact_claims, exact_records
from trials import load_trial

from proofbase.engine import open_rules
from proofbase.engine._core import RecordTable, Search, open_game, python_game
from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.errors import ContradictionError
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    merge_claims,
    search_payload,
    table_payload,
)

Records = dict[bytes, bytes]


def findings_of_python(rules: Any, records: Records) -> list[Finding]:
    check = LocalCheck(rules)
    return sorted(check.findings(list(records.items()), lambda keys: [None] * len(keys)), key=order)


def said(finding: Finding) -> tuple[Any, ...]:
    """The whole finding; what rules say of a bad key each says in its own words."""
    return tuple(finding)[:3] if finding.rule in ("malformed", "rules") else tuple(finding)


def order(finding: Finding) -> tuple[bytes, str]:
    return finding.key, str(finding.claim)


def load(game: Any, records: Records) -> RecordTable:
    table = RecordTable(game)
    assert table.load(records.items()) == len(records)
    return table


def compare(game: Any, rules: Any, records: Records) -> list[Finding]:
    report = load(game, records).check()
    expected = findings_of_python(rules, records)
    assert [said(finding) for finding in sorted(report.findings, key=order)] == [said(finding) for finding in expected]
    assert report.checked == len(records) and report.failed == len({finding.key for finding in expected})
    return expected


def solved(name: str) -> Records:
    """Records of a small game by search: with evidence by children and by small searches."""
    game = open_game(name)
    table = RecordTable(game)
    for threshold in (0, 1):
        search = Search(game, game.initial(), threshold, algorithm="pn-tree")
        search.run()
        for chunk in search.solution(small_search_nodes=0).chunks(10_000):
            table.load(chunk)
    return dict(item for chunk in table.chunks(10_000) for item in chunk)


def changed(random: Random, records: Records, game: Any) -> Records:
    """One to four changes of claims, or records missing, or records under wrong keys."""
    result = dict(records)
    for _ in range(random.randint(1, 4)):
        key = random.choice(list(result))
        claims = list(decode_record(result[key]).claims)
        claim = claims.pop(random.randrange(len(claims)))
        kind = random.randrange(8)
        bound, rank, witness, evidence, payload = (
            claim.bound, claim.rank, claim.witness, claim.evidence, claim.payload)  # fmt: skip
        if kind == 0:
            bound += random.choice((-1, 1))
        elif kind == 1:
            rank = max(0, rank + random.randint(-3, 2))
        elif kind == 2 and claim.side == Side.LOWER:
            witness = random.randrange(12)
        elif kind == 3:
            evidence = random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS))
            payload = search_payload(random.choice((1, 3, 40, 10_000)))
        elif kind == 4:
            evidence, payload = Evidence.CHILDREN, b""
        elif kind == 5:
            evidence, payload = Evidence.TABLE, table_payload("some table")
        elif kind == 6:
            del result[key]
            continue
        else:  # a key of no position, of another orientation, of another position, or of a finished game
            position = game.position(key)
            move = random.choice(game.moves(position))
            other = random.choice([random.randbytes(len(key)), position, game.play(position, move)])
            result[other if isinstance(other, bytes) else game.key(other)] = result.pop(key)
            continue
        try:
            one = Claim(claim.side, bound, rank, evidence, witness, payload)
            result[key] = encode_record(merge_claims([one, *claims]))
        except ContradictionError:
            continue
    return result


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:4x4", "connect-four:5x3,score"])
def test_native_and_python_check_find_the_same(name: str, thorough: bool) -> None:
    game, rules, random = open_game(name), open_rules(name), Random(name)
    records = solved(name)
    claims = [claim for record in records.values() for claim in decode_record(record).claims]
    assert {claim.evidence for claim in claims} >= {Evidence.CHILDREN}
    assert compare(game, rules, records) == []
    rules_broken = set()
    for _ in range(80 if thorough else 40):
        mutated = changed(random, dict(random.sample(sorted(records.items()), min(len(records), 300))), game)
        found = compare(game, rules, {key: record for key, record in mutated.items() if len(key) == game.key_size})
        rules_broken |= {finding.rule for finding in found}
    assert rules_broken >= {"child", "witness", "search", "evidence", "malformed"}


def test_native_and_python_check_agree_on_random_graphs_with_cycles_and_rewards(thorough: bool) -> None:
    trial, random = load_trial("checks/trial_fact_model"), Random(11)
    sound = broken = 0
    graphs = 250 if thorough else 100
    for _ in range(graphs):
        rules = trial.draw_graph(random)[0]
        game = python_game(rules)
        exact = exact_claims(rules.graph)
        for round_ in range(6):
            claims = trial.mutated(random, exact) if round_ else exact
            records = {rules.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
            try:
                found = compare(game, rules, records)
            except ContradictionError:
                continue  # a table refuses such a record; LocalCheck reports it
            if round_ == 0:
                assert not found
            sound += not found
            broken += bool(found)
    assert sound > graphs and broken > graphs


def test_every_single_change_of_a_solution_is_found_or_harmless() -> None:
    """All single changes of bound, rank and witness of the tic-tac-toe solution: what passes is true."""
    rules, game = open_rules("tic-tac-toe"), open_game("tic-tac-toe")
    records = solved("tic-tac-toe")
    truth = {key: decode_record(record).claims for key, record in exact_records(rules).items()}
    table = load(game, records)
    found = harmless = 0
    for key, record in records.items():
        for claim in decode_record(record).claims:
            variants = [replace(claim, bound=claim.bound + step) for step in (-1, 1)]
            variants += [replace(claim, rank=rank) for rank in range(claim.rank + 3)]
            if claim.side == Side.LOWER:
                variants += [replace(claim, witness=move) for move in range(9)]
            for variant in variants:
                table.remove([key])
                table.put(key, encode_record(Record.of([variant])))
                if table.check().failed:
                    found += 1
                    continue
                harmless += 1
                exact = next(one for one in truth[key] if one.side == variant.side)
                assert variant.bound <= exact.bound if variant.side == Side.LOWER else variant.bound >= exact.bound
            table.remove([key])
            table.put(key, record)
    assert found > 500 and harmless > 100 and table.check().failed == 0


def test_findings_name_terminal_missing_and_malformed_keys() -> None:
    game = open_game("connect-four:4x4")
    position = game.initial()
    for move in (0, 1, 0, 1, 0, 1, 0):
        position = game.play(position, move)
    assert game.terminal(position) == -1
    record = encode_record(Record.of([Claim(Side.UPPER, 1, 3)]))
    turned = max(game.play(game.initial(), 0), game.play(game.initial(), 3))
    table = load(game, {game.key(position): record, b"\0\0\0": record, turned: record})
    report = table.check()
    assert {(finding.key, finding.claim, finding.rule) for finding in report.findings} == {
        (game.key(position), None, "terminal"),
        (b"\0\0\0", None, "malformed"),
        (turned, None, "malformed"),
    }
    assert [finding.rule for finding in table.check([game.key(game.initial())]).findings] == ["missing"]
    assert "not canonical" in next(finding.detail for finding in report.findings if finding.key == turned)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:4x3"])
def test_missing_below_and_dependents_are_what_the_claims_say(name: str, thorough: bool) -> None:
    game, rules, random = open_game(name), open_rules(name), Random(2)
    records = solved(name)
    table = load(game, records)
    root = game.key(game.initial())
    assert table.missing() == []
    below = table.below(root)
    assert below == sorted(below) and root in below
    assert load(game, {key: records[key] for key in below}).check().failed == 0

    for _ in range(4 if thorough else 2):
        gone = random.sample(sorted(records), 5)
        rest = load(game, {key: record for key, record in records.items() if key not in gone})
        # Fixpoint by brute force: check everything again until nothing more fails.
        kept, failed = {key: record for key, record in records.items() if key not in gone}, set[bytes]()
        while found := {finding.key for finding in findings_of_python(rules, kept)}:
            failed |= found
            kept = {key: record for key, record in kept.items() if key not in found}
        assert table.dependents(gone) == sorted(failed)
        missing = rest.missing()
        assert missing == sorted(set(missing)) and set(missing) <= set(gone)
        assert {finding.key for finding in rest.check().findings} <= failed | set(missing)
        wanted = [child for key in list(rest.below(root))[:50] for child in rest.missing([key])]
        assert set(wanted) <= set(missing)
    assert table.dependents([]) == [] and table.dependents([b"\xff" * game.key_size]) == []
    assert table.below(b"\xff" * game.key_size) == []
