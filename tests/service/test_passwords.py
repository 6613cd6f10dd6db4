"""The password of a store's URL is in no output: not of a command, not in an error, a log or an answer."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable

import pytest

from proofbase.service.access.security import Security
from proofbase.service.application import Application
from proofbase.service.cli.program import run
from proofbase.service.client import connect
from proofbase.service.server import Addresses, Server, serve
from proofbase.storage import open_store, shown_url

SECRET = "s3cr3t"
URLS = [
    f"postgresql://alice:{SECRET}@127.0.0.1:1/base",
    f"postgresql+psycopg://alice:{SECRET}@127.0.0.1:1/base?connect_timeout=1",
    f"postgresql://alice@127.0.0.1:1/base?password={SECRET}",
    f"postgresql://alice:x@{SECRET}@127.0.0.1:1/base",
    f"postgresql://alice:x/{SECRET}@127.0.0.1:1/base",
    f"postgresql://alice:{SECRET}@127.0.0.1:1",
    f"postgresql://alice:{SECRET}@127.0.0.1:port/base",
    f"postgresql://:{SECRET}@127.0.0.1:1/base",
    f"postgres://alice:{SECRET}@127.0.0.1:1/base",
    f"mysql://alice:{SECRET}@127.0.0.1/base",
    f"alice:{SECRET}@127.0.0.1/base",
    f"postgresql://alice:{SECRET}?@127.0.0.1:1/base",
]
COMMANDS = [
    ["serve", "--listen", "127.0.0.1:0"],
    ["serve", "--listen", "127.0.0.1:0", "--json"],
    ["solve", "tic-tac-toe"],
    ["lookup", "tic-tac-toe"],
    ["verify"],
    ["stats", "--json"],
    ["migrate"],
    ["jobs", "list"],
    ["tables", "build", "awari", "2"],
    ["export", "tic-tac-toe", "--output", "nowhere"],
]


@pytest.mark.parametrize("url", URLS)
def test_no_command_prints_the_password(
    url: str, thorough: bool, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """In the short run a third of the commands with each URL, others with the next one."""
    caplog.set_level(logging.DEBUG)
    for command in COMMANDS if thorough else COMMANDS[URLS.index(url) % 3 :: 3]:
        assert run([*command, "--store", url]) != 0
        printed = "".join(capfd.readouterr())
        assert "proofbase:" in printed
        assert SECRET not in printed + caplog.text, command


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("opens", [open_store, connect], ids=["store", "client"])
def test_no_exception_holds_the_password(opens: Callable[[str], object], url: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of any type
        opens(url)
    error: BaseException | None = caught.value
    while error is not None:
        assert SECRET not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://alice:x@host:5432/base", "postgresql://alice@host:5432/base"),
        ("postgresql://host/base", "postgresql://host/base"),
        ("postgresql://alice@host/base?sslmode=require&password=x", "postgresql://alice@host/base?sslmode=require"),
        ("memory:", "memory:"),
        ("a/b@c:d", "a/b@c:d"),
        ("lmdb:///a/b:c@d?e", "lmdb:///a/b:c@d?e"),
        ("/data/x:y@z", "/data/x:y@z"),
    ],
)
def test_urls_are_shown_shown_url(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_a_server_of_a_database_does_not_tell_its_password(
    postgres_database: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    head, _, tail = postgres_database.partition("://")
    user, at, place = tail.rpartition("@")
    url = f"{head}://{(user if at else 'postgres').partition(':')[0]}:{SECRET}@{place}"
    assert run(["migrate", "--store", url]) == 0
    assert run(["solve", "tic-tac-toe", "--store", url]) == 0
    assert run(["stats", "--store", url, "--json"]) == 0
    addresses: list[str] = []
    thread = threading.Thread(target=_serve_briefly, args=(url, addresses))
    thread.start()
    thread.join(30)
    assert addresses
    assert SECRET not in "".join(capfd.readouterr()) + caplog.text


def _serve_briefly(url: str, addresses: list[str]) -> None:
    until = asyncio.Event()

    def ready(at: Addresses) -> None:
        addresses.append(at.grpc)
        until.set()

    serve(url, "127.0.0.1:0", on_ready=ready, until=until)


@pytest.mark.parametrize(
    ("listen", "warns"),
    [("127.0.0.1:0", False), ("localhost:0", False), ("[::1]:0", False), ("0.0.0.0:0", True), ("[::]:0", True)],
)
def test_a_server_that_others_can_reach_warns(
    listen: str, warns: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def listens(self: Server, listen: str) -> int:  # without listening: tests stay on this machine
        return 1

    async def start() -> None:
        with Application(open_store("memory:")) as app:
            server = Server(app, Security(insecure=True))
            await server.start(listen)
            await server.stop(0)

    monkeypatch.setattr(Server, "_listen", listens)
    asyncio.run(start())
    assert caplog.text.count("INSECURE: ") == (1 if warns else 0)
