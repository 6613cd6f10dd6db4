"""What an LMDB store is opened from: one clear error for everything else, and the files stay as they were."""

from __future__ import annotations

import resource
from pathlib import Path

import lmdb
import pytest
from lmdb_stores import fingerprint, put

from proofbase.storage import (
    NotAStoreError,
    StoreDamagedError,
    StoreNotFoundError,
    StoreVersionError,
    open_store,
)
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.format_rows import FORMAT

ROOT_OF_MAIN = 128
"""In a meta page of LMDB the number of the root page of the main database: 8 bytes."""


def test_a_store_stays(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path / "deep" / "store")) as store:
        put(store, 10)
    with open_store(f"lmdb://{tmp_path}/deep/store", create=False) as store:
        assert store.count("g") == 10


def test_a_missing_store_is_not_made_unasked(tmp_path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFoundError, match=str(tmp_path / "none")):
            open_store(str(tmp_path / "none"), **options)
        with pytest.raises(StoreNotFoundError, match=str(tmp_path)):
            open_store(str(tmp_path), **options)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("hello")
    for path in (file, file / "below"):
        with pytest.raises(NotAStoreError, match=str(file)):
            open_store(str(path))
    assert file.read_text() == "hello"


def test_a_directory_with_other_files_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("hello")
    with pytest.raises(NotAStoreError, match=r"thesis\.tex"):
        open_store(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("read_only", [False, True])
def test_an_environment_of_another_program_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    with lmdb.open(str(tmp_path), max_dbs=2) as env:
        users = env.open_db(b"users")
        with env.begin(write=True) as txn:
            txn.put(b"name", b"value", db=users)
    before = fingerprint(tmp_path)
    with pytest.raises(NotAStoreError, match="another program"):
        open_store(str(tmp_path), read_only=read_only)
    assert fingerprint(tmp_path) == before


@pytest.mark.parametrize("as_database", [False, True])
def test_so_is_one_that_has_another_meta(tmp_path: Path, as_database: bool) -> None:
    with lmdb.open(str(tmp_path), max_dbs=2) as env, env.begin(write=True) as txn:
        if as_database:
            txn.put(b"magic", b"another", db=env.open_db(b"meta", txn=txn))
        else:
            txn.put(b"meta", b"another")
    with pytest.raises(NotAStoreError, match="another program"):
        open_store(str(tmp_path))


def test_a_damaged_page_is_not_another_program(tmp_path: Path) -> None:
    """The root of the databases points behind the end of the file."""
    LmdbStore(str(tmp_path)).close()
    file = tmp_path / "data.mdb"
    data = bytearray(file.read_bytes())
    for meta in range(2):
        root = meta * resource.getpagesize() + ROOT_OF_MAIN
        data[root : root + 8] = (1 << 20).to_bytes(8, "little")
    file.write_bytes(data)
    with pytest.raises(StoreDamagedError, match="is damaged"):
        open_store(str(tmp_path))


@pytest.mark.parametrize("read_only", [False, True])
def test_a_data_file_that_is_no_lmdb_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "data.mdb").write_bytes(b"something else" * 1000)
    before = fingerprint(tmp_path)
    with pytest.raises(NotAStoreError, match=str(tmp_path)):
        open_store(str(tmp_path), read_only=read_only)
    assert fingerprint(tmp_path) == before


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    LmdbStore(str(tmp_path)).close()
    with lmdb.open(str(tmp_path), max_dbs=2) as env, env.begin(write=True) as txn:
        meta = env.open_db(b"meta", txn=txn)
        txn.put(b"format", str(FORMAT + 1).encode(), db=meta)
        txn.put(b"creator", b"proofbase 99", db=meta)
    for read_only in (False, True):
        with pytest.raises(StoreVersionError, match=rf"format {FORMAT + 1}, made by proofbase 99"):
            open_store(str(tmp_path), read_only=read_only)


@pytest.mark.parametrize("url", ["ftp://somewhere", "lmdb:", "lmdb://relative", "memory:name", "postgresql://host", ""])
def test_urls_that_name_no_store_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        open_store(url)
