"""Jobs: their life, their answers, their restarts."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.engine.errors import RulesNotLoadedError
from proofbase.engine.games import open_game
from proofbase.service.client import (
    Budget,
    Job,
    JobStateError,
    Limits,
    QueueFullError,
    SolveProgress,
    SolveResult,
    VerificationResult,
)
from proofbase.storage import Claim, Record, Side, StoreReadOnlyError, encode_record, open_store

LONG = "connect-four"
"""From the empty board: longer than any test."""


def solved_value(job: Job) -> SolveResult:
    assert job.state == "done", job.error
    assert isinstance(job.result, SolveResult)
    return job.result


def wait_until_running(service: Service, job: Job, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        now = service.client.job(job.id)
        if isinstance(now.progress, SolveProgress) and now.progress.nodes > 0:
            return
        assert now.state in ("queued", "running"), now
        time.sleep(0.02)
    pytest.fail(f"job {job.id} does not run")


def test_a_solve_finds_the_value_stores_it_and_reports(service: Service) -> None:
    seen: list[Job] = []
    job = service.client.solve("tic-tac-toe", on_progress=seen.append)
    result = solved_value(job)
    assert result.status == "exact" and (result.value.lower, result.value.upper) == (0, 0)
    assert result.rank == 9 and result.best_move is not None and result.nodes > 0 and result.records > 0
    assert result.algorithm.startswith("pn-") and result.unknown_reason is None
    assert service.client.lookup("tic-tac-toe").value.exact
    verification = service.client.verify("tic-tac-toe")
    assert isinstance(verification.result, VerificationResult)
    assert verification.result.failed == 0 and verification.result.checked == service.store.count("tic-tac-toe") > 0
    assert seen[-1].state == "done"
    assert [entry.id for entry in service.client.jobs()[0]] == [verification.id, job.id]


@pytest.mark.parametrize(
    ("position", "at_least", "status"),
    [("12", 1, "proved"), ("", 1, "disproved"), ("", 0, "proved"), ("15", 0, "proved")],
)
def test_a_question_is_answered(service: Service, position: str, at_least: int, status: str) -> None:
    result = solved_value(service.client.solve("tic-tac-toe", position, at_least=at_least))
    assert result.status == status


def test_what_is_known_needs_no_search(service: Service) -> None:
    service.client.solve("connect-four:4x4")
    result = solved_value(service.client.solve("connect-four:4x4"))
    assert result.status == "exact" and result.nodes == 0 and result.records == 0 and result.algorithm == "store"


def test_the_end_of_the_game_needs_no_search(service: Service) -> None:
    result = solved_value(service.client.solve("tic-tac-toe", "14253"))
    assert result.status == "exact" and result.value.lower == -1 and result.nodes == 0 and result.best_move is None


def test_a_search_uses_what_is_stored(service: Service) -> None:
    alone = solved_value(service.client.solve("connect-four:5x4"))
    other = solved_value(service.client.solve("connect-four:5x4", "3"))
    assert other.status == "exact" and other.nodes < alone.nodes


@pytest.mark.parametrize(
    ("budget", "reason"),
    [(Budget(nodes=10_000), "nodes"), (Budget(seconds=0.2), "seconds"), (Budget(memory_bytes=8 << 20), "memory")],
)
def test_a_budget_ends_a_solve(service: Service, budget: Budget, reason: str) -> None:
    started = time.monotonic()
    result = solved_value(service.client.solve(LONG, algorithm="pn-dag", budget=budget))
    assert result.status == "unknown" and result.unknown_reason == reason
    assert time.monotonic() - started < 30
    if budget.nodes:
        assert result.nodes <= 2 * budget.nodes


def test_progress_comes_at_least_twice_a_second(service: Service) -> None:
    job = service.client.start_solve(LONG)
    wait_until_running(service, job)
    times = []
    for now in service.client.watch(job.id):
        times.append(time.monotonic())
        if len(times) == 6:
            assert now.state == "running" and isinstance(now.progress, SolveProgress)
            assert now.progress.nodes > 0 and now.progress.at_least in (0, 1)
            break
    gaps = [second - first for first, second in pairwise(times)]
    assert sorted(gaps)[2] < 0.75, gaps  # the median: a busy machine has pauses of its own
    assert service.client.cancel(job.id).state == "cancelled"


def test_a_solve_is_cancelled_at_once(service: Service) -> None:
    times = []
    for _ in range(5):
        job = service.client.start_solve(LONG)
        wait_until_running(service, job)
        started = time.perf_counter()
        cancelled = service.client.cancel(job.id)
        times.append(time.perf_counter() - started)
        assert cancelled.state == "cancelled"
        assert isinstance(cancelled.result, SolveResult) and cancelled.result.unknown_reason == "cancelled"
    assert min(times) < 0.1, times  # 50 ms for the search, the rest for the store and the call


def test_a_paused_solve_goes_on_where_it_was(service: Service) -> None:
    job = service.client.start_solve(LONG, budget=Budget(nodes=3_000_000))
    wait_until_running(service, job)
    paused = service.client.pause(job.id)
    assert paused.state == "paused" and isinstance(paused.progress, SolveProgress)
    nodes = paused.progress.nodes
    assert 0 < nodes < 3_000_000
    assert list(service.client.watch(job.id))[-1].state == "paused", "a paused job does not move by itself"
    assert service.client.resume(job.id).state in ("queued", "running")
    result = solved_value(service.client.wait(job.id))
    assert result.unknown_reason == "nodes"
    assert 3_000_000 <= result.nodes < 3_500_000, "the nodes before the pause count"


def test_pause_and_resume_do_not_change_the_answer(service: Service) -> None:
    whole = solved_value(service.client.solve("connect-four:5x4", "3"))
    service.store.quarantine("connect-four:5x4", [key for key, _ in service.store.scan("connect-four:5x4")], "again")
    job = service.client.start_solve("connect-four:5x4", "3")
    for _ in range(20):
        try:
            service.client.pause(job.id)
            service.client.resume(job.id)
        except JobStateError:
            break  # it is done
    result = solved_value(service.client.wait(job.id))
    assert (result.status, result.value) == (whole.status, whole.value)
    verified = service.client.verify("connect-four:5x4").result
    assert isinstance(verified, VerificationResult) and verified.failed == 0


def test_more_jobs_than_may_run_wait(make_service: MakeService) -> None:
    service = make_service(limits=Limits(concurrent_jobs=1, queued_jobs=2))
    first = service.client.start_solve(LONG)
    wait_until_running(service, first)
    waiting = [service.client.start_solve("tic-tac-toe") for _ in range(2)]
    assert [service.client.job(job.id).state for job in waiting] == ["queued", "queued"]
    with pytest.raises(QueueFullError, match="2 jobs wait"):
        service.client.start_solve("tic-tac-toe")
    assert service.client.cancel(waiting[1].id).state == "cancelled"
    service.client.cancel(first.id)
    assert solved_value(service.client.wait(waiting[0].id)).status == "exact"


def test_changes_that_the_state_of_a_job_does_not_allow(service: Service) -> None:
    done = service.client.solve("tic-tac-toe")
    for change in (service.client.cancel, service.client.pause, service.client.resume):
        with pytest.raises(JobStateError, match="is done") as caught:
            change(done.id)
        assert caught.value.job_id == done.id and caught.value.state == "done"
    running = service.client.start_solve(LONG)
    wait_until_running(service, running)
    with pytest.raises(JobStateError):
        service.client.resume(running.id)
    service.client.cancel(running.id)


def test_jobs_are_listed_page_by_page(service: Service) -> None:
    made = [service.client.solve("tic-tac-toe").id for _ in range(5)]
    first, cut = service.client.jobs(limit=3)
    assert cut is not None and cut.continuation
    second, end = service.client.jobs(limit=3, continuation=cut.continuation)
    assert end is None
    assert [job.id for job in (*first, *second)] == list(reversed(made))
    assert service.client.jobs(["failed"]) == ([], None)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_a_false_record_is_found_and_quarantined_with_what_rests_on_it(solved: Service, rules: str) -> None:
    game = open_game("tic-tac-toe", "python")
    # A false claim about a position that the records of others rest on.
    key = game.key(game.parse("xo./.../..."))  # x wins; the false claim says that x loses
    stored = solved.store.get_many(game.name, [key])[0]
    assert stored is not None
    solved.store.quarantine(game.name, [key], "made room")
    false = encode_record(Record.of([Claim(Side.UPPER, -1, 6)]))
    solved.store.put_many(game.name, [(key, false)], source="a liar", rules_version=1)
    found = solved.client.verify("tic-tac-toe", rules=rules).result  # type: ignore[arg-type]
    assert isinstance(found, VerificationResult)
    assert found.failed > 0 and found.quarantined == 0 and found.checked == 627
    assert key in {finding.key for finding in found.findings}
    own = next(finding for finding in found.findings if finding.key == key)
    assert own.rule == "child" and own.position == game.text(game.position(key)) and "upper" in (own.claim or "")
    cleaned = solved.client.verify("tic-tac-toe", rules=rules, quarantine=True).result  # type: ignore[arg-type]
    assert isinstance(cleaned, VerificationResult)
    assert cleaned.quarantined >= cleaned.failed
    again = solved.client.verify("tic-tac-toe", rules=rules).result  # type: ignore[arg-type]
    assert isinstance(again, VerificationResult)
    assert again.failed == 0
    assert 627 - cleaned.quarantined < again.checked < 627, "sound claims stay beside those that went"


def test_damaged_bytes_are_found(solved: Service) -> None:
    target: dict[bytes, bytes] = solved.store._games["tic-tac-toe"].records  # type: ignore[attr-defined]
    key = sorted(target)[100]
    target[key] = b"\x77" + target[key][1:]
    solved.store._games["tic-tac-toe"].generation += 1  # type: ignore[attr-defined]
    for rules in ("native", "python"):
        result = solved.client.verify("tic-tac-toe", rules=rules).result  # type: ignore[arg-type]
        assert isinstance(result, VerificationResult)
        assert ("malformed", key) in {(finding.rule, finding.key) for finding in result.findings}


def test_a_sample_is_what_its_seed_draws(solved: Service) -> None:
    first = solved.client.verify("tic-tac-toe", sample=50, seed=7).result
    whole = solved.client.verify("tic-tac-toe", sample=5000).result
    assert isinstance(first, VerificationResult) and isinstance(whole, VerificationResult)
    assert (first.checked, first.failed) == (50, 0)
    assert (whole.checked, whole.failed) == (627, 0)


def test_below_a_root_only_what_its_claims_rest_on_is_checked(solved: Service) -> None:
    game = open_game("tic-tac-toe")
    result = solved.client.verify("tic-tac-toe", "12").result
    assert isinstance(result, VerificationResult)
    assert 0 < result.checked < 200 and result.failed == 0
    nodes = {node.key for node in solved.client.proof("tic-tac-toe", "12").nodes if node.kind != "terminal"}
    assert result.checked == len(nodes)
    assert game.key(game.initial()) not in nodes


@pytest.mark.usefixtures("whole_solutions")
def test_a_large_game_is_verified_chunk_by_chunk(make_service: MakeService) -> None:
    service = make_service(limits=Limits(job_memory_bytes=1 << 18, cache_bytes=1 << 18))
    with open_store("memory:") as other:
        from proofbase.service.application import Application
        from proofbase.service.client.local import LocalClient

        with Application(other) as app:
            LocalClient(app, "").solve("connect-four:5x4")
            service.store.put_many(
                "connect-four:5x4",
                _plain(other, "connect-four:5x4"),
                source="elsewhere",
                rules_version=1,
            )
    count = service.store.count("connect-four:5x4")
    assert count * 48 > 1 << 18
    result = service.client.verify("connect-four:5x4").result
    assert isinstance(result, VerificationResult)
    assert (result.checked, result.failed) == (count, 0)


def _plain(store: object, game: str) -> list[tuple[bytes, bytes]]:
    from proofbase.storage import SolutionStore, without_sources

    assert isinstance(store, SolutionStore)
    return [(key, without_sources(data)) for key, data in store.scan(game)]


def test_records_of_unknown_games_neither_pass_nor_fail(service: Service) -> None:
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 1)]))
    service.store.put_many("somebodys-game", [(b"k", record), (b"l", record)], source="s", rules_version=1)
    result = service.client.verify().result
    assert isinstance(result, VerificationResult)
    assert (result.checked, result.failed, result.findings) == (0, 0, ())
    [unchecked] = result.unchecked
    assert (unchecked.game, unchecked.records) == ("somebodys-game", 2) and "--plugin" in unchecked.reason
    for ask in (service.client.lookup, service.client.verify):
        with pytest.raises(RulesNotLoadedError, match="--plugin"):
            ask("somebodys-game")


def test_a_read_only_store_can_be_verified_but_not_solved(make_service: MakeService, directory: Path) -> None:
    with open_store(str(directory)) as store:
        from services import fill_tic_tac_toe

        fill_tic_tac_toe(store)
    service = make_service(open_store(str(directory), read_only=True))
    result = service.client.verify().result
    assert isinstance(result, VerificationResult) and result.checked == 627 and result.failed == 0
    with pytest.raises(StoreReadOnlyError):
        service.client.start_solve("tic-tac-toe")
    with pytest.raises(StoreReadOnlyError):
        service.client.start_verification(quarantine=True)


def test_a_stopped_service_leaves_its_jobs_to_the_next(make_service: MakeService, directory: Path) -> None:
    first = make_service(str(directory))
    job = first.client.start_solve(LONG, budget=Budget(nodes=2_000_000))
    wait_until_running(first, job)
    first.app.close()
    second = make_service(str(directory))
    assert second.store.get_job(job.id) is not None
    second.app.jobs.resume_unfinished()
    result = solved_value(second.client.wait(job.id))
    assert result.unknown_reason == "nodes" and 2_000_000 <= result.nodes < 2_500_000
