"""Jobs and checkpoints in LMDB: the rows of the jobs, and an index that gives a page of a listing without a scan.

The index has one key a job: its state, kind, time of creation and id. So the jobs of one state and kind are neighbours,
in the order of time. Releases that know no index leave it as it was; so a writer compares it with the rows when it
opens the store. A finished job never changes, which makes the comparison short: the number of entries, and the
unfinished jobs.
"""

from __future__ import annotations

import heapq
import logging
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import lmdb

from proofbase.storage.arguments import check_limit
from proofbase.storage.chunks import ChunkedStore
from proofbase.storage.entries import JOB_KINDS, JOB_STATES, MAX_CHECKPOINT_BYTES, Job
from proofbase.storage.errors import JobNotFoundError, StoreDamagedError
from proofbase.storage.lmdb.environment import Environment, Unchanged
from proofbase.storage.lmdb.guarded_reads import in_blocks
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["LmdbJobs", "place_of", "read_job"]

_log = logging.getLogger(__name__)
_SEQUENCE = struct.Struct(">Q")
_CREATED = struct.Struct(">d")
_PRUNED_A_STEP = 250
"""Jobs that one transaction deletes: others write between two of them."""
# Rows that are kept as jobs after a listing, and how large each may be.
_KEPT_ROWS, _KEPT_BYTES = 300, 8_192
DROPPED_AT_ONCE = 200
"""Chunks of a checkpoint that one transaction drops: a few milliseconds."""
_CHANGING_STATES = ("queued", "running", "paused")
_LAST = b"\xff" * 9


