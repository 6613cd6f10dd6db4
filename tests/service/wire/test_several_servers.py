"""A client with the addresses of several servers of one store."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from services import serving

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.cli import run
from proofbase.service.client import ServiceUnavailableError, UnsafeServerError, connect
from proofbase.storage import open_store

NOBODY = "127.0.0.1:1"


def test_a_server_that_is_gone_is_passed_over(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Application(open_store(str(tmp_path / "store"))) as app, serving(app) as second:
        first_one = contextlib.ExitStack()
        first = first_one.enter_context(serving(app))
        with connect(f"{NOBODY},{first},{second}") as client:
            assert client.solve("tic-tac-toe").result is not None
            assert list(client.stream_lookup("tic-tac-toe", [["5"], ["1"]]))
            first_one.close()
            deadline = time.monotonic() + 30
            while True:
                try:
                    assert client.lookup("tic-tac-toe").known
                    break
                except ServiceUnavailableError:  # the call was under way
                    assert time.monotonic() < deadline
        assert run(["lookup", "tic-tac-toe", "--server", f"{first},{second}"]) == 0
        assert "draw within 9 plies" in capfd.readouterr().out


def test_where_none_answers_all_are_named() -> None:
    message = "none of the servers answers: 127.0.0.1:1, 127.0.0.1:2"
    with connect(f"{NOBODY},127.0.0.1:2") as client, pytest.raises(ServiceUnavailableError, match=message):
        client.games()


def test_tokens_go_to_each_of_them_and_to_none_in_the_clear() -> None:
    with Application(open_store("memory:")) as app:
        text, token = new_token("alice", "reader")
        app.resources.store.tokens().add(token)
        with serving(app, Security(authenticate=True)) as address, connect(f"{NOBODY},{address}", token=text) as client:
            assert client.games()
    with pytest.raises(UnsafeServerError, match="another machine"):
        connect("127.0.0.1:1,elsewhere.example:2", token=text)
