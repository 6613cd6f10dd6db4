"""Ranges of a game's records with their fingerprints, and the records of a range: what lacks is found out by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, takewhile

from proofbase.engine.records import without_sources
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed

__all__ = ["RecordBlock", "block_records", "record_blocks"]

BLOCK_RECORDS = 1_000
MOST_RANGES = 100_000
BATCH_BYTES = 200_000
Item = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """A range of records: its first key, how many there are, and the fingerprint of their claims."""

    first: bytes
    records: int
    fingerprint: str


def record_blocks(resources: Resources, game_name: str, firsts: Sequence[bytes] = ()) -> Iterator[RecordBlock]:
    """The ranges of a game's records, keys ascending.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        firsts: where ranges begin, ascending; before the first one is another range. Empty: about a thousand records
            a range.

    Raises:
        UnknownGameError: no such game.
        InvalidRequestError: the ranges do not ascend, or are too many.
        MalformedRecordError: a record is damaged.
    """
    game = resources.games.open(game_name).name
    starts = list(firsts)
    if len(starts) > MOST_RANGES or starts != sorted(set(starts)):
        raise InvalidRequestError(f"ranges ascend, and there are at most {MOST_RANGES:,} of them", field="firsts")
    return _given_ranges(resources, game, starts) if starts else _even_ranges(resources, game)


def _even_ranges(resources: Resources, game: str) -> Iterator[RecordBlock]:
    with closing(resources.store.scan(game)) as items:  # type: ignore[type-var]  # a scan is a generator
        while block := list(islice(items, BLOCK_RECORDS)):
            yield _block(game, block[0][0], block)


def _given_ranges(resources: Resources, game: str, firsts: list[bytes]) -> Iterator[RecordBlock]:
    with closing(resources.store.scan(game)) as items:  # type: ignore[type-var]
        item = next(items, None)
        for first, end in zip([b"", *firsts], [*firsts, None], strict=True):
            block: list[Item] = []
            while item is not None and (end is None or item[0] < end):
                block.append(item)
                item = next(items, None)
            if first or block:
                yield _block(game, first, block)


def _block(game: str, first: bytes, items: list[Item]) -> RecordBlock:
    return RecordBlock(first, len(items), f"{fingerprint_of(game_seed(game), items) % FINGERPRINT_LIMIT:016x}")


def block_records(
    resources: Resources, game_name: str, first: bytes = b"", end: bytes | None = None
) -> Iterator[list[Item]]:
    """The records of one range, without sources, in batches of some 200 kB.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        first: from this key on.
        end: before this key; None: to the end.

    Raises:
        UnknownGameError: no such game.
        MalformedRecordError: a record is damaged.
    """
    game = resources.games.open(game_name).name
    return _batches(resources, game, first, end)


def _batches(resources: Resources, game: str, first: bytes, end: bytes | None) -> Iterator[list[Item]]:
    store = resources.store
    first_record = store.get_many(game, [first])[0] if first else None
    batch: list[Item] = [] if first_record is None else [(first, without_sources(first_record))]
    size = 0
    with closing(store.scan(game, after=first or None)) as items:  # type: ignore[type-var]
        for key, record in takewhile(lambda item: end is None or item[0] < end, items):
            batch.append((key, without_sources(record)))
            size += len(key) + len(record)
            if size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch
