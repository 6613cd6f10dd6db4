"""Tokens beside a store that another process, or another part of this one, has open for writing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proofbase.migrations import migrate
from proofbase.storage import NotAStoreError, StoreDamagedError, StoreReadOnlyError, Token, open_store, open_tokens

FIRST = Token("0" * 16, "alice", "reader", b"\1" * 32, 1.5)
SECOND = Token("1" * 16, "bob", "admin", b"", 2.5, 9.0)
ADDING = """\
import sys
from proofbase.storage import Token, open_tokens
for number in range(20):
    with open_tokens(sys.argv[1]) as tokens:
        tokens.add(Token(f"{sys.argv[2]}{number:015x}", "name", "reader", b"", float(number)))
"""


def test_tokens_are_changed_beside_the_writer_of_a_directory(tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    with open_tokens(url) as tokens:  # makes the store
        tokens.add(FIRST)
    with open_store(url, create=False) as store, open_tokens(url) as outside:
        assert store.tokens().all() == outside.all() == [FIRST]
        outside.add(SECOND)
        assert store.tokens().all() == [FIRST, SECOND]
        with open_store(url, read_only=True) as reader:
            assert reader.tokens().all() == [FIRST, SECOND]


def test_several_processes_add_tokens_at_a_time(tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    with open_store(url) as store:
        command = [sys.executable, "-c", ADDING, url]
        processes = [subprocess.Popen([*command, digit], stderr=subprocess.PIPE) for digit in "abc"]
        for process in processes:
            assert process.communicate(timeout=120)[1] == b""
        assert len(store.tokens().all()) == 60


def test_a_damaged_token_is_no_token(tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    with open_tokens(url) as tokens:
        tokens.add(FIRST)
    file = tmp_path / "store" / "access" / "data.mdb"
    data = file.read_bytes()
    assert data.count(b'"reader"') >= 1
    file.write_bytes(data.replace(b'"reader"', b'"admin" '))
    with open_tokens(url) as tokens, pytest.raises(StoreDamagedError, match="of the tokens of this store is damaged"):
        tokens.all()


def test_places_that_are_no_store_get_no_tokens(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(NotAStoreError):
        open_tokens(str(tmp_path))
    with pytest.raises(ValueError, match="a memory store ends with its process"):
        open_tokens("memory:")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_tokens_of_a_database(postgres_database: str) -> None:
    migrate(postgres_database)
    with open_tokens(postgres_database) as tokens, open_store(postgres_database) as store:
        tokens.add(FIRST)
        tokens.add(SECOND)
        assert store.tokens().all() == [FIRST, SECOND]
        assert [token.id for token in tokens.revoke([FIRST.id], 7.25)] == [FIRST.id]
        assert [token.revoked for token in store.tokens().all()] == [7.25, None]
    with open_store(postgres_database, read_only=True) as store, pytest.raises(StoreReadOnlyError):
        store.tokens().add(Token("2" * 16, "carol", "reader", b"", 1.0))
