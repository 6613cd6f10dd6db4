"""At every commit of every writer, each claim of the store passes its local check with what is stored.

The store of these tests is verified after each of its commits. Chunks and transactions are made small, so that a few
thousand records take many commits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from proofbase.service.application import Application
from proofbase.service.client.local import LocalClient
from proofbase.service.errors import LimitExceededError, UnsoundRecordsError
from proofbase.service.jobs.local_checks import NativeCheck, WholeGame
from proofbase.service.jobs.solve import searches, solution_writer
from proofbase.service.jobs.solve.solution_writer import SolutionWriter, WriteEnd
from proofbase.service.limits import Limits
from proofbase.service.resources import closed_sets, record_writer
from proofbase.service.resources.native import new_record_table
from proofbase.storage.chunks import Chunk
from proofbase.storage.entries import PutResult
from proofbase.storage.memory import MemoryStore

CYCLIC = "random-graph:nodes=20000,degree=3,span=300,ends=1,group=2000,values=2,rewards=1,repetition=1,seed=3"
SAFE = "random-graph:nodes=20000,degree=4,span=300,ends=2,group=2000,repetition=1,seed=1"
"""Nearly all of its claims are safety claims."""
SOLVES = [
    ("connect-four:4x4", "auto"),
    ("connect-four:4x4", "df-pn"),
    ("within:9:connect-four:4x4", "auto"),
    ("within:9:connect-four:4x4", "df-pn"),
    (CYCLIC, "pn-base-twin"),
    (SAFE, "df-pn"),
]


Item = tuple[bytes, bytes]


class VerifiedStore(MemoryStore):
    """Calls a function after each commit of records."""

    def __init__(self) -> None:
        super().__init__()
        self.commits = 0
        self.after: Callable[[], None] = lambda: None

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        result = super()._put_chunk(chunk)
        if result.added + result.improved:
            self.commits += 1
            self.after()
        return result


@pytest.fixture(autouse=True)
def small_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, size in (
        (solution_writer, "STORED_WHOLE", 100_000),
        (closed_sets, "STORED_AT_ONCE", 60),
        (closed_sets, "CHUNK", 40),
        (record_writer, "LEAST_WRITE", 50),
        (record_writer, "LARGEST_WRITE", 50),
    ):
        monkeypatch.setattr(module, name, size)


@contextmanager
def verified_service() -> Iterator[tuple[LocalClient, Application, VerifiedStore]]:
    """A service whose store is verified after each of its commits."""
    store = VerifiedStore()
    with Application(store) as app:
        store.after = lambda: assert_closed(app)
        yield LocalClient(app, ""), app, store


def assert_closed(app: Application) -> None:
    resources, store = app.resources, app.resources.store
    for entry in store.games():
        game = resources.games.open(entry.name)
        items = list(store.scan(entry.name))
        table = new_record_table(game, None)
        table.load(items)
        found = NativeCheck(game, store, WholeGame(table)).findings(items)
        assert not found, (len(found), len(items), found[0])


def solved(game: str, algorithm: str) -> bytes:
    """All records of a solve as JSON lines."""
    with verified_service() as (client, _, store):
        assert client.solve(game, algorithm=algorithm).state == "done"
        assert store.commits > 1 or game == SAFE
        return b"".join(client.export(game, form="jsonl"))


@pytest.mark.parametrize(("game", "algorithm"), SOLVES)
def test_a_solve_and_an_import_of_its_records(game: str, algorithm: str) -> None:
    data = solved(game, algorithm)
    with verified_service() as (client, _, store):
        assert client.import_([data], form="jsonl").added > 100
        assert store.commits > 2 or game in (CYCLIC, SAFE)  # safety claims are stored at once


def test_an_import_that_improves_what_is_stored() -> None:
    """Claims of the second proof take the place of claims of the first, or support others."""
    first, second = (solved("connect-four:4x4", algorithm) for algorithm in ("df-pn", "pn-dag"))
    with verified_service() as (client, _, _):
        client.import_([first], form="jsonl")
        assert client.import_([second], form="jsonl").improved > 0


def test_a_solution_that_has_to_be_checked_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a checkpoint. Asked again, a search by null-window gives another solution."""
    ends = []

    class Checking(SolutionWriter):
        def write(self, search: Any, source: str, removals: int | None) -> WriteEnd:
            ends.append(super().write(search, source, None))
            return ends[-1]

    monkeypatch.setattr(searches, "SolutionWriter", Checking)
    monkeypatch.setattr(record_writer, "LEAST_WRITE", 20_000)
    monkeypatch.setattr(record_writer, "LARGEST_WRITE", 20_000)
    with verified_service() as (client, _, store):
        assert client.solve("connect-four:6x5", algorithm="null-window").state == "done"
        assert set(ends) == {WriteEnd.STORED} and store.commits > 1


