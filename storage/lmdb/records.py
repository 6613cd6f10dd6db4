"""Records in an LMDB transaction: entries of games, records with their checksums, merging."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import lmdb
from xxhash import xxh3_64_digest, xxh3_64_intdigest

from proofbase.engine.records import Claim, MalformedRecordError, RecordError, merge_encoded
from proofbase.storage.auditing import change_of_fingerprint
from proofbase.storage.checksums import (
    CHECKSUM_BYTES,
    FINGERPRINT_LIMIT,
    damaged_record,
    fingerprint_of,
    game_seed,
    seal,
    unseal,
)
from proofbase.storage.chunks import DAMAGED_WHEN_PUT, REPLACED_WHEN_PUT, Chunk, with_key_and_sources
from proofbase.storage.forms import MergedForms, StoredForms
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row
from proofbase.storage.record_claims import has_any_claim, split_record, without_claims
from proofbase.storage.store import MAX_KEY_BYTES

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = [
    "GameRow",
    "Merged",
    "Removed",
    "StoredRecords",
    "merge_chunk",
    "quarantine_row",
    "read_quarantine_row",
    "remove_records",
]

_GAME = struct.Struct(">IIQQ")
_FINGERPRINT = struct.Struct(">Q")
_NUMBER = struct.Struct(">I")


class GameRow(NamedTuple):
    """What the store keeps of a game; `fingerprint` is None while it is not known."""

    number: int
    rules_version: int
    records: int
    generation: int
    fingerprint: int | None

    @classmethod
    def unpack(cls, name: bytes, row: bytes) -> GameRow:
        """Inverse of `pack`; a row of release 0.1.0 has neither fingerprint nor checksum.

        Raises:
            StoreDamagedError: the row is not what was stored.
        """
        return _unpack_game(name, row)

    def pack(self, name: bytes) -> bytes:
        """The row of a game with its checksum; without the fingerprint while that is not known."""
        known = b"" if self.fingerprint is None else _FINGERPRINT.pack(self.fingerprint)
        return seal_row("games", name, _GAME.pack(*self[:4]) + known)

    @property
    def prefix(self) -> bytes:
        """What the keys of the game's records begin with."""
        return _NUMBER.pack(self.number)

    def changed(self, *, records: int, fingerprint: int | None) -> GameRow:
        """The row after a write.

        Args:
            records: records more.
            fingerprint: what is added to the fingerprint; None: nobody can tell, since a damaged record is gone.
        """
        known = self.fingerprint is not None and fingerprint is not None
        total = ((self.fingerprint or 0) + (fingerprint or 0)) % FINGERPRINT_LIMIT if known else None
        return self._replace(records=self.records + records, generation=self.generation + 1, fingerprint=total)


@lru_cache(256)
def _unpack_game(name: bytes, stored: bytes) -> GameRow:
    row = open_row("games", name, stored, sealed=False)
    if len(row) in (_GAME.size, _GAME.size + _FINGERPRINT.size):
        number, rules_version, records, generation = _GAME.unpack_from(row)
        known = len(row) > _GAME.size
        return GameRow(
            number, rules_version, records, generation, _FINGERPRINT.unpack_from(row, _GAME.size)[0] if known else None
        )
    raise damaged_row("games", name, f"it has {len(row)} bytes")


