"""Bad input: each gets one message that names cause and place, the right status and reason, and changes nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from services import MakeService, Service, fill_tic_tac_toe, serving

from proofbase.engine import errors as engine
from proofbase.service.application import Application
from proofbase.service.client import (
    Budget,
    Client,
    InvalidRequestError,
    LimitExceededError,
    Limits,
    ServiceUnavailableError,
    connect,
)
from proofbase.storage import (
    JobNotFoundError,
    NotAStoreError,
    SolutionStore,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
    StoreReadOnlyError,
    open_store,
)

# --- Through the client: the same exceptions in process and over gRPC ------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A bad call, and what it raises: type, words of the message, the field to blame."""

    name: str
    call: Callable[[Client], object]
    error: type[Exception]
    words: str


CASES = [
    Case("no game", lambda c: c.lookup(""), InvalidRequestError, "no game was named"),
    Case("unknown game", lambda c: c.lookup("backgammon"), engine.UnknownGameError, "unknown game 'backgammon'"),
    Case("endless name", lambda c: c.lookup("x" * 100_000), InvalidRequestError, "too long for the name"),
    Case("no board", lambda c: c.lookup("connect-four:0x4"), engine.InvalidParametersError, "0x4|width"),
    Case("huge board", lambda c: c.lookup("connect-four:99x99"), engine.InvalidParametersError, "99x99"),
    Case("no size", lambda c: c.lookup("connect-four:big"), engine.InvalidParametersError, "'big'"),
    Case("parameters for none", lambda c: c.lookup("tic-tac-toe:4x4"), engine.InvalidParametersError, "no parameters"),
    Case("unreadable", lambda c: c.lookup("tic-tac-toe", "?!"), engine.InvalidPositionError, "tic-tac-toe"),
    Case("illegal", lambda c: c.lookup("tic-tac-toe", "oo./.../..."), engine.InvalidPositionError, "tic-tac-toe"),
    Case("illegal move", lambda c: c.lookup("connect-four", "1111111"), engine.InvalidPositionError, "move 7"),
    Case(
        "after the end",
        lambda c: c.lookup("tic-tac-toe", "1425367"),
        engine.InvalidPositionError,
        "over after move 5 of",
    ),
    Case(
        "other game", lambda c: c.lookup("tic-tac-toe", "...../...../...../....."), engine.InvalidPositionError, "tic"
    ),
    Case(
        "other board", lambda c: c.lookup("connect-four", "...../...../...../....."), engine.InvalidPositionError, "row"
    ),
    Case("endless text", lambda c: c.lookup("tic-tac-toe", "1" * 200_000), InvalidRequestError, "200000 characters"),
    Case("wrong key", lambda c: c.lookup("tic-tac-toe", b"\xff\xff"), engine.InvalidKeyError, "tic-tac-toe|ffff|key"),
    Case("short key", lambda c: c.lookup("connect-four", b"\x01"), engine.InvalidKeyError, "7 bytes|1 byte|key"),
    Case(
        "key of another orientation",
        lambda c: c.lookup("tic-tac-toe", b"\x19\xa1"),
        engine.InvalidKeyError,
        "canonical",
    ),
    Case("half a key", lambda c: c.batch_lookup_packed("tic-tac-toe", b"\0\0\0"), InvalidRequestError, "3 bytes"),
    Case("huge batch", lambda c: c.batch_lookup("tic-tac-toe", ["1"] * 101), LimitExceededError, "101 positions"),
    Case(
        "huge packed batch",
        lambda c: c.batch_lookup_packed("tic-tac-toe", b"\0\0" * 101),
        LimitExceededError,
        "at most 100",
    ),
    Case("no plies", lambda c: c.line("tic-tac-toe", max_plies=0), InvalidRequestError, "at least 1"),
    Case("many plies", lambda c: c.line("tic-tac-toe", max_plies=10_000), LimitExceededError, "10000 plies"),
    Case("many nodes", lambda c: c.proof("tic-tac-toe", max_nodes=10**6), LimitExceededError, "1000000 nodes"),
    Case("no side", lambda c: c.proof("tic-tac-toe", side="left"), InvalidRequestError, "'left'"),  # type: ignore[arg-type]
    Case("census of nothing", lambda c: c.statistics(census=True), InvalidRequestError, "needs a game"),
    Case("statistics of nothing", lambda c: c.statistics("backgammon"), engine.UnknownGameError, "backgammon"),
    Case(
        "no nodes", lambda c: c.solve("tic-tac-toe", budget=Budget(nodes=0)), InvalidRequestError, "budget of 0 nodes"
    ),
    Case(
        "negative time",
        lambda c: c.solve("tic-tac-toe", budget=Budget(seconds=-1.0)),
        InvalidRequestError,
        "budget of -1.0 seconds",
    ),
    Case(
        "no number",
        lambda c: c.solve("tic-tac-toe", budget=Budget(seconds=float("nan"))),
        InvalidRequestError,
        "budget of nan seconds",
    ),
    Case(
        "much memory",
        lambda c: c.solve("tic-tac-toe", budget=Budget(memory_bytes=1 << 50)),
        LimitExceededError,
        "memory budget",
    ),
    Case("threshold above", lambda c: c.solve("tic-tac-toe", at_least=2), InvalidRequestError, "-1..1"),
    Case("threshold below", lambda c: c.solve("tic-tac-toe", at_least=-1), InvalidRequestError, "-1..1"),
    Case(
        "unknown algorithm",
        lambda c: c.solve("tic-tac-toe", algorithm="alpha-gamma"),
        engine.UnknownAlgorithmError,
        "alpha-gamma",
    ),
    Case("solve of an unknown game", lambda c: c.solve("backgammon"), engine.UnknownGameError, "backgammon"),
    Case("solve of nonsense", lambda c: c.solve("tic-tac-toe", "zz"), engine.InvalidPositionError, "'z'"),
    Case("position of no game", lambda c: c.verify(None, "1"), InvalidRequestError, "needs a game"),
    Case("no sample", lambda c: c.verify(sample=0), InvalidRequestError, "sample of 0"),
    Case("negative sample", lambda c: c.verify(sample=-5), InvalidRequestError, "sample of -5"),
    Case("other rules", lambda c: c.verify(rules="house"), InvalidRequestError, "'house'"),  # type: ignore[arg-type]
    Case("no such job", lambda c: c.job("nobody"), JobNotFoundError, "'nobody'"),
    Case("watch of no job", lambda c: list(c.watch("nobody")), JobNotFoundError, "'nobody'"),
    Case("cancel of no job", lambda c: c.cancel("nobody"), JobNotFoundError, "'nobody'"),
    Case("empty id", lambda c: c.job(""), JobNotFoundError, "''"),
    Case("id with NUL", lambda c: c.job("a\0b"), JobNotFoundError, "no job"),
    Case("no such state", lambda c: c.jobs(["lost"]), InvalidRequestError, "'lost'"),
    Case("no jobs a page", lambda c: c.jobs(limit=0), InvalidRequestError, "0"),
    Case("no such page", lambda c: c.jobs(continuation="nobody"), InvalidRequestError, "continuation"),
    Case("other format", lambda c: list(c.export("tic-tac-toe", form="xml")), InvalidRequestError, "'xml'"),  # type: ignore[arg-type]
    Case("import of csv", lambda c: c.import_([b""], form="csv"), InvalidRequestError, "csv"),  # type: ignore[arg-type]
    Case("surrogates", lambda c: c.lookup("tic-tac-toe", "\ud800"), ValueError, "."),
]


