"""The open questions of a solve are asked in turn, and a search is kept from one of its turns to the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.service.client import Budget, Job, SolveProgress, SolveResult
from proofbase.service.jobs.solve.searches import NativeSearches, StoredSolution
from proofbase.service.jobs.solve.solution_writer import WriteEnd

LOST = ("moves:h8 k11 g9 c3 i9", "moves:h8 j10 g9 e7 h9 h7 g8")
"""Go-moku with White to move, who has lost by threats (a published strategy of Black)."""


def outcome(job: Job) -> SolveResult:
    assert isinstance(job.result, SolveResult), job
    return job.result


@pytest.mark.slow(LOST[0])
@pytest.mark.parametrize(("position", "workers"), [(LOST[0], 0), (LOST[1], 0), (LOST[0], 2)])
def test_a_lost_position_is_answered_though_the_question_of_a_win_is_hard(
    service: Service, position: str, workers: int
) -> None:
    budget = Budget(seconds=120)
    result = outcome(service.client.solve("gomoku:standard", position, budget=budget, workers=workers))
    assert (result.value.lower, result.value.upper) == (-1, -1)
    assert result.nodes < 1_000_000


@pytest.mark.parametrize(
    ("game", "position", "value"),
    [("connect-four:5x4", "12", -1), ("connect-four:5x4", "1", 1), ("connect-four:5x5", "11", 1)],
)
def test_all_questions_take_little_more_than_twice_the_nodes_of_the_best(
    make_service: MakeService, game: str, position: str, value: int
) -> None:
    def solve(**question: int) -> SolveResult:
        return outcome(make_service("memory:").client.solve(game, position, algorithm="pn-dag", **question))  # type: ignore[arg-type]

    alone = {at_least: solve(at_least=at_least) for at_least in (0, 1)}
    best = alone[1 if value == 1 else 0]
    result = solve()
    assert result.value.lower == result.value.upper == value
    assert result.questions[-1].nodes == best.questions[-1].nodes, "the search was kept from turn to turn"
    assert best.nodes < result.nodes <= 2.1 * best.nodes + 1_000


def test_the_progress_names_each_question(service: Service) -> None:
    seen: list[Job] = []
    service.client.solve("connect-four", algorithm="pn-dag", budget=Budget(nodes=3_000_000), on_progress=seen.append)
    reports = [job.progress for job in seen if isinstance(job.progress, SolveProgress) and job.state == "running"]
    asked = [report.at_least for report in reports if report.at_least is not None]
    assert set(asked) == {0, 1}
    nodes = [report.nodes for report in reports]
    assert nodes == sorted(nodes)


def test_both_questions_of_a_draw_go_on_in_another_process(make_service: MakeService, directory: Path) -> None:
    game = "connect-four:5x4"
    whole = outcome(make_service("memory:").client.solve(game, algorithm="pn-dag"))
    first = make_service(str(directory))
    job = first.client.solve(game, algorithm="pn-dag", budget=Budget(nodes=whole.nodes // 2))
    assert {(question.at_least, question.status) for question in outcome(job).questions} == {
        (0, "unknown"),
        (1, "unknown"),
    }
    first.app.close()
    second = make_service(str(directory))
    result = outcome(second.client.wait(second.client.resume(job.id, budget=Budget(nodes=2 * whole.nodes)).id))
    assert result.value == whole.value
    assert result.nodes < 1.1 * whole.nodes, "neither search has begun anew"


def test_where_no_search_gets_any_further_with_a_question_the_other_one_is_asked(service: Service) -> None:
    result = outcome(service.client.solve("gomoku:standard", LOST[1], algorithm="threats"))
    assert (result.value.lower, result.value.upper) == (-1, -1)


def test_a_bound_that_was_found_and_not_stored_is_said(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as late:
        late.setattr(NativeSearches, "store_solution", lambda *arguments: StoredSolution(WriteEnd.LATE, 0))
        job = service.client.solve("connect-four:5x4", "12", algorithm="pn-dag", budget=Budget(seconds=60))
    result = outcome(job)
    assert (result.status, result.unknown_reason, result.resumable) == ("unknown", "seconds", True)
    assert not result.value.anything_known
    assert result.found_value is not None and result.found_value.upper == -1
    assert "-1 found and not proved" in result.outcome
    assert service.client.job(job.id).result == result
    assert not service.client.lookup("connect-four:5x4", "12").value.anything_known
    resumed = outcome(service.client.wait(service.client.resume(job.id, budget=Budget(seconds=120)).id))
    assert (resumed.status, resumed.value.lower, resumed.found_value) == ("exact", -1, None)
