"""Claims that rest on forcing lines: what passes the local checks, and that changed lines are found."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.checker import line_reaches, read_record
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import (
    Claim,
    Evidence,
    MalformedRecordError,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
)
from proofbase.engine.rules.qubic import layers

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

Records = dict[bytes, bytes]


def lower_by_line(bound: int, rank: int, witness: int, line: Sequence[int]) -> Claim:
    return Claim(Side.LOWER, bound, rank, Evidence.LINE, witness, line_payload(line))


def upper_by_lines(bound: int, rank: int, numbers: Iterable[int]) -> Claim:
    """`numbers`: the lines, each as the number of its moves and the moves."""
    return Claim(Side.UPPER, bound, rank, Evidence.LINE, payload=line_payload(numbers))


def by_native(name: str, records: Records, key: bytes) -> list[str]:
    table = core.RecordTable(open_game(name))
    table.load(records.items())
    return [finding.rule for finding in table.check([key]).findings]


def by_python(name: str, records: Records, key: bytes) -> list[str]:
    check = LocalCheck(open_rules(name))
    return [found.rule for found in check.findings([(key, records[key])], lambda keys: [records.get(k) for k in keys])]


def broken(name: str, position: Any, claim: Claim, others: Records | None = None) -> list[str]:
    """The rules that a claim breaks, the same in Python and in native code."""
    key = open_rules(name).key(position)
    records = {**(others or {}), key: encode_record(Record.of([claim]))}
    found = by_native(name, records, key)
    assert by_python(name, records, key) == found
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
                if line_reaches(rules, position, 1, line):
                    lines.append(line)
    assert lines, "there is a forcing line"
    for line in lines:
        good = lower_by_line(1, 3, line[0], line)
        assert broken(name, position, good) == []
        for rank in (1, 2, 4, 5):
            assert broken(name, position, lower_by_line(1, rank, line[0], line)) == ["line"]
        witness = next(move for move in rules.moves(position) if move != line[0])
        assert broken(name, position, lower_by_line(1, 3, witness, line)) == ["line"]
        for place in range(3):
            for other in range(9):
                changed = [*line[:place], other, *line[place + 1 :]]
                legal = changed[0] in rules.moves(position)
                claim = lower_by_line(1, 3, changed[0], changed)
                expected = [] if changed in lines else ["line"] if legal else ["witness"]
                assert broken(name, position, claim) == expected
        for changed in (line[:1], line[:2], [*line, 0], [*line, 0, 1]):
            assert broken(name, position, lower_by_line(1, 3, line[0], changed)) == ["line"]
            claim = lower_by_line(1, len(changed), line[0], changed)
            assert broken(name, position, claim) == ["line"]


@pytest.mark.parametrize("text", ["x../oo./..x", "xx./oxo/o.."])
def test_a_line_ends_with_the_game(text: str) -> None:
    """Every line of three moves: the reply may win for o, and x may have won already by the first move."""
    name = "tic-tac-toe"
    position, rules = canonical(name, text), open_rules(name)
    good = 0
    for line in itertools.product(rules.moves(position), range(9), range(9)):
        passes = line_reaches(rules, position, 1, line)
        assert broken(name, position, lower_by_line(1, 3, line[0], line)) == ([] if passes else ["line"]), line
        good += passes
    assert good == 0


def test_a_weaker_bound_may_rest_on_the_same_line() -> None:
    position = canonical("tic-tac-toe", "xx./oo./...")
    assert broken("tic-tac-toe", position, winning(position, 0)) == []
    assert broken("tic-tac-toe", position, winning(position, 1)) == []


def winning(position: str, bound: int) -> Claim:
    rules = open_rules("tic-tac-toe")
    move = next(move for move in rules.moves(position) if rules.terminal(rules.play(position, move)) == -1)
    return lower_by_line(bound, 1, move, [move])


def test_the_lines_of_an_upper_claim_are_shorter_than_its_rank() -> None:
    """All positions of tic-tac-toe in which every move loses at once: with the reply that wins it takes two plies."""
    name, checked = "tic-tac-toe", 0
    rules = open_rules(name)
    level = {rules.key(rules.initial())}
    while level:
        positions = [rules.position(key) for key in level]
        children = {p: [rules.play(p, move) for move in rules.moves(p)] for p in positions}
        level = {rules.key(p) for after in children.values() for p in after if rules.terminal(p) is None}
        for position, after in children.items():
            wins = [_winning_moves(rules, child) for child in after]
            if all(wins):
                numbers = [number for move in sorted({found[0] for found in wins}) for number in (1, move)]
                for rank, expected in ((1, ["child"]), (2, []), (3, [])):
                    assert broken(name, position, upper_by_lines(-1, rank, numbers)) == expected
                checked += 1
    assert checked > 5


def _winning_moves(rules: Any, position: Any) -> list[int]:
    if rules.terminal(position) is not None:
        return []
    return [move for move in rules.moves(position) if rules.terminal(rules.play(position, move)) == -1]


def qubic_loss() -> tuple[Records, bytes]:
    """A solution of qubic and the key of an upper claim in it with several lines and with children's claims."""
    native = open_game("qubic")
    cubes = {0: "x", 12: "x", 1: "o", 2: "o"}
    text = layers("".join(cubes.get(cube, ".") for cube in range(64)))
    search = core.Search(native, native.parse(text), 1, algorithm="pn-dag+threats")
    assert search.run().status == "proved"
    table = search.solution()
    assert table.check().failed == 0
    records = {key: record for chunk in table.chunks(1000) for key, record in chunk}
    key = min(records, key=lambda key: (native.text(native.position(key)).count("."), -len(records[key])))
    return records, key