class LmdbJobs(ChunkedStore):
    """The part of an LMDB store that keeps jobs."""

    _environment: Environment
    _unreadable: dict[str, str]
    """Jobs whose rows could not be read, with the reason."""
    _counted_jobs: tuple[int, dict[str, int]] | None = None
    """The number of a transaction, and the jobs in each state that it found."""

    def put_job(self, job: Job) -> None:
        self._check_writable()
        self._environment.write(lambda txn: self._put_row(txn, job))

    def _put_row(self, txn: Transaction, job: Job) -> None:
        dbs, name = self._environment.dbs, job.id.encode()
        stored = txn.get(name, db=dbs.jobs)
        if stored is not None:
            before = self._read(name, stored)
            self._drop_place(txn, name, before)
            if before is not None:
                job = job.keeping(before)
        self._unreadable.pop(job.id, None)
        txn.put(name, seal_row("jobs", name, job.to_json().encode()), db=dbs.jobs)
        txn.put(place_of(job), b"", db=self._index)

    @property
    def _index(self) -> lmdb._Database:
        index = self._environment.dbs.job_index
        assert index is not None, "a store that is open for writing has an index of its jobs"
        return index

    def _drop_place(self, txn: Transaction, name: bytes, job: Job | None) -> None:
        """Removes a job from the index; None: its row is damaged."""
        if job is not None and txn.delete(place_of(job), db=self._index):
            return
        for place, _ in txn.cursor(self._index):  # the row is damaged: nothing else tells where its entry is
            if place[10:] == name:
                txn.delete(place, db=self._index)
                return

    def replace_job(self, job: Job, updated: float) -> bool:
        self._check_writable()
        name, jobs = job.id.encode(), self._environment.dbs.jobs

        def replace(txn: Transaction) -> bool:
            stored = txn.get(name, db=jobs)
            before = None if stored is None else self._read(name, stored)
            if before is None or before.updated != updated:
                raise Unchanged(False)
            self._put_row(txn, job)
            return True

        return self._environment.write(replace)

    def get_job(self, job_id: str) -> Job | None:
        self._check_open()
        with self._environment.read() as txn:
            row = txn.get(_name_key(job_id), db=self._environment.dbs.jobs) if job_id else None
        return None if row is None else read_job(job_id.encode(), row, sealed=self._environment.rows_sealed)

    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        check_limit(limit)
        self._check_open()
        with self._environment.read() as txn:
            if isinstance(before, str):
                row = txn.get(_name_key(before), db=self._environment.dbs.jobs) if before else None
                if row is None:
                    raise JobNotFoundError(before)
                job = read_job(before.encode(), row, sealed=self._environment.rows_sealed)
                before = (job.created, before)
            return list(islice(self._newest_first(txn, states, kinds, before), limit))

    def count_jobs(self) -> dict[str, int]:
        self._check_open()
        index = self._environment.dbs.job_index
        if index is None:  # a store of an earlier release that is open for reading only
            return super().count_jobs()
        with self._environment.read() as txn:
            known = self._counted_jobs
            if known is None or known[0] != txn.id():
                counts = Counter(place[0] for place in txn.cursor(index).iternext(keys=True, values=False))
                known = txn.id(), {JOB_STATES[state]: count for state, count in counts.items()}
                self._counted_jobs = known
            return dict(known[1])

    def _newest_first(
        self,
        txn: Transaction,
        states: Collection[str] | None,
        kinds: Collection[str] | None,
        before: tuple[float, str] | None,
    ) -> Iterator[Job]:
        dbs = self._environment.dbs
        if dbs.job_index is None:  # a store of an earlier release that is open for reading only
            of_store = (job for name, row in txn.cursor(dbs.jobs) if (job := self._read(name, row)) is not None)
            for job in sorted(of_store, key=lambda job: (job.created, job.id), reverse=True):
                earlier = before is None or (job.created, job.id) < before
                if earlier and (states is None or job.state in states) and (kinds is None or job.kind in kinds):
                    yield job
            return
        for place in self._places(txn, dbs.job_index, states, kinds, before):
            row = txn.get(place[10:], db=dbs.jobs)
            job = None if row is None else self._read(place[10:], row, listed=True)
            if job is not None:
                yield job

    def _places(
        self,
        txn: Transaction,
        index: lmdb._Database,
        states: Collection[str] | None,
        kinds: Collection[str] | None,
        before: tuple[float, str] | None,
    ) -> Iterable[bytes]:
        """The entries of the index, newest job first."""
        end = _LAST if before is None else _time_key(before[0]) + before[1].encode()
        runs = [
            _backwards(txn.cursor(index), bytes((state, kind)), end)
            for state, state_name in enumerate(JOB_STATES)
            if states is None or state_name in states
            for kind, kind_name in enumerate(JOB_KINDS)
            if kinds is None or kind_name in kinds
        ]
        return heapq.merge(*runs, key=lambda place: place[2:], reverse=True)

    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        self._check_writable()
        with self._environment.read() as txn:
            places = list(islice(self._places(txn, self._index, states, None, None), keep, None))
        latest = _time_key(updated_before)
        places = [place for place in reversed(places) if place[2:10] < latest]  # a job is not changed before it is made
        pruned = 0
        for start in range(0, len(places), _PRUNED_A_STEP):
            step = places[start : start + _PRUNED_A_STEP]
            pruned += self._environment.write(partial(self._prune, places=step, updated_before=updated_before))
        return pruned

    def _prune(self, txn: Transaction, places: list[bytes], updated_before: float) -> int:
        dbs, pruned = self._environment.dbs, 0
        for place in places:
            name = place[10:]
            row = txn.get(name, db=dbs.jobs)
            job = None if row is None else self._read(name, row)
            if job is not None and (job.updated >= updated_before or place_of(job) != place):
                continue  # it was changed since
            if txn.delete(place, db=self._index):
                txn.delete(name, db=dbs.jobs)
                self._delete_chunks(txn, name + b"\0")
                pruned += 1
        if not pruned:
            raise Unchanged(0)
        return pruned

    def _check_index(self) -> None:
        """Makes the index of a store that has none, or anew if another release has changed jobs since."""
        with self._environment.read() as txn:
            right = self._index_is_right(txn)
        if not right:
            self._environment.write(self._make_index)

    def _index_is_right(self, txn: Transaction) -> bool:
        dbs = self._environment.dbs
        if txn.stat(self._index)["entries"] != txn.stat(dbs.jobs)["entries"]:
            return False
        for place in self._places(txn, self._index, _CHANGING_STATES, None, None):
            row = txn.get(place[10:], db=dbs.jobs)
            job = None if row is None else self._read(place[10:], row)
            if job is None or place_of(job) != place:
                return False
        return True

    def _make_index(self, txn: Transaction) -> None:
        txn.drop(self._index, delete=False)
        for name, row in txn.cursor(self._environment.dbs.jobs):
            job = self._read(name, row)
            # A job that cannot be read has a place as well, so that it is pruned one day.
            place = place_of(job) if job is not None else bytes((JOB_STATES.index("failed"), 0)) + _time_key(0.0) + name
            txn.put(place, b"", db=self._index)

    def unreadable_jobs(self) -> dict[str, str]:
        return dict(self._unreadable)

    def _read(self, name: bytes, row: bytes, *, listed: bool = False) -> Job | None:
        """A job, None if its row cannot be read: that is logged once. Listings read the same jobs again and again."""
        read = _read_again if listed and len(row) <= _KEPT_BYTES else read_job
        try:
            return read(name, row, sealed=self._environment.rows_sealed)
        except StoreDamagedError as error:
            job_id = name.decode(errors="replace")
            if job_id not in self._unreadable:
                _log.warning("job %s is passed over: %s", job_id, error)
                self._unreadable[job_id] = str(error)
            return None

    # Checkpoints

    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        self._check_writable()
        if len(chunk) > MAX_CHECKPOINT_BYTES:
            raise ValueError(f"a chunk of a checkpoint has {len(chunk)} bytes; up to 512 MiB are accepted")
        self._environment.write(lambda txn: self._append_chunk(txn, job_id, chunk))

    def _append_chunk(self, txn: Transaction, job_id: str, chunk: bytes) -> None:
        dbs = self._environment.dbs
        if not job_id or txn.get(_name_key(job_id), db=dbs.jobs) is None:
            raise JobNotFoundError(job_id)
        prefix = _name_key(job_id) + b"\0"
        cursor = txn.cursor(dbs.checkpoints)
        # The job's last chunk has the last key before the successor of the prefix.
        is_placed = cursor.prev() if cursor.set_range(_name_key(job_id) + b"\1") else cursor.last()
        last = cursor.key() if is_placed else b""
        number = _SEQUENCE.unpack(last[len(prefix) :])[0] + 1 if last.startswith(prefix) else 0
        place = prefix + _SEQUENCE.pack(number)
        txn.put(place, seal_row("checkpoints", place, chunk), db=dbs.checkpoints)

    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        self._check_open()
        prefix = _name_key(job_id) + b"\0"
        with self._environment.read() as txn:
            cursor = txn.cursor(self._environment.dbs.checkpoints)
            if cursor.set_range(prefix):
                for key, chunk in in_blocks(self._environment.look, iter(cursor), 1):
                    if not key.startswith(prefix):
                        return
                    yield open_row("checkpoints", key, chunk, sealed=self._environment.rows_sealed)

    def drop_checkpoint(self, job_id: str) -> None:
        self._check_writable()

        def drop(txn: Transaction) -> int:
            dropped = self._delete_chunks(txn, _name_key(job_id) + b"\0", DROPPED_AT_ONCE)
            if not dropped:
                raise Unchanged(0)
            return dropped

        # From the first chunk on, so that what a killed process leaves is not taken for a whole checkpoint.
        while self._environment.write(drop) == DROPPED_AT_ONCE:
            pass

    def _delete_chunks(self, txn: Transaction, prefix: bytes, at_most: int | None = None) -> int:
        cursor = txn.cursor(self._environment.dbs.checkpoints)
        is_placed = cursor.set_range(prefix)
        dropped = 0
        while is_placed and dropped != at_most and cursor.key().startswith(prefix):
            is_placed = cursor.delete() and bool(cursor.key())
            dropped += 1
        return dropped


