"""Running the command line, mostly in this process. `cli` and `store` are fixtures of the tests of the commands."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from proofbase.service.cli import run

__all__ = ["GAME", "Outcome", "Run", "cli", "default_interruptions", "store"]

GAME = "connect-four:4x4"


class Outcome(NamedTuple):
    """How one command ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output; anything else there is an error."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1, f"more than one line: {self.out}"
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `proofbase` with these arguments."""
    monkeypatch.delenv("PROOFBASE_STORE", raising=False)

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        status = run([str(argument) for argument in arguments])
        printed = capfd.readouterr()
        return Outcome(status, printed.out, printed.err)

    return call


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with the solutions of two games."""
    url = str(tmp_path_factory.mktemp("cli") / "store")
    assert run(["solve", "tic-tac-toe", "--store", url]) == 0
    assert run(["solve", GAME, "--exact", "--store", url]) == 0
    return url


@contextlib.contextmanager
def default_interruptions() -> Iterator[None]:
    """Processes that are started meanwhile have the default action for SIGINT, however the tests were started.

    A shell has what runs in the background ignore the signal, and every process hands that on to those that it starts.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
