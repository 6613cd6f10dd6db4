"""The order of the questions of a solve, without any search."""

from __future__ import annotations

import json

import pytest

from proofbase.service.answers import Value
from proofbase.service.jobs.solve.thresholds import (
    LONGER,
    THRESHOLD_ORDERS,
    Attempt,
    ThresholdOrder,
    ThresholdSchedule,
    next_threshold,
)

HIGHEST = 10


def known(lower: int, upper: int) -> Value:
    return Value(lower, upper, False, False)


def test_the_thresholds_of_each_strategy() -> None:
    first = {order: next_threshold(known(-10, 10), None, order) for order in THRESHOLD_ORDERS}
    assert first == {"auto": 0, "bisect": 0, "down": 10, "up": -9, "both": 10}
    assert next_threshold(known(-1, 1), None, "auto") == 1
    assert next_threshold(known(-1, 1), None, "bisect") == 0
    for order in THRESHOLD_ORDERS:
        assert next_threshold(known(3, 4), None, order) == 4
        assert next_threshold(known(4, 4), None, order) is None
        assert next_threshold(known(-10, 10), 7, order) == 7
        assert next_threshold(known(-10, 6), 7, order) is None


def played(value: int, cost: dict[int, int], order: ThresholdOrder = "both", high: int = HIGHEST) -> dict[int, int]:
    """The nodes that each question takes until the value is known, where a threshold costs so many (else 1)."""
    schedule, low = ThresholdSchedule(order, None), -high
    while (attempt := schedule.next(known(low, high))) is not None:
        threshold, restored = attempt.threshold, ThresholdSchedule(order, None)
        restored.restore(json.loads(json.dumps(schedule.state())))  # as after a restart
        schedule = restored
        left = cost.get(threshold, 1) - schedule.nodes.get(threshold, 0)
        schedule.add_nodes(threshold, left if attempt.nodes is None else min(left, attempt.nodes))
        if attempt.nodes is None or left <= attempt.nodes:
            low, high = (threshold, high) if value >= threshold else (low, threshold - 1)
    return schedule.nodes


def test_from_both_sides_the_ends_take_turns() -> None:
    assert list(played(0, {}))[:6] == [10, -9, 9, -8, 8, -7]


def test_a_hard_question_does_not_keep_the_easy_ones_waiting() -> None:
    spent = played(8, {9: 500_000, 8: 500_000})  # near the upper end everything is hard
    assert set(spent) == {10, *range(-9, 10)}
    assert sum(spent.values()) <= 1_000_000 + HIGHEST * 2


@pytest.mark.parametrize("cheap", [10, 1_000, 77_777, 10**6])
def test_all_questions_take_little_more_than_twice_the_nodes_of_the_one_that_answers(cheap: int) -> None:
    hard = 10**9
    for value, cost in ((1, {1: cheap, 0: hard}), (-1, {1: hard, 0: cheap})):
        spent = played(value, cost, "auto", high=1)
        assert cheap <= sum(spent.values()) <= 2 * cheap + cheap // LONGER + LONGER
    spent = played(0, {1: cheap, 0: 3 * cheap}, "auto", high=1)  # both have to be answered
    assert sum(spent.values()) == 4 * cheap


def test_of_many_values_three_questions_take_turns() -> None:
    spent = played(3, {0: 10**9, 1: 10**9, 3: 70_000, 4: 70_000}, "auto")
    assert spent[0] <= 140_000 and sum(spent.values()) < 3 * 140_000


def test_a_question_with_all_the_memory_is_asked_until_its_end() -> None:
    schedule = ThresholdSchedule("auto", None)
    schedule.alone = 0
    assert schedule.next(known(-1, 1)) == Attempt(0, None)
    schedule.closed.add(0)
    assert schedule.next(known(-1, 1)) == Attempt(1, None)
    schedule.closed.add(1)
    assert schedule.next(known(-1, 1)) is None


def test_a_single_question_has_no_limit() -> None:
    assert ThresholdSchedule("both", 4).next(known(-10, 10)) == Attempt(4, None)
    assert ThresholdSchedule("both", None).next(known(3, 4)) == Attempt(4, None)
    assert ThresholdSchedule("bisect", None).next(known(-10, 10)) == Attempt(0, None)


def test_the_thresholds_of_auto() -> None:
    assert next_threshold(known(-1, 1), None) == 1
    assert next_threshold(known(-1, 0), None) == 0
    assert next_threshold(known(0, 1), None) == 1
    assert next_threshold(known(1, 1), None) is None
    assert next_threshold(known(-1, 1), 0) == 0
    assert next_threshold(known(0, 1), 0) is None
    assert next_threshold(known(-1, 0), 1) is None
    for value in range(-24, 25):  # a game with many values: at most ceil(log2) questions, then the value
        low, high, questions = -24, 24, 0
        while (threshold := next_threshold(known(low, high), None)) is not None:
            assert low < threshold <= high
            low, high, questions = (
                (threshold, high, questions + 1) if value >= threshold else (low, threshold - 1, questions + 1)
            )
        assert low == high == value and questions <= 7


def asked_with(likely: tuple[int, int] | None, value: int, order: ThresholdOrder = "auto") -> list[int]:
    """The thresholds of the questions about a value, where a search has found these limits of it."""
    schedule, low, high = ThresholdSchedule(order, None), -HIGHEST, HIGHEST
    schedule.expect(likely)
    asked = list[int]()
    while (attempt := schedule.next(known(low, high))) is not None:
        assert low < attempt.threshold <= high
        asked.append(attempt.threshold)
        low, high = (attempt.threshold, high) if value >= attempt.threshold else (low, attempt.threshold - 1)
        schedule.add_nodes(attempt.threshold, 1)
    assert low == high == value
    return asked


def test_a_likely_value_takes_two_questions() -> None:
    for value in range(-HIGHEST, HIGHEST + 1):
        questions = [value, value + 1]
        assert asked_with((value, value), value) == [at for at in questions if -HIGHEST < at <= HIGHEST]


def test_the_questions_lead_to_the_value_whatever_is_likely() -> None:
    halving = len(asked_with(None, 3))
    for lower in range(-HIGHEST - 3, HIGHEST + 1):
        for upper in range(lower, HIGHEST + 4):
            asked = asked_with((lower, upper), 3)
            if lower <= 3 <= upper:
                assert len(asked) <= halving + 1
    assert asked_with((4, 8), 3)[0] == 6


def test_other_strategies_ask_as_they_were_told() -> None:
    for order in THRESHOLD_ORDERS[1:]:
        assert asked_with((2, 2), 3, order) == asked_with(None, 3, order)


def test_limits_narrow_each_other() -> None:
    schedule = ThresholdSchedule("auto", None)
    for limits in ((-5, 8), None, (-9, 4), (1, 7)):
        schedule.expect(limits)
    assert schedule.likely == (1, 4)