def read_job(name: bytes, row: bytes, *, sealed: bool) -> Job:
    """A job.

    Raises:
        StoreDamagedError: the row is damaged, or of a release with other kinds or states of jobs.
    """
    try:
        return Job.from_json(open_row("jobs", name, row, sealed=sealed))
    except ValueError as error:
        raise damaged_row("jobs", name, str(error)) from None


_read_again = lru_cache(_KEPT_ROWS)(read_job)


def place_of(job: Job) -> bytes:
    """The key of a job in the index. The numbers of states and kinds are their places in the lists, which only grow."""
    head = bytes((JOB_STATES.index(job.state), JOB_KINDS.index(job.kind)))
    return head + _time_key(job.created) + job.id.encode()


def _time_key(seconds: float) -> bytes:
    """A number as bytes in the order of numbers."""
    packed = _CREATED.pack(seconds)
    return bytes((packed[0] ^ 0x80,)) + packed[1:] if packed[0] < 0x80 else bytes(byte ^ 0xFF for byte in packed)


def _backwards(cursor: lmdb.Cursor[bytes], prefix: bytes, end: bytes) -> Iterator[bytes]:
    """Keys with a prefix that come before `prefix + end`, the last one first."""
    is_placed = cursor.prev() if cursor.set_range(prefix + end) else cursor.last()
    if is_placed:
        for key in cursor.iterprev(keys=True, values=False):
            if not key.startswith(prefix):
                return
            yield key


def _name_key(name: str) -> bytes:
    """A name as a key. An overlong name is cut, and then it is the name of nothing: stored names are shorter."""
    return name.encode()[:500]
