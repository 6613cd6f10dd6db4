"""Jobs that build and verify tables, in this process and over a real server."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from services import MakeService, serving

from proofbase.engine._core import TableWork, open_game
from proofbase.engine.errors import NoTablesError
from proofbase.service.application import Application, open_application
from proofbase.service.client import (
    Client,
    InvalidRequestError,
    Job,
    LimitExceededError,
    TableProgress,
    TableResult,
    TablesBusyError,
    TableSpec,
    connect,
)
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.jobs import start_table
from proofbase.service.jobs.stored_jobs import from_stored, to_stored
from proofbase.service.limits import Limits
from proofbase.service.words.amounts import bytes_text
from proofbase.storage import StoreReadOnlyError, open_store

POSITION = "0,0,0,0,1,1/0,2,0,0,1,0/S"
NAMES = [f"awari-{stones}" for stones in range(15)]


def tables(client: Client, size: int, action: str = "build") -> TableResult:
    job = client.start_table("awari", size, action=action, threads=2)  # type: ignore[arg-type]
    return result_of(client.wait(job.id))


def result_of(job: Job) -> TableResult:
    assert job.state == "done"
    assert isinstance(job.result, TableResult)
    return job.result


def progress_of(client: Client, job_id: str) -> TableProgress:
    progress = client.job(job_id).progress
    return progress if isinstance(progress, TableProgress) else TableProgress()


def test_tables_are_built_and_verified(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    assert not client.lookup("awari", POSITION).known
    built = tables(client, 6)
    assert [entry.table for entry in built.tables] == NAMES[:7]
    assert built.entries == sum(entry.entries for entry in built.tables) == 18_564
    assert client.lookup("awari", POSITION).known
    assert tables(client, 6).tables == (), "they are there"
    assert [entry.table for entry in tables(client, 7).tables] == ["awari-7"]
    verified = tables(client, 6, "verify")
    assert [(entry.table, entry.entries) for entry in verified.tables] == [
        (entry.table, entry.entries) for entry in built.tables
    ]
    assert (verified.failed, verified.findings, verified.cut) == (0, (), None)
    assert [entry.longest for entry in verified.tables][:4] == [0, 2, 10, 29]
    jobs, _ = client.jobs()
    assert [job.kind for job in jobs] == ["table"] * 4
    assert jobs[0].spec == TableSpec("awari", 6, "verify", 2)
    progress = jobs[0].progress
    assert isinstance(progress, TableProgress)
    assert (progress.before, progress.total, progress.failed) == (18_564, 18_564, 0)


def test_tables_are_compressed_as_they_are_built(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    assert [entry.table for entry in tables(client, 5).tables] == NAMES[:6]
    plain = {path.name: path.read_bytes() for path in directory.rglob("*.table")}
    job = client.wait(client.start_table("awari", 6, compress=True).id)
    assert [entry.table for entry in result_of(job).tables] == ["awari-6"]
    assert isinstance(job.spec, TableSpec) and job.spec.compress
    work = TableWork(open_game("awari"), str(next(directory.rglob("awari-6.table")).parent), 6)
    assert {entry.block for entry in work.plan()} == {8192}, "those that were there are compressed, too"
    assert (verified := tables(client, 6, "verify")).failed == 0 and len(verified.tables) == 7
    assert work.rewrite(level=None)
    assert plain.items() <= {path.name: path.read_bytes() for path in directory.rglob("*.table")}.items()
    with pytest.raises(InvalidRequestError, match="`compress` is for tables that are built"):
        client.start_table("awari", 6, action="verify", compress=True)


def test_what_a_verification_finds(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    tables(client, 5)
    path = directory / "tables" / "awari-4.table"
    data = bytearray(path.read_bytes())
    data[1000] ^= 4
    path.write_bytes(data)
    verified = tables(client, 5, "verify")
    assert verified.failed == 1
    assert [entry.failed for entry in verified.tables] == [0, 0, 0, 0, 1, 0]
    (found,) = verified.findings
    assert (found.table, found.rule) == ("awari-4", "damaged")


def test_a_job_keeps_to_its_memory(make_service: MakeService, directory: Path, tmp_path: Path) -> None:
    """A class that needs more is built and verified in parts; one that needs too much for parts as well is refused."""
    whole = TableWork(open_game("awari"), str(tmp_path), 12, threads=2)
    memory = whole.plan()[-1].build_memory - 1
    assert whole.plan(memory)[-1].build_parts > 1
    assert whole.build()
    assert whole.plan(memory)[-1].verify_parts > 1
    client = make_service(str(directory), limits=Limits(job_memory_bytes=memory)).client
    assert [entry.table for entry in tables(client, 12).tables] == NAMES[:13]
    for name in NAMES[:13]:
        file = f"{name}.table"
        assert (directory / "tables" / file).read_bytes() == (tmp_path / file).read_bytes()
    verified = tables(client, 12, "verify")
    assert (verified.failed, len(verified.tables)) == (0, 13)
    for refused in (
        lambda: client.start_table("awari", 20),
        lambda: client.start_table("awari", 12, action="verify", threads=200),  # each needs room for its lists
    ):
        with pytest.raises(LimitExceededError, match="job_memory_bytes"):
            refused()


def test_a_job_keeps_to_the_memory_and_the_disk_that_it_is_given(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    with pytest.raises(InvalidRequestError, match=r"table awari-6 needs .* of memory at least, more than 1.0 KiB"):
        client.start_table("awari", 6, memory_bytes=1024)
    with pytest.raises(InvalidRequestError, match=r"the files need up to .*, more than 1.0 KiB"):
        client.start_table("awari", 6, disk_bytes=1024)
    with pytest.raises(LimitExceededError, match="a job may use"):
        client.start_table("awari", 6, memory_bytes=1 << 50)
    with pytest.raises(InvalidRequestError, match="memory_bytes is 0"):
        client.start_table("awari", 6, memory_bytes=0)
    job = client.wait(client.start_table("awari", 12, threads=1, memory_bytes=2 << 20, disk_bytes=1 << 30).id)
    assert job.spec == TableSpec("awari", 12, "build", 1, memory_bytes=2 << 20)
    assert isinstance(job.progress, TableProgress) and job.progress.plan is not None
    assert job.progress.plan.startswith("13 tables with 2,704,156 entries: up to 2.0 MiB of memory (awari-12)")
    assert job.progress.plan.endswith("; 1 of them in parts, awari-12 in 4")


def test_a_table_that_is_compressed_is_there_twice_for_a_time(make_service: MakeService, directory: Path) -> None:
    files = [entry.build_file for entry in TableWork(open_game("checkers"), str(directory), 3).plan()]
    plain = sum(files)  # tables of plies have no checkpoints
    client = make_service(str(directory)).client
    for needed, compress in ((plain, False), (plain + max(files), True)):
        with pytest.raises(InvalidRequestError, match=f"the files need up to {bytes_text(needed)}, "):
            client.start_table("checkers", 3, disk_bytes=needed - 1, compress=compress)
    job = client.wait(client.start_table("checkers", 3, disk_bytes=plain + max(files), compress=True).id)
    assert job.state == "done"
    assert sum(file.stat().st_size for file in (directory / "tables").glob("*.table")) < plain / 2


def test_what_is_there_is_verified(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    with pytest.raises(InvalidRequestError, match="no tables of awari are there"):
        client.start_table("awari", 48, action="verify", present=True)
    with pytest.raises(InvalidRequestError, match="present"):
        client.start_table("awari", 3, present=True)
    tables(client, 4)
    job = client.wait(client.start_table("awari", 48, action="verify", present=True).id)
    assert f"{job.spec.action} {job.spec.subject}" == "verify awari"
    assert [entry.table for entry in result_of(job).tables] == NAMES[:5]
    (directory / "tables" / "awari-2.table").unlink()
    job = client.start_table("awari", 48, action="verify", present=True)
    with pytest.raises(InvalidRequestError, match="table awari-2 is not there"):
        client.wait(job.id)


def test_another_job_goes_on_with_a_verification_that_was_cancelled(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    tables(client, 12)
    job = client.start_table("awari", 12, action="verify", threads=1)
    while progress_of(client, job.id).before < 1000:
        time.sleep(0.01)
    client.cancel(job.id)
    job = client.wait(client.start_table("awari", 12, action="verify").id)
    assert isinstance(job.progress, TableProgress) and job.progress.plan is not None
    assert "verified before, going on with" in job.progress.plan
    assert [entry.table for entry in result_of(job).tables] == NAMES[:13]
    again = client.wait(client.start_table("awari", 3, action="verify").id)
    assert isinstance(again.progress, TableProgress)
    assert (again.progress.plan or "").startswith("4 tables with 455 entries"), "the next one begins anew"


def test_a_limit_that_was_lowered_after_the_start(directory: Path) -> None:
    with open_application(str(directory)) as app:
        job = app.jobs.start(TableSpec("awari", 12, "build", 1))
    with open_application(str(directory), limits=Limits(job_memory_bytes=1 << 20)) as app:
        assert app.jobs.resume_unfinished() == 1
        with pytest.raises(LimitExceededError, match=r"needs .* bytes of memory at least.*1,048,576 are allowed"):
            LocalClient(app, "").wait(job.id)


def test_a_disk_without_room(make_service: MakeService, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = make_service(str(directory)).client
    monkeypatch.setattr(start_table, "disk_usage", lambda path: SimpleNamespace(free=100_000))
    tables(client, 4)
    needs = r"building tables of awari to 12 stones needs up to .* 100,000 are free"
    with pytest.raises(InvalidRequestError, match=needs):
        client.start_table("awari", 12)
    assert {path.stem for path in (directory / "tables").glob("*.table")} == set(NAMES[:5])


def test_what_is_refused(make_service: MakeService, directory: Path) -> None:
    memory = make_service().client
    with pytest.raises(InvalidRequestError, match="beside a store in a directory"):
        memory.start_table("awari", 3)
    client = make_service(str(directory)).client
    with pytest.raises(NoTablesError, match="connect-four has no tables"):
        client.start_table("connect-four", 3)
    with pytest.raises(InvalidRequestError, match="table awari-0 is not there"):
        client.start_table("awari", 3, action="verify")
    with pytest.raises(LimitExceededError, match="job_memory_bytes"):
        client.start_table("awari", 48)
    with pytest.raises(InvalidRequestError):
        client.start_table("awari", -1)
    with pytest.raises(InvalidRequestError):
        client.start_table("awari", 3, threads=1000)
    with pytest.raises(InvalidRequestError):
        client.start_table("awari", 3, action="count")  # type: ignore[arg-type]
    assert client.jobs() == ([], None)


def test_a_store_that_is_read_only_builds_nothing(directory: Path) -> None:
    with open_application(str(directory)) as app:
        tables(LocalClient(app, ""), 3)
    with Application(open_store(str(directory), read_only=True)) as app:
        client = LocalClient(app, "")
        assert tables(client, 3, "verify").failed == 0
        with pytest.raises(StoreReadOnlyError):
            client.start_table("awari", 4)


def test_one_builder_at_a_time(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    tables(client, 2)
    with (directory / "tables" / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        job = client.start_table("awari", 3)
        with pytest.raises(TablesBusyError):
            client.wait(job.id)
    assert client.job(job.id).error_reason == "TABLES_BUSY"
    assert [entry.table for entry in tables(client, 3).tables] == ["awari-3"]


@pytest.mark.parametrize("action", ["build", "verify"])
def test_a_paused_job_goes_on(make_service: MakeService, directory: Path, action: str) -> None:
    client = make_service(str(directory)).client
    size = 14 if action == "build" else 12  # some seconds: it still runs when it is paused
    if action == "verify":
        tables(client, size)
    job = client.start_table("awari", size, action=action, threads=1)  # type: ignore[arg-type]
    while progress_of(client, job.id).before < 1000:
        time.sleep(0.01)
    paused = client.pause(job.id)
    assert (paused.state, paused.result) == ("paused", None)
    assert client.resume(job.id).state in ("queued", "running")
    done = result_of(client.wait(job.id))
    assert [entry.table for entry in done.tables] == NAMES[: size + 1]
    assert (done.entries, done.failed) == ({12: 2_704_156, 14: 9_657_700}[size], 0)


def test_a_cancelled_job_says_what_it_has_done(make_service: MakeService, directory: Path) -> None:
    client = make_service(str(directory)).client
    job = client.start_table("awari", 15, threads=1)
    while progress_of(client, job.id).before < 1000:
        time.sleep(0.01)
    cancelled = client.cancel(job.id)
    assert cancelled.state == "cancelled"
    assert isinstance(cancelled.result, TableResult)
    there = {path.stem for path in (directory / "tables").glob("*.table")}
    assert {entry.table for entry in cancelled.result.tables} == there
    assert 3 <= len(there) < 16


def test_jobs_survive_a_restart_of_the_service(directory: Path) -> None:
    with open_application(str(directory)) as app:
        job = app.jobs.start(TableSpec("awari", 11, "build", 1))
    with open_application(str(directory)) as app:
        left = app.jobs.get(job.id)
        assert left.state == "queued"
        assert from_stored(to_stored(left)) == left
        assert app.jobs.resume_unfinished() == 1
        built = result_of(LocalClient(app, "").wait(job.id))
        assert [entry.table for entry in built.tables] == NAMES[:12]


SERVER = """
import sys
from proofbase.service.server import serve
serve(sys.argv[1], "127.0.0.1:0", on_ready=lambda at: print(at.grpc, flush=True))
"""


def test_a_killed_server_leaves_tables_to_go_on_with(directory: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVER, str(directory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with connect(process.stdout.readline().strip()) as client:
            job = client.start_table("awari", 11, threads=1)
            while progress_of(client, job.id).before < 1000:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)
    with open_application(str(directory)) as app, serving(app) as address, connect(address) as client:
        app.jobs.resume_unfinished()
        built = result_of(client.wait(job.id))
        assert [entry.table for entry in built.tables] == NAMES[:12]
    assert TableWork(open_game("awari"), str(tmp_path / "again"), 11).build()
    for name in NAMES[:12]:
        file = f"{name}.table"
        assert (directory / "tables" / file).read_bytes() == (tmp_path / "again" / file).read_bytes()
