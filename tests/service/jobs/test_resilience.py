"""A service under load, and with things in its store that it cannot handle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from services import MakeService, fill_tic_tac_toe

from proofbase.service.client import Client, Job, Limits, SolveResult, SolveSpec, VerificationResult, VerificationSpec
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.storage import open_store


def test_jobs_of_unknown_games_fail_and_the_server_lives(make_service: MakeService, directory: Path) -> None:
    now = time.time()
    with open_store(str(directory)) as store:
        for name, spec in (
            ("a", SolveSpec("somebodys-game", "x")),
            ("b", VerificationSpec("somebodys-game", "x")),
            ("c", SolveSpec("tic-tac-toe", "12", algorithm="of-another-release")),
            ("d", SolveSpec("tic-tac-toe", "12")),
        ):
            kind = "solve" if isinstance(spec, SolveSpec) else "verification"
            store.put_job(to_stored(Job(name, kind, "running", now, now, spec)))
        store.append_checkpoint("d", b"of another release")
    service = make_service(str(directory))
    service.app.jobs.resume_unfinished()
    states = {name: list(service.client.watch(name))[-1] for name in "abcd"}
    assert states["a"].state == "failed" and states["a"].error_reason == "UNKNOWN_GAME"
    assert states["b"].state == "done"  # there is nothing of that game to verify
    assert states["c"].state == "failed" and states["c"].error_reason == "UNKNOWN_ALGORITHM"
    assert isinstance(states["d"].result, SolveResult) and states["d"].result.status == "exact"


def test_a_damaged_checkpoint_costs_work_but_not_the_job(
    make_service: MakeService, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = time.time()
    with open_store(str(directory)) as store:
        store.put_job(to_stored(Job("a", "solve", "running", now, now, SolveSpec("connect-four:4x4", "12"))))
        store.append_checkpoint("a", b'{"algorithm": "pn-dag+effort", "at_least": 1}')
        store.append_checkpoint("a", b"nonsense")
    service = make_service(str(directory))
    service.app.jobs.resume_unfinished()
    last = list(service.client.watch("a"))[-1]
    assert isinstance(last.result, SolveResult) and last.result.status == "exact"
    assert "starts its question again" in caplog.text


def test_many_threads_read_write_solve_and_verify(make_service: MakeService) -> None:
    service = make_service(limits=Limits(concurrent_jobs=3))
    fill_tic_tac_toe(service.store)
    errors: list[BaseException] = []
    until = time.monotonic() + 4

    def reads(client: Client) -> None:
        assert client.lookup("tic-tac-toe", "12").value.lower == 1
        assert client.batch_lookup_keys("tic-tac-toe", [b"\0\0"] * 50).stored(49)
        assert client.line("tic-tac-toe").stop == "end_of_game"

    def solves(client: Client) -> None:
        for text in ("1", "2", "3", "12"):
            result = client.solve("connect-four:4x4", text).result
            assert isinstance(result, SolveResult) and result.status == "exact"

    def verifies(client: Client) -> None:
        result = client.verify().result
        assert isinstance(result, VerificationResult) and result.failed == 0

    def moves_solutions(client: Client) -> None:
        assert client.import_(client.export("tic-tac-toe", "-")).added == 0

    def repeat(work: Callable[[Client], None]) -> None:
        try:
            while time.monotonic() < until:
                work(service.client)
        except BaseException as error:
            errors.append(error)

    works = (reads, reads, solves, solves, verifies, moves_solutions)
    threads = [threading.Thread(target=repeat, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == [] and not any(thread.is_alive() for thread in threads)
