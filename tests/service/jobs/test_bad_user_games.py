"""Users' games that raise what no game should, or never return: they cost neither a slot nor the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from services import MakeService, Service, serving

from proofbase.engine import games
from proofbase.engine.errors import GameFailedError, InvalidKeyError
from proofbase.engine.rules import Game
from proofbase.service.application import Application
from proofbase.service.client import Client, Limits, connect
from proofbase.service.jobs import runner
from proofbase.service.rpc import pools
from proofbase.storage import open_store


class Stairs(Game[int]):
    """Climb 1, 2 or 3 steps; who is at the top has lost. After some calls it does what the test wants."""

    trouble: Callable[[], object] = staticmethod(lambda: None)
    calls = 0

    def __init__(self) -> None:
        self.name = "stairs"

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return -1 if position >= 60 else None

    def moves(self, position: int) -> Sequence[int]:
        return (1, 2, 3)

    def play(self, position: int, move: int) -> int:
        type(self).calls += 1
        if type(self).calls > 40:
            type(self).trouble()
        return position + move

    def key(self, position: int) -> bytes:
        return position.to_bytes(2, "big")

    def position(self, key: bytes) -> int:
        if len(key) != 2 or int.from_bytes(key, "big") > 62:
            raise InvalidKeyError(f"{key.hex()} is no key of stairs")
        return int.from_bytes(key, "big")

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        return int(text)


@pytest.fixture
def stairs() -> Iterator[type[Stairs]]:
    games.register("stairs", Stairs)
    Stairs.calls = 0
    yield Stairs
    games._registered.pop("stairs")
    Stairs.trouble = staticmethod(lambda: None)


@pytest.fixture
def one_slot_service(make_service: MakeService) -> Service:
    """A service with one slot."""
    return make_service(limits=Limits(concurrent_jobs=1))


def raising(error: BaseException) -> Callable[[], object]:
    def trouble() -> None:
        raise error

    return staticmethod(trouble)


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(7),
        KeyboardInterrupt(),
        GeneratorExit(),
        RuntimeError("a file name: \udcff"),
        ValueError("9" * 10_000_000),
        RuntimeError("nul \0"),
        MemoryError(),
        StopIteration(),
    ],
    ids=lambda error: type(error).__name__ + str(error)[:12].encode("ascii", "replace").decode().replace("\0", "0"),
)
def test_whatever_a_game_raises_fails_its_job_and_nothing_else(
    one_slot_service: Service, stairs: type[Stairs], error: BaseException
) -> None:
    stairs.trouble = raising(error)
    for _ in range(2):
        job = list(one_slot_service.client.watch(one_slot_service.client.start_solve("stairs").id))[-1]
        assert job.state == "failed" and job.error and len(job.error) <= 5_000
        assert one_slot_service.client.job(job.id) == job
    assert one_slot_service.client.solve("tic-tac-toe").state == "done"
    assert len(one_slot_service.client.jobs()[0]) == 3


def test_a_game_that_hangs_is_left_alone_when_its_job_is_cancelled(
    one_slot_service: Service, stairs: type[Stairs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "STOP_SECONDS", 0.5)
    hanging = [True]

    def hang() -> None:
        while hanging[0]:
            time.sleep(0.01)

    stairs.trouble = staticmethod(hang)
    job = one_slot_service.client.start_solve("stairs")
    other = one_slot_service.client.start_solve("tic-tac-toe")
    deadline = time.monotonic() + 20
    while stairs.calls <= 40 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert one_slot_service.client.job(other.id).state == "queued"
    assert one_slot_service.client.cancel(job.id).state == "cancelled"
    assert one_slot_service.client.wait(other.id).state == "done", "the slot is free"
    hanging[0] = False
    time.sleep(0.2)
    assert one_slot_service.client.job(job.id).state == "cancelled"


PLUGIN = """
import time
from test_bad_user_games import Stairs
from proofbase.engine.games import register
from proofbase.engine.rules import process_end
from proofbase.service.jobs import runner
process_end.PATIENCE, runner.STOP_SECONDS = 0.5, 1.0
Stairs.trouble = staticmethod(lambda: time.sleep(10_000))
register("stairs", Stairs)
"""


def test_a_game_that_hangs_does_not_keep_the_server_from_ending(directory: Path, tmp_path: Path) -> None:
    plugin = tmp_path / "stairs_plugin.py"
    plugin.write_text(PLUGIN)
    here = Path(__file__).parent
    paths = [str(here), str(here.parent), str(here.parents[1] / "storage"), os.environ.get("PYTHONPATH", "")]
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--store", str(directory)]
    with subprocess.Popen(
        [*command, "--plugin", str(plugin)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        with connect(address) as client:
            job = client.start_solve("stairs")
            deadline = time.monotonic() + 20
            while client.job(job.id).state != "running" and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(0.5)
            server.send_signal(signal.SIGTERM)
            assert server.wait(40) == 0
    with open_store(str(directory)) as store:
        left = store.get_job(job.id)
        assert left is not None and left.state == "running", "the next server takes it up"


def test_a_game_that_hangs_holds_up_nobody_else(stairs: type[Stairs], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its searches, its lookups and the reports about its jobs; others look up, solve and hear of their jobs."""
    monkeypatch.setattr(runner, "STOP_SECONDS", 0.5)
    hanging = [True]

    def hang() -> None:
        while hanging[0]:  # not a moment of rest
            pass

    stairs.trouble = staticmethod(hang)
    try:
        with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
            job = client.start_solve("stairs")
            deadline = time.monotonic() + 20
            while stairs.calls <= 40 and time.monotonic() < deadline:
                time.sleep(0.01)
            with grpc.insecure_channel(address) as channel:
                lookup = channel.unary_unary("/proofbase.v1.Solutions/Lookup")
                waiting = [lookup.future(b"\x0a\x06stairs", timeout=2) for _ in range(5)]
                began = time.monotonic()
                for _ in range(5):
                    assert not client.lookup("tic-tac-toe").known
                assert time.monotonic() - began < 5
                other = client.start_solve("connect-four")
                seen = 0
                for update in client.watch(other.id):
                    seen += update.progress is not None
                    if seen == 3:
                        client.cancel(other.id)
                assert seen >= 3, "reports come while another game hangs"
                assert all(call.code() == grpc.StatusCode.DEADLINE_EXCEEDED for call in waiting)
            assert client.cancel(job.id).state == "cancelled"
            assert client.solve("tic-tac-toe").state == "done"
    finally:
        hanging[0] = False


