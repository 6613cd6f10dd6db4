"""One stored job that cannot be read: the service starts, lists the others, and says how many were passed over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import lmdb
import pytest

from proofbase.service.application import Application
from proofbase.service.client import InvalidRequestError, connect
from proofbase.storage import Job, StoreDamagedError, open_store
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.rows import seal_row

Change = Callable[[str, dict], bytes]  # type: ignore[type-arg]


def changed_rows(directory: Path, change: Change) -> None:
    """Changes the rows of all jobs but the newest, as a damage or a later release would."""
    with LmdbStore(str(directory)) as store:
        jobs = store.list_jobs()
        rows = store._environment.dbs.jobs

        def write(txn: lmdb.Transaction[bytes]) -> None:
            for job in jobs[1:]:
                txn.put(job.id.encode(), change(job.id, json.loads(job.to_json())), db=rows)

        store._environment.write(write)


def sealed(job_id: str, entries: object) -> bytes:
    return seal_row("jobs", job_id.encode(), json.dumps(entries).encode())


UNREADABLE: dict[str, Change] = {
    "no JSON": lambda job_id, job: seal_row("jobs", job_id.encode(), b"{"),
    "another value": lambda job_id, job: sealed(job_id, []),
    "wrong types": lambda job_id, job: sealed(job_id, {**job, "created": "today"}),
    "nested deeply": lambda job_id, job: seal_row("jobs", job_id.encode(), b"[" * 100_000),
    "a kind of a later release": lambda job_id, job: sealed(job_id, {**job, "kind": "dream"}),
    "a state of a later release": lambda job_id, job: sealed(job_id, {**job, "state": "dreaming"}),
    "another specification": lambda job_id, job: sealed(job_id, {**job, "spec": {"dream": 1}}),
    "a changed byte": lambda job_id, job: sealed(job_id, job).replace(b"tic-tac-toe", b"tic-tac-tie"),
    "no checksum": lambda job_id, job: json.dumps(job).encode(),
}


@pytest.mark.parametrize("change", UNREADABLE.values(), ids=UNREADABLE)
def test_the_others_are_listed_and_the_unreadable_ones_counted(tmp_path: Path, change: Change) -> None:
    with connect(str(tmp_path)) as client:
        for _ in range(3):
            last = client.solve("tic-tac-toe").id
    changed_rows(tmp_path, change)
    for read_only in (True, False):
        with connect(str(tmp_path), read_only=read_only) as client:
            jobs, cut = client.jobs()
            assert [job.id for job in jobs] == [last]
            assert jobs.unreadable == 2
            assert cut is None
            client.statistics()
            if not read_only:
                client.solve("tic-tac-toe")
                assert len(client.jobs()[0]) == 2


def test_a_damaged_job_is_named_when_it_is_asked_for(tmp_path: Path) -> None:
    with connect(str(tmp_path)) as client:
        first, _ = client.solve("tic-tac-toe").id, client.solve("tic-tac-toe")
    changed_rows(tmp_path, UNREADABLE["a changed byte"])
    with connect(str(tmp_path)) as client, pytest.raises(StoreDamagedError, match=first):
        client.job(first)


def test_what_a_later_release_has_stored_in_a_job_is_kept(tmp_path: Path) -> None:
    with connect(str(tmp_path)) as client:
        jobs = [client.solve("tic-tac-toe").id for _ in range(2)]
    changed_rows(
        tmp_path, lambda job_id, job: sealed(job_id, {**job, "mood": "good", "spec": {**job["spec"], "colour": "red"}})
    )
    with connect(str(tmp_path)) as client:
        found, _ = client.jobs()
        assert [job.id for job in found] == jobs[::-1]
        assert found.unreadable == 0
    with open_store(str(tmp_path)) as store:
        stored = store.get_job(jobs[0])
        assert stored is not None
        own = {name: value for name, value in stored.spec.items() if name != "colour"}
        changed = Job(stored.id, stored.kind, "failed", stored.created, stored.updated + 1, own, error="why")
        assert store.replace_job(changed, stored.updated)
        found = store.get_job(jobs[0])
        assert found is not None
        assert (found.state, found.spec["colour"], found.unknown) == ("failed", "red", {"mood": "good"})


def test_jobs_of_release_0_1_0_get_a_checksum(tmp_path: Path) -> None:
    with connect(str(tmp_path)) as client:
        jobs = [client.solve("tic-tac-toe").id for _ in range(2)]
    changed_rows(tmp_path, UNREADABLE["no checksum"])
    with lmdb.open(str(tmp_path), max_dbs=16) as environment, environment.begin(write=True) as txn:
        txn.delete(b"rows_sealed", db=environment.open_db(b"meta", txn=txn))
    for read_only in (True, False, True):
        with open_store(str(tmp_path), read_only=read_only) as store:
            assert [job.id for job in store.list_jobs()] == jobs[::-1]
            assert store.unreadable_jobs() == {}
            assert [source.number for source in store.sources()] == [1, 2]


@pytest.mark.parametrize("state", ["queued", "running"])
def test_a_job_that_checks_a_report_ends_with_a_sentence(tmp_path: Path, state: str) -> None:
    spec = {"game": "tic-tac-toe", "position": "-", "value": 1, "report": "r"}
    with open_store(str(tmp_path)) as store:
        store.put_job(Job("1-x", "report", state, 1.0, 2.0, spec))
    with Application(open_store(str(tmp_path))) as app:
        assert app.jobs.resume_unfinished() == 0
    with connect(str(tmp_path)) as client:
        assert (client.jobs()[0], client.jobs()[0].unreadable) == ([], 0)
        with pytest.raises(InvalidRequestError, match="job 1-x is of the kind report: this release has no such jobs"):
            client.job("1-x")
    with open_store(str(tmp_path)) as store:
        stored = store.get_job("1-x")
        assert stored is not None and (stored.state, stored.spec) == ("failed", spec)
        assert str(stored.error).startswith("this release checks no reports of wrong values")
