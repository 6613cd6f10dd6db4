"""Claims by a strategy: what the local checks accept, and strategies that are found."""

from __future__ import annotations

from typing import Any

import pytest
from broken_claims import broken
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking import checker
from proofbase.engine.checking.certificate import certificate_chunks
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


def upper(bound: int, rank: int, strategy: Strategy) -> Claim:
    return Claim(Side.UPPER, bound, rank, Evidence.STRATEGY, payload=strategy_payload(strategy, lower=False))


def empty(width: int, height: int) -> tuple[str, str]:
    """The name of a board and the text of its first position."""
    return f"connect-four:{width}x{height}", "/".join(["." * width] * height)


@pytest.mark.parametrize(("width", "height"), [(2, 4), (3, 4), (3, 6)])
def test_follow_up_holds_the_draw_with_no_mark_at_all(width: int, height: int) -> None:
    """On narrow boards all lines go upwards (Allis 1988)."""
    board, stones = empty(width, height), width * height
    assert broken(*board, upper(0, stones, Strategy())) == []
    assert broken(*board, upper(-1, stones, Strategy())) == ["strategy"]  # it is a draw, and no win
    assert broken(*board, upper(0, stones - 1, Strategy())) == ["strategy"]  # the draw comes with the last stone


def test_a_named_reply_needs_a_record_and_is_legal() -> None:
    assert broken(*empty(3, 4), upper(0, 12, Strategy((2,)))) == ["child"]
    assert broken(*empty(3, 4), upper(0, 12, Strategy((3,)))) == ["strategy"]


def test_too_many_positions_are_refused() -> None:
    """By follow-up each of three columns of 40 squares has 21 heights: 9,261 positions come about."""
    assert broken(*empty(3, 40), upper(0, 120, Strategy())) == []
    marks = tuple((s, Mark.URGENT) for s in range(41 * 3) if s % 41 != 40)
    assert broken(*empty(3, 40), upper(0, 120, Strategy((), marks))) == ["strategy"]


def test_the_marks_and_the_witness_count() -> None:
    """x holds the draw on the board of 4x4; such a diagram was found."""
    urgent, text = (1, 3, 5, 7, 10, 11, 13, 16), empty(4, 4)
    marks = [*((square, Mark.URGENT) for square in urgent), (18, Mark.PAIR)]

    def by(marks: list[tuple[int, Mark]], witness: int = 0, bound: int = 0) -> list[str]:
        payload = strategy_payload(Strategy((), tuple(marks)), lower=True)
        return broken(*text, Claim(Side.LOWER, bound, 16, Evidence.STRATEGY, witness, payload))

    assert by(marks) == []
    assert by(marks, bound=1) == ["strategy"]
    left_out = [by([other for other in marks if other != mark]) for mark in marks]
    witnesses = [by(marks, witness) for witness in range(4)]
    assert ["strategy"] in left_out and ["strategy"] in witnesses


def test_a_witness_is_played_first() -> None:
    """x wins by the middle column of the bottom row, where both ends of three stones are open."""
    text = "....../....../..oo../..xx.."
    claims = [
        Claim(Side.LOWER, 1, 16, Evidence.STRATEGY, witness, strategy_payload(Strategy(), lower=True))
        for witness in range(6)
    ]
    found = [broken("connect-four:6x4", text, claim) for claim in claims]
    assert [not rules for rules in found] == [False, True, False, False, True, False]


def test_the_rank_of_a_win_is_that_of_its_last_stone() -> None:
    """The witness leaves three stones with two open ends: x wins with his next stone."""
    for rank in range(6):
        claim = Claim(Side.LOWER, 1, rank, Evidence.STRATEGY, 4, strategy_payload(Strategy(), lower=True))
        found = broken("connect-four:6x4", "....../....../..oo../..xx..", claim)
        assert found == ([] if rank >= 3 else ["strategy"])


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
    assert counts["strategies"] > 10
    assert 20 < counts["by strategies alone"] <= counts["accepted"] < counts["mutants"] - 20


def solution(name: str, at_least: int) -> tuple[Any, bytes, Any]:
    """The rules, the first position's key, and the solution of "is it worth so much?" without strategies."""
    game, native = open_rules(name), open_game(name)
    search = core.Search(native, native.initial(), at_least, algorithm="null-window")
    search.run()
    key = game.key(game.initial())
    return game, key, search.solution().trimmed(key)


def bounds(table: Any, key: bytes) -> list[tuple[Side, int]]:
    """Those of a record in a table that is closed, and passes the native check."""
    assert table.check().failed == 0 and table.missing() == []
    return [(claim.side, claim.bound) for claim in decode_record(table.get(key)).claims]


@pytest.mark.parametrize("at_least", [0, 1])
def test_a_solution_with_strategies_is_closed_and_smaller(at_least: int) -> None:
    """Of a draw both halves: neither side can win."""
    game, key, plain = solution("connect-four:5x4", at_least)
    found = plain.trimmed(key, 1000, strategy_seconds=60)
    assert len(found) * 10 < len(plain)
    assert bounds(found, key) == bounds(plain, key)
    items = [item for chunk in found.chunks(1000) for item in chunk]
    assert any(claim.strategy is not None for _, data in items for claim in decode_record(data).claims)
    result = checker.check_certificate(b"".join(certificate_chunks(game, game.initial(), items)))
    assert result.valid and result.records == len(items)


@pytest.mark.parametrize("seconds", [1e-6, 0.1])
def test_where_the_time_does_not_suffice_known_records_are_left(seconds: float) -> None:
    _, key, plain = solution("connect-four:6x4", 0)
    assert bounds(plain.trimmed(key, 1000, strategy_seconds=seconds), key) == [(Side.UPPER, -1)]


def test_wrong_records_do_not_hold_up_the_search_for_strategies() -> None:
    """No move keeps a bound that is false: what is taken out is the record as it was."""
    game = open_rules("connect-four:4x4")
    key = game.key(game.initial())
    table = core.RecordTable(open_game(game.name))
    table.load([(key, encode_record(Record.of([Claim(Side.LOWER, 1, 16, Evidence.CHILDREN, 0)])))])
    found = table.trimmed(key, 1000, strategy_seconds=1)
    assert [item for chunk in found.chunks() for item in chunk] == [(key, table.get(key))]