@pytest.fixture
def strict(make_service: MakeService) -> Service:
    service = make_service(limits=Limits(batch_size=100))
    fill_tic_tac_toe(service.store)
    return service


def snapshot(store: SolutionStore) -> object:
    names = [entry.name for entry in store.games()]
    return {name: (store.generation(name), list(store.scan(name))) for name in names}, store.list_jobs()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_bad_calls_raise_the_same_everywhere_and_change_nothing(strict: Service, case: Case) -> None:
    before = snapshot(strict.store)
    with pytest.raises(case.error, match=case.words) as caught:
        case.call(strict.client)
    assert len(str(caught.value)) < 2500
    assert snapshot(strict.store) == before


def test_the_field_to_blame_is_named(strict: Service) -> None:
    with pytest.raises(LimitExceededError) as caught:
        strict.client.start_solve("tic-tac-toe", budget=Budget(memory_bytes=1 << 50))
    assert caught.value.field == "budget.memory_bytes"
    assert caught.value.limit == "job_memory_bytes" and caught.value.largest == Limits().job_memory_bytes


def test_a_write_to_a_read_only_store_is_refused(make_service: MakeService, directory: Path) -> None:
    with open_store(str(directory)) as store:
        fill_tic_tac_toe(store)
    service = make_service(open_store(str(directory), read_only=True))
    data = list(service.client.export("tic-tac-toe", "-"))
    for call in (lambda: service.client.import_(data), lambda: service.client.solve("connect-four")):
        with pytest.raises(StoreReadOnlyError, match=str(directory)):
            call()
    assert service.client.lookup("tic-tac-toe").value.exact


