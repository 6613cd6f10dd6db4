"""Packages and servers that mean harm: each ends in one error, soon and in little memory."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from made_packages import make_package
from range_server import serving

from proofbase.engine.records import MalformedRecordError
from proofbase.storage import StoreError, StoreUnavailableError, open_store
from proofbase.storage.package import web_server
from proofbase.storage.package.coding import Page, checksum, write_root
from proofbase.storage.package.folders import MANIFEST
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.testing import encoded, lower

GAME = "a game"


def varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def hostile(directory: Path, block: bytes, size: int, records: int, page_size: int | None = None) -> Path:
    """A package whose checksums are right: one block of records, and what its index says of it."""
    page = varint(0) + varint(1) + b"\0" + varint(size) + varint(records) + bytes(8) + checksum(block)
    make_package(directory, GAME, [(b"\0", encoded(lower(1, 1)))])
    document: dict[str, Any] = json.loads((directory / MANIFEST).read_text())
    root = write_root([Page(len(block), page_size or len(page), checksum(page), b"\0")])
    document["solutions"][0]["records"].update(index_at=len(block), index=base64.b64encode(root).decode())
    (directory / "game.blocks").write_bytes(block + page)
    (directory / MANIFEST).write_bytes(written(document))
    return directory


def written(document: dict[str, Any]) -> bytes:
    manifest = Manifest.__new__(Manifest)
    manifest.document = document
    return manifest.write()


def packed(parts: Iterator[bytes]) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return b"".join(map(packer.compress, parts)) + packer.flush()


def long_keys(size: int, records: int) -> Iterator[bytes]:
    """Records of a few bytes each, whose keys share all but their last byte with the one before."""
    yield b"\0\1\0\0" + varint(1) + varint(size) + bytes(size) + b"\0"
    for number in range(records):
        yield varint(size + 1 + number) + b"\1\1\0"


def many_records(records: int) -> Iterator[bytes]:
    yield b"\0\1\0\0"
    for number in range(1, records):
        yield b"\0\4" + number.to_bytes(4, "big") + b"\0"


@pytest.mark.parametrize("kind", ["long keys", "many records", "large block"])
def test_a_small_file_takes_little_memory(tmp_path: Path, kind: str) -> None:
    made = {
        "long keys": lambda: (packed(long_keys(1 << 20, 2_000)), 2_002),
        "many records": lambda: (packed(many_records(100_000)), 100_000),
        "large block": lambda: (packed(iter([bytes(1 << 20)] * 100)), 1),
    }
    block, records = made[kind]()
    hostile(tmp_path, block, len(block), records)
    with open_store(tmp_path.as_uri()) as store:
        tracemalloc.start()
        try:
            with pytest.raises(MalformedRecordError, match="is damaged, or was published anew"):
                store.get(GAME, b"\0")
            faults: list[MalformedRecordError] = []
            assert list(store.scan(GAME, faults=faults)) == [] and len(faults) == 1
            assert tracemalloc.get_traced_memory()[1] < 60 << 20
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("size", [0, 5 << 20, 1 << 55])
def test_sizes_that_no_package_has_are_not_read(tmp_path: Path, size: int) -> None:
    hostile(tmp_path, b"block", size, 1)
    with serving(tmp_path) as server, open_store(server.url) as store:
        with pytest.raises(StoreError, match="it names a part of"):
            store.get(GAME, b"\0")
        assert sum(sent for _, _, sent in server.log) < 10_000
    if size:
        hostile(tmp_path, b"block", 5, 1, page_size=size)
        with pytest.raises(StoreError, match="makes no sense: it names a part of"):
            open_store(tmp_path.as_uri())


def test_a_lowest_value_that_no_table_has_is_refused(tmp_path: Path) -> None:
    make_package(tmp_path, GAME, [(b"\0", encoded(lower(1, 1)))])
    document = json.loads((tmp_path / MANIFEST).read_text())
    table = {"name": "t", "entries": 1, "bits": 3, "plies": False, "rules_fingerprint": "0" * 16, "block_entries": 8}
    index = {"blocks": 1, "index_at": 0, "index": base64.b64encode(b"\x14" + bytes(16)).decode()}
    document["solutions"][0]["tables"] = [{**table, **index, "lowest": 10**30}]
    (tmp_path / MANIFEST).write_bytes(written(document))
    with pytest.raises(StoreError, match="makes no sense"):
        open_store(tmp_path.as_uri())


def changed(directory: Path, **members: object) -> Path:
    """A package whose manifest has other members in the entry of its game, and a checksum that is right."""
    directory.mkdir()
    make_package(directory, GAME, [(b"\0", encoded(lower(1, 1)))])
    document: dict[str, Any] = json.loads((directory / MANIFEST).read_text())
    document["solutions"][0].update(members)
    text = json.dumps({**document, "checksum": "0" * 64}, indent=1).encode() + b"\n"
    sum_of_text = hashlib.sha256(text).hexdigest().encode()
    (directory / MANIFEST).write_bytes(text.replace(b"0" * 64 + b'"\n}', sum_of_text + b'"\n}'))
    return directory


def test_half_a_sign_is_no_name(tmp_path: Path) -> None:
    assert open_store(str(changed(tmp_path / "whole", game="another game"))).count("another game") == 1
    with pytest.raises(StoreError, match=r"something else"):
        open_store(str(changed(tmp_path / "half", game="\ud800")))


@pytest.mark.parametrize(("when", "read"), [("0001-01-01T00:00:00+00:00", 1), ("0001-01-01T00:00:00+23:59", 0)])
def test_a_check_of_the_year_0_is_none(tmp_path: Path, when: str, read: int) -> None:
    check = {
        "when": when, "program": "p", "rules": "native", "rules_version": 1, "fingerprint": "0" * 16, "records": 1,
        "failed": 0,
    }  # fmt: skip
    with open_store(str(changed(tmp_path / "package", checks=[check]))) as store:
        checks = list(store.annotations().of_keys(GAME, [b""]))
    assert len(checks) == read
    for entry in checks:
        assert datetime.fromtimestamp(entry.created, UTC).year == 1


@contextmanager
def answering(*parts: bytes, seconds: float = 0.0) -> Iterator[str]:
    """The URL of a server that answers every request with these bytes, and waits after each part."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def answer() -> None:
            while not ended.is_set():
                connection, _ = listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    for part in parts:
                        if ended.wait(seconds):
                            return
                        try:
                            connection.sendall(part)
                        except OSError:
                            break

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            ended.set()
            socket.create_connection(listening.getsockname()).close()
            thread.join()


