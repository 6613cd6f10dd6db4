"""A solve of several questions stores the solutions of its final bounds, whatever comes between two questions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.engine._core import Search
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.service.answers import Value
from proofbase.service.client import Budget, Job, SolveResult, VerificationResult
from proofbase.service.jobs.control import JobControl
from proofbase.service.jobs.question_run import RunEnd
from proofbase.service.jobs.solve import value_search, work
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.solve.thresholds import Attempt, ThresholdSchedule
from proofbase.service.jobs.solve.unstored_answers import UnstoredAnswers
from proofbase.service.jobs.solve.work import SolveWork
from proofbase.service.resources.search_table import SearchTable

GAME, POSITION, SCORE = "connect-four:5x4,score", "12", -1
LONGER = "connect-four:5x5,score"
IN_PROCESS = pytest.mark.parametrize("make_service", ["in process"], indirect=True)
"""How the service is called makes no difference."""


def solve(service: Service, game: str = GAME, position: str | None = POSITION, **asked: Any) -> SolveResult:
    result = service.client.solve(game, position, **asked).result
    assert isinstance(result, SolveResult) and result.status == "exact", result
    verified = service.client.verify(game).result
    assert isinstance(verified, VerificationResult) and verified.failed == 0
    assert verified.checked == service.store.count(game) <= result.records
    return result


def answered_questions(result: SolveResult) -> set[int]:
    return {question.at_least for question in result.questions if question.status != "unknown"}


def thresholds_of_sources(service: Service) -> set[int]:
    texts = [source.text for source in service.client.statistics().sources]
    return {int(re.search(r"at_least=(-?[0-9]+)", text)[1]) for text in texts}  # type: ignore[index]


@IN_PROCESS
@pytest.mark.parametrize(
    ("algorithm", "order"), [("auto", "bisect"), ("pn-dag", "both"), ("null-window", "down"), ("df-pn", "up")]
)
def test_only_the_final_bounds_are_stored(
    make_service: MakeService, algorithm: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "LONGEST_UNSTORED", 60.0)  # the machine may be busy
    service = make_service()
    result = solve(service, algorithm=algorithm, thresholds=order)
    assert result.value.lower == SCORE and len(result.questions) > 2
    assert thresholds_of_sources(service) == {SCORE, SCORE + 1}
    again = service.client.solve(GAME, POSITION).result
    assert isinstance(again, SolveResult) and again.nodes == again.records == 0, "the store answers"


@IN_PROCESS
def test_a_quick_search_tells_which_two_questions_to_ask(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "LONGEST_UNSTORED", 60.0)  # the machine may be busy
    monkeypatch.setattr(work, "CHECKPOINT_SECONDS", 60.0)
    halving, quick, longer, short, othello = [make_service() for _ in range(5)]
    asked = solve(halving, LONGER, None, thresholds="bisect")
    quick_result = solve(quick, LONGER, None)
    assert answered_questions(quick_result) == {asked.value.lower, asked.value.lower + 1}
    assert quick_result.value == asked.value and len(asked.questions) > 2
    assert thresholds_of_sources(quick) == thresholds_of_sources(halving)
    result = solve(othello, "othello:4x6", None)  # where one search alone comes into question
    assert answered_questions(result) == {result.value.lower, result.value.lower + 1}
    monkeypatch.setattr(value_search, "FIRST_NODES", 50)  # too few to find the value: it is searched for with more
    assert answered_questions(solve(longer, LONGER, None)) == answered_questions(quick_result)
    monkeypatch.setattr(value_search, "SHARE", 10_000)  # the budget does not allow that: what it shows still helps
    assert solve(short, LONGER, None, budget=Budget(nodes=1_000_000)).value == asked.value


@IN_PROCESS
def test_the_search_for_a_value_begins_with_the_table_of_the_position_before(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm = dict[Search, bool]()
    find_value, lend = Search.find_value, SearchTable.lend

    def seen_lend(table: SearchTable, search: Search) -> bool:
        if lend(table, search):
            lent.add(search)
        return search in lent

    def seen_find_value(search: Search, **options: Any) -> Any:
        warm[search] = search in lent
        return find_value(search, **options)

    lent = set[Search]()
    monkeypatch.setattr(SearchTable, "lend", seen_lend)
    monkeypatch.setattr(Search, "find_value", seen_find_value)
    service = make_service()
    service.client.wait(service.client.start_positions(LONGER, ["1", "2"]).id)
    assert list(warm.values()) == [False, True]


@IN_PROCESS
@pytest.mark.parametrize("nodes", [1, 3, 200, 2_000])
def test_what_the_value_may_be_is_looked_for_within_the_budget(make_service: MakeService, nodes: int) -> None:
    result = make_service().client.solve("connect-four:7x6,score", budget=Budget(nodes=nodes)).result
    assert isinstance(result, SolveResult) and (result.status, result.unknown_reason) == ("unknown", "nodes")
    assert result.nodes <= nodes + 50  # a best-first search expands its last node


@IN_PROCESS
def test_wrong_limits_cost_questions_only(make_service: MakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    expect = ThresholdSchedule.expect
    for limits in ((SCORE + 1, SCORE + 1), (SCORE - 3, SCORE - 1), (5, 6)):
        with monkeypatch.context() as wrong:
            wrong.setattr(ThresholdSchedule, "expect", lambda self, _, limits=limits: expect(self, limits))
            assert solve(make_service()).value.lower == SCORE


@IN_PROCESS
def test_long_questions_are_stored_at_once(make_service: MakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = make_service(), make_service()
    whole = solve(few, thresholds="bisect")
    monkeypatch.setattr(work, "LONGEST_UNSTORED", 0.0)
    result = solve(many, thresholds="bisect")
    assert len(thresholds_of_sources(many)) == len([q for q in result.questions if q.status != "unknown"]) > 2
    assert whole.records < result.records


@IN_PROCESS
@pytest.mark.parametrize(("game", "algorithm"), [(LONGER, "auto"), (LONGER, "null-window"), (GAME, "pn-dag")])
def test_a_question_that_takes_long_waits_until_the_ones_before_are_stored(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch, game: str, algorithm: str
) -> None:
    whole = solve(make_service(), game, None, algorithm=algorithm, thresholds="bisect")
    turns, ends = list[bool](), list[tuple[bool, RunEnd, bool]]()
    can_wait, begin_turn, leave, write = SolveWork._can_wait, SolveWork._begin_turn, SolveWork._leave, SolveWork._write

    def patient(self: SolveWork, search: Any, threshold: int) -> bool:
        with monkeypatch.context() as longer:
            longer.setattr(work, "LONGEST_UNSTORED", 60.0)
            return can_wait(self, search, threshold)

    def begun(self: SolveWork, attempt: Attempt) -> None:
        turns.append(bool(self._account.unstored))
        begin_turn(self, attempt)

    def left(self: SolveWork, end: RunEnd) -> work.Phase | None:
        ends.append((turns[-1], end, bool(self._account.unstored)))
        return leave(self, end)

    def written(self: SolveWork) -> work.Phase:
        ends.append((turns[-1], RunEnd.ANSWERED, bool(self._account.unstored)))
        return write(self)

    monkeypatch.setattr(SolveWork, "_can_wait", patient)
    monkeypatch.setattr(SolveWork, "_begin_turn", begun)
    monkeypatch.setattr(SolveWork, "_leave", left)
    monkeypatch.setattr(SolveWork, "_write", written)
    monkeypatch.setattr(work, "LONGEST_UNSTORED", 1e-6)
    result = solve(make_service(), game, None, algorithm=algorithm, thresholds="bisect")
    assert result.value == whole.value
    if algorithm == "pn-dag":
        assert (True, RunEnd.ANSWERED, False) in ends, "stored while the next search goes on"
    else:
        assert (True, RunEnd.INTERRUPTED, True) in ends
    asked = [question.at_least for question in result.questions if question.status != "unknown"]
    assert len(asked) == len(set(asked)), "no question is answered twice"


@IN_PROCESS
@pytest.mark.parametrize(("lower", "upper"), [(SCORE, None), (None, SCORE), (SCORE, SCORE), (3, None), (None, -3)])
def test_answers_of_an_earlier_process_are_searched_for_again(
    make_service: MakeService, lower: int | None, upper: int | None
) -> None:
    """The last two are wrong: the searches decide."""
    service = make_service()
    job: Job = service.client.solve("tic-tac-toe")
    control = JobControl(
        job,
        {"unstored": {"lower": lower, "upper": upper, "seconds": 0.5}},
        lambda progress, private: True,
        lambda error, seconds: None,
    )
    game = open_game(GAME)
    spec = SolveSpec(GAME, game.text(read_position(game, POSITION)), None, "auto", Budget(), "auto")
    found = SolveWork(service.app.resources, control, spec).run()
    assert found.status == "exact" and found.value.lower == SCORE
    verified = service.client.verify(GAME).result
    assert isinstance(verified, VerificationResult) and verified.failed == 0


def test_what_is_known_is_narrowed_by_what_is_not_stored() -> None:
    stored = Value.within(3)
    answers = UnstoredAnswers()
    assert not answers and answers.narrow(stored) == stored and answers.next_to_store(stored) is None
    answers = UnstoredAnswers.restored({"lower": 1, "upper": 2, "seconds": 0.25})
    assert answers.narrow(stored) == Value(1, 2, True, True)
    assert answers.next_to_store(stored) == 1
    assert answers.next_to_store(Value(1, 3, True, False)) == 3
    assert UnstoredAnswers.restored(answers.state()) == answers
    assert answers.next_to_store(Value(1, 2, True, True)) is None and not answers
