"""The part of the conformance suite that is about jobs and their checkpoints."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from proofbase.storage.capabilities import Capability
from proofbase.storage.entries import JOB_KINDS, JOB_STATES, Job
from proofbase.storage.errors import JobNotFoundError
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need

__all__ = ["JobConformance"]


class JobConformance(ConformanceBase):
    """What every store must do with jobs."""

    def test_jobs_come_back(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS)
        job = Job("job-1", "solve", "queued", 1.25, 1.5, {"game": "g", "nodes": 10**12, "deep": [1, {"a": None}]})
        store.put_job(job)
        assert store.get_job("job-1") == job
        done = job.changed(
            state="failed", updated=2.0, progress={"nodes": 7, "rate": 0.1}, result={}, error="why \u00e9"
        )
        store.put_job(done)
        assert store.get_job("job-1") == done
        assert store.get_job("job-2") is None
        assert store.get_job("") is None
        assert store.get_job("x\0y") is None

    def test_jobs_are_counted_by_state(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS)
        assert store.count_jobs() == {}
        for number, state in enumerate(("queued", "done", "done", "failed", "done")):
            store.put_job(Job(f"job-{number}", "solve", state, float(number), float(number)))
        assert store.count_jobs() == {"queued": 1, "done": 3, "failed": 1}
        store.put_job(Job("job-0", "solve", "cancelled", 0.0, 9.0))
        assert store.replace_job(Job("job-1", "solve", "paused", 1.0, 9.0), 1.0)
        assert store.count_jobs() == {"cancelled": 1, "paused": 1, "done": 2, "failed": 1}

    def test_one_of_several_replaces_a_job(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS)
        job = Job("job-1", "solve", "running", 1.0, 1 / 3)
        assert not store.replace_job(job, 1 / 3), "there is nothing to replace"
        assert store.get_job("job-1") is None
        store.put_job(job)
        assert not store.replace_job(job.changed(state="paused", updated=3.0), 0.3333)
        assert store.get_job("job-1") == job
        with ThreadPoolExecutor(4) as threads:
            mine = [job.changed(progress={"by": number}, updated=2.0 + number) for number in range(8)]
            took = list(threads.map(lambda changed: store.replace_job(changed, 1 / 3), mine))
        assert sum(took) == 1
        assert store.get_job("job-1") == mine[took.index(True)]

    def test_jobs_are_listed_newest_first(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS)
        states = ["queued", "running", "done"]
        jobs = [Job(f"job-{n}", "import", states[n % 3], 1.0 + n // 2, 0.0) for n in range(9)]
        for job in random.Random(1).sample(jobs, len(jobs)):
            store.put_job(job)
        newest = sorted(jobs, key=lambda job: (job.created, job.id), reverse=True)
        assert store.list_jobs() == newest
        assert store.list_jobs(limit=4) == newest[:4]
        assert store.list_jobs(limit=4, before=newest[3].id) == newest[4:8]
        wanted = [job for job in newest if job.state != "done"]
        assert store.list_jobs(["queued", "running"]) == wanted
        assert store.list_jobs({"queued", "running"}, limit=2, before=wanted[1].id) == wanted[2:4]
        assert store.list_jobs([]) == store.list_jobs(kinds=[]) == []
        assert store.list_jobs(limit=3, before=(newest[1].created, newest[1].id)) == newest[2:5]
        assert store.list_jobs(before=(0.5, "job-9")) == []
        with pytest.raises(JobNotFoundError):
            store.list_jobs(before="nobody")

    def test_jobs_are_listed_by_state_and_kind(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS)
        chance = random.Random(7)
        jobs: dict[str, Job] = {}
        for _ in range(400):
            name = f"job-{chance.randrange(150)}"
            created = jobs[name].created if name in jobs else chance.choice([-3.5, 0.0, 1e-300, 0.1, 1.0, 1e9, 2e9])
            state, kind = chance.choice(JOB_STATES), chance.choice(JOB_KINDS)
            job = Job(name, kind, state, created, chance.random())
            if name in jobs and chance.random() < 0.5:
                assert store.replace_job(job, jobs[name].updated)
            else:
                store.put_job(job)
            jobs[name] = job
        newest = sorted(jobs.values(), key=lambda job: (job.created, job.id), reverse=True)
        for _ in range(40):
            states = chance.choice([None, chance.sample(JOB_STATES, 2)])
            kinds = chance.choice([None, chance.sample(JOB_KINDS, 2)])
            limit, last = chance.choice([None, 1, 5, 50]), chance.choice([None, chance.choice(newest)])
            wanted = [job for job in newest if states is None or job.state in states]
            wanted = [job for job in wanted if kinds is None or job.kind in kinds]
            if last is not None:
                wanted = [job for job in wanted if (job.created, job.id) < (last.created, last.id)]
            before: str | tuple[float, str] | None = None
            if last is not None:
                before = last.id if chance.random() < 0.5 else (last.created, last.id)
            assert store.list_jobs(states, kinds=kinds, limit=limit, before=before) == wanted[:limit]

    def test_old_jobs_are_pruned_with_their_checkpoints(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS, Capability.CHECKPOINTS)
        for number in range(30):
            state = ["done", "failed", "running"][number % 3]
            store.put_job(Job(f"job-{number:02}", "solve", state, float(number), float(number) + 0.5))
            store.append_checkpoint(f"job-{number:02}", b"chunk")
        ended = ["done", "failed"]
        assert store.prune_jobs(ended, updated_before=10.5, keep=18) == 2
        assert store.prune_jobs(ended, updated_before=10.5, keep=18) == 0
        assert store.get_job("job-00") is None and store.get_job("job-03") is not None
        assert list(store.checkpoint("job-00")) == [] and list(store.checkpoint("job-02")) == [b"chunk"]
        assert store.prune_jobs(ended, updated_before=10.5, keep=0) == 5  # 3, 4, 6, 7 and 9; 10 was changed at 10.5
        assert store.prune_jobs([], updated_before=1e12, keep=0) == 0
        assert store.prune_jobs(ended, updated_before=1e12, keep=100) == 0
        assert store.prune_jobs(ended, updated_before=1e12, keep=0) == 13
        assert [job.id for job in store.list_jobs(limit=2)] == ["job-29", "job-26"]
        assert len(store.list_jobs()) == 10 and list(store.checkpoint("job-29")) == [b"chunk"]

    def test_checkpoints_are_appended_and_dropped(self, store: SolutionStore) -> None:
        need(store, Capability.JOBS, Capability.CHECKPOINTS)
        for name in ("job-1", "job-10", "job-"):
            store.put_job(Job(name, "solve", "running", 1.0, 1.0))
        chunks = [bytes([number]) * number * 1000 for number in range(12)]
        for number, chunk in enumerate(chunks):
            store.append_checkpoint("job-1", chunk)
            store.append_checkpoint("job-10", b"ten %d" % number)
        assert list(store.checkpoint("job-1")) == chunks
        assert list(store.checkpoint("job-10")) == [b"ten %d" % number for number in range(12)]
        assert list(store.checkpoint("job-")) == list(store.checkpoint("nobody")) == []
        store.drop_checkpoint("job-1")
        store.drop_checkpoint("job-1")
        store.drop_checkpoint("nobody")
        assert list(store.checkpoint("job-1")) == []
        assert len(list(store.checkpoint("job-10"))) == 12
        store.append_checkpoint("job-1", b"anew")
        assert list(store.checkpoint("job-1")) == [b"anew"]
        with pytest.raises(JobNotFoundError):
            store.append_checkpoint("nobody", b"")
