"""Claims by threat trees: what the local checks accept, with zones and without."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from threat_claims import (
    VARIANTS,
    Example,
    PlainLines,
    changed_threats,
    game_of,
    is_proved,
    lower_claim,
    random_example,
    random_position,
    upper_claim,
)

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking import checker
from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import (
    ENDS,
    Claim,
    Evidence,
    MalformedRecordError,
    Record,
    Side,
    ThreatNode,
    ThreatTrees,
    decode_record,
    encode_record,
    threats_payload,
)
from proofbase.engine.rules.gomoku import Gomoku

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

Records = dict[bytes, bytes]


def broken(game: Gomoku, position: Any, claim: Claim, others: Records | None = None) -> list[str]:
    """The rules that a claim breaks, the same in Python and in native code, with zones and without."""
    key = game.key(position)
    records = {**(others or {}), key: encode_record(Record.of([claim]))}
    table = core.RecordTable(open_game(game.name))
    table.load(records.items())
    answers: dict[str, list[str]] = {}
    for zones in (False, True):
        answers[f"native {zones}"] = [found.rule for found in table.check([key], zones=zones).findings]
        check = LocalCheck(game, zones=zones).findings([(key, records[key])], lambda keys: list(map(records.get, keys)))
        answers[f"python {zones}"] = [found.rule for found in check]
    first = answers["native False"]
    assert all(answer == first for answer in answers.values()), (game.text(position), str(claim), answers)
    return first


def large_example(game: Gomoku, random: Random, nodes: int) -> Example:
    while True:
        example = random_example(game, random)
        if example.threats.nodes >= nodes:
            return example


@pytest.mark.parametrize("name", VARIANTS)
def test_found_trees_pass_and_changed_ones_pass_when_they_are_right(name: str) -> None:
    game, random = game_of(name), Random(f"trees {name}")
    passed = failed = 0
    for _ in range(3):
        example = large_example(game, random, 4)
        assert broken(game, example.position, example.claim, example.children) == []
        for _ in range(6):
            claim = upper_claim(game, example.position, changed_threats(example, random))
            found = broken(game, example.position, claim, example.children)
            assert (found == []) == is_proved(example, claim)
            passed, failed = passed + (not found), failed + bool(found)
    assert min(passed, failed) > 2


@pytest.mark.parametrize("name", VARIANTS)
def test_a_further_stone_outside_the_zone_changes_nothing(name: str) -> None:
    game, random = game_of(name), Random(f"zones {name}")
    rules, lines = game.threat_rules(), PlainLines(game)
    tried = 0
    for _ in range(3):
        example = large_example(game, random, 3)
        defender, attacker = rules.stones(example.position)
        plain_attacker, plain_defender = lines.stones(game, example.position)
        for reply, tree in [(None, example.threats.passed), *example.threats.trees][:4]:
            assert tree is not None
            square, answered = (0, 0) if reply is None else (rules.squares[reply], 1 << reply)
            zone = zone_of_tree(rules, tree, attacker, defender | square)
            assert zone is not None
            for other in game.moves(example.position):
                if other != reply and not zone & rules.squares[other]:
                    tried += 1
                    assert lines.wins(tree, plain_attacker, plain_defender | answered | 1 << other)
                    assert lines.wins(tree, plain_attacker, plain_defender | 1 << other)
    assert tried > 20


def test_a_tree_is_a_lower_claim_when_the_attacker_is_to_move() -> None:
    game, random = game_of("gomoku:7x7-4"), Random("lower")
    rules = game.threat_rules()
    done = 0
    while done < 2:
        example = large_example(game, random, 4)
        for data, key in ((data, key) for key, data in example.children.items()):
            (claim,) = decode_record(data).claims
            position = game.position(key)
            assert broken(game, position, claim) == []
            assert claim.threats is not None and claim.threats.passed is not None
            tree = claim.threats.passed
            short = Claim(Side.LOWER, 1, tree.plies - 1, Evidence.THREATS, claim.witness, claim.payload)
            exact = Claim(Side.LOWER, 1, tree.plies, Evidence.THREATS, claim.witness, claim.payload)
            assert broken(game, position, short) == ["threats"]
            assert broken(game, position, exact) == []
            others = [move for move in game.moves(position) if move != claim.witness]
            wrong = Claim(Side.LOWER, 1, claim.rank, Evidence.THREATS, random.choice(others), claim.payload)
            assert broken(game, position, wrong) == ["threats"]
            stones = rules.stones(position)
            elsewhere = ThreatNode(random.choice(others), tree.replies)
            proved = zone_of_tree(rules, elsewhere, *stones) is not None
            assert broken(game, position, lower_claim(game, position, elsewhere)) == ([] if proved else ["threats"])
            done += 1


def test_named_replies_rest_on_their_records() -> None:
    game, random = game_of("gomoku:7x7-4"), Random("named")
    example = large_example(game, random, 4)
    while not example.threats.named:
        example = large_example(game, random, 4)
    assert broken(game, example.position, example.claim, {}) == ["child"]
    key = game.key(example.position)
    table = core.RecordTable(open_game(game.name))
    table.load([(key, encode_record(Record.of([example.claim])))])
    assert table.missing([key]) == sorted(example.children)
    child, data = next(iter(example.children.items()))
    (claim,) = decode_record(data).claims
    rank = example.claim.rank  # as large as the parent's: not smaller
    late = Claim(claim.side, claim.bound, rank, claim.evidence, claim.witness, claim.payload)
    others = {**example.children, child: encode_record(Record.of([late]))}
    assert broken(game, example.position, example.claim, others) == ["child"]


def test_a_rank_allows_for_the_plies_of_the_trees_that_it_rests_on() -> None:
    game, random = game_of("gomoku:7x7-4"), Random("ranks")
    example = random_example(game, random)
    while example.threats.nodes > 1:
        example = random_example(game, random)
    payload = threats_payload(ThreatTrees(passed=ENDS))  # a reply, a double threat, a reply, a row
    for rank in (0, 3, 4):
        claim = Claim(Side.UPPER, -1, rank, Evidence.THREATS, payload=payload)
        assert broken(game, example.position, claim) == ([] if rank == 4 else ["threats"])


def test_the_checker_counts_the_plies_of_the_deepest_reply() -> None:
    """Wherever that one stands among the replies."""
    deep = ThreatNode(8, ((2, ENDS), (4, ThreatNode(6)), (7, ENDS)))
    for replies in (((1, deep), (5, ENDS)), ((1, ENDS), (5, deep)), ((1, ENDS), (3, deep), (5, ENDS))):
        tree = ThreatNode(9, replies)
        claim = Claim(Side.LOWER, 1, 9, Evidence.THREATS, 9, threats_payload(ThreatTrees(passed=tree)))
        (read,) = checker.read_record(encode_record(Record.of([claim])))
        assert read.threats is not None and read.threats.trees[-1].plies == tree.plies == 9


def test_a_reply_that_wins_is_not_settled_by_a_zone_that_leaves_it_out() -> None:
    """o has an open four, whose zone is a square. x, to move, wins at once elsewhere, or has only three stones."""
    game = game_of("gomoku:9x9")
    for stones, expected in (("xxxx.....", ["threats"]), ("xxx.....x", [])):
        position = game.parse(f"{stones}/........./.oooo...." + 6 * "/.........")
        claim = Claim(Side.UPPER, -1, 4, Evidence.THREATS, payload=threats_payload(ThreatTrees(passed=ENDS)))
        assert broken(game, game.position(game.key(position)), claim) == expected


def test_other_games_refuse_claims_by_threats() -> None:
    rules = open_rules("tic-tac-toe")
    position = rules.position(rules.key(rules.initial()))
    claim = Claim(Side.UPPER, -1, 9, Evidence.THREATS, payload=threats_payload(ThreatTrees(passed=ENDS)))
    key, record = rules.key(position), encode_record(Record.of([claim]))
    table = core.RecordTable(open_game("tic-tac-toe"))
    table.load([(key, record)])
    assert [found.rule for found in table.check().findings] == ["evidence"]
    assert [found.rule for found in LocalCheck(rules).findings([(key, record)], lambda _: [])] == ["evidence"]
    decoded = {key: checker.read_record(record)}
    found = list(checker.check_record(rules, key, decoded[key], decoded))
    assert [finding.rule.split(":")[0] for finding in found] == ["evidence"]


@pytest.mark.parametrize(
    ("numbers", "rule"),
    [
        ([0, 0], "threat trees are cut off"),
        ([2, 5, 0, 0, 0], "named replies do not ascend"),
        ([2, 5, 2**31 - 1, 0, 0], "a named reply is 2"),
        ([0, 2, 0, 0], "2 trees against a pass"),
        ([0, 1, 0, 0, 7], "bytes left over after the threat trees"),
        ([0, 0, 2, 5, 0, 5, 0], "trees against replies do not ascend"),
        ([0, 1, 4, 2, 7, 0, 7, 0, 0], "replies in a threat tree do not ascend"),
        ([0, 1, 4, 200, 7, 0], "threat trees are cut off"),
        ([0, 1, *[4, 1, 7] * 200, 4, 0, 0], "deeper than 200 moves"),
    ],
)
def test_malformed_trees_are_refused_by_every_reader(numbers: list[int], rule: str) -> None:
    data = b"".join(map(varint, numbers))
    payload = varint(len(data)) + data
    record = bytes.fromhex("21 09 01 09") + payload
    with pytest.raises(ValueError, match=rule):
        Claim(Side.UPPER, -1, 9, Evidence.THREATS, payload=payload)
    with pytest.raises(MalformedRecordError, match=rule):
        decode_record(record)
    with pytest.raises(MalformedRecordError, match=rule):
        core.RecordTable(open_game("tic-tac-toe")).put(bytes(2), record)
    with pytest.raises(ValueError, match=r"ascend|cut off|two trees|more than 200 moves|named replies"):
        checker.read_record(record)


def test_a_lower_claim_has_one_tree_that_begins_with_a_move() -> None:
    for threats in (
        ThreatTrees(),
        ThreatTrees(passed=ENDS),
        ThreatTrees((1,), ThreatNode(3)),
        ThreatTrees(trees=((1, ENDS),)),
    ):
        payload = threats_payload(threats)
        record = bytes.fromhex("21 08 02 09 03") + payload
        for read in (decode_record, checker.read_record):
            with pytest.raises(ValueError, match="one tree, which begins with a move"):
                read(record)
        with pytest.raises(MalformedRecordError, match="one tree, which begins with a move"):
            core.RecordTable(open_game("tic-tac-toe")).put(bytes(2), record)


def test_the_version_of_a_record_is_that_of_its_claims() -> None:
    """An older release refuses version 2, and nobody takes claims by threats as version 1."""
    claim = Claim(Side.UPPER, -1, 9, Evidence.THREATS, payload=threats_payload(ThreatTrees(passed=ENDS)))
    good = encode_record(Record.of([claim]))
    plain = encode_record(Record.of([Claim(Side.UPPER, -1, 9)]))
    assert (good[0], plain[0]) == (0x21, 0x11)
    assert checker.read_record(good) and checker.read_record(plain)
    for data, rule in ((b"\x11" + good[1:], "unknown kind"), (b"\x21" + plain[1:], "version")):
        with pytest.raises(MalformedRecordError, match=rule):
            decode_record(data)
        with pytest.raises(MalformedRecordError, match=rule):
            core.RecordTable(open_game("tic-tac-toe")).put(bytes(2), data)
        with pytest.raises(ValueError, match=rule):
            checker.read_record(data)


def test_readers_agree_on_changed_bytes_of_trees() -> None:
    game, random = game_of("gomoku:6x6-4,standard"), Random("bytes")
    example = large_example(game, random, 10)
    good = encode_record(Record.of([example.claim]))
    key = game.key(example.position)
    read = 0
    for _ in range(200):
        data = bytearray(good)
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] = random.choice([0, 1, random.randrange(128), random.randrange(256)])
        accepted = []
        table = core.RecordTable(open_game(game.name))
        for reader in (decode_record, checker.read_record, partial(table.put, key)):
            try:
                reader(bytes(data))
                accepted.append(True)
            except ValueError:
                accepted.append(False)
        assert len(set(accepted)) == 1, (data.hex(), accepted)
        read += accepted[0] is True
    assert read > 10


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def test_random_positions_are_alike_in_native_and_python_lines() -> None:
    """Trees that end at once: both checks see the same winning squares and double threats."""
    random = Random("ends")
    for name in ("gomoku", "gomoku:standard", "gomoku:15x16", "gomoku:19x7-6,standard", "gomoku:5x19-3", *VARIANTS):
        game = game_of(name)
        results = []
        for _ in range(8):
            position = random_position(game, random)
            rules = game.threat_rules()
            if rules.defence(*reversed(rules.stones(position))).one:
                continue
            results.append(broken(game, position, upper_claim(game, position, ThreatTrees(passed=ENDS))))
        assert results