def test_changed_lines_of_a_qubic_solution_are_found() -> None:
    """Every change of an upper claim by lines is found, or the claim still holds; the checks agree which."""
    records, key = qubic_loss()
    (claim,) = decode_record(records[key]).claims
    assert claim.side == Side.UPPER and claim.evidence == Evidence.LINE and claim.line is not None
    assert broken("qubic", open_rules("qubic").position(key), claim, records) == []
    random = Random("lines")
    found = 0
    lines = claim.lines
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
        numbers = [number for line in changed for number in (len(line), *line)]
        mutated = upper_by_lines(claim.bound, claim.rank, numbers)
        mutation = {**records, key: encode_record(Record.of([mutated]))}
        rules = by_native("qubic", mutation, key)
        if turn < 2:
            assert by_python("qubic", mutation, key) == rules
        found += rules == ["child"]
    assert found >= 4
    short = upper_by_lines(claim.bound, 1, claim.line)  # no line is short enough
    assert by_native("qubic", {**records, key: encode_record(Record.of([short]))}, key) == ["child"]
    with pytest.raises(ValueError, match="a line is cut off"):
        upper_by_lines(claim.bound, claim.rank, claim.line[:-1])


def test_an_upper_claim_needs_only_the_children_that_no_line_answers() -> None:
    records, _ = qubic_loss()
    table = core.RecordTable(open_game("qubic"))
    table.load(records.items())
    assert table.missing() == []
    rules = open_rules("qubic")
    parents = [k for k in records if decode_record(records[k]).claims[0].side == Side.UPPER and len(table.below(k)) > 1]
    assert parents
    parent = min(parents, key=lambda k: len(table.below(k)))
    below = set(table.below(parent))
    assert len(below) < len(rules.moves(rules.position(parent)))
    removed = sorted(below - {parent})
    table.remove(removed)
    assert parent in table.dependents(removed) or table.check([parent]).failed == 1
    assert set(table.missing([parent])) & set(removed)


def test_lines_are_the_payload_of_lower_and_of_upper_claims() -> None:
    assert lower_by_line(1, 3, 5, [5, 6, 7]).lines == [(5, 6, 7)]
    assert upper_by_lines(0, 4, [1, 9, 3, 5, 6, 7]).lines == [(9,), (5, 6, 7)]


@pytest.mark.parametrize(
    ("numbers", "rule"),
    [
        ([2, 9], "a line is cut off"),
        ([1, 9, 3, 5, 6], "a line is cut off"),
        ([1, 9, 3], "a line is cut off"),
        ([0], "a line without moves"),
        ([1, 300, 0, 1, 9], "a line without moves"),
        ([1, 9, 2**31 - 1], "a line is cut off"),
    ],
)
def test_numbers_that_are_no_lines_are_refused_by_every_reader(numbers: list[int], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        upper_by_lines(0, 4, numbers)
    lines = line_payload(numbers)
    record = bytes.fromhex("11 05 00 04") + lines
    with pytest.raises(MalformedRecordError, match=rule):
        decode_record(record)
    with pytest.raises(MalformedRecordError, match=rule):
        core.RecordTable(open_game("tic-tac-toe")).put(bytes(2), record)
    with pytest.raises(ValueError, match=rule):
        read_record(record)


def test_a_lower_claim_without_a_line_is_refused_by_every_reader() -> None:
    record = bytes.fromhex("11 04 02 01 00 00")
    with pytest.raises(ValueError, match="a line without moves"):
        lower_by_line(1, 1, 0, [])
    with pytest.raises(MalformedRecordError, match="a line without moves"):
        decode_record(record)
    with pytest.raises(MalformedRecordError, match="a line without moves"):
        core.RecordTable(open_game("tic-tac-toe")).put(bytes(2), record)
    with pytest.raises(ValueError, match="a line without moves"):
        read_record(record)
