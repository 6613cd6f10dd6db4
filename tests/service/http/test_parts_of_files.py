"""Parts of exports and of tables, and what a game is said to have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from conftest import Both
from services import serving_both

from proofbase.service.application import Application
from proofbase.service.client.local import LocalClient
from proofbase.service.http.exchange import Exchange
from proofbase.service.http.methods import Method
from proofbase.storage import open_store

EXPORT = "/v1/games/tic-tac-toe/exports?format=jsonl"


def test_an_export_comes_in_parts(both: Both) -> None:
    whole = ask(both.http, EXPORT)
    assert whole.headers["accept-ranges"] == "bytes" and len(whole.body) > 10_000
    size, tag = len(whole.body), whole.headers["etag"]
    for text, part in {
        "bytes=0-0": whole.body[:1],
        "bytes=1000-2999": whole.body[1000:3000],
        f"bytes=9000-{size + 5}": whole.body[9000:],
        "bytes=9000-": whole.body[9000:],
        "bytes=-77": whole.body[-77:],
        f"bytes=-{2 * size}": whole.body,
    }.items():
        found = ask(both.http, EXPORT, range=text, if_range=tag)
        assert (found.status, found.body) == (206, part), text
        first = size - len(part) if text.startswith("bytes=-") else int(text[6:].partition("-")[0])
        assert found.headers["content-range"] == f"bytes {first}-{first + len(part) - 1}/{size}"
        assert found.headers["content-length"] == str(len(part)) and found.headers["etag"] == tag
    for text in ("bytes=5-3", "bytes=-", "bytes=0-1,5-6", "rows=0-1", "bytes=x-1"):
        assert ask(both.http, EXPORT, range=text).body == whole.body
    assert ask(both.http, EXPORT, range="bytes=0-9", if_range='"of another state"').body == whole.body
    for text in (f"bytes={size}-", "bytes=-0", f"bytes={10**17}-{10**17 + 1}"):
        refused = ask(both.http, EXPORT, range=text)
        assert (refused.status, refused.headers["content-range"]) == (416, f"bytes */{size}")
    assert ask(both.http, EXPORT, "HEAD", range="bytes=0-9").status == 200


def test_an_export_is_made_once_for_its_part(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, begun, stream = ask(both.http, EXPORT), list[str](), Exchange.stream

    def counted(exchange: Exchange, method: Method, message: Any) -> Any:
        begun.append(method.name)
        return stream(exchange, method, message)

    monkeypatch.setattr(Exchange, "stream", counted)
    for asked, status in (("bytes=5-9", 206), ("bytes=5-", 206), (f"bytes={len(whole.body)}-", 416)):
        assert ask(both.http, EXPORT, range=asked).status == status
    assert begun == 3 * ["proofbase.v1.Transfer/Export"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server with tables of awari, and the directory of its store."""
    directory = tmp_path_factory.mktemp("tables") / "store"
    with Application(open_store(str(directory))) as app:
        client = LocalClient(app, "in process")
        client.wait(client.start_table("awari", 3).id)
        with serving_both(app) as (_, http):
            yield http, directory


def test_a_table_comes_in_parts(tables: tuple[str, Path]) -> None:
    http, directory = tables
    data = (directory / "tables" / "awari-3.table").read_bytes()
    whole = ask(http, "/v1/games/awari/tables/awari-3")
    assert (whole.status, whole.body) == (200, data)
    assert whole.headers["content-disposition"] == 'attachment; filename="awari-3.table"'
    tag = whole.headers["etag"]
    assert ask(http, "/v1/games/awari/tables/awari-3", if_none_match=tag).status == 304
    found = ask(http, "/v1/games/awari/tables/awari-3", range="bytes=256-299", if_range=tag)
    assert (found.status, found.body) == (206, data[256:300])
    assert found.headers["content-range"] == f"bytes 256-299/{len(data)}"
    for game, name in (
        ("awari", "awari-4"),
        ("awari:oware", "awari-3"),
        ("awari", "..%2f..%2fetc"),
        ("awari", "x" * 300),
    ):
        refused = ask(http, f"/v1/games/{game}/tables/{name}")
        assert refused.status in (400, 404), name
    assert ask(http, "/v1/games/nothing/tables/awari-3").status == 404


def test_games_say_what_is_told_of_their_positions(tables: tuple[str, Path]) -> None:
    found = {game["name"]: game["metrics"] for game in ask(tables[0], "/v1/games").json["games"]}
    assert found["tic-tac-toe"] == ["value"]
    assert found["awari"] == ["value", "score", "tables"]
    assert found["chess"] == ["value", "plies", "tables"]
    assert found["mens-morris:6"] == ["value", "plies", "tables"]
    for name, metrics in (
        ("connect-four:5x4,score", ["value", "score"]),
        ("within:9:tic-tac-toe", ["value", "plies"]),
        ("within:9:chess", ["value", "plies", "tables"]),
    ):
        assert ask(tables[0], f"/v1/games/{name}").json["metrics"] == metrics
