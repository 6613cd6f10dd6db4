"""From format 1 to format 2: every record gets a checksum, and every game a fingerprint.

The upgrade works through the records by ascending keys, in bounded transactions. Each of them says in `meta` how far it
is, so a process that is killed loses nothing, and the next one goes on from there. A store that is open read-only is
read as it is: what lies behind that key has no checksum yet. Records that were damaged before stay damaged: they get a
checksum that does not match.
"""

from __future__ import annotations

import logging
from itertools import islice
from typing import TYPE_CHECKING

import lmdb

from proofbase.engine.records import MalformedRecordError, decode_stored
from proofbase.storage.checksums import fingerprint_of, game_seed, seal, seal_as_damaged
from proofbase.storage.lmdb.environment import Environment, Unchanged
from proofbase.storage.lmdb.format_rows import FORMAT, ROWS_SEALED
from proofbase.storage.lmdb.records import GameRow
from proofbase.storage.lmdb.rows import open_row, seal_row

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["UpgradeState", "upgrade"]

_log = logging.getLogger(__name__)
_BATCH = 20_000
_DONE_UP_TO = b"checksums_up_to"
"""In `meta` during the upgrade: records up to this key of the database have checksums."""


class UpgradeState:
    """How far the upgrade of a store is, as a transaction sees it."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._complete = False

    def unchecked_after(self, txn: Transaction) -> bytes | None:
        """The key of the database behind which records have no checksum; None where all have one."""
        if self._complete:
            return None
        meta = self._environment.dbs.meta
        if txn.get(b"format", db=meta) == b"1":
            return b""
        last_done = txn.get(_DONE_UP_TO, db=meta)
        self._complete = last_done is None
        return last_done


def upgrade(environment: Environment) -> None:
    """Brings a store that is open for writing to the format of this release."""
    state = UpgradeState(environment)
    if not environment.rows_sealed:
        environment.write(lambda txn: _seal_rows(environment, txn))
        environment.rows_sealed = True
    with environment.read() as txn:
        if state.unchecked_after(txn) is None:
            return
    _log.warning("bringing the store %s to format %d: every record gets a checksum", environment.directory, FORMAT)
    records = 0
    while batch := environment.write(lambda txn: _upgrade_batch(environment, txn)):
        records += batch
    _log.warning("the store %s has format %d: %d records", environment.directory, FORMAT, records)


def _seal_rows(environment: Environment, txn: Transaction) -> None:
    """Gives a checksum to every row that is no record, in one step."""
    dbs = environment.dbs
    for name in ("games", "sources", "jobs", "checkpoints", "quarantine"):
        database: lmdb._Database = getattr(dbs, name)
        for key in list(txn.cursor(database).iternext(keys=True, values=False)):
            row = open_row(name, key, txn.get(key, b"", db=database), sealed=False)
            txn.put(key, seal_row(name, key, row), db=database)
    txn.put(ROWS_SEALED, b"1", db=dbs.meta)


def _upgrade_batch(environment: Environment, txn: Transaction) -> int:
    """Gives the next records their checksums. Returns how many; 0 when all have one."""
    dbs = environment.dbs
    start = UpgradeState(environment).unchecked_after(txn)
    if start is None:
        raise Unchanged(0)
    games = {bytes(name): GameRow.unpack(bytes(name), row) for name, row in txn.cursor(dbs.games)}
    if not start:
        games = {name: row._replace(fingerprint=0) for name, row in games.items()}
        txn.put(b"format", str(FORMAT).encode(), db=dbs.meta)
    by_number = {row.number: name for name, row in games.items()}
    batch = _next_records(txn, dbs.records, start)
    changes = []
    for stored_key, record in batch:
        name = by_number.get(int.from_bytes(stored_key[:4], "big"), b"")
        seed, key = game_seed(name.decode()), stored_key[4:]
        try:
            decode_stored(name.decode(), key, record)
        except MalformedRecordError as error:
            _log.warning("%s", error)
            changes.append((stored_key, seal_as_damaged(seed, key, record)))
            continue
        changes.append((stored_key, seal(seed, key, record)))
        if name:
            total = (games[name].fingerprint or 0) + fingerprint_of(seed, [(key, record)])
            games[name] = games[name]._replace(fingerprint=total % (1 << 64))
    txn.cursor(dbs.records).putmulti(changes)
    for name, row in games.items():
        txn.put(name, row.pack(name), db=dbs.games)
    if batch:
        txn.put(_DONE_UP_TO, batch[-1][0], db=dbs.meta)
    else:
        txn.delete(_DONE_UP_TO, db=dbs.meta)
    return len(batch)


def _next_records(txn: Transaction, database: lmdb._Database, after: bytes) -> list[tuple[bytes, bytes]]:
    cursor = txn.cursor(database)
    is_placed = cursor.set_range(after) if after else cursor.first()
    if is_placed and cursor.key() == after:
        is_placed = cursor.next()
    return list(islice(cursor, _BATCH)) if is_placed else []
