"""Packages behind a server of files, and a real browser that looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from looking import Looked, OpenPage, browser, open_page
from range_server import FileServer, serving
from services import fill_tic_tac_toe

from proofbase.service.cli import run
from proofbase.service.client import connect
from proofbase.storage import open_store

__all__ = ["browser", "open_page"]

LICENCE = ("--licence", "CC0-1.0", "--author", "Ada Example")


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with solutions and tables of the games whose rules the page has, and of one that it has not."""
    url = str(tmp_path_factory.mktemp("page") / "store")
    with open_store(url) as store:
        fill_tic_tac_toe(store)
    with connect(url) as client:
        client.solve_all_moves("connect-four:5x4")
        client.solve("connect-four:5x4", "33")
        client.solve("gomoku", "h8 a1 i8 a15 j8 o1")
        client.solve("qubic", "moves:0 21 1 22 2 26")
        client.solve("within:4:tic-tac-toe", "xx./oo./...")
        client.solve("awari", "0,0,0,0,1,2/1,0,0,0,1,1/S")
        client.wait(client.start_table("awari", 5).id)
    return url


@pytest.fixture(scope="session")
def package(filled: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with all of it."""
    directory = tmp_path_factory.mktemp("package") / "oracle"
    for game in ("tic-tac-toe", "connect-four:5x4", "gomoku", "awari", "qubic", "within:4:tic-tac-toe"):
        assert run(["publish", game, str(directory), "--store", filled, *LICENCE]) == 0
    return directory


@pytest.fixture(scope="session")
def served(package: Path) -> Iterator[FileServer]:
    """A server of its files."""
    with serving(package) as server:
        yield server


@pytest.fixture
def looked(open_page: OpenPage, served: FileServer) -> Looked:
    """A page on that server."""
    return open_page(served.url)