@pytest.mark.parametrize("game", ["connect-four:4x4", SAFE])
def test_a_solve_with_workers(game: str) -> None:
    with verified_service() as (client, _, store):
        assert client.solve(game, workers=2).state == "done"
        assert store.commits > 0


@pytest.mark.parametrize(("game", "algorithm"), [SOLVES[0], SOLVES[2]])
def test_an_import_that_ends_after_any_of_its_commits(game: str, algorithm: str) -> None:
    data = solved(game, algorithm)
    with verified_service() as (client, _, store):
        client.import_([data], form="jsonl")
        commits = store.commits
    for last in {1, 2, commits // 2, commits - 1} - {0}:
        with verified_service() as (client, app, store):
            verify = store.after

            def end(store: VerifiedStore = store, last: int = last, verify: Callable[[], None] = verify) -> None:
                verify()
                if store.commits == last:
                    raise OSError("the disk is gone")

            store.after = end
            with pytest.raises(OSError, match="the disk is gone"):
                client.import_([data], form="jsonl")
            assert_closed(app)


def test_an_import_whose_support_is_moved_aside_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """It rests on stored records. After its first commit some of them go: nothing more of it may be stored."""
    game = "connect-four:4x4"
    records = [json.loads(line) for line in solved(game, "df-pn").splitlines()]
    parts: tuple[list[bytes], list[bytes]] = ([], [])
    for record in records:
        record.pop("fingerprint", None)
        highest = max(claim["rank"] for claim in record["claims"])
        parts[highest > 6].append(json.dumps(record).encode() + b"\n")
    below, above = parts
    with verified_service() as (client, app, store):
        client.import_([b"".join(below)], form="jsonl")
        writer = app.resources.writer

        def chunks_with_a_quarantine(*arguments: Any, **named: Any) -> Iterator[list[Item]]:
            for number, chunk in enumerate(closed_sets.closed_chunks(*arguments, **named)):
                if number == 2:
                    writer.quarantine(
                        game, lambda: dict.fromkeys([key for key, _ in list(store.scan(game))[::5]]), "a trial"
                    )
                    while failing(app, game):
                        writer.quarantine(game, lambda: dict.fromkeys(failing(app, game)), "rests on them")
                yield chunk

        monkeypatch.setattr(record_writer, "closed_chunks", chunks_with_a_quarantine)
        with pytest.raises(UnsoundRecordsError):
            client.import_([b"".join(above)], form="jsonl")
        assert store.removals(game) > 0
        assert_closed(app)


def test_the_first_transaction_of_a_game_with_cycles_counts_as_memory() -> None:
    records = solved(SAFE, "df-pn")
    refused = []
    for limit in (50_000, 75_000, 100_000, 150_000, 5_000_000):
        with Application(VerifiedStore(), Limits(job_memory_bytes=limit)) as app:
            try:
                assert LocalClient(app, "").import_([records], form="jsonl").records > 100
            except LimitExceededError as error:
                refused.append(str(error))
                assert app.resources.store.count(SAFE) == 0
    assert len(refused) < 5
    assert any("rest on each other in cycles" in text for text in refused), refused


def failing(app: Application, game: str) -> list[bytes]:
    """Keys of the records that fail."""
    opened, store = app.resources.games.open(game), app.resources.store
    items = list(store.scan(game))
    return [finding.key for finding in NativeCheck(opened, store).findings(items)]