@dataclass(frozen=True, slots=True)
class StoredRecords:
    """The stored records of one game, read in a transaction.

    Attributes:
        name, row: the game.
        unchecked_after: records behind this key of the database have no checksum yet; None where all have one.
        faults: damaged records are added here and count as absent; None: the first one raises.
    """

    name: str
    row: GameRow
    unchecked_after: bytes | None = None
    faults: list[MalformedRecordError] | None = None

    def get_many(self, txn: Transaction, keys: Iterable[bytes]) -> list[bytes | None]:
        """The records of the keys, in order.

        Raises:
            MalformedRecordError: a record is damaged, and there is no list of faults.
        """
        keys = list(keys)
        prefix, get = self.row.prefix, txn.get
        try:
            records = [get(prefix + key) for key in keys]
        except lmdb.BadValsizeError:
            # LMDB refuses overlong keys, which no store holds. Checking every key beforehand would cost too much.
            records = [get(prefix + key) if 0 < len(key) <= MAX_KEY_BYTES else None for key in keys]
        if self.unchecked_after is not None:
            return [None if data is None else self.opened(key, data) for key, data in zip(keys, records, strict=True)]
        seed = game_seed(self.name)
        for index, sealed in enumerate(records):
            if sealed is not None:
                # As `unseal`: a call less for each record.
                record = sealed[:-CHECKSUM_BYTES]
                if not sealed.endswith(xxh3_64_digest(keys[index], xxh3_64_intdigest(record, seed))):
                    records[index] = self.opened(keys[index], sealed)
                else:
                    records[index] = record
        return records

    def opened(self, key: bytes, stored: bytes) -> bytes | None:
        """The record of a stored value. None, with a fault, where it is damaged.

        Raises:
            MalformedRecordError: it is damaged, and there is no list of faults.
        """
        if self.unchecked_after is not None and self.row.prefix + key > self.unchecked_after:
            return stored
        record = unseal(game_seed(self.name), key, stored)
        if record is None:
            error = damaged_record(self.name, key, stored[:-CHECKSUM_BYTES])
            if self.faults is None:
                raise error
            self.faults.append(error)
        return record

    def items(self, cursor: lmdb.Cursor[bytes], after: bytes | None) -> Iterator[tuple[bytes, bytes]]:
        """The records by ascending keys, behind `after`; damaged ones as in `get_many`."""
        prefix, seed = self.row.prefix, game_seed(self.name)
        # LMDB refuses keys over its own limit, so a longer `after` is cut. No stored key is as long as the cut one.
        start = prefix if after is None else prefix + after[: MAX_KEY_BYTES + 1]
        if not cursor.set_range(start):
            return
        if after is not None and cursor.key() == prefix + after and not cursor.next():
            return
        partly_checked = self.unchecked_after is not None
        for stored_key, stored in cursor:
            if stored_key[:4] != prefix:
                return
            key, record = stored_key[4:], stored[:-CHECKSUM_BYTES]
            if partly_checked or not stored.endswith(xxh3_64_digest(key, xxh3_64_intdigest(record, seed))):
                opened = self.opened(key, stored)
                if opened is None:
                    continue
                record = opened
            yield key, record

    def tolerant(self, faults: list[MalformedRecordError]) -> StoredRecords:
        """The same records, with a list that collects the damaged ones."""
        return replace(self, faults=faults)


class Merged(NamedTuple):
    """What merging a chunk changes.

    Attributes:
        changes: keys of the database and sealed records.
        added: how many of them are new.
        fingerprint: what is added to the fingerprint; None where a damaged record is replaced.
        set_aside: keys of the database and rows of the quarantine, for records that are replaced.
    """

    changes: list[tuple[bytes, bytes]]
    added: int
    fingerprint: int | None
    set_aside: list[tuple[bytes, bytes]]


