"""Nobody waits for what others ask: pools by kind of work, turns by connection, bounded queues and memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from raw_http2 import PREFACE, call_data, call_headers, connection, message, settings
from services import fill_tic_tac_toe, serving
from waits import until

from proofbase.engine.errors import GameFailedError
from proofbase.service.application import Application
from proofbase.service.client import (
    Client,
    LimitExceededError,
    ServiceError,
    ServiceUnavailableError,
    SpoolFullError,
    TooManyCallsError,
    TooManyStreamsError,
    UnreadAnswersError,
    connect,
)
from proofbase.service.limits import Limits
from proofbase.service.resources import uploads
from proofbase.service.rpc.pools import CLOSING_SECONDS, FairPool, Pools
from proofbase.service.rpc.server_load import HeldBytes, OpenStream, ServerLoad
from proofbase.storage import open_store
from proofbase.v1 import solutions_pb2

pytestmark = pytest.mark.usefixtures("many_calls")


def test_connections_take_turns_in_a_pool() -> None:
    order: list[str] = []

    async def run() -> None:
        pool, go = FairPool("test", 1), threading.Event()
        first = asyncio.create_task(pool.run("first", go.wait))
        await asyncio.sleep(0)
        calls = [
            asyncio.create_task(pool.run(name, lambda text=f"{name}{number}": order.append(text)))
            for name, number in (("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("c", 2))
        ]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *calls)
        pool.close()

    asyncio.run(run())
    assert order == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_a_pool_refuses_what_is_too_much_and_forgets_what_is_cancelled() -> None:
    async def run() -> None:
        pool, go, made = FairPool("test", 1, waiting=3, waiting_of_a_connection=2), threading.Event(), list[int]()
        first = asyncio.create_task(pool.run("a", go.wait))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(pool.run("a", lambda: made.append(1))) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyCallsError, match="2 of them from this connection"):
            await pool.run("a", lambda: made.append(2))
        third = asyncio.create_task(pool.run("b", lambda: made.append(3)))
        await asyncio.sleep(0)
        with pytest.raises(TooManyCallsError, match="3 calls wait"):
            await pool.run("c", lambda: made.append(4))
        waiting[0].cancel()
        await asyncio.sleep(0)
        fourth = asyncio.create_task(pool.run("c", lambda: made.append(5)))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, waiting[1], third, fourth)
        assert sorted(made) == [1, 3, 5]
        pool.close()

    asyncio.run(run())


def test_calls_by_hanging_rules_leave_threads_to_others() -> None:
    async def run() -> None:
        pool, go = FairPool("test", 4, rules_seconds=0.5), threading.Event()
        hanging = [asyncio.create_task(pool.run("a", go.wait, "stairs")) for _ in range(5)]
        await asyncio.sleep(0)
        assert await pool.run("a", lambda: 1, "ladder") == 1 and await pool.run("b", lambda: 2, "ladder") == 2
        others = [asyncio.create_task(pool.run("a", go.wait, "ladder")) for _ in range(2)]
        await asyncio.sleep(0)
        assert await pool.run("a", lambda: 3) == 3, "a thread is kept for those that ask no user's rules"
        for failed in await asyncio.gather(*hanging, *others, return_exceptions=True):
            assert isinstance(failed, GameFailedError)
        with pytest.raises(GameFailedError, match=r"stairs: a call by its rules has not returned for .* s; until"):
            await pool.run("c", lambda: 4, "stairs")
        assert await asyncio.gather(*[pool.run("a", lambda: 5, "snakes") for _ in range(9)]) == [5] * 9
        go.set()
        for name in ("stairs", "ladder"):
            while True:
                with suppress(GameFailedError):
                    assert await pool.run("a", lambda: 6, name) == 6
                    break
                await asyncio.sleep(0.01)
        assert await asyncio.gather(*[pool.run("a", lambda: 7, name) for name in ("stairs", "", "ladder")]) == [7] * 3
        pool.close()

    asyncio.run(run())


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), StopIteration()])
def test_what_a_command_raises_never_ends_the_event_loop(error: BaseException) -> None:
    def command() -> None:
        raise error

    async def run() -> None:
        pool = FairPool("test", 1)
        with pytest.raises(RuntimeError, match=type(error).__name__):
            await pool.run("a", command)
        assert await pool.run("a", lambda: 7) == 7
        pool.close()

    asyncio.run(run())


def test_a_server_that_ends_waits_for_calls_that_read_and_not_for_games() -> None:
    ended, begun, hanging = list[str](), threading.Event(), threading.Event()

    def read() -> None:
        begun.set()
        time.sleep(0.3)
        ended.append("read")

    async def run() -> float:
        pools = Pools()
        tasks = [
            asyncio.create_task(pools.run("control", "", read)),
            asyncio.create_task(pools.run_by_rules("stairs", "", hanging.wait, 20)),
        ]
        await asyncio.to_thread(begun.wait)
        for task in tasks:
            task.cancel()
        began = time.monotonic()
        await pools.close()
        return time.monotonic() - began

    try:
        assert asyncio.run(run()) < CLOSING_SECONDS and ended == ["read"]
    finally:
        hanging.set()


def test_a_greedy_connection_leaves_room_for_others() -> None:
    load = ServerLoad(streams=10, held_bytes=1000)
    greedy = 0
    while True:
        try:
            OpenStream(load, "greedy").__enter__()
            greedy += 1
        except TooManyStreamsError:
            break
    assert greedy == 6
    for name in ("x", "y", "z", "w"):
        OpenStream(load, name).__enter__()
    with pytest.raises(TooManyStreamsError, match="10 streams"):
        OpenStream(load, "v").__enter__()
    held = HeldBytes(load, "greedy")
    held.become(500)
    with pytest.raises(UnreadAnswersError):
        HeldBytes(load, "greedy").become(200)
    HeldBytes(load, "polite").become(200)
    held.release()
    HeldBytes(load, "greedy").become(200)


@contextmanager
def served(limits: Limits | None = None) -> Iterator[tuple[str, Client]]:
    """A server that knows tic-tac-toe."""
    with Application(open_store("memory:"), limits) as app:
        fill_tic_tac_toe(app.resources.store)
        with serving(app) as address, connect(address) as client:
            yield address, client


def worst_wait(call: Callable[[], object], seconds: float) -> float:
    """The longest that a call takes in that time."""
    worst, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        call()
        worst = max(worst, time.monotonic() - began)
    return worst


def test_searching_lookups_keep_nobody_waiting() -> None:
    with served() as (address, client):
        failures: list[Exception] = []

        def search() -> None:
            with connect(address) as own:
                try:
                    own.lookup("connect-four", search=300_000)
                except ServiceError as error:
                    failures.append(error)

        threads = [threading.Thread(target=search) for _ in range(8)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        worst = worst_wait(lambda: client.batch_lookup("tic-tac-toe", ["-"] * 20), 1.0)
        worst = max(worst, worst_wait(client.limits, 0.2))
        for thread in threads:
            thread.join()
        assert worst < max(1.0, (time.monotonic() - began) / 4), "on a busy machine the searches take as much longer"
        assert not failures


def test_answers_that_are_not_read_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ServerLoad.__init__, "__defaults__", (1 << 20,))
    texts = solutions_pb2.Texts(positions=["x"] * 2000)
    body = message(solutions_pb2.BatchLookupRequest(game="tic-tac-toe", texts=texts).SerializeToString())
    with served() as (address, client), connection(address) as sock:
        sock.sendall(PREFACE + settings(window=0))  # nothing may be sent back on a stream
        for number in range(30):
            stream = 2 * number + 1
            sock.sendall(call_headers(stream, b"/proofbase.v1.Solutions/BatchLookup") + call_data(stream, body))
        received, end = b"", time.monotonic() + 20
        # The refusals have no data, so that the window does not hold them back.
        while b"read the answers first" not in received and time.monotonic() < end:
            received += sock.recv(65536)
        assert b"read the answers first" in received
        assert worst_wait(lambda: client.batch_lookup("tic-tac-toe", ["-"] * 20), 0.3) < 10


def test_a_full_temporary_directory_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, _: bytes) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            raise OSError(28, "No space left on device")

    with served() as (_, client):
        monkeypatch.setattr(uploads.tempfile, "SpooledTemporaryFile", lambda **_: Full())
        with pytest.raises(SpoolFullError, match="No space left"):
            client.import_([b"x" * 1000], form="jsonl")
        monkeypatch.undo()
        assert client.lookup("tic-tac-toe").known


def test_imports_share_the_room_for_them() -> None:
    room = uploads.Uploads(1000)
    with room.new() as first, room.new() as second:
        first.write(b"x" * 600)
        with pytest.raises(SpoolFullError, match="try again later"):
            second.write(b"x" * 600)
        with pytest.raises(LimitExceededError):
            first.write(b"x" * 600)
    with room.new() as third:
        third.write(b"x" * 1000)
        assert len(third.complete().read()) == 1000


def test_an_import_that_needs_too_much_memory_is_refused() -> None:
    with served() as (_, client), client.export("tic-tac-toe", "-", form="jsonl") as chunks:
        data = b"".join(chunks)
    with (
        Application(open_store("memory:"), Limits(job_memory_bytes=1024)) as app,
        serving(app) as address,
        connect(address) as other,
        pytest.raises(LimitExceededError, match="import it in parts"),
    ):
        other.import_([data], form="jsonl")


def test_calls_that_are_given_up_leave_the_queue() -> None:
    with served() as (address, _), grpc.insecure_channel(address) as channel:
        request = solutions_pb2.LookupRequest(game="connect-four", search_nodes=200_000)
        call: Any = channel.unary_unary(
            "/proofbase.v1.Solutions/Lookup",
            solutions_pb2.LookupRequest.SerializeToString,
            solutions_pb2.LookupResponse.FromString,
        )
        futures = [call.future(request) for _ in range(99)]
        time.sleep(0.5)
        for future in futures:
            future.cancel()
        with connect(address) as client:
            began = time.monotonic()
            client.lookup("connect-four", search=1000)  # would wait for 99 searches
            assert time.monotonic() - began < 10


FEW_FILES = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
from proofbase.service.server import serve
serve("memory:", "127.0.0.1:0", on_ready=lambda at: print(at.grpc, flush=True))
"""


def test_connections_never_use_up_the_files_of_the_process() -> None:
    with subprocess.Popen([sys.executable, "-c", FEW_FILES], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with connect(address) as client, ExitStack() as stack:
                client.solve("tic-tac-toe")
                for _ in range(150):
                    sock = stack.enter_context(connection(address))
                    with suppress(OSError):  # those beyond the limit are closed at once
                        sock.sendall(PREFACE + settings())
                time.sleep(0.3)
                until(lambda: len(list(Path(f"/proc/{process.pid}/fd").iterdir())) < 190)
                assert client.lookup("tic-tac-toe").known
                assert client.import_([b"".join(_exported(client))], form="jsonl").unchanged
            with connect(address) as another:
                deadline = time.monotonic() + 60
                while True:
                    try:
                        assert another.lookup("tic-tac-toe").known
                        break
                    except ServiceUnavailableError:
                        assert time.monotonic() < deadline
                        time.sleep(0.1)
        finally:
            process.terminate()


def _exported(client: Client) -> Iterator[bytes]:
    with client.export("tic-tac-toe", "-", form="jsonl") as chunks:
        yield from chunks
