"""The default store: one LMDB environment per directory, one writing process, many readers, durable commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import lmdb

from proofbase.engine.records import Claim, MalformedRecordError
from proofbase.storage.annotations import AnnotationStore
from proofbase.storage.arguments import MAX_REASON_CHARACTERS, check_limit, check_text
from proofbase.storage.auditing import tally
from proofbase.storage.chunks import Chunk
from proofbase.storage.entries import Audit, GameEntry, PutResult, Source
from proofbase.storage.errors import (
    RulesVersionError,
    StoreClosedError,
)
from proofbase.storage.estimates import EstimateStore
from proofbase.storage.lmdb.annotations import LmdbAnnotations
from proofbase.storage.lmdb.contents import LmdbContents
from proofbase.storage.lmdb.environment import MAP_SIZE, MAX_MAP_SIZE, Environment, Unchanged
from proofbase.storage.lmdb.estimates import LmdbEstimates
from proofbase.storage.lmdb.guarded_reads import in_blocks
from proofbase.storage.lmdb.jobs import LmdbJobs
from proofbase.storage.lmdb.pages import check_pages
from proofbase.storage.lmdb.records import GameRow, StoredRecords, merge_chunk, read_quarantine_row, remove_records
from proofbase.storage.lmdb.rows import damaged_row
from proofbase.storage.lmdb.shared_environments import close_environment, open_environment
from proofbase.storage.lmdb.sizes import environment_sizes
from proofbase.storage.lmdb.sources import NUMBER, KnownSources, close_sources, closed_sources, read_source, source_row
from proofbase.storage.lmdb.tokens import LmdbTokens
from proofbase.storage.lmdb.upgrade import UpgradeState, upgrade
from proofbase.storage.sizes import StoreSizes
from proofbase.storage.store import GetMany
from proofbase.storage.tokens import TokenStore

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]


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
        self._known_sources = KnownSources()
        self._unreadable: dict[str, str] = {}
        self._games_read: dict[bytes, tuple[bytes, GameEntry]] = {}
        """The rows of all games when they were last read, and what they say: a store may have thousands."""
        self._upgrade_state = UpgradeState(self._environment)
        if not read_only:
            try:
                upgrade(self._environment)
                self._check_index()
            except BaseException:
                close_environment(self._environment)
                self._closed = True
                raise

    @property
    def environment(self) -> Environment:
        """Its open files, for the parts of the backend."""
        return self._environment

    @property
    def revision(self) -> str:
        self._check_open()
        with self._environment.read() as txn:
            return str(txn.get(b"format", b"1", db=self._environment.dbs.meta).decode())

    # Records

    def games(self) -> list[GameEntry]:
        self._check_open()
        with self._environment.read() as txn:
            fingerprints_known = self._upgrade_state.unchecked_after(txn) is None
            keys = txn.cursor(self._environment.dbs.quarantine).iternext(values=False)
            quarantined = Counter(key[:4] for key in in_blocks(self._environment.look, keys))
            before, rows = self._games_read, dict[bytes, tuple[bytes, GameEntry]]()
            for name, row in self._games(txn):
                known = before.get(name)
                if known is None or known[0] != row:
                    known = row, _game_entry(name, GameRow.unpack(name, row))
                rows[name] = known
        self._games_read = rows
        entries = [entry for _, entry in rows.values()]
        if not fingerprints_known:
            entries = [replace(entry, fingerprint=None) for entry in entries]
        if not quarantined:
            return entries
        prefixes = [GameRow.unpack(name, row).prefix for name, (row, _) in rows.items()]
        return [
            replace(entry, quarantined=quarantined[prefix]) if prefix in quarantined else entry
            for entry, prefix in zip(entries, prefixes, strict=True)
        ]

    def _games(self, txn: Transaction) -> Iterator[tuple[bytes, bytes]]:
        return txn.cursor(self._environment.dbs.games).iternext()

    def _game(self, txn: Transaction, name: str) -> GameRow | None:
        key = _name_key(name)
        row = txn.get(key, db=self._environment.dbs.games) if name else None
        return None if row is None else GameRow.unpack(key, row)

    def _records(
        self, txn: Transaction, game: str, faults: list[MalformedRecordError] | None = None
    ) -> StoredRecords | None:
        row = self._game(txn, game)
        return None if row is None else StoredRecords(game, row, self._upgrade_state.unchecked_after(txn), faults)

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        self._check_open()
        with self._environment.read() as txn:
            return _get_many(txn, self._records(txn, game, faults), keys)

    def reading_together(self) -> AbstractContextManager[None]:
        self._check_open()
        return self._environment.shared_read()

    @contextmanager
    def _snapshot(self, game: str, faults: list[MalformedRecordError] | None = None) -> Iterator[GetMany]:
        self._check_open()
        with self._environment.read() as txn:
            records = self._records(txn, game, faults)

            def get_many(keys: list[bytes]) -> list[bytes | None]:
                self._environment.look()
                return _get_many(txn, records, keys)

            yield get_many

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        self._check_open()
        removals: list[int] = []
        """The removals of the game when the transaction began; it begins again where the map has to grow."""

        def merge(txn: Transaction) -> PutResult:
            removals[:] = removals or [self._environment.removals[chunk.game]]
            return self._merge(txn, chunk, removals[0])

        return self._environment.write(merge)

    def _merge(self, txn: Transaction, chunk: Chunk, removals: int) -> PutResult:
        dbs = self._environment.dbs
        game = self._game(txn, chunk.game)
        if game is None:
            taken = [GameRow.unpack(name, row).number for name, row in self._games(txn)]
            game = GameRow(max(taken, default=0) + 1, chunk.rules_version, 0, 0, 0)
        if game.rules_version != chunk.rules_version:
            raise RulesVersionError(chunk.game, game.rules_version, chunk.rules_version)
        chunk.check_removals(removals)
        source, known = self._source(txn, chunk.source, closed_sources(txn, dbs.meta, game.number))
        texts = self._known_sources.texts
        with txn.cursor(dbs.records) as cursor:
            merged = merge_chunk(cursor, StoredRecords(chunk.game, game), chunk, source.number, texts)
            changed = len(merged.changes)
            result = PutResult(merged.added, changed - merged.added, len(chunk.items) - changed)
            if not merged.changes:
                raise Unchanged(result)
            cursor.putmulti(merged.changes)
        if merged.set_aside:
            # Before the commit: where that fails, a writer looks once more for nothing.
            self._environment.removals[chunk.game] = removals + 1
            txn.cursor(dbs.quarantine).putmulti(merged.set_aside)
        if not known:
            txn.put(*source_row(source), db=dbs.sources)
        self._put_game(txn, chunk.game, game.changed(records=merged.added, fingerprint=merged.fingerprint))
        return result

    def _put_game(self, txn: Transaction, name: str, game: GameRow) -> None:
        key = _name_key(name)
        txn.put(key, game.pack(key), db=self._environment.dbs.games)

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        return self._scan(game, after, limit, faults)

    def _scan(
        self, game: str, after: bytes | None, limit: int | None, faults: list[MalformedRecordError] | None
    ) -> Iterator[tuple[bytes, bytes]]:
        self._check_open()
        with self._environment.read() as txn:
            records = self._records(txn, game, faults)
            if records is not None:
                yield from in_blocks(self._environment.look, islice(records.items(txn.cursor(), after), limit))

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

    def removals(self, game: str) -> int:
        self._check_open()
        return self._environment.removals[game]

    def fingerprint(self, game: str) -> int | None:
        self._check_open()
        with self._environment.read() as txn:
            records = self._records(txn, game)
        if records is None:
            return 0
        return records.row.fingerprint if records.unchecked_after is None else None

    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        self._check_open()
        with self._environment.read() as txn:
            records = self._records(txn, game)
            if records is None:
                return Audit(0, 0, 0, 0, 0, 0)
            faults: list[MalformedRecordError] = []
            items = records.tolerant(faults).items(txn.cursor(), None)
            counted, total = tally(game, in_blocks(self._environment.look, items), faults, progress)
            kept = records.row.fingerprint if records.unchecked_after is None else None
        return Audit.of(records.row.generation, records.row.records, kept, counted, total, len(faults))

    def recount(self, game: str, audit: Audit) -> bool:
        self._check_writable()
        audit.check_recount()

        def count(txn: Transaction) -> bool:
            row = self._game(txn, game)
            if row is None or row.generation != audit.generation:
                raise Unchanged(False)
            self._put_game(txn, game, row._replace(records=audit.records, fingerprint=audit.fingerprint))
            return True

        return self._environment.write(count)

    def quarantine(
        self,
        game: str,
        keys: Iterable[bytes],
        reason: str,
        *,
        claims: Mapping[bytes, Collection[Claim]] | None = None,
    ) -> int:
        check_text("a reason", reason, MAX_REASON_CHARACTERS)
        self._check_writable()
        wanted, some = sorted(set(keys)), claims or {}
        return self._environment.write(lambda txn: self._move_to_quarantine(txn, game, wanted, reason, some))

    def _move_to_quarantine(
        self, txn: Transaction, name: str, keys: list[bytes], reason: str, claims: Mapping[bytes, Collection[Claim]]
    ) -> int:
        dbs = self._environment.dbs
        game = self._game(txn, name)
        if game is None:
            raise Unchanged(0)
        removed = remove_records(txn, dbs.records, StoredRecords(name, game), keys, reason, claims)
        if not removed.rows:
            raise Unchanged(0)
        self._environment.removals[name] += 1
        txn.cursor(dbs.quarantine).putmulti(removed.rows)
        self._put_game(txn, name, game.changed(records=-removed.records, fingerprint=removed.fingerprint))
        return len(removed.rows)

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        self._check_open()
        with self._environment.read() as txn:
            entry = self._game(txn, game)
            cursor = txn.cursor(self._environment.dbs.quarantine)
            if entry is None or not cursor.set_range(entry.prefix):
                return
            for key, row in in_blocks(self._environment.look, iter(cursor)):
                if key[:4] != entry.prefix:
                    return
                yield key[4:], *read_quarantine_row(key, row, sealed=self._environment.rows_sealed)

    # Sources

    def sources(self, first: int = 1) -> list[Source]:
        self._check_open()
        with self._environment.read() as txn:
            return list(self._read_sources(txn, first))

    def _read_sources(self, txn: Transaction, first: int) -> Iterator[Source]:
        cursor = txn.cursor(self._environment.dbs.sources)
        if cursor.set_range(NUMBER.pack(first)):
            for number, row in cursor:
                yield read_source(number, row, sealed=self._environment.rows_sealed)

    def _source(self, txn: Transaction, text: str, closed: int) -> tuple[Source, bool]:
        """The source of a text with a number above `closed`, and whether it is stored already."""
        known = self._known_sources.newest(text, closed)
        if known is None:
            self._known_sources.add(self._read_sources(txn, len(self._known_sources.texts) + 1))
            known = self._known_sources.newest(text, closed)
        return (known, True) if known else (Source.new(len(self._known_sources.texts) + 1, text), False)

    def close_sources(self, game: str) -> int:
        self._check_writable()

        def close(txn: Transaction) -> int:
            entry = self._game(txn, game)
            if entry is None:
                raise Unchanged(0)
            return close_sources(txn, self._environment.dbs, entry.number)

        return self._environment.write(close)

    def sizes(self) -> StoreSizes:
        self._check_open()
        return environment_sizes(self._environment)

    def check_files(self) -> str | None:
        self._check_open()
        return check_pages(self._environment)

    @contextmanager
    def contents(self) -> Iterator[LmdbContents]:
        self._check_open()
        with self._environment.read() as txn:
            yield LmdbContents(self._environment, txn)

    def copy_files(self, directory: Path, *, compact: bool = False) -> None:
        """Copies the data file into a directory that exists, as it is at one moment, beside whoever writes.

        Args:
            directory: of the copy.
            compact: leave out the pages that hold nothing.

        Raises:
            OSError: the copy cannot be written.
            StoreError: the store cannot be read.
        """
        self._check_open()
        self._environment.copy(str(directory), compact=compact)

    def annotations(self) -> AnnotationStore:
        self._check_open()
        return LmdbAnnotations(self._environment, self._check_writable)

    def estimates(self) -> EstimateStore:
        self._check_open()
        return LmdbEstimates(self._environment, self._check_writable)

    def tokens(self) -> TokenStore:
        return LmdbTokens(Path(self._environment.directory))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            close_environment(self._environment)

    def __del__(self) -> None:
        # A store that was forgotten without close() must not lock the directory until the process ends.
        if hasattr(self, "_environment") and not self._closed:
            with suppress(StoreClosedError):
                self.close()


def _get_many(txn: Transaction, records: StoredRecords | None, keys: Iterable[bytes]) -> list[bytes | None]:
    return [None for _ in keys] if records is None else records.get_many(txn, keys)


def _game_entry(key: bytes, row: GameRow) -> GameEntry:
    """What the row of a game says; which of its records are in quarantine stands elsewhere."""
    return GameEntry(_game_name(key), row.rules_version, row.records, 0, row.generation, row.fingerprint)


def _game_name(key: bytes) -> str:
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise damaged_row("games", key, "its name is no text") from None


def _name_key(name: str) -> bytes:
    """A name as a key. An overlong name is cut, and then it is the name of nothing: stored names are shorter."""
    return name.encode()[:500]