@pytest.mark.parametrize(
    "place",
    ["http://127.0.0.1:abc/m", "http://[bad/x", "http://127.0.0.1:1/\xe9", "http://\xe9" + "x" * 70 + ".example/",
     "http://" + "a" * 64 + ".example/", "http://a b/", "file:///etc/passwd", "javascript:alert(1)", ""],
)  # fmt: skip
def test_a_file_that_moves_to_no_address_is_named(place: str) -> None:
    answer = f"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: {place}\r\n\r\n".encode("latin-1")
    with answering(answer) as url, pytest.raises(StoreUnavailableError, match=r"manifest\.json|cannot be read"):
        open_store(url)


@pytest.mark.parametrize("of", ["body", "header"])
def test_a_server_that_answers_byte_by_byte_is_given_up(monkeypatch: pytest.MonkeyPatch, of: str) -> None:
    monkeypatch.setattr(web_server, "SECONDS", 0.5)
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" if of == "body" else b"HTTP/1.1 200 OK\r\n"
    began = time.monotonic()
    with (
        answering(head, *([b"x"] * 1000), seconds=0.05) as url,
        pytest.raises(StoreUnavailableError, match="no answer"),
    ):
        open_store(url)
    assert time.monotonic() - began < 10


def test_numbers_of_any_length_in_a_range_are_no_answer(tmp_path: Path) -> None:
    make_package(tmp_path, GAME, [(b"\0", encoded(lower(1, 1)))])
    manifest = (tmp_path / MANIFEST).read_bytes()
    first = f"HTTP/1.1 200 OK\r\nContent-Length: {len(manifest)}\r\n\r\n".encode() + manifest
    start = b"HTTP/1.1 206 Partial Content\r\n"
    far = start + b"Content-Range: bytes " + b"9" * 5000 + b"-9/10\r\nContent-Length: 4\r\n\r\nabcd"
    multi = (
        start + b"Content-Type: multipart/byteranges; boundary=x\r\nContent-Length: 5053\r\n\r\n"
        b"--x\r\nContent-Range: bytes 0-" + b"9" * 5000 + b"/1\r\n\r\nabcdefghijkl"
    )
    for answer in (far, multi):
        with answering(first) as url:
            store = open_store(url)
        with store, answering(answer) as other:
            store.folder._server._places["game.blocks"] = other  # type: ignore[attr-defined]
            with pytest.raises(StoreError):
                store.get(GAME, b"\0")


