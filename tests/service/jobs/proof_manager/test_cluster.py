"""Solves on a Dask cluster in real processes: workers and schedulers are killed, and clusters cannot search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import DaskCluster
from started_servers import start
from waits import until

from proofbase.engine.games import open_game
from proofbase.migrations import migrate
from proofbase.service.client import Client, Job, SolveProgress, SolveResult, VerificationResult, connect
from proofbase.service.client.known_records import new_cluster, read_records
from proofbase.service.errors import ClusterUnavailableError
from proofbase.service.jobs.proof_manager import cluster_workers, managed_searches
from proofbase.service.jobs.proof_manager.cluster_task import KnownRecords, search_task
from proofbase.service.jobs.proof_manager.task import Task
from proofbase.service.resources.cluster import Cluster
from proofbase.storage import decode_stored

GAME = "connect-four:5x5"
LONG = "connect-four:5x6"
"""By `pn-dag` one search takes four million nodes, three seconds, to show that the first player does not lose."""
NOWHERE = "tcp://127.0.0.1:9"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path_factory.mktemp("cluster"), workers=2) as running:
        yield running


def progress_of(client: Client, job: Job) -> SolveProgress:
    found = client.job(job.id)
    assert not found.finished, f"it has ended too early: {found}"
    return found.progress if isinstance(found.progress, SolveProgress) else SolveProgress()


def claims_at(where: str) -> dict[bytes, list[tuple[int, int, int]]]:
    """What is read of a game, without its sources, which are numbered anew on the way over a server."""
    records = read_records(where, "connect-four:4x4")
    return {
        key: [(claim.side, claim.bound, claim.rank) for claim in decode_stored("connect-four:4x4", key, data).claims]
        for key, data in records
    }


def check_answer(client: Client, job: Job, game: str, status: str) -> None:
    """The job ends, its answer is that of one search, and every record passes the local check."""
    done = client.wait(job.id)
    assert isinstance(done.result, SolveResult) and done.result.status == status
    found = client.verify(game).result
    assert isinstance(found, VerificationResult) and found.checked > 100 and found.failed == 0


def test_a_scheduler_two_workers_and_a_server_when_a_worker_is_killed(cluster: DaskCluster, tmp_path: Path) -> None:
    with (
        start(tmp_path / "log", "--store", tmp_path / "store", "--cluster", cluster.address) as server,
        connect(server.address) as client,
    ):
        job = client.start_solve(LONG, at_least=0, algorithm="pn-dag", workers=4)
        until(lambda: (now := progress_of(client, job)).tasks >= 1 and now.tasks_under_way == now.workers == 2)
        cluster.kill_worker()
        until(lambda: progress_of(client, job).workers == 1)
        cluster.start_worker()
        check_answer(client, job, LONG, "proved")
        assert "given out again" not in (tmp_path / "log").read_text(), "that is done by Dask itself"


@pytest.mark.slow
def test_a_lost_scheduler_costs_the_tasks_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_workers, "PATIENCE_SECONDS", 300.0)
    with DaskCluster(tmp_path, workers=1) as own, connect("memory:", cluster=new_cluster(own.address)) as client:
        job = client.start_solve(LONG, at_least=0, algorithm="pn-dag", workers=4)
        until(lambda: progress_of(client, job).tasks >= 1)
        own.kill_scheduler()
        until(lambda: progress_of(client, job).workers == 0)
        own.start_scheduler()
        own.start_worker()
        check_answer(client, job, LONG, "proved")


def test_a_cancelled_job_ends_its_tasks(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client as Observer

    monkeypatch.setattr(managed_searches, "CLUSTER_TASK_SECONDS", 60.0)
    monkeypatch.setattr(cluster_workers, "END_SECONDS", 1000.0)  # nothing but the flag ends them
    new_observer: Any = Observer
    with connect("memory:", cluster=new_cluster(cluster.address)) as client:
        job = client.start_solve("connect-four", at_least=1, algorithm="pn-dag", workers=4)
        until(lambda: min((task.nodes for task in progress_of(client, job).under_way), default=0) > 400_000)
        with new_observer(cluster.address, set_as_default=False) as observer:
            assert any(observer.processing().values())
            began = time.monotonic()
            client.cancel(job.id)
            assert client.wait(job.id).state == "cancelled"
            until(lambda: not any(observer.processing().values()), 20)
            assert time.monotonic() - began < 20, "their budget is that of a minute"
            assert not observer.who_has(), "nothing is kept"


def test_workers_with_another_release_are_refused(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import versions

    theirs = versions._version_cached
    monkeypatch.setattr(versions, "_version_cached", lambda name: "9.9" if name == "proofbase" else theirs(name))
    with connect("memory:", cluster=new_cluster(cluster.address)) as client:
        job = client.start_solve(GAME, at_least=1, workers=2)
        with pytest.raises(ClusterUnavailableError, match=r"the worker tcp://\S+ has proofbase \S+, and the manager"):
            client.wait(job.id)
        failed = client.job(job.id)
        assert failed.state == "failed"
        monkeypatch.undo()
        client.resume(job.id)
        check_answer(client, job, GAME, "disproved")


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_workers, "CONNECT_SECONDS", 0.5)
    with (
        connect("memory:", cluster=new_cluster(NOWHERE)) as client,
        pytest.raises(ClusterUnavailableError, match=f"the scheduler of the cluster at {NOWHERE} does not answer"),
    ):
        client.solve(GAME, at_least=1, workers=2)


def test_a_cluster_without_workers_is_waited_for_and_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_workers, "PATIENCE_SECONDS", 1.0)
    with (
        DaskCluster(tmp_path, workers=0) as empty,
        connect("memory:", cluster=new_cluster(empty.address)) as client,
        pytest.raises(ClusterUnavailableError, match="has had no worker for 1 s: start some with `dask worker tcp"),
    ):
        client.solve(GAME, at_least=1, workers=2)


def test_what_is_no_address_is_refused_and_dask_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("127.0.0.1:8786", "http://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://:8786", ""):
        with pytest.raises(ValueError, match="the address of a scheduler is written"):
            new_cluster(address)
    monkeypatch.setattr("proofbase.service.resources.cluster.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'proofbase\[dask\]'"):
        new_cluster(NOWHERE)


def test_workers_read_what_is_known_from_a_store_or_a_server(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with connect(store) as client:
        client.solve("connect-four:4x4")
    stored = claims_at(store)
    assert len(stored) > 10
    with start(tmp_path / "log", "--store", store) as server:
        assert claims_at(server.address) == stored
        assert dict(read_records(server.address, "tic-tac-toe")) == {}
    task = Task(1, "connect-four:4x4", "-", 1, "pn-dag", 1_000_000, 1 << 28)
    knowing = search_task(task, "run", 1, Cluster(NOWHERE, store, read_records))
    assert knowing.answer is False and knowing.nodes <= 1
    unknowing = search_task(task, "run", 1, Cluster(NOWHERE, str(tmp_path / "none"), read_records))
    assert unknowing.answer is False and unknowing.nodes > 1_000, "a store that cannot be read costs work"


def test_what_is_known_is_read_at_intervals_and_up_to_a_limit(tmp_path: Path) -> None:
    game, reads = open_game("connect-four:4x4"), list[str]()
    with connect(str(tmp_path)) as client:
        client.solve(game.name)
    records = list(read_records(str(tmp_path), game.name))

    def read(where: str, name: str) -> list[tuple[bytes, bytes]]:
        reads.append(name)
        return records

    known, place = KnownRecords(), Cluster(NOWHERE, "somewhere", read)
    first = known.table(game, place, 1 << 30)
    assert first is not None and len(first) == len(records)
    assert known.table(game, place, 1 << 30) is first and reads == [game.name]
    limited = KnownRecords().table(game, place, -1)
    assert limited is not None and len(limited) == 0


@pytest.mark.slow
def test_workers_read_from_the_store_itself_where_others_can_open_it(
    cluster: DaskCluster, postgres_database: str
) -> None:
    migrate(postgres_database)
    with connect(postgres_database, cluster=new_cluster(cluster.address)) as client:
        result = client.solve("connect-four:4x4", workers=4, algorithm="pn-dag").result
        assert isinstance(result, SolveResult) and result.value.exact and result.value.lower == 0
        found = client.verify("connect-four:4x4").result
        assert isinstance(found, VerificationResult) and found.checked > 0 and found.failed == 0
