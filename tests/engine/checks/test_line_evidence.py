"""Claims that rest on forcing lines: what passes the three local checks, and that changed lines are found."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import checker, open_game, open_rules
from proofbase.engine.evidence import reaches
from proofbase.engine.facts import LINE, LOWER, UPPER, Claim, LocalCheck, claim_lines, decode_record, encode_record

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

Records = dict[bytes, bytes]


def moves_as_bytes(*moves: int) -> bytes:
    assert all(move < 128 for move in moves)
    return bytes(moves)


def by_native(name: str, records: Records, key: bytes) -> list[str]:
    table = core.RecordTable(open_game(name))
    table.load(records.items())
    return [finding.rule for finding in table.check([key]).findings]


def by_facts(name: str, records: Records, key: bytes) -> list[str]:
    check = LocalCheck(open_rules(name))
    return [found.rule for found in check.findings([(key, records[key])], lambda keys: [records.get(k) for k in keys])]


def by_checker(name: str, records: Records, key: bytes) -> list[str]:
    decoded = {k: checker.read_record(record) for k, record in records.items()}
    return [found.rule.split(":")[0] for found in checker.check_record(open_rules(name), key, decoded[key], decoded)]


def broken(name: str, position: Any, claim: Claim, others: Records | None = None) -> list[str]:
    """The rules that a claim breaks, the same in all three checks."""
    key = open_rules(name).key(position)
    records = {**(others or {}), key: encode_record([claim])}
    found = by_native(name, records, key)
    assert by_facts(name, records, key) == found
    assert by_checker(name, records, key) == found
    return found


def canonical(name: str, text: str) -> Any:
    rules = open_rules(name)
    return rules.position(rules.key(rules.parse(text)))


def test_a_line_of_tic_tac_toe() -> None:
    """x . . / . x o / . . o with x to move: a reply is forced, then two lines are open."""
    name = "tic-tac-toe"
    position = canonical(name, "x../.xo/..o")
    rules = open_rules(name)
    lines = []
    for first in rules.moves(position):
        for reply in range(9):
            for last in range(9):
                line = [first, reply, last]
                if reaches(rules, position, 1, line):
                    lines.append(line)
    assert lines, "there is a forcing line"
    for line in lines:
        good = Claim(LOWER, 1, 3, line[0], LINE, moves_as_bytes(*line))
        assert broken(name, position, good) == []
        for rank in (1, 2, 4, 5):
            assert broken(name, position, Claim(LOWER, 1, rank, line[0], LINE, moves_as_bytes(*line))) == ["line"]
        witness = next(move for move in rules.moves(position) if move != line[0])
        assert broken(name, position, Claim(LOWER, 1, 3, witness, LINE, moves_as_bytes(*line))) == ["line"]
        for place in range(3):
            for other in range(9):
                changed = [*line[:place], other, *line[place + 1 :]]
                legal = changed[0] in rules.moves(position)
                claim = Claim(LOWER, 1, 3, changed[0], LINE, moves_as_bytes(*changed))
                expected = [] if changed in lines else ["line"] if legal else ["witness"]
                assert broken(name, position, claim) == expected
        for changed in (line[:1], line[:2], [*line, 0], [*line, 0, 1], []):
            assert broken(name, position, Claim(LOWER, 1, 3, line[0], LINE, moves_as_bytes(*changed))) == ["line"]
            claim = Claim(LOWER, 1, len(changed), line[0], LINE, moves_as_bytes(*changed))
            assert broken(name, position, claim) == ["line"]


def test_a_weaker_bound_may_rest_on_the_same_line() -> None:
    position = canonical("tic-tac-toe", "xx./oo./...")
    assert broken("tic-tac-toe", position, winning(position, 0)) == []
    assert broken("tic-tac-toe", position, winning(position, 1)) == []


def winning(position: str, bound: int) -> Claim:
    rules = open_rules("tic-tac-toe")
    move = next(move for move in rules.moves(position) if rules.terminal(rules.play(position, move)) == -1)
    return Claim(LOWER, bound, 1, move, LINE, moves_as_bytes(move))


def qubic_loss() -> tuple[Records, bytes]:
    """A solution of qubic and the key of an upper claim in it with several lines and with children's claims."""
    native, rules = open_game("qubic"), open_rules("qubic")
    cubes = {0: "x", 12: "x", 1: "o", 2: "o"}
    text = rules.text("".join(cubes.get(cube, ".") for cube in range(64)))
    search = core.Search(native, native.parse(text), 1, algorithm="pn-dag+threats")
    assert search.run().status == "proved"
    table = search.solution()
    assert table.check().failed == 0
    records = {key: record for chunk in table.chunks(1000) for key, record in chunk}
    key = max(records, key=lambda key: (sum(stone != "." for stone in rules.position(key)), len(records[key])))
    return records, key


