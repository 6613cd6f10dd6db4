"""Solves that their budget ended go on with a larger one; what they have done counts on."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.service.client import (
    Budget,
    InvalidRequestError,
    Job,
    JobStateError,
    Limits,
    SolveProgress,
    SolveResult,
    VerificationResult,
)
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.solve.work import SolveWork

LONG = "connect-four"


def result_of(job: Job) -> SolveResult:
    assert job.state == "done" and isinstance(job.result, SolveResult), job
    return job.result


@pytest.mark.parametrize(
    ("first", "larger"),
    [
        (Budget(nodes=300_000), Budget(nodes=700_000)),
        (Budget(seconds=0.5), Budget(seconds=1.5)),
        (Budget(memory_bytes=16 << 20), Budget(memory_bytes=48 << 20)),
    ],
)
def test_a_larger_budget_goes_on_where_the_smaller_one_ended(service: Service, first: Budget, larger: Budget) -> None:
    job = service.client.solve(LONG, algorithm="pn-dag", budget=first)
    before = result_of(job)
    (reason,) = (name.removesuffix("_bytes") for name in first.limits())
    assert (before.unknown_reason, before.resumable, job.resumable) == (reason, True, True)
    for too_small in (None, Budget(), first):
        with pytest.raises(InvalidRequestError, match=f"needs a larger budget of {reason}"):
            service.client.resume(job.id, budget=too_small)
    now = service.client.job(job.id)
    assert (now.state, now.result, now.spec) == ("done", before, job.spec), "refused budgets change nothing"

    resumed = service.client.resume(job.id, budget=larger)
    assert resumed.result is None
    seen: list[Job] = []
    after = result_of(service.client.wait(job.id, on_progress=seen.append))
    reports = [entry.progress for entry in seen if isinstance(entry.progress, SolveProgress)]
    assert min(report.nodes for report in reports) >= before.nodes, "the work of the first budget is kept"
    assert min(report.seconds for report in reports) >= before.seconds, "and its time counts"
    assert after.unknown_reason == reason and after.resumable
    # Replaying takes a part of the seconds, on a busy machine all of these.
    assert after.nodes >= before.nodes if reason == "seconds" else after.nodes > 1.3 * before.nodes
    assert after.seconds > before.seconds
    spec = service.client.job(job.id).spec
    assert isinstance(spec, SolveSpec) and spec.budget == larger


def test_many_budgets_find_what_one_search_finds(service: Service) -> None:
    nodes = 1_000
    job = service.client.solve("connect-four:5x4", algorithm="pn-dag", budget=Budget(nodes=nodes))
    rounds = 0
    while result_of(job).status == "unknown":
        nodes, rounds = 3 * max(nodes, result_of(job).nodes), rounds + 1
        service.client.resume(job.id, budget=Budget(nodes=nodes))
        job = service.client.wait(job.id)
    result = result_of(job)
    assert rounds >= 3 and result.status == "exact" and not result.resumable and not job.resumable
    assert sum(question.nodes for question in result.questions) == result.nodes, "no node counts twice"
    assert result.questions_in_all == len(result.questions) == 2
    assert service.client.lookup("connect-four:5x4").value.exact
    verified = service.client.verify("connect-four:5x4").result
    assert isinstance(verified, VerificationResult) and verified.failed == 0
    with pytest.raises(JobStateError):
        service.client.resume(job.id, budget=Budget(nodes=10 * nodes))
    assert list(service.store.checkpoint(job.id)) == [], "what is answered needs no checkpoint"


def test_a_budget_that_ends_between_two_questions_can_be_enlarged(service: Service) -> None:
    job = service.client.solve("tic-tac-toe", budget=Budget(nodes=1_500))
    while result_of(job).unknown_reason:
        service.client.resume(job.id, budget=Budget(nodes=result_of(job).nodes + 700))
        job = service.client.wait(job.id)
    assert result_of(job).status == "exact"


def test_a_paused_solve_gets_another_budget(service: Service) -> None:
    job = service.client.start_solve(LONG, algorithm="pn-dag", budget=Budget(nodes=1 << 40))
    until_nodes(service, job, 100_000)
    paused = service.client.pause(job.id)
    assert paused.resumable and isinstance(paused.progress, SolveProgress)
    service.client.resume(job.id, budget=Budget(nodes=paused.progress.nodes + 100_000))
    result = result_of(service.client.wait(job.id))
    assert result.unknown_reason == "nodes" and result.nodes >= paused.progress.nodes + 100_000


def test_only_solves_have_budgets(service: Service) -> None:
    job = service.client.verify("tic-tac-toe")
    with pytest.raises(InvalidRequestError, match="only a solve has a budget"):
        service.client.resume(job.id, budget=Budget(nodes=5))
    with pytest.raises(InvalidRequestError, match="more than 0 is needed"):
        service.client.resume(job.id, budget=Budget(nodes=0))


@pytest.mark.slow
def test_time_counts_on_over_a_restart(make_service: MakeService, directory: Path) -> None:
    first = make_service(str(directory))
    job = first.client.start_solve(LONG, algorithm="df-pn", budget=Budget(seconds=6))  # quickly restored
    until_nodes(first, job, 1)
    time.sleep(4)
    first.app.close()
    second = make_service(str(directory))
    second.app.jobs.resume_unfinished()
    shown = second.client.job(job.id).progress
    assert isinstance(shown, SolveProgress) and shown.seconds >= 4
    result = result_of(second.client.wait(job.id))
    assert result.unknown_reason == "seconds"
    assert 6 <= result.seconds < 9, "no time budget starts anew: that would be 10 seconds"


def test_replaying_a_checkpoint_says_so(service: Service) -> None:
    job = service.client.start_solve(LONG, at_least=1, algorithm="pn-dag")
    until_nodes(service, job, 1_000_000)
    paused = service.client.pause(job.id)
    assert isinstance(paused.progress, SolveProgress)
    stored = service.store.get_job(job.id)
    assert stored is not None
    control = JobControl(
        paused, stored.progress["private"], lambda progress, private: True, lambda error, seconds: None
    )
    work = SolveWork(service.app.resources, control, paused.spec)  # type: ignore[arg-type]
    thread = threading.Thread(target=run_until_stopped, args=(work,))
    thread.start()
    replayed: list[SolveProgress] = []
    deadline = time.monotonic() + 240
    while (now := work.progress()).phase != "searching" and time.monotonic() < deadline:
        if now.phase == "replaying":
            replayed.append(now)
        time.sleep(0.001)
    control.request_stop("pause")
    thread.join(30)
    assert now.phase == "searching" and replayed
    total = paused.progress.nodes
    assert {report.phase_total for report in replayed} == {total}
    counts = [report.phase_done for report in replayed]
    assert counts == sorted(counts) and min(counts) >= 0 and max(counts) <= total
    assert all(report.nodes == total for report in replayed), "what was done is shown while it is replayed"
    assert replayed[-1].text == f"replaying {counts[-1]:,} of {total:,} nodes of the checkpoint"


def run_until_stopped(work: SolveWork) -> None:
    with suppress(Stopped):
        work.run()


def until_nodes(service: Service, job: Job, nodes: int) -> None:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        progress = service.client.job(job.id).progress
        if isinstance(progress, SolveProgress) and progress.nodes >= nodes:
            return
        time.sleep(0.02)
    pytest.fail(f"job {job.id} does not reach {nodes} nodes")


def test_the_newest_solves_keep_their_work(make_service: MakeService) -> None:
    service = make_service(limits=Limits(kept_searches=2))
    made = [service.client.solve(LONG, algorithm="pn-dag", budget=Budget(nodes=5_000)) for _ in range(4)]
    service.client.solve("tic-tac-toe")
    assert service.app.jobs.prune() == 0
    assert [service.client.job(job.id).resumable for job in made] == [False, False, True, True]
    assert [bool(list(service.store.checkpoint(job.id))) for job in made] == [False, False, True, True]
    with pytest.raises(JobStateError):
        service.client.resume(made[0].id, budget=Budget(nodes=10_000))
    newer = service.client.solve(LONG, algorithm="pn-dag", budget=Budget(nodes=5_000))
    service.app.jobs.prune()
    kept = [service.client.job(job.id).resumable for job in [*made, newer]]
    assert kept == [False, False, True, True, True], "that is looked at once a minute"
    service.client.resume(made[3].id, budget=Budget(nodes=10_000))
    assert result_of(service.client.wait(made[3].id)).nodes >= 10_000
