"""The work of old solves is forgotten beside the calls: nobody waits for it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from services import serving

from proofbase.service.application import Application
from proofbase.service.client import Budget, Client, JobStateError, Limits, connect
from proofbase.service.jobs.running import checkpoint_retention
from proofbase.service.jobs.running.checkpoint_retention import CheckpointRetention
from proofbase.storage import open_store


def test_no_call_waits_while_old_work_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, end = threading.Event(), threading.Event()

    def slow(*_: object) -> bool:
        begun.set()
        return end.wait(30)

    monkeypatch.setattr(checkpoint_retention, "drop_old_checkpoints", slow)

    def resume(client: Client, job_id: str) -> None:
        with suppress(JobStateError):
            client.resume(job_id)

    app = Application(open_store("memory:"))
    try:
        with serving(app) as address, connect(address) as client, ThreadPoolExecutor(8) as threads:
            job = client.solve("tic-tac-toe")
            client.prune_jobs()
            assert begun.wait(10), "a call has the upkeep forget old work"
            began = time.monotonic()
            calls = [threads.submit(client.prune_jobs) for _ in range(6)]
            calls += [threads.submit(resume, client, job.id) for _ in range(2)]
            for call in calls:
                call.result(10)
            assert time.monotonic() - began < 5, "the calls have waited for the upkeep"
            end.set()
    finally:
        end.set()
        app.close()


def test_the_upkeep_forgets_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Application(open_store("memory:"), Limits(kept_searches=1))
    try:
        with serving(app) as address, connect(address) as client:
            budget = Budget(nodes=2_000)
            made = [client.solve("connect-four", algorithm="pn-dag", budget=budget).id for _ in range(3)]
        work = CheckpointRetention(app.jobs._ledger, 1)
        work.drop_if_asked()
        assert [app.jobs.get(each).resumable for each in made] == [True] * 3, "nobody has asked"
        monkeypatch.setattr(checkpoint_retention, "BETWEEN_SECONDS", -1.0)
        monkeypatch.setattr(checkpoint_retention, "UPKEEP_SECONDS", -1.0)
        work.ask()
        work.drop_if_asked()
        assert [app.jobs.get(each).resumable for each in made] == [True] * 3, "its time was over at once"
        monkeypatch.setattr(checkpoint_retention, "UPKEEP_SECONDS", 10.0)
        work.drop_if_asked()
        assert [app.jobs.get(each).resumable for each in made] == [False, False, True]
    finally:
        app.close()