def test_a_job_waits_while_the_disk_is_full(make_service: MakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    service = make_service()
    put_many = type(service.store).put_many

    def full(*args: object, **kwargs: object) -> object:
        raise StoreFullError("no room in the store: 0 bytes are left")

    monkeypatch.setattr(type(service.store), "put_many", full)
    job = service.client.start_solve("tic-tac-toe")
    waiting = next(now for now in service.client.watch(job.id) if now.message is not None)
    assert waiting.state == "running"
    assert re.fullmatch(r"waiting for the store: no room in the store: .*; retry in [0-9.]+ s", waiting.message or "")
    monkeypatch.setattr(type(service.store), "put_many", put_many)
    done = service.client.wait(job.id)
    assert done.state == "done" and done.message is None
    assert service.client.lookup("tic-tac-toe").value.exact


# --- Stores that cannot be opened ------------------------------------------------------------------------------------


def test_stores_that_cannot_be_opened_say_why(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFoundError, match="nowhere"):
        connect(str(tmp_path / "nowhere"), create=False)
    other = tmp_path / "other"
    other.mkdir()
    (other / "data.mdb").write_bytes(b"somebody else's" * 1000)
    with pytest.raises(NotAStoreError, match="other"):
        connect(str(other))
    assert (other / "data.mdb").read_bytes() == b"somebody else's" * 1000
    with connect(str(tmp_path / "mine")), pytest.raises(StoreLockedError, match="open for writing in process"):
        second_writer(str(tmp_path / "mine"))
    with pytest.raises(ValueError, match="kind of store"):
        connect("mysql://localhost/x")


def second_writer(directory: str) -> None:
    """Opens the store in another process, and raises what that raised."""
    program = (
        "import sys, proofbase.service.client as c\n"
        "try: c.connect(sys.argv[1])\n"
        "except Exception as e: print(type(e).__name__, e)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, directory], capture_output=True, text=True, timeout=60, check=True
    )
    kind, _, text = done.stdout.partition(" ")
    assert kind == "StoreLockedError", done.stdout + done.stderr
    assert f"process {os.getpid()}" in text
    raise StoreLockedError(directory, os.getpid())


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with connect("127.0.0.1:1") as client, pytest.raises(ServiceUnavailableError, match="does not answer"):
        client.games()


def test_a_closed_server_is_unavailable() -> None:
    with Application(open_store("memory:")) as app:
        with serving(app) as address:
            client = connect(address)
            client.games()
        with client, pytest.raises(ServiceUnavailableError):
            client.games()
