"""Every answer from a package says so, and what was checked: in Python, gRPC, HTTP, on pages, in commands."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cli_runs import Run, cli
from services import fill_tic_tac_toe, serving_both

from proofbase.engine import open_rules
from proofbase.service.application import Application
from proofbase.service.cli import run
from proofbase.service.client import Client, connect
from proofbase.storage import open_store

__all__ = ["cli"]

GAME, GAMES = "tic-tac-toe", "5 1 3 7 2"
RULES = open_rules(GAME)
KEYS = [RULES.key(RULES.initial()), RULES.key(RULES.parse("x../.../..."))]
MARK = "each record was checked here by those after its moves; what these rest on, and tables, were not"


class Places(NamedTuple):
    """The same records in a store and in a package; servers of both, each over gRPC and HTTP."""

    store: str
    package: str
    served: dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    directory = tmp_path_factory.mktemp("mark")
    store, package = str(directory / "store"), directory / "package"
    with open_store(store) as filled:
        fill_tic_tac_toe(filled)
    assert run(["publish", GAME, str(package), "--licence", "CC0-1.0", "--store", store]) == 0
    url = package.as_uri()
    with (
        Application(open_store(store, read_only=True)) as own,
        Application(open_store(url)) as of_package,
        serving_both(own) as first,
        serving_both(of_package) as second,
    ):
        yield Places(store, url, {store: first, url: second})


ANSWERS: dict[str, Callable[[Client], Any]] = {
    "lookup": lambda client: client.lookup(GAME),
    "lookup with a search": lambda client: client.lookup(GAME, search=100),
    "line": lambda client: client.line(GAME),
    "proof": lambda client: client.proof(GAME, max_depth=1),
    "analysis": lambda client: client.analyse_game(GAME, GAMES),
    "batch of texts": lambda client: client.batch_lookup(GAME, ["x../.../..."])[0],
    "batch with an invalid text": lambda client: client.batch_lookup(GAME, ["nonsense"])[0],
    "batch with a search": lambda client: client.batch_lookup(GAME, ["-"], search=10)[0],
    "batch of keys": lambda client: client.batch_lookup_keys(GAME, KEYS),
    "batch of packed keys": lambda client: client.batch_lookup_packed(GAME, b"".join(KEYS)),
    "stream of texts": lambda client: next(client.stream_lookup(GAME, [["-"]]))[0],  # type: ignore[index]
    "stream of keys": lambda client: next(client.stream_lookup(GAME, [KEYS])),
    "scores": lambda client: client.score_games(GAME, [GAMES]),
    "statistics": lambda client: client.statistics(GAME, census=True),
    "export": lambda client: _exported(client),
}


def _exported(client: Client) -> Any:
    with client.export(GAME, "-", form="csv") as exported:
        for _ in exported:
            pass
        return exported.summary


@pytest.mark.parametrize("kind", ANSWERS)
def test_answers_name_the_package(places: Places, kind: str) -> None:
    for url, (grpc, _) in places.served.items():
        for target in (url, grpc):
            with connect(target) as client:
                package = ANSWERS[kind](client).package
                assert package == (places.package if url == places.package else None), (target, package)


def test_where_the_game_is_over_nothing_is_the_word_of_a_package(places: Places) -> None:
    with connect(places.package) as client:
        assert client.lookup(GAME, "xxx/oo./...").package is None


def test_columns_name_the_package(places: Places) -> None:
    pytest.importorskip("pyarrow")
    for url in (places.store, places.package):
        with connect(url) as client:
            package = places.package if url == places.package else ""
            items, packed = client.batch_lookup(GAME, ["-"]), client.batch_lookup_keys(GAME, KEYS)
            assert items.to_arrow().column("package").to_pylist() == [package or None]
            for table in (packed.to_arrow(), client.score_games(GAME, [GAMES]).to_arrow()):
                assert table.schema.metadata[b"proofbase.package"].decode() == package


@pytest.mark.parametrize(
    ("call", "request_", "place"),
    [
        ("Lookup", {}, ()),
        ("GetLine", {}, ()),
        ("GetProof", {}, ()),
        ("AnalyseGame", {"moves": GAMES}, ()),
        ("BatchLookup", {"texts": {"positions": ["-"]}}, ("items", 0)),
        ("BatchLookup", {"keys": {"keys": []}}, ("packed",)),
        ("GetStatistics", {}, ()),
    ],
)
def test_json_names_the_package(places: Places, call: str, request_: dict[str, Any], place: tuple[Any, ...]) -> None:
    for url, (_, http) in places.served.items():
        body = json.dumps({"game": GAME, **request_}).encode()
        address = f"http://{http}/proofbase.v1.Solutions/{call}"
        with urllib.request.urlopen(
            urllib.request.Request(address, body, {"content-type": "application/json"})
        ) as answer:
            found = json.load(answer)
        for part in place:
            found = found[part]
        assert found.get("package", "") == (places.package if url == places.package else ""), found


PAGES = {
    "position": f"/games/{GAME}",
    "line": f"/games/{GAME}/line",
    "a line that is over at once": f"/games/{GAME}/line?at=xxx/oo./...",
    "proof": f"/games/{GAME}/proof",
    "analysis": f"/games/{GAME}/analysis?moves=5,1",
    "play": f"/games/{GAME}/play?as=0",
    "store": "/store",
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_name_the_package(places: Places, name: str) -> None:
    for url, (_, http) in places.served.items():
        with urllib.request.urlopen(f"http://{http}{PAGES[name]}") as answer:
            text = re.sub("<[^>]*>", " ", answer.read().decode())
        assert (f"{places.package}: {MARK}" in text) == (url == places.package), name


@pytest.mark.parametrize("kind", ["lookup", "line", "proof", "analysis"])
def test_pictures_name_the_package(places: Places, kind: str) -> None:
    for url in (places.store, places.package):
        with connect(url) as client:
            assert (MARK in ANSWERS[kind](client)._repr_html_()) == (url == places.package)


COMMANDS: dict[str, tuple[list[str], bool]] = {
    "lookup": (["lookup", GAME], True),
    "moves": (["moves", GAME], True),
    "line": (["line", GAME], True),
    "tree": (["tree", GAME, "--depth", "1"], True),
    "analyse": (["analyse", GAME, GAMES], True),
    "score": (["score", GAME, "FILE"], True),
    "measure": (["measure", GAME, "--games", "10"], True),
    "stats": (["stats"], True),
    "export": (["export", GAME, "-", "-o", "OUTPUT"], False),
    "play": (["play", GAME, "--side", "none"], True),
}
"""The arguments of each command, and whether the mark is on standard output."""


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_name_the_package(places: Places, tmp_path: Path, cli: Run, name: str) -> None:
    (tmp_path / "games").write_text(f"{GAMES}\n")
    words, said = COMMANDS[name]
    files = {"FILE": str(tmp_path / "games"), "OUTPUT": str(tmp_path / "output")}
    arguments = [files.get(word, word) for word in words]
    for url in (places.store, places.package):
        found = cli(*arguments, "--store", url)
        marked = f"package  {places.package}: {MARK}" in (found.out if said else found.err)
        assert found.status in (0, 1) and marked == (url == places.package), found
        if name != "play":
            document = cli(*arguments, "--store", url, "--json").json
            assert document["package"] == (places.package if url == places.package else None)


def test_rows_and_files_of_games_name_the_package(places: Places, tmp_path: Path, cli: Run) -> None:
    positions = tmp_path / "positions"
    positions.write_text("nonsense\n-\n")
    for url in (places.store, places.package):
        package = places.package if url == places.package else None
        rows = cli("lookup", GAME, "--file", positions, "--store", url).out.splitlines()
        assert rows[0].endswith("package,error" if package else "plies,error")
        assert rows[2].endswith(f"{package}," if package else ",9,")
        lines = cli("lookup", GAME, "--file", positions, "--store", url, "--json").out.splitlines()
        assert json.loads(lines[1])["package"] == package


def test_games_that_are_written_have_the_mark_beside_them(places: Places, tmp_path: Path, cli: Run) -> None:
    """Files for other programs have no place for it: it is on standard error."""
    store, package = str(tmp_path / "store"), tmp_path / "package"
    mate = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
    assert cli("solve", "chess", mate, "--at-least", "1", "--store", store).status == 0
    assert cli("publish", "chess", package, "--licence", "CC0-1.0", "--store", store).status == 0
    for command in ("line", "tree"):
        found = cli(command, "chess", mate, "--pgn", "--store", package)
        assert found.status == 0 and MARK in found.err and MARK not in found.out, found
