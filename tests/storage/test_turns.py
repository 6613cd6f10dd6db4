"""Writers take turns: a short write does not wait for the end of a long one."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waits import until

from proofbase.migrations import migrate
from proofbase.storage import Claim, Job, Record, Side, SolutionStore, encode_record, open_store
from proofbase.storage.fair_lock import FairLock


def test_a_lock_serves_in_the_order_of_asking() -> None:
    lock = FairLock()
    served: list[int] = []
    threads = []

    def take(number: int) -> None:
        with lock:
            served.append(number)

    with lock:
        for number in range(20):
            thread = threading.Thread(target=take, args=(number,))
            thread.start()
            threads.append(thread)
            while len(lock._turns) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join(10)
    assert served == list(range(20))


def test_who_asks_again_stands_behind_those_who_wait() -> None:
    lock = FairLock()
    turns = 0
    done = threading.Event()

    def take_often() -> None:
        nonlocal turns
        while not done.is_set():
            with lock:
                turns += 1
                time.sleep(0.001)

    thread = threading.Thread(target=take_often)
    thread.start()
    waited = []
    for _ in range(50):
        before = turns
        with lock:
            waited.append(turns - before)
    done.set()
    thread.join(10)
    assert max(waited) <= 2, waited


def test_a_failure_gives_the_turn_away() -> None:
    lock = FairLock()
    with pytest.raises(RuntimeError), lock:
        raise RuntimeError
    with lock:
        pass


@pytest.fixture(params=["memory", "lmdb", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SolutionStore]:
    """An open store of each kind."""
    if request.param == "memory":
        url = "memory:"
    elif request.param == "lmdb":
        url = str(tmp_path / "store")
    else:
        url = request.getfixturevalue("postgres_database")
        migrate(url)
    with open_store(url) as store:
        yield store


def test_jobs_are_stored_beside_a_long_put(any_store: SolutionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.storage.chunks.CHUNK_ITEMS", 500)
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 1)]))
    end = threading.Event()
    items = ((number.to_bytes(8, "big"), record) for number in itertools.count())
    putting = threading.Thread(
        target=lambda: any_store.put_many(
            "long", itertools.takewhile(lambda _: not end.is_set(), items), source="s", rules_version=1
        )
    )
    putting.start()
    try:
        until(lambda: any_store.count("long") > 0)
        waits = []
        for number in range(20):
            started = time.monotonic()
            any_store.put_job(Job(f"job {number}", "solve", "queued", 1.0, 1.0))
            any_store.append_checkpoint(f"job {number}", b"chunk")
            any_store.drop_checkpoint(f"job {number}")
            waits.append((time.monotonic() - started) / 3)
        assert putting.is_alive()
    finally:
        end.set()
        putting.join(60)
    assert sorted(waits)[len(waits) // 2] < 0.5 and max(waits) < 10.0, waits
