"""What a server of static files has to do for a package, and what is said where it does not."""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections.abc import Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from made_packages import make_package
from range_server import FileServer, Ranges, serving

from proofbase.storage import (
    NotAStoreError,
    SolutionStore,
    StoreDamagedError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    open_store,
)
from proofbase.storage.package import http_folder, web_server
from proofbase.storage.package.folders import MANIFEST
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.testing import encoded, lower

GAME = "a game"


@cache
def items() -> list[tuple[bytes, bytes]]:
    return [(number.to_bytes(8, "big"), encoded(lower(number % 9, number % 40))) for number in range(0, 400_000, 8)]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of 50,000 records."""
    directory = tmp_path_factory.mktemp("package")
    make_package(directory, GAME, items())
    return directory


@pytest.fixture
def server(package: Path) -> Iterator[FileServer]:
    with serving(package) as running:
        yield running


def board(store: SolutionStore) -> list[bytes | None]:
    """Eight records from all over the file."""
    return store.get_many(GAME, [key for key, _ in items()[::7000]])


def test_a_position_takes_three_requests_and_a_board_no_more(server: FileServer) -> None:
    with open_store(server.url) as store:
        assert store.get_many(GAME, [items()[777][0]]) == [items()[777][1]]
        assert server.requests()[0] == 3
        assert store.get_many(GAME, [items()[778][0]]) == [items()[778][1]]
        assert server.requests()[0] == 0, "the block is kept"
    with open_store(server.url) as store:
        assert board(store) == [record for _, record in items()[::7000]]
        assert server.requests()[0] == 3


def test_a_server_that_answers_one_part_a_request_is_read_as_well(server: FileServer) -> None:
    server.ranges = "one"
    with open_store(server.url) as store:
        assert board(store) == [record for _, record in items()[::7000]]
        requests, _ = server.requests()
        assert requests <= 6
        assert list(store.scan(GAME)) == items()


@pytest.mark.parametrize("ranges", ["one", "first"])
def test_a_board_takes_six_requests_wherever_its_records_are(
    package: Path, ranges: Ranges, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a server of one part a request, which may answer a request for several by the first of them."""
    monkeypatch.setattr(http_folder, "SPARE", 1000)  # as in a large package
    chance = Random(7)
    with serving(package, ranges) as server:
        for _ in range(12):
            keys = [key for key, _ in chance.sample(items(), 8)]
            with open_store(server.url) as store:
                assert None not in store.get_many(GAME, keys)
            assert server.requests()[0] <= 6
    wide = [(number << 22, 1000) for number in range(12)]
    assert len(http_folder._fewer(wide, 3)) == 8, "16 MiB at the most are read in vain"
    assert len(http_folder._fewer(wide[:4], 3)) == 3 and len(http_folder._fewer(wide[:4], None)) == 4


def test_compression_on_the_way_does_no_harm_or_is_named(server: FileServer) -> None:
    with open_store(server.url) as store:
        assert board(store)[1] == items()[7000][1]
    server.compresses = "always"
    with open_store(server.url) as store, pytest.raises(NotAStoreError, match="switch its compression off"):
        board(store)


def test_of_a_server_without_ranges_small_files_are_read_as_a_whole(server: FileServer) -> None:
    server.ranges = "none"
    for compresses in ("asked", "always"):
        server.compresses = compresses
        with open_store(server.url) as store:
            assert board(store) == [record for _, record in items()[::7000]]
            assert board(store) and server.requests()[0] <= 4, "each file once"