def test_changed_lines_of_a_qubic_solution_are_found() -> None:
    """Every change of an upper claim by lines is found, or the claim still holds; the checks agree which."""
    records, key = qubic_loss()
    (claim,) = decode_record(records[key])[0]
    assert claim.side == UPPER and claim.evidence == LINE
    assert broken("qubic", open_rules("qubic").position(key), claim, records) == []
    random = Random("lines")
    found = 0
    lines = claim_lines(claim)
    for turn in range(6):
        changed = [list(line) for line in lines]
        line = random.choice(changed)
        match turn % 3:
            case 0:
                line[random.randrange(len(line))] = random.randrange(64)
            case 1:
                del line[-2:]
            case 2:
                changed.remove(line)
        payload = b"".join(bytes([len(line), *line]) for line in changed)
        mutated = Claim(UPPER, claim.bound, claim.rank, None, LINE, payload)
        mutation = {**records, key: encode_record([mutated])}
        rules = by_native("qubic", mutation, key)
        if turn < 2:
            assert by_checker("qubic", mutation, key) == rules
        found += rules == ["child"]
    assert found >= 4
    short = Claim(UPPER, claim.bound, 1, None, LINE, bytes(claim.payload))  # no line is short enough
    assert by_native("qubic", {**records, key: encode_record([short])}, key) == ["child"]
    cut = Claim(UPPER, claim.bound, claim.rank, None, LINE, bytes(claim.payload)[:-1])  # no lines at all
    assert by_native("qubic", {**records, key: encode_record([cut])}, key) == ["child"]


def test_an_upper_claim_needs_only_the_children_that_no_line_answers() -> None:
    records, _ = qubic_loss()
    table = core.RecordTable(open_game("qubic"))
    table.load(records.items())
    assert table.missing() == []
    rules = open_rules("qubic")
    parents = [k for k in records if decode_record(records[k])[0][0].side == UPPER and len(table.below(k)) > 1]
    assert parents
    parent = min(parents, key=lambda k: len(table.below(k)))
    below = set(table.below(parent))
    assert len(below) < len(rules.moves(rules.position(parent)))
    removed = sorted(below - {parent})
    table.remove(removed)
    assert parent in table.dependents(removed) or table.check([parent]).failed == 1
    assert set(table.missing([parent])) & set(removed)


def test_lines_are_the_payload_of_lower_and_of_upper_claims() -> None:
    assert claim_lines(Claim(LOWER, 1, 3, 5, LINE, moves_as_bytes(5, 6, 7))) == [[5, 6, 7]]
    assert claim_lines(Claim(LOWER, 1, 3, 5, LINE, b"")) == []
    assert claim_lines(Claim(UPPER, 0, 4, None, LINE, moves_as_bytes(1, 9, 3, 5, 6, 7))) == [[9], [5, 6, 7]]
    assert claim_lines(Claim(UPPER, 0, 4, None, LINE, moves_as_bytes(2, 9))) == []
