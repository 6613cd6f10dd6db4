"""Puts cut into chunks, for the backends that write."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from proofbase.engine.records import (
    Claim,
    ContradictionError,
    MalformedRecordError,
    RecordError,
    RecordOverflowError,
    check_incoming,
    merge_encoded,
)
from proofbase.storage.arguments import MAX_NAME_CHARACTERS, MAX_SOURCE_CHARACTERS, check_text
from proofbase.storage.entries import PutResult
from proofbase.storage.errors import (
    KeySizeError,
    RecordsRemovedError,
    StoreClosedError,
    StoreReadOnlyError,
)
from proofbase.storage.store import CHUNK_BYTES, CHUNK_ITEMS, MAX_KEY_BYTES, SolutionStore

REPLACED_WHEN_PUT = "replaced: it failed its local check, and a claim that passes was put in its place"
"""The reason of the quarantine for a record of which a put replaces claims."""
DAMAGED_WHEN_PUT = "damaged: its checksum did not match when another record was put in its place"
"""The reason of the quarantine for a damaged record that a put replaces."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a put that is stored whole or not at all.

    Attributes:
        game: canonical name of the game.
        rules_version: version of its rules.
        source: where the records come from.
        items: distinct keys, ascending, with well-formed records without sources.
        instead_of: stored claims, without sources, of keys among the items, which go to the quarantine.
        removals: as for `SolutionStore.put_many`.
    """

    game: str
    rules_version: int
    source: str
    items: list[tuple[bytes, bytes]]
    instead_of: Mapping[bytes, Collection[Claim]]
    removals: int | None

    def check_removals(self, now: int) -> None:
        """Called in the transaction that stores the chunk.

        Raises:
            RecordsRemovedError: records have left the store since the items were checked.
        """
        if self.removals is not None and self.removals != now:
            raise RecordsRemovedError(
                f"records of {self.game} have left the store since those to be stored were checked"
            )


class ChunkedStore(SolutionStore):
    """A store that writes chunk by chunk."""

    def __init__(self, url: str, *, read_only: bool) -> None:
        self.url = url
        self.read_only = read_only
        self._closed = False

    @abstractmethod
    def _put_chunk(self, chunk: Chunk) -> PutResult:
        """Stores one chunk, atomically and durably."""

    def put_many(
        self,
        game: str,
        items: Iterable[tuple[bytes, bytes]],
        *,
        source: str,
        rules_version: int,
        whole: bool = False,
        instead_of: Mapping[bytes, Collection[Claim]] | None = None,
        removals: int | None = None,
    ) -> PutResult:
        self._check_writable()
        check_text("the name of a game", game, MAX_NAME_CHARACTERS)
        check_text("a source", source, MAX_SOURCE_CHARACTERS)
        if not 1 <= rules_version < 1 << 31:
            raise ValueError(f"rules version {rules_version} is outside 1..2**31-1")
        total = PutResult()
        for pending, repeats in _chunks_of(game, items, source, whole=whole):
            # By the keys alone: comparing the pairs takes twice as long, and the keys are distinct.
            chunk = Chunk(
                game, rules_version, source, sorted(pending.items(), key=itemgetter(0)), instead_of or {}, removals
            )
            total += self._put_chunk(chunk) + PutResult(unchanged=repeats)
        return total

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError(f"the store {self.url} is closed")

    def _check_writable(self) -> None:
        self._check_open()
        if self.read_only:
            raise StoreReadOnlyError(f"the store {self.url} is open read-only")


def _chunks_of(
    game: str, items: Iterable[tuple[bytes, bytes]], source: str, *, whole: bool
) -> Iterator[tuple[dict[bytes, bytes], int]]:
    """The items in chunks: the records of each chunk by key, and how many of its items repeated a key.

    `whole`: all in one.
    """
    if whole:
        items = list(items)
        records = _distinct_records(items)
        if records is not None:
            if records:
                yield records, 0
            return
    pending: dict[bytes, bytes] = {}
    # Positions share few distinct records: each is checked once a chunk.
    sound: set[bytes] = set()
    repeats = size = 0
    for key, record in items:
        try:
            known = pending.get(key)
            if known is None:
                if not 0 < len(key) <= MAX_KEY_BYTES:
                    raise KeySizeError(f"a key of {game} has {len(key)} bytes; 1..{MAX_KEY_BYTES} are accepted")
                if record not in sound:
                    check_incoming(record)
                    sound.add(record)
                pending[key] = record
                size += len(record)
            else:
                merged = merge_encoded(known, record, None)
                if merged is not None:
                    pending[key] = merged
                repeats += 1
        except RecordError as error:
            raise with_key_and_sources(error, game, key, {}, source) from None
        if not whole and (len(pending) + repeats >= CHUNK_ITEMS or size >= CHUNK_BYTES):
            yield pending, repeats
            pending, repeats, size = {}, 0, 0
            sound.clear()
    if pending:
        yield pending, repeats


def _distinct_records(items: list[tuple[bytes, bytes]]) -> dict[bytes, bytes] | None:
    """The records by key; None where keys repeat, or anything is wrong that has to be named with its key."""
    records = dict(items)
    if len(records) < len(items) or not all(0 < size <= MAX_KEY_BYTES for size in set(map(len, records))):
        return None
    try:
        for record in set(records.values()):  # positions share few distinct records
            check_incoming(record)
    except RecordError:
        return None
    return records


def with_key_and_sources(
    error: RecordError, game: str, key: bytes, source_texts: Mapping[int, str], incoming_source: str
) -> RecordError:
    """The same error with the record's place and the sources of its claims.

    Args:
        error: what a merge raised.
        game, key: the place.
        source_texts: the stored sources by number.
        incoming_source: the source of the records that are being put.
    """
    if isinstance(error, ContradictionError):
        sources = [claim.source if claim is not None else None for claim in (error.lower, error.upper)]
        lower, upper = (source_texts.get(source or 0, incoming_source) for source in sources)
        return error.at(game, key, lower_source=lower, upper_source=upper)
    if isinstance(error, (MalformedRecordError, RecordOverflowError)):
        return error.at(game, key)
    return error