class Ladder(Stairs):
    """The same, by rules that always return."""

    trouble = staticmethod(lambda: None)

    def __init__(self) -> None:
        self.name = "ladder"


def test_calls_that_hang_are_told_so_and_refused_while_other_games_are_answered(
    stairs: type[Stairs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls of every kind by the rules of one game, and by those of the game within some plies."""
    monkeypatch.setattr(pools, "RULES_SECONDS", 2.0)
    released = threading.Event()
    stairs.trouble, stairs.calls = staticmethod(lambda: released.wait(100)), 100
    games.register("ladder", Ladder)

    def ask(client: Client, game: str) -> list[Callable[[], object]]:
        return [
            lambda: client.lookup(game),
            lambda: client.lookup(game, search=100),
            lambda: client.lookup(f"within:3:{game}"),
            lambda: client.batch_lookup(game, ["3", "4"], search=100),  # without, no move is played
            lambda: client.line(game, "3"),
            lambda: client.analyse_game(game, "1 2"),
        ]

    try:
        with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
            with ThreadPoolExecutor(12) as threads:
                hanging = [threads.submit(call) for call in 2 * ask(client, "stairs")]
                time.sleep(0.3)
                for call in [*ask(client, "ladder"), *ask(client, "tic-tac-toe")]:
                    with suppress(ValueError):  # tic-tac-toe has other texts
                        call()
                assert not all(call.done() for call in hanging), "the others did not wait for them"
                others = [error for call in hanging if not isinstance(error := call.exception(30), GameFailedError)]
                assert others == []
            with pytest.raises(GameFailedError, match=r"stairs: a call by its rules has not returned .* refuses calls"):
                client.lookup("stairs")
            released.set()
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                with suppress(GameFailedError):
                    assert not client.lookup("stairs").known
                    break
                time.sleep(0.05)
            else:
                raise AssertionError("it is refused though its calls have returned")
    finally:
        released.set()
        games._registered.pop("ladder")