def test_a_server_without_ranges_is_named(package: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "LARGEST_WHOLE", 10_000)
    server.ranges = "none"
    with open_store(server.url) as store, pytest.raises(NotAStoreError, match="does not answer requests for parts"):
        board(store)
    # Python's own server of files is one of these.
    handler = partial(_Silent, directory=str(package))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as python:
        thread = Thread(target=python.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        python_store = open_store(f"http://127.0.0.1:{python.server_address[1]}/")
        with python_store, pytest.raises(NotAStoreError, match="does not answer requests for parts"):
            board(python_store)
        python.shutdown()
        thread.join()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""


def test_files_that_have_moved_are_found(package: Path, server: FileServer, tmp_path: Path) -> None:
    with serving(tmp_path) as other:
        (tmp_path / MANIFEST).write_bytes((package / MANIFEST).read_bytes())
        other.moved["game.blocks"] = f"{server.url}/game.blocks"
        with open_store(other.url) as store:
            assert board(store) == [record for _, record in items()[::7000]]
        other.moved["game.blocks"] = "/game.blocks"
        with open_store(other.url) as store, pytest.raises(StoreUnavailableError, match="from place to place"):
            board(store)


@pytest.mark.parametrize("ranges", ["one", "several"])
def test_a_host_that_signs_each_range_is_read(server: FileServer, ranges: Ranges) -> None:
    server.signs, server.ranges = True, ranges
    with open_store(server.url) as store:
        assert board(store) == [record for _, record in items()[::7000]]
        assert list(store.scan(GAME)) == items()
    assert not [status for _, status, _ in server.log if status >= 400], "no signed address was used for another range"


def test_only_lasting_redirections_are_remembered(package: Path, server: FileServer, tmp_path: Path) -> None:
    with serving(tmp_path) as other:
        (tmp_path / MANIFEST).write_bytes((package / MANIFEST).read_bytes())
        other.moved["game.blocks"] = f"{server.url}/game.blocks"
        for moves, asked_again in ((302, True), (307, True), (301, False), (308, False)):
            other.moves = moves
            with open_store(other.url) as store:
                assert store.get(GAME, items()[0][0]) is not None
                other.requests()
                assert store.get(GAME, items()[-1][0]) is not None
                assert (other.requests()[0] > 0) is asked_again
        # A place that a file has moved to for good, and where it is no more: the first one may know better.
        with open_store(other.url) as store:
            assert store.get(GAME, items()[0][0]) is not None
            other.moved.clear()
            (tmp_path / "game.blocks").write_bytes((package / "game.blocks").read_bytes())
            server.moved["game.blocks"], server.moves = "/gone", 301
            assert store.get_many(GAME, [items()[-1][0]]) == [items()[-1][1]]


def test_a_busy_server_is_waited_for(server: FileServer, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(server.url) as store:
        server.busy = [(429, "0"), (503, "Wed, 21 Oct 2015 07:28:00 GMT"), (503, "")]
        began = time.monotonic()
        assert store.get_many(GAME, [items()[0][0]]) == [items()[0][1]]
        assert 3.9 < time.monotonic() - began < 15, "a server that names no time gets 4 s at the third attempt"
        assert [record.getMessage().partition(" is busy ")[2] for record in caplog.records] == [
            "(HTTP 429): it is asked again in 0 s",
            "(HTTP 503): it is asked again in 0 s",
            "(HTTP 503): it is asked again in 4 s",
        ]
        server.busy = [(429, "3600")]
        with pytest.raises(StoreUnavailableError, match=r"HTTP 429 .*, and asks to come again in 3600 s"):
            store.get(GAME, items()[-1][0])


def test_connections_that_end_are_opened_again(server: FileServer) -> None:
    with open_store(server.url) as store:
        board(store)
        server.failures = 1
        assert store.get(GAME, items()[-1][0]) is not None
        server.failures = 2
        with pytest.raises(StoreUnavailableError, match=r"game\.blocks cannot be read"):
            store.get(GAME, items()[24_500][0])
        assert store.get(GAME, items()[24_500][0]) is not None


@pytest.mark.parametrize("fault", ["gone", "lacks the file", "other bytes", "shorter", "busy", "no ranges"])
def test_a_mirror_is_read_where_the_first_place_fails(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """The second mirror, that is: the first one is nowhere."""
    first = shutil.copytree(package, tmp_path / "first")
    data = (first / "game.blocks").read_bytes()
    with serving(package) as mirror, serving(first) as server:
        document = json.loads((first / MANIFEST).read_text())
        document["mirrors"] = ["http://127.0.0.1:9/nowhere", mirror.url]
        (first / MANIFEST).write_bytes(Manifest(document).write())
        with open_store(server.url, read_only=True) as store:
            if fault == "gone":
                server.failures = 1000
            elif fault == "lacks the file":
                (first / "game.blocks").unlink()
            elif fault == "other bytes":
                (first / "game.blocks").write_bytes(bytes(byte ^ 1 for byte in data))
            elif fault == "shorter":
                (first / "game.blocks").write_bytes(data[:100])
            elif fault == "busy":
                server.busy = [(503, "60")] * 1000
            else:
                server.ranges = "none"
                monkeypatch.setattr(web_server, "LARGEST_WHOLE", 1000)
            assert board(store) == [record for _, record in items()[::7000]]
            assert mirror.log
            assert list(store.scan(GAME)) == items()
            if fault != "other bytes":  # the place that failed is the last one from then on
                server.requests()
                assert store.get_many(GAME, [items()[1][0]]) == [items()[1][1]]
                assert server.requests()[0] == 0


def test_a_stranger_names_no_files_as_mirrors(package: Path, tmp_path: Path) -> None:
    for mirror in ("file:///etc", "ftp://host", "https://a b", "/etc", 5, "http://me@host"):
        copy = shutil.copytree(package, tmp_path / "copy")
        document = json.loads((copy / MANIFEST).read_text())
        document["mirrors"] = [mirror]
        (copy / MANIFEST).write_text(json.dumps(document))
        with pytest.raises(ValueError, match="no URL of a mirror"):
            Manifest(document)
        shutil.rmtree(copy)


def test_a_mirror_that_can_be_no_address_is_passed_over(package: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(package, tmp_path / "copy")
    document = json.loads((copy / MANIFEST).read_text())
    document["mirrors"] = ["http://[x", "http://:80/", "http://host:99999/"]
    (copy / MANIFEST).write_bytes(Manifest(document).write())
    with serving(copy) as server, open_store(server.url, read_only=True) as store:
        assert board(store) == [record for _, record in items()[::7000]]


def test_a_proxy_of_the_environment_is_asked(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "nowhere.invalid")
    with open_store("http://packages.invalid:81/") as store:
        assert board(store) == [record for _, record in items()[::7000]]
    assert server.log[0][0] == "http://packages.invalid:81/manifest.json"
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with open_store(server.url) as store:
        assert store.get(GAME, items()[0][0]) is not None
    assert server.log[-1][0] == "/game.blocks"


def test_what_is_no_package_is_named(package: Path, server: FileServer, tmp_path: Path) -> None:
    with pytest.raises(StoreNotFoundError, match=r"has no manifest.json \(HTTP 404\)"):
        open_store(f"{server.url}/elsewhere")
    with pytest.raises(StoreNotFoundError, match=r"has no manifest\.json"):
        open_store(tmp_path.as_uri())
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(StoreUnavailableError, match="Connection refused"):
            open_store(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    for url in ("http://", "http:///x", "http://host:port/", "file://host/x"):
        with pytest.raises(ValueError, match=r"names no host|no number|three slashes"):
            open_store(url)
    document = json.loads((package / MANIFEST).read_text())
    for change, error, message in (
        ({"package": 2}, StoreVersionError, "has version 2 of the format, and this release reads version 1"),
        ({"package": None}, StoreVersionError, "version None"),
        ({"solutions": 7}, NotAStoreError, "makes no sense"),
        ({"files": []}, NotAStoreError, "does not list the file game.blocks"),
        ({"solutions": [{**document["solutions"][0], "file": "../x"}]}, NotAStoreError, "no name of a file"),
    ):
        manifest = Manifest(document)
        manifest.document = {**document, **change}
        (tmp_path / MANIFEST).write_bytes(manifest.write())
        with pytest.raises(error, match=message):
            open_store(tmp_path.as_uri())
    for data in (b"", b"{}", b"[1]", b"\xff", b"[" * 100_000):
        (tmp_path / MANIFEST).write_bytes(data)
        with pytest.raises(NotAStoreError, match="is no package of proofbase"):
            open_store(tmp_path.as_uri())
    (tmp_path / MANIFEST).write_bytes((package / MANIFEST).read_bytes().replace(b"CC0-1.0", b"CC0-2.0"))
    with pytest.raises(StoreDamagedError, match=r"the manifest of .* is damaged"):
        open_store(tmp_path.as_uri())


def test_nothing_can_be_written(server: FileServer) -> None:
    with open_store(server.url) as store:
        with pytest.raises(StoreReadOnlyError, match="is a package: it can only be read"):
            store.put_many(GAME, [], source="s", rules_version=1)
        with pytest.raises(StoreReadOnlyError):
            store.quarantine(GAME, [], "why")