def merge_chunk(
    cursor: lmdb.Cursor[bytes], records: StoredRecords, chunk: Chunk, source: int, texts: dict[int, str]
) -> Merged:
    """Merges a chunk with what is stored. Nothing is written.

    A damaged record counts as absent: the incoming one takes its place.

    Args:
        cursor: a cursor of the records.
        records: the stored records of the chunk's game, all with checksums.
        chunk: what is put.
        source: number of its source.
        texts: the stored sources by number, for errors.

    Raises:
        ContradictionError, MalformedRecordError, RecordOverflowError: an item is unacceptable.
    """
    seed, prefix, get = game_seed(records.name), records.row.prefix, cursor.get
    forms, merge = StoredForms(seed, source), MergedForms(source)
    changes: list[tuple[bytes, bytes]] = []
    damaged: list[tuple[bytes, bytes]] = []
    replaced: list[tuple[bytes, bytes]] = []
    added = grown = 0
    for key, record in chunk.items:
        stored_key = prefix + key
        sealed = get(stored_key)
        if sealed is not None:
            # As `unseal`: a call less for each record.
            old = sealed[:-CHECKSUM_BYTES]
            if sealed.endswith(xxh3_64_digest(key, xxh3_64_intdigest(old, seed))):
                gone = chunk.instead_of.get(key, ())
                if gone and has_any_claim(old, gone):
                    replaced.append((stored_key, quarantine_row(stored_key, old, REPLACED_WHEN_PUT)))
                    stays = without_claims(old, gone)
                    new = merge_encoded(stays, record, source) or stays if stays else forms[record][0]
                    changes.append((stored_key, seal(seed, key, new)))
                    grown += fingerprint_of(seed, [(key, new)]) - fingerprint_of(seed, [(key, old)])
                    continue
                try:
                    merged = merge[old, record]
                    if merged is not None:
                        changes.append((stored_key, seal(seed, key, merged)))
                        grown += fingerprint_of(seed, [(key, merged)]) - fingerprint_of(seed, [(key, old)])
                    continue
                except MalformedRecordError:
                    pass  # the stored one: those of the chunk were decoded before
                except RecordError as error:
                    raise with_key_and_sources(error, chunk.game, key, texts, chunk.source) from None
            damaged.append((stored_key, quarantine_row(stored_key, old, DAMAGED_WHEN_PUT)))
            added -= 1
        added += 1
        stored, record_seed, seeds = forms[record]
        changes.append((stored_key, stored + xxh3_64_digest(key, record_seed)))
        for claim_seed in seeds:
            grown += xxh3_64_intdigest(key, claim_seed)
    return Merged(changes, added, None if damaged else grown, damaged + replaced)


class Removed(NamedTuple):
    """What is left to do after records were removed.

    Attributes:
        rows: keys of the database and rows of the quarantine.
        records: how many records were removed whole.
        fingerprint: what is added to the fingerprint; None where a damaged record was removed.
    """

    rows: list[tuple[bytes, bytes]]
    records: int
    fingerprint: int | None


def remove_records(
    txn: Transaction,
    database: lmdb._Database,
    records: StoredRecords,
    keys: Iterable[bytes],
    reason: str,
    claims: Mapping[bytes, Collection[Claim]],
) -> Removed:
    """Removes records, all of which have checksums, from the database of records; of some keys only some claims."""
    seed = game_seed(records.name)
    rows: list[tuple[bytes, bytes]] = []
    emptied = 0
    shrunk: int | None = 0
    for key in keys:
        stored_key = records.row.prefix + key
        sealed = txn.get(stored_key, db=database) if 0 < len(key) <= MAX_KEY_BYTES else None
        if sealed is None:
            continue
        record = unseal(seed, key, sealed)
        went, stays = (sealed[:-CHECKSUM_BYTES], None) if record is None else split_record(record, claims.get(key))
        if went is None:
            continue
        rows.append((stored_key, quarantine_row(stored_key, went, reason)))
        if stays is None:
            txn.delete(stored_key, db=database)
            emptied += 1
        else:
            txn.put(stored_key, seal(seed, key, stays), db=database)
        change = None if record is None else change_of_fingerprint(records.name, (), [(key, went)])
        shrunk = None if shrunk is None or change is None else shrunk + change
    return Removed(rows, emptied, shrunk)


def quarantine_row(stored_key: bytes, record: bytes, reason: str) -> bytes:
    """A row of the quarantine: the record and why it was moved."""
    return seal_row("quarantine", stored_key, _NUMBER.pack(len(record)) + record + reason.encode())


def read_quarantine_row(stored_key: bytes, stored: bytes, *, sealed: bool) -> tuple[bytes, str]:
    """The record and the reason of a row of the quarantine; `sealed` as in `open_row`.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    row = open_row("quarantine", stored_key, stored, sealed=sealed)
    end = 4 + int.from_bytes(row[:4], "big")
    try:
        return row[4:end], row[end:].decode()
    except UnicodeDecodeError:
        raise damaged_row("quarantine", stored_key, "its reason is no text") from None
