"""The default store: one LMDB environment per directory, one writing process, many readers, durable commits."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import lmdb

from proofbase.engine.records import RecordError, add_source, merge_encoded
from proofbase.storage.chunks import (
    MAX_REASON_CHARACTERS,
    Chunk,
    check_limit,
    check_text,
    with_place,
)
from proofbase.storage.entries import GameEntry, PutResult, Source
from proofbase.storage.errors import (
    RulesVersionError,
    StoreClosedError,
)
from proofbase.storage.lmdb.environment import MAP_SIZE, MAX_MAP_SIZE, Unchanged
from proofbase.storage.lmdb.jobs import LmdbJobs
from proofbase.storage.lmdb.shared import close_environment, open_environment
from proofbase.storage.store import MAX_KEY_BYTES, GetMany

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

_GAME = struct.Struct(">IIQQ")
_NUMBER = struct.Struct(">I")


class _Game(NamedTuple):
    number: int
    rules_version: int
    records: int
    generation: int

    @property
    def prefix(self) -> bytes:
        """What the keys of the game's records begin with."""
        return _NUMBER.pack(self.number)


class LmdbStore(LmdbJobs):
    """A store in a directory; the contract is that of `SolutionStore`.

    A commit waits for the disk (about 7 ms), so put many records at once. The map is address space, not disk. A full
    map is doubled, which needs all scans of the same process to be closed.

    Args:
        directory: the store's directory; made when it does not exist and `create` is set.
        read_only: open beside a writer, in any number of processes.
        create: whether a missing store is made (never when read-only).
        map_size: bytes of address space to begin with.
        max_map_size: bytes beyond which puts are refused with `StoreFullError`.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError: the directory holds no store of this release.
        StoreLockedError, StoreReadOnlyError: the store cannot be opened in this way.
    """

    reads_wait = False

    def __init__(
        self,
        directory: str,
        *,
        read_only: bool = False,
        create: bool = True,
        map_size: int = MAP_SIZE,
        max_map_size: int = MAX_MAP_SIZE,
    ) -> None:
        super().__init__(directory, read_only=read_only)
        self.directory = Path(directory)
        self._environment = open_environment(
            directory, read_only=read_only, create=create, map_size=map_size, max_map_size=max_map_size
        )
        self._known_sources: dict[str, Source] = {}
        if not read_only:
            self._check_index()

    # Records

    def games(self) -> list[GameEntry]:
        self._check_open()
        with self._environment.read() as txn:
            rows = [(bytes(name).decode(), _Game(*_GAME.unpack(row))) for name, row in self._games(txn)]
        return [GameEntry(name, game.rules_version, game.records) for name, game in rows]

    def _games(self, txn: Transaction) -> Iterator[tuple[bytes, bytes]]:
        return txn.cursor(self._environment.dbs.games).iternext()

    def _game(self, txn: Transaction, name: str) -> _Game | None:
        row = txn.get(_name_key(name), db=self._environment.dbs.games) if name else None
        return None if row is None else _Game(*_GAME.unpack(row))

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
            return _lookup(txn, entry, keys)

    @contextmanager
    def _snapshot(self, game: str) -> Iterator[GetMany]:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
            yield lambda keys: _lookup(txn, entry, keys)

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        self._check_open()
        return self._environment.write(lambda txn: self._merge(txn, chunk))

    def _merge(self, txn: Transaction, chunk: Chunk) -> PutResult:
        dbs = self._environment.dbs
        game = self._game(txn, chunk.game)
        if game is None:
            taken = [_GAME.unpack(row)[0] for _, row in self._games(txn)]
            game = _Game(max(taken, default=0) + 1, chunk.rules_version, 0, 0)
        if game.rules_version != chunk.rules_version:
            raise RulesVersionError(chunk.game, game.rules_version, chunk.rules_version)
        source, known = self._source(txn, chunk.source)
        number, prefix, get = source.number, game.prefix, txn.cursor(dbs.records).get
        changes: list[tuple[bytes, bytes]] = []
        added = 0
        for key, record in chunk.items:
            stored_key = prefix + key
            stored = get(stored_key)
            if stored is None:
                changes.append((stored_key, add_source(record, number)))
                added += 1
                continue
            try:
                merged = merge_encoded(stored, record, number)
            except RecordError as error:
                texts = {entry.number: entry.text for entry in self._known_sources.values()}
                raise with_place(error, chunk.game, key, texts, chunk.source) from None
            if merged is not None:
                changes.append((stored_key, merged))
        result = PutResult(added, len(changes) - added, len(chunk.items) - len(changes))
        if not changes:
            raise Unchanged(result)
        txn.cursor(dbs.records).putmulti(changes)
        if not known:
            row = json.dumps({"text": source.text, "created": source.created}).encode()
            txn.put(_NUMBER.pack(number), row, db=dbs.sources)
        self._put_game(txn, chunk.game, game, added)
        return result

    def _put_game(self, txn: Transaction, name: str, game: _Game, added: int) -> None:
        row = _GAME.pack(game.number, game.rules_version, game.records + added, game.generation + 1)
        txn.put(_name_key(name), row, db=self._environment.dbs.games)

    def scan(self, game: str, *, after: bytes | None = None, limit: int | None = None) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        return self._scan(game, after, limit)

    def _scan(self, game: str, after: bytes | None, limit: int | None) -> Iterator[tuple[bytes, bytes]]:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
            if entry is None:
                return
            prefix = entry.prefix
            # LMDB refuses keys over its own limit, so a longer `after` is cut. No stored key is as long as the cut one.
            start = prefix if after is None else prefix + after[: MAX_KEY_BYTES + 1]
            cursor = txn.cursor()
            if not cursor.set_range(start):
                return
            if after is not None and cursor.key() == prefix + after and not cursor.next():
                return
            for key, record in cursor if limit is None else islice(cursor, limit):
                if key[:4] != prefix:
                    return
                yield key[4:], record

    def count(self, game: str) -> int:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
        return 0 if entry is None else entry.records

    def generation(self, game: str) -> int:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
        return 0 if entry is None else entry.generation

    def quarantine(self, game: str, keys: Iterable[bytes], reason: str) -> int:
        check_text("a reason", reason, MAX_REASON_CHARACTERS)
        self._check_writable()
        wanted = sorted(set(keys))
        return self._environment.write(lambda txn: self._move_to_quarantine(txn, game, wanted, reason))

    def _move_to_quarantine(self, txn: Transaction, name: str, keys: list[bytes], reason: str) -> int:
        dbs = self._environment.dbs
        game = self._game(txn, name)
        moved = 0
        for key in keys if game is not None else ():
            stored_key = (game.prefix if game is not None else b"") + key
            record = txn.pop(stored_key, db=dbs.records) if 0 < len(key) <= MAX_KEY_BYTES else None
            if record is not None:
                txn.put(stored_key, _NUMBER.pack(len(record)) + record + reason.encode(), db=dbs.quarantine)
                moved += 1
        if game is None or not moved:
            raise Unchanged(0)
        self._put_game(txn, name, game, -moved)
        return moved

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
            cursor = txn.cursor(self._environment.dbs.quarantine)
            if entry is None or not cursor.set_range(entry.prefix):
                return
            for key, row in cursor:
                if key[:4] != entry.prefix:
                    return
                end = 4 + _NUMBER.unpack_from(row)[0]
                yield key[4:], row[4:end], row[end:].decode()

    # Sources

    def sources(self) -> list[Source]:
        self._check_open()
        with self._environment.read() as txn:
            return list(self._read_sources(txn, 1))

    def _read_sources(self, txn: Transaction, first: int) -> Iterator[Source]:
        cursor = txn.cursor(self._environment.dbs.sources)
        if cursor.set_range(_NUMBER.pack(first)):
            for number, row in cursor:
                yield Source(number=_NUMBER.unpack(number)[0], **json.loads(row))

    def _source(self, txn: Transaction, text: str) -> tuple[Source, bool]:
        """The source of a text, and whether it is stored already. Stored sources never change: they are cached."""
        if text not in self._known_sources:
            newer = self._read_sources(txn, len(self._known_sources) + 1)
            self._known_sources.update((source.text, source) for source in newer)
        known = self._known_sources.get(text)
        return (known, True) if known else (Source(len(self._known_sources) + 1, text, time.time()), False)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            close_environment(self._environment)

    def __del__(self) -> None:
        # A store that was forgotten without close() must not lock the directory until the process ends.
        if hasattr(self, "_environment") and not self._closed:
            with suppress(StoreClosedError):
                self.close()


def _lookup(txn: Transaction, game: _Game | None, keys: Iterable[bytes]) -> list[bytes | None]:
    if game is None:
        return [None for _ in keys]
    prefix, get = game.prefix, txn.get
    try:
        return [get(prefix + key) for key in keys]
    except lmdb.BadValsizeError:
        # LMDB refuses overlong keys, which no store holds. Checking every key beforehand would cost too much.
        return [get(prefix + key) if 0 < len(key) <= MAX_KEY_BYTES else None for key in keys]


def _name_key(name: str) -> bytes:
    """A name as a key. An overlong name is cut, and then it is the name of nothing: stored names are shorter."""
    return name.encode()[:500]