def blocks_of(*keys: bytes) -> list[tuple[bytes, bytes, int]]:
    """Blocks with one record for each key: the first key, the bytes and how many."""
    return [
        (
            key[:1],
            packed(iter([b"\0\1" + key[:1] + b"\0", *(b"\0\1" + more.to_bytes() + b"\0" for more in key[1:])])),
            len(key),
        )
        for key in keys
    ]


def indexed(directory: Path, pages: list[list[tuple[bytes, bytes, int]]], starts: list[int], firsts: bytes) -> str:
    """A package with right checksums, whose pages name blocks that begin at these bytes, and the root these keys."""
    make_package(directory, GAME, [(b"\0", encoded(lower(1, 1)))])
    document: dict[str, Any] = json.loads((directory / MANIFEST).read_text())
    data = b"".join(block for page in pages for _, block, _ in page)
    written_pages, roots = b"", []
    for page, start, first in zip(pages, starts, firsts, strict=True):
        entries = [
            varint(1) + key + varint(len(block)) + varint(number) + bytes(8) + checksum(block)
            for key, block, number in page
        ]
        encoded_page = varint(start) + b"".join(entries)
        roots.append(Page(0, len(encoded_page), checksum(encoded_page), bytes([first])))
        written_pages += encoded_page
    count, blocks = sum(number for page in pages for _, _, number in page), sum(map(len, pages))
    index = {"index_at": len(data), "index": base64.b64encode(write_root(roots)).decode(), "blocks": blocks}
    document["solutions"][0]["records"].update(**index, count=count)
    (directory / "game.blocks").write_bytes(data + written_pages)
    (directory / MANIFEST).write_bytes(written(document))
    return directory.as_uri()


def test_blocks_whose_keys_do_not_follow_one_another_are_damaged(tmp_path: Path) -> None:
    """Otherwise a scan and a lookup would find other records, and few bytes could be many."""
    one, two, between = blocks_of(b"\1\5", b"\7\x08", b"\3\4")
    with open_store(indexed(tmp_path, [[one, two]], [0], b"\1")) as store:
        assert [key for key, _ in store.scan(GAME)] == [b"\1", b"\5", b"\7", b"\x08"]
    faults: list[MalformedRecordError] = []
    with open_store(indexed(tmp_path, [[one, between]], [0], b"\1")) as store:
        assert [key for key, _ in store.scan(GAME, faults=faults)] == [b"\1", b"\5"]
    assert len(faults) == 1 and "its keys are before others" in str(faults[0])
    for pages, first, words in (
        ([[two, one]], b"\7", "its first keys do not ascend"),
        ([[one, two]], b"\0", "it has other keys than the manifest says"),
    ):
        with open_store(indexed(tmp_path, pages, [0], first)) as store, pytest.raises(StoreError, match=words):
            store.get(GAME, b"\7")


def test_no_bytes_are_the_blocks_of_two_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.storage.package.manifest.page_blocks", lambda blocks: 1)
    one, two = blocks_of(b"\1\5", b"\7\x08")
    for start, sound in ((len(one[1]), True), (0, False)):
        with open_store(indexed(tmp_path, [[one], [two]], [0, start], b"\1\7")) as store:
            if sound:
                assert len(list(store.scan(GAME))) == 4
                continue
            with pytest.raises(StoreError, match="its blocks are those of others"):
                list(store.scan(GAME))


def test_no_file_is_of_two_games(tmp_path: Path) -> None:
    make_package(tmp_path, GAME, [(b"\0", encoded(lower(1, 1)))])
    document = json.loads((tmp_path / MANIFEST).read_text())
    [solution] = document["solutions"]
    for changed in ([solution, {**solution, "game": "another"}], [{**solution, "certificate": "game.blocks"}]):
        (tmp_path / MANIFEST).write_bytes(written({**document, "solutions": changed}))
        with pytest.raises(StoreError, match=r"makes no sense: the file game\.blocks is of two games, or of two kinds"):
            open_store(tmp_path.as_uri())
