"""The order of the questions of a solve, without any search."""

from __future__ import annotations

from proofbase.service.answers import Value
from proofbase.service.jobs.solve.thresholds import (
    GROWTH,
    STRATEGIES,
    Attempt,
    Strategy,
    ThresholdSchedule,
    next_threshold,
)

HIGHEST = 10


def known(lower: int, upper: int) -> Value:
    return Value(lower, upper, False, False)


def test_the_thresholds_of_each_strategy() -> None:
    first = {strategy: next_threshold(known(-10, 10), None, strategy) for strategy in STRATEGIES}
    assert first == {"auto": 0, "bisect": 0, "down": 10, "up": -9, "both": 10}
    assert next_threshold(known(-10, 10), None, "both", above=False) == -9
    assert next_threshold(known(-1, 1), None, "auto") == 1
    assert next_threshold(known(-1, 1), None, "bisect") == 0
    for strategy in STRATEGIES:
        assert next_threshold(known(3, 4), None, strategy) == 4
        assert next_threshold(known(4, 4), None, strategy) is None
        assert next_threshold(known(-10, 10), 7, strategy) == 7
        assert next_threshold(known(-10, 6), 7, strategy) is None


def played(value: int, cost: dict[int, int], memory: int = 10**9) -> list[tuple[int, int | None, bool]]:
    """Questions from both sides about a value, where a threshold costs so many nodes (else 1).

    With each question its limit, and whether it was settled. Questions of more than `memory` nodes run out of memory.
    """
    schedule, low, high = ThresholdSchedule("both", None), -HIGHEST, HIGHEST
    asked = list[tuple[int, int | None, bool]]()
    while (attempt := schedule.next(known(low, high))) is not None:
        needed = cost.get(attempt.threshold, 1)
        limit = memory if attempt.nodes is None else attempt.nodes
        asked.append((attempt.threshold, attempt.nodes, needed <= min(limit, memory)))
        schedule = ThresholdSchedule.restored("both", None, schedule.state())  # as after a restart
        if needed <= min(limit, memory):
            low, high = (attempt.threshold, high) if value >= attempt.threshold else (low, attempt.threshold - 1)
            schedule.answered()
        elif limit <= memory and attempt.nodes is not None:
            schedule.out_of_nodes()
        elif not schedule.out_of_memory(known(low, high)):
            break
    return asked


def test_from_both_sides_the_ends_take_turns() -> None:
    assert [threshold for threshold, _, _ in played(0, {})][:6] == [10, -9, 9, -8, 8, -7]


def test_a_hard_question_does_not_keep_the_easy_ones_waiting() -> None:
    asked = played(8, {9: 500_000, 8: 500_000})  # near the upper end everything is hard
    order = [threshold for threshold, _, settled in asked if settled]
    assert order[-2:] == [8, 9] or order[-2:] == [9, 8]
    assert set(order[:-2]) == {10, *range(-9, 8)}
    spent = sum(min(limit or 500_000, {9: 500_000, 8: 500_000}.get(threshold, 1)) for threshold, limit, _ in asked)
    assert spent < 2_500_000


def test_attempts_grow_only_when_they_have_failed_at_both_ends() -> None:
    asked = played(0, {1: 10**6, 0: 10**6})
    limits = [limit for threshold, limit, settled in asked if not settled]
    assert all(limit is not None for limit in limits)
    growing = [limit for limit in limits if limit is not None]
    assert growing == sorted(growing)
    assert set(growing) == {growing[0] * GROWTH**power for power in range(len(set(growing)))}
    assert sum(growing) < 3 * 10**6


def test_when_one_end_needs_too_much_memory_the_other_one_is_asked() -> None:
    asked = played(0, {3: 10**7}, memory=10**6)  # the upper end stops at 3, the lower one reaches the value
    assert {threshold for threshold, _, settled in asked if settled} >= {10, 9, 8, 7, 6, 5, 4, *range(-9, 2)}
    assert played(2, {3: 10**7}, memory=10**6)[-1] == (3, None, False)


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


def asked_with(likely: tuple[int, int] | None, value: int, strategy: Strategy = "auto") -> list[int]:
    """The thresholds of the questions about a value, where a search has found these limits of it."""
    schedule, low, high = ThresholdSchedule(strategy, None), -HIGHEST, HIGHEST
    schedule.expect(likely)
    asked = list[int]()
    while (attempt := schedule.next(known(low, high))) is not None:
        assert low < attempt.threshold <= high
        asked.append(attempt.threshold)
        low, high = (attempt.threshold, high) if value >= attempt.threshold else (low, attempt.threshold - 1)
        schedule.answered()
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
    for strategy in STRATEGIES[1:]:
        assert asked_with((2, 2), 3, strategy) == asked_with(None, 3, strategy)


def test_limits_narrow_each_other() -> None:
    schedule = ThresholdSchedule("auto", None)
    for limits in ((-5, 8), None, (-9, 4), (1, 7)):
        schedule.expect(limits)
    assert schedule.likely == (1, 4)
