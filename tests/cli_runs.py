"""Running the command line in this process, for the tests of the commands. `cli` and `store` are their fixtures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from proofbase.service.cli import run

__all__ = ["GAME", "Outcome", "Run", "cli", "store"]

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
