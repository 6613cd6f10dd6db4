"""Claims by a strategy: what the three local checks accept, and strategies that are found."""

from __future__ import annotations

from typing import Any

import pytest
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking import checker
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference import exact_records
from proofbase.engine.records import (
    Claim,
    Evidence,
    MalformedRecordError,
    Mark,
    Record,
    Side,
    Strategy,
    decode_record,
    encode_record,
    strategy_payload,
)

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

FOLLOW_UP = "....../....../....../......"
"""The second player draws on boards of an even height: he answers above every stone (Allis 1988)."""


def broken(name: str, text: str, claim: Claim) -> list[str]:
    """The rules that a claim breaks, the same in all three checks."""
    game = open_rules(name)
    position = game.parse(text)
    key = game.key(position)
    assert position == game.position(key), "the text is that of the canonical position"
    data = encode_record(Record.of([claim]))
    assert decode_record(data).claims == (claim,)
    table = core.RecordTable(open_game(name))
    table.load([(key, data)])
    answers = [
        [finding.rule for finding in table.check([key]).findings],
        [finding.rule for finding in LocalCheck(game).findings([(key, data)], lambda keys: [None] * len(keys))],
        [f.rule.split(":")[0] for f in checker.check_record(game, key, checker.read_record(data), {})],
    ]
    assert answers[0] == answers[1] == answers[2], answers
    return answers[0]


def upper(bound: int, rank: int, strategy: Strategy) -> Claim:
    return Claim(Side.UPPER, bound, rank, Evidence.STRATEGY, payload=strategy_payload(strategy, lower=False))


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4), (6, 2)])
def test_follow_up_holds_the_draw_with_no_mark_at_all(width: int, height: int) -> None:
    name, text = f"connect-four:{width}x{height}", "/".join(["." * width] * height)
    assert broken(name, text, upper(0, width * height, Strategy())) == []
    assert broken(name, text, upper(-1, width * height, Strategy())) == ["strategy"]  # it is a draw, and no win
    assert broken(name, text, upper(0, width * height - 1, Strategy())) == [
        "strategy"
    ]  # the draw comes with the last stone


def test_the_mark_of_every_square_counts() -> None:
    marks = tuple((5 * column + row, Mark.LOW) for column in range(4) for row in (1, 3))
    assert broken("connect-four:4x4", "..../..../..../....", upper(0, 16, Strategy((), marks))) == ["strategy"]


def test_a_named_reply_needs_a_record_and_is_legal() -> None:
    assert broken("connect-four:4x4", "..../..../..../....", upper(0, 16, Strategy((2,)))) == ["child"]
    assert broken("connect-four:4x4", "..../..../..../....", upper(0, 16, Strategy((4,)))) == ["strategy"]


def test_too_many_positions_are_refused() -> None:
    """Follow-up would hold, but 16 columns of two stones have 2^16 positions."""
    name, text = "connect-four:16x2", "/".join(["." * 16] * 2)
    assert broken(name, text, upper(0, 32, Strategy())) == ["strategy"]


def test_a_witness_is_played_first() -> None:
    """x wins by the middle column of the bottom row, where both ends of three stones are open."""
    text = "....../....../..oo../..xx.."
    claims = [
        Claim(Side.LOWER, 1, 16, Evidence.STRATEGY, witness, strategy_payload(Strategy(), lower=True))
        for witness in range(6)
    ]
    found = [broken("connect-four:6x4", text, claim) for claim in claims]
    assert [not rules for rules in found] == [False, True, False, False, True, False]


def test_a_pair_is_played_when_one_of_it_is_left() -> None:
    """In tic-tac-toe o holds the draw in the corner by pairs that x cannot both take."""
    game = open_rules("tic-tac-toe")
    position = game.position(game.key(game.parse(".../.x./..o")))
    rules = [broken("tic-tac-toe", game.text(position), upper_of_x) for upper_of_x in (lower_draw(0), lower_draw(1))]
    assert rules[1] == ["strategy"]


def lower_draw(bound: int) -> Claim:
    pairs = Strategy((), tuple((square, Mark.PAIR) for square in (1, 3)))
    return Claim(Side.LOWER, bound, 7, Evidence.STRATEGY, 2, strategy_payload(pairs, lower=True))


def test_a_game_without_squares_refuses() -> None:
    claim = upper(0, 5, Strategy())
    assert broken("gomoku:5x5-4", "/".join(["....."] * 5), claim) == ["evidence"]


@pytest.mark.parametrize(
    ("payload", "side"),
    [
        (b"\x01", Side.UPPER),
        (b"\x02\x02\x01", Side.UPPER),
        (b"\x03\x02\x05\x00", Side.UPPER),
        (b"\x02\x00", Side.LOWER),
    ],
)
def test_payloads_that_are_no_strategy(payload: bytes, side: Side) -> None:
    with pytest.raises(ValueError, match="payload"):
        Claim(side, 0, 5, Evidence.STRATEGY, 0 if side == Side.LOWER else None, payload)
    head = b"\x31\x0a\x00\x05\x00" if side == Side.LOWER else b"\x31\x0b\x00\x05"
    table = core.RecordTable(open_game("connect-four:4x4"))
    with pytest.raises(MalformedRecordError):
        table.load([(open_rules("connect-four:4x4").key(("",) * 4), head + payload)])
    with pytest.raises(ValueError, match=r"cut off|ascend"):
        checker.read_record(head + payload)


def test_every_changed_strategy_is_refused_or_true() -> None:
    counts = load_trial("checks/trial_strategies").run(300, 5, empty=8)
    assert counts["strategies"] > 20
    assert 20 < counts["by strategies alone"] <= counts["accepted"] < counts["mutants"] - 20


def test_a_solution_with_strategies_is_closed_and_smaller() -> None:
    game = open_rules("connect-four:5x4")
    root = game.parse("...../...../.ox../oxxo.")
    root = game.position(game.key(root))
    native = core.RecordTable(open_game(game.name))
    native.load(exact_records(game, root).items())
    plain = native.trimmed(game.key(root), 0)
    found = native.trimmed(game.key(root), 0, strategy_seconds=20)
    items = [item for chunk in found.chunks(1000) for item in chunk]
    assert len(items) * 4 < len(plain)
    assert any(claim.strategy is not None for _, data in items for claim in decode_record(data).claims)
    bounds = [[(c.side, c.bound) for c in decode_record(table.get(game.key(root))).claims] for table in (plain, found)]
    assert bounds[0] == bounds[1]
    result = checker.check_certificate(b"".join(certificate_chunks(game, root, items)))
    assert result.valid and result.records == len(items)
    assert found.check().failed == 0 and not found.missing()
