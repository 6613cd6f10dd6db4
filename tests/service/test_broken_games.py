"""Users' games that raise, hang, lie and recurse, behind a service: each ends in a clear error, within its limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.engine import games
from proofbase.engine.errors import BrokenGameError, GameFailedError, InvalidKeyError, InvalidPositionError
from proofbase.engine.rules import Game
from proofbase.service.client import Budget, SolveResult

SECONDS = 2.0
ENOUGH_SECONDS = 60.0


class Road(Game[int]):
    """A road with 400 stones; a move goes on by one to three. `trouble` names what goes wrong, and where.

    What hangs or spins goes on in a thread that the service has given up, until the test is over: a thread that spins
    for ever would slow down all tests after it.
    """

    name = "road"
    over = threading.Event()

    def __init__(self, trouble: str = "none") -> None:
        self.name = f"road:{trouble}"
        self.kind, _, self.place = trouble.partition("-")
        self.calls = 0

    def stumble(self, place: str) -> Any:
        if self.place != place:
            return None
        self.calls += 1
        # Texts are read by the short check alone: as many as it has time for.
        if self.calls < (5 if place == "parse" else 40):
            return None
        if self.kind == "recursion":
            return self.stumble(place)
        over = Road.over
        if self.kind == "hang":
            over.wait(20)
        while self.kind == "spin" and not over.is_set():
            pass
        errors: dict[str, BaseException] = {
            "raise": RuntimeError("broken on purpose " + "x" * 5000),
            "surrogate": RuntimeError("a file \udcff"),
            "exit": SystemExit(7),
            "interrupt": KeyboardInterrupt(),
            "memory": MemoryError(),
            "stop": StopIteration(),
            "huge": ValueError("9" * 10_000_000),
        }
        if self.kind in errors:
            raise errors[self.kind]
        return None

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        self.stumble("terminal")
        if self.kind == "badvalue" and position > 20:
            return 10**30
        return -1 if position >= 400 else None

    def moves(self, position: int) -> Sequence[int]:
        self.stumble("moves")
        wrong: dict[str, Any] = {"nomoves": [], "badmoves": [0, "x", None], "dupmoves": [1, 1, 1]}
        found: Sequence[int] = wrong.get(self.kind, [1, 2, 3])
        return found

    def play(self, position: int, move: int) -> int:
        self.stumble("play")
        return (position + move) % 7 if self.kind == "cycle" else position + move

    def key(self, position: int) -> bytes:
        self.stumble("key")
        wrong: dict[str, Any] = {"badkey": "text", "longkey": b"x" * 1000, "samekey": b"same", "emptykey": b""}
        key: bytes = wrong.get(self.kind, position.to_bytes(4, "big"))
        return key

    def position(self, key: bytes) -> int:
        self.stumble("position")
        if len(key) != 4:
            raise InvalidKeyError("four bytes")
        return int.from_bytes(key, "big")

    def text(self, position: int) -> str:
        return "\ud800" if self.kind == "badtext" else f"p{position}"

    def parse(self, text: str) -> int:
        self.stumble("parse")
        if text[:1] != "p" or not text[1:].isascii() or not text[1:].isdigit() or len(text) > 9:
            raise InvalidPositionError(f"{text[:20]!r} is not p and a number")
        return int(text[1:])


@pytest.fixture(autouse=True)
def roads() -> Iterator[None]:
    games.register("road", Road)
    Road.over = threading.Event()
    yield
    Road.over.set()
    games._registered.pop("road")


RAISING = [
    f"{kind}-{place}"
    for kind, place in [
        *(("raise", place) for place in ("terminal", "moves", "play", "key", "position", "parse")),
        *((kind, "play") for kind in ("surrogate", "exit", "interrupt", "memory", "recursion", "huge")),
        ("stop", "moves"),
        ("exit", "moves"),
        ("interrupt", "key"),
    ]
]
LYING = ["badvalue", "nomoves", "badmoves", "dupmoves", "cycle", "badkey", "longkey", "samekey", "emptykey", "badtext"]
HANGING = ["hang-play", "spin-play", "hang-moves", "spin-key"]


def outcome(service: Service, name: str, seconds: float) -> Exception:
    """The error of a solve that may take so long, or of starting one."""
    with pytest.raises(Exception) as caught:  # noqa: PT011  # its type is tested
        service.client.solve(name, "p300", budget=Budget(nodes=20_000, seconds=seconds))
    return caught.value


@pytest.mark.parametrize("trouble", [*RAISING, *LYING, *HANGING])
def test_every_broken_game_ends_in_a_clear_error(make_service: MakeService, trouble: str) -> None:
    service = make_service()
    began = time.monotonic()
    seconds = SECONDS if trouble in HANGING else ENOUGH_SECONDS
    error = outcome(service, f"road:{trouble}", seconds)
    assert time.monotonic() - began < seconds + 12  # what hangs does so for 20 seconds
    if not trouble.endswith(("-position", "-parse")):  # which have to refuse what they cannot read, by their own errors
        assert isinstance(error, GameFailedError if trouble in (*RAISING, *HANGING) else BrokenGameError), repr(error)
    text = str(error)
    assert text.isprintable() and len(text) < 2500 and "road:" in text, text
    assert "proofbase/" not in text and "Traceback" not in text
    if trouble in RAISING:
        assert "raised" in text and "test_broken_games.py, line" in text
    if trouble in HANGING:
        assert "not returned" in text and "test_broken_games.py, line" in text
    assert service.store.count(f"road:{trouble}") == 0
    result = service.client.solve("tic-tac-toe").result
    assert isinstance(result, SolveResult) and result.status == "exact"
    failed = [job for job in service.client.jobs()[0] if job.state == "failed"]
    assert all(job.error_reason in ("GAME_FAILED", "BROKEN_GAME") for job in failed)
    assert not [job for job in service.client.jobs()[0] if job.state == "running"]


def test_the_same_game_without_trouble_is_solved(make_service: MakeService) -> None:
    service = make_service()
    result = service.client.solve("road:none", "p380").result
    assert isinstance(result, SolveResult) and result.status == "exact"


def test_nothing_of_a_broken_game_is_imported(make_service: MakeService) -> None:
    good, other = make_service(), make_service()
    good.client.solve("road:none", "p390")
    data = b"".join(good.client.export("road:none", "p390"))
    games.register("road", type("Broken", (Road,), {"move_text": lambda self, position, move: "go"}))
    with pytest.raises(BrokenGameError, match="move-text"):
        other.client.import_([data])
    assert other.store.count("road:none") == 0
    games.register("road", Road)
    assert other.client.import_([data]).added > 0
