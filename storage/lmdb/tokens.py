"""Tokens beside an LMDB store: a small LMDB environment of its own, in the folder `access` of the store's directory.

The store itself has one writing process, the server. LMDB on its own lets any process write, one after another; so
tokens are made and revoked while the server runs. The environment is opened for each operation: LMDB forbids two at a
time in one process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import lmdb

from proofbase.storage.errors import StoreDamagedError
from proofbase.storage.lmdb.data_file import DATA_FILE
from proofbase.storage.lmdb.failures import UNWRITABLE, store_error
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row
from proofbase.storage.tokens import Token, TokenStore

__all__ = ["ACCESS_DIRECTORY", "LmdbTokens", "copy_tokens"]

ACCESS_DIRECTORY = "access"
_MAP_SIZE = 64 << 20
"""Room for some hundred thousand tokens."""
_USING = threading.Lock()


class LmdbTokens(TokenStore):
    """The tokens of the store in a directory.

    Args:
        directory: of the store.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / ACCESS_DIRECTORY

    def all(self) -> list[Token]:
        if not (self._path / DATA_FILE).exists():
            return []
        with self._opened(write=False) as txn:
            tokens = [_read(key, row) for key, row in txn.cursor()]
        return sorted(tokens, key=lambda token: (token.created, token.id))

    def add(self, token: Token) -> None:
        name = token.id.encode()
        with self._opened(write=True) as txn:
            if not txn.put(name, seal_row("tokens", name, token.to_json().encode()), overwrite=False):
                raise ValueError(f"there is a token {token.id} already")

    def revoke(self, ids: list[str], moment: float) -> list[Token]:
        if not (self._path / DATA_FILE).exists():
            return []
        revoked = []
        with self._opened(write=True) as txn:
            for name in (entry.encode() for entry in ids):
                row = txn.get(name) if name else None
                token = None if row is None else _read(name, row)
                if token is None or token.revoked is not None:
                    continue
                token = replace(token, revoked=moment)
                txn.put(name, seal_row("tokens", name, token.to_json().encode()))
                revoked.append(token)
        return revoked

    @contextmanager
    def _opened(self, *, write: bool) -> Iterator[lmdb.Transaction[bytes]]:
        """A transaction, which is committed at the end."""
        try:
            with _USING:
                if write:
                    self._path.mkdir(mode=0o700, exist_ok=True)
                with self._environment(write=write) as environment, environment.begin(write=write) as txn:
                    yield txn
        except lmdb.Error as error:
            raise store_error(error, str(self._path)) from None

    def _environment(self, *, write: bool) -> lmdb.Environment:
        def opened(*, lock: bool) -> lmdb.Environment:
            return lmdb.open(
                str(self._path), map_size=_MAP_SIZE, readonly=not write, create=write, mode=0o600, lock=lock
            )

        try:
            return opened(lock=True)
        except lmdb.Error as error:
            if write or error.code not in UNWRITABLE:
                raise
            return opened(lock=False)  # a store that only its owner may write


def copy_tokens(source: Path, target: Path) -> None:
    """Copies the tokens of the store in one directory beside a store in another, as of one moment."""
    copies = LmdbTokens(target)
    with LmdbTokens(source) as tokens:
        for token in tokens.all():
            copies.add(token)


def _read(key: bytes, row: bytes) -> Token:
    try:
        return Token.from_json(open_row("tokens", key, row, sealed=True))
    except StoreDamagedError:
        raise
    except ValueError as error:
        raise damaged_row("tokens", key, str(error)) from None
