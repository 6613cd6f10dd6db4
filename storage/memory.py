"""A store in the memory of one process: for tests, trials and servers that need not keep anything."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice

from xxhash import xxh3_64_intdigest

from proofbase.engine.records import Claim, MalformedRecordError, RecordError
from proofbase.engine.records.varint import encode_varint
from proofbase.storage.annotations import AnnotationStore, MemoryAnnotations
from proofbase.storage.arguments import MAX_NAME_CHARACTERS, MAX_REASON_CHARACTERS, check_limit, check_text
from proofbase.storage.auditing import change_of_fingerprint, tally
from proofbase.storage.checksums import FINGERPRINT_LIMIT, game_seed
from proofbase.storage.chunks import REPLACED_WHEN_PUT, Chunk, ChunkedStore, with_key_and_sources
from proofbase.storage.entries import Audit, GameEntry, Job, PutResult, Source
from proofbase.storage.errors import (
    JobNotFoundError,
    RulesVersionError,
)
from proofbase.storage.estimates import EstimateStore, MemoryEstimates
from proofbase.storage.forms import MergedForms, StoredForms
from proofbase.storage.record_claims import has_any_claim, split_record, without_claims
from proofbase.storage.store import GetMany
from proofbase.storage.tokens import MemoryTokens, TokenStore


@dataclass
class _Game:
    rules_version: int
    records: dict[bytes, bytes] = field(default_factory=dict)
    quarantine: dict[bytes, tuple[bytes, str]] = field(default_factory=dict)
    generation: int = 0
    removals: int = 0
    fingerprint: int | None = 0
    closed_sources: int = 0
    # A generation and its records by key. Open scans page through the list, so it is replaced, never changed.
    ordered: tuple[int, list[tuple[bytes, bytes]]] = (0, [])

    def change_fingerprint(self, change: int | None) -> None:
        """Adds to the fingerprint; None: it is not known any more."""
        known = self.fingerprint is not None and change is not None
        self.fingerprint = ((self.fingerprint or 0) + (change or 0)) % FINGERPRINT_LIMIT if known else None


class MemoryStore(ChunkedStore):
    """A store that ends with its process. Otherwise it fulfils the contract of `SolutionStore`."""

    temporary = True

    def __init__(self, *, read_only: bool = False) -> None:
        super().__init__("memory:", read_only=read_only)
        self._lock = threading.RLock()
        self._games: dict[str, _Game] = {}
        self._sources: list[Source] = []
        """By number."""
        self._newest_sources: dict[str, Source] = {}
        """The newest source of each text."""
        self._jobs: dict[str, Job] = {}
        """As they were put. They are read through JSON: changes of the caller's dicts do not reach the store."""
        self._job_order: list[tuple[float, str]] = []
        """`created` and id of every job, ascending."""
        self._checkpoints: dict[str, list[bytes]] = {}
        self._tokens = MemoryTokens()
        self._estimates = MemoryEstimates(self._enter_game)
        self._annotations = MemoryAnnotations()

    def games(self) -> list[GameEntry]:
        with self._lock:
            self._check_open()
            return [
                GameEntry(
                    name,
                    game.rules_version,
                    len(game.records),
                    len(game.quarantine),
                    game.generation,
                    game.fingerprint,
                )
                for name, game in sorted(self._games.items())
            ]

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        keys = list(keys)
        with self._lock:
            self._check_open()
            entry = self._games.get(game)
            return [None] * len(keys) if entry is None else list(map(entry.records.get, keys))

    def _put_chunk(self, chunk: Chunk) -> PutResult:
        with self._lock:
            self._check_open()
            game = self._games.get(chunk.game) or _Game(chunk.rules_version)
            if game.rules_version != chunk.rules_version:
                raise RulesVersionError(chunk.game, game.rules_version, chunk.rules_version)
            chunk.check_removals(game.removals)
            source = self._newest_sources.get(chunk.source)
            if source is None or not source.takes(game.closed_sources):
                source = Source.new(len(self._sources) + 1, chunk.source)
            seed, source_bytes = game_seed(chunk.game), encode_varint(source.number)
            forms = StoredForms(seed, source.number)
            merge = MergedForms(source.number)
            changes: dict[bytes, bytes] = {}
            added = grown = 0
            replaced: list[tuple[bytes, bytes]] = []
            set_aside: dict[bytes, tuple[bytes, str]] = {}
            for key, record in chunk.items:
                stored = game.records.get(key)
                if stored is None:
                    if record[0] & 15 == 1:  # one claim, as in most records
                        changes[key] = record + source_bytes
                        grown += xxh3_64_intdigest(key, xxh3_64_intdigest(record, seed))
                    else:
                        changes[key], _, seeds = forms[record]
                        for claim_seed in seeds:
                            grown += xxh3_64_intdigest(key, claim_seed)
                    added += 1
                    continue
                if has_any_claim(stored, chunk.instead_of.get(key, ())):
                    set_aside[key] = stored, REPLACED_WHEN_PUT
                    stays = without_claims(stored, chunk.instead_of[key])
                    changes[key] = merge[stays, record] or stays if stays else forms[record].record
                    replaced.append((key, stored))
                    continue
                try:
                    merged = merge[stored, record]
                except RecordError as error:
                    texts = {entry.number: entry.text for entry in self._sources}
                    raise with_key_and_sources(error, chunk.game, key, texts, chunk.source) from None
                if merged is not None:
                    changes[key] = merged
                    replaced.append((key, stored))
            if changes:
                self._games[chunk.game] = game
                if source.number > len(self._sources):
                    self._sources.append(source)
                self._newest_sources[chunk.source] = source
                game.records.update(changes)
                game.quarantine.update(set_aside)
                game.removals += bool(set_aside)
                game.generation += 1
                renewed = [(key, changes[key]) for key, _ in replaced]
                change = change_of_fingerprint(chunk.game, renewed, replaced)
                game.change_fingerprint(None if change is None else grown + change)
            return PutResult(added, len(changes) - added, len(chunk.items) - len(changes))

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        with self._lock:
            self._check_open()
            entry = self._games.get(game)
            if entry is None:
                return
            if entry.ordered[0] != entry.generation:
                entry.ordered = (entry.generation, sorted(entry.records.items()))
            ordered = entry.ordered[1]
        start = 0 if after is None else bisect_right(ordered, after, key=lambda item: item[0])
        end = len(ordered) if limit is None else min(len(ordered), start + limit)
        for index in range(start, end):
            yield ordered[index]

    def _snapshot(self, game: str, faults: list[MalformedRecordError] | None = None) -> AbstractContextManager[GetMany]:
        with self._lock:
            self._check_open()
            entry = self._games.get(game)
            records = {} if entry is None else entry.records.copy()
        return nullcontext(lambda keys: list(map(records.get, keys)))

    def count(self, game: str) -> int:
        with self._lock:
            self._check_open()
            return len(self._games[game].records) if game in self._games else 0

    def generation(self, game: str) -> int:
        with self._lock:
            self._check_open()
            return self._games[game].generation if game in self._games else 0

    def removals(self, game: str) -> int:
        with self._lock:
            self._check_open()
            return self._games[game].removals if game in self._games else 0

    def fingerprint(self, game: str) -> int | None:
        with self._lock:
            self._check_open()
            return self._games[game].fingerprint if game in self._games else 0

    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        with self._lock:
            self._check_open()
            entry = self._games.get(game)
            if entry is None:
                return Audit(0, 0, 0, 0, 0, 0)
            records, generation, fingerprint = entry.records.copy(), entry.generation, entry.fingerprint
        faults: list[MalformedRecordError] = []
        counted, total = tally(game, records.items(), faults, progress)
        return Audit.of(generation, len(records), fingerprint, counted, total, len(faults))

    def recount(self, game: str, audit: Audit) -> bool:
        with self._lock:
            self._check_writable()
            audit.check_recount()
            entry = self._games.get(game)
            if entry is None or entry.generation != audit.generation:
                return False
            entry.fingerprint = audit.fingerprint
            return True

    def sources(self, first: int = 1) -> list[Source]:
        with self._lock:
            self._check_open()
            return self._sources[first - 1 :]

    def close_sources(self, game: str) -> int:
        with self._lock:
            self._check_writable()
            entry = self._games.get(game)
            if entry is None:
                return 0
            entry.closed_sources = len(self._sources)
            return entry.closed_sources

    def quarantine(
        self,
        game: str,
        keys: Iterable[bytes],
        reason: str,
        *,
        claims: Mapping[bytes, Collection[Claim]] | None = None,
    ) -> int:
        check_text("a reason", reason, MAX_REASON_CHARACTERS)
        wanted = sorted(set(keys))
        with self._lock:
            self._check_writable()
            entry = self._games.get(game)
            if entry is None:
                return 0
            before: list[tuple[bytes, bytes]] = []
            records_left: list[tuple[bytes, bytes]] = []
            for key in wanted:
                record = entry.records.get(key)
                went, stays = (None, None) if record is None else split_record(record, (claims or {}).get(key))
                if record is None or went is None:
                    continue
                before.append((key, record))
                entry.quarantine[key] = went, reason
                if stays is None:
                    del entry.records[key]
                else:
                    entry.records[key] = stays
                    records_left.append((key, stays))
            if not before:
                return 0
            entry.generation += 1
            entry.removals += 1
            entry.change_fingerprint(change_of_fingerprint(game, records_left, before))
            return len(before)

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        with self._lock:
            self._check_open()
            entry = self._games.get(game)
            rows = [] if entry is None else sorted(entry.quarantine.items())
        for key, (record, reason) in rows:
            yield key, record, reason

    def put_job(self, job: Job) -> None:
        with self._lock:
            self._check_writable()
            if job.id in self._jobs:
                self._drop_job(job.id)
            self._jobs[job.id] = job
            insort(self._job_order, (job.created, job.id))

    def _drop_job(self, job_id: str) -> None:
        place = (self._jobs.pop(job_id).created, job_id)
        del self._job_order[bisect_left(self._job_order, place)]

    def replace_job(self, job: Job, updated: float) -> bool:
        with self._lock:
            self._check_writable()
            stored = self._jobs.get(job.id)
            if stored is None or stored.updated != updated:
                return False
            self.put_job(job)
            return True

    def get_job(self, job_id: str) -> Job | None:
        with self._lock:
            self._check_open()
            job = self._jobs.get(job_id)
            return None if job is None else Job.from_json(job.to_json())

    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        check_limit(limit)
        with self._lock:
            self._check_open()
            if isinstance(before, str):
                if before not in self._jobs:
                    raise JobNotFoundError(before)
                before = (self._jobs[before].created, before)
            end = len(self._job_order) if before is None else bisect_left(self._job_order, before)
            jobs = (self._jobs[self._job_order[index][1]] for index in range(end - 1, -1, -1))
            wanted = (
                job for job in jobs if (states is None or job.state in states) and (kinds is None or job.kind in kinds)
            )
            return [Job.from_json(job.to_json()) for job in islice(wanted, limit)]

    def count_jobs(self) -> dict[str, int]:
        with self._lock:
            self._check_open()
            return dict(Counter(job.state for job in self._jobs.values()))

    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        with self._lock:
            self._check_writable()
            wanted = [name for _, name in reversed(self._job_order) if self._jobs[name].state in states]
            old = [name for name in wanted[keep:] if self._jobs[name].updated < updated_before]
            for name in old:
                self._drop_job(name)
                self._checkpoints.pop(name, None)
            return len(old)

    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        with self._lock:
            self._check_writable()
            if job_id not in self._jobs:
                raise JobNotFoundError(job_id)
            self._checkpoints.setdefault(job_id, []).append(bytes(chunk))

    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        with self._lock:
            self._check_open()
            chunks = list(self._checkpoints.get(job_id, ()))
        yield from chunks

    def drop_checkpoint(self, job_id: str) -> None:
        with self._lock:
            self._check_writable()
            self._checkpoints.pop(job_id, None)

    def tokens(self) -> TokenStore:
        return self._tokens

    def annotations(self) -> AnnotationStore:
        with self._lock:
            self._check_open()
        return self._annotations

    def estimates(self) -> EstimateStore:
        with self._lock:
            self._check_open()
        return self._estimates

    def _enter_game(self, name: str, rules_version: int) -> None:
        """Gives a game of which there are estimates and no records its entry."""
        check_text("the name of a game", name, MAX_NAME_CHARACTERS)
        with self._lock:
            self._check_writable()
            game = self._games.setdefault(name, _Game(rules_version))
            if game.rules_version != rules_version:
                raise RulesVersionError(name, game.rules_version, rules_version)

    def close(self) -> None:
        with self._lock:
            self._closed = True
