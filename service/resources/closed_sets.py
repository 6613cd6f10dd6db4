"""Sets of claims on their way into a store, in which every claim passes its local check at every commit.

A set is *closed* with a store when each of its claims passes with the claims of both (`RecordWriter.check` tells).
`closed_chunks` orders a closed set so that every part of it that can be stored is closed, too: whatever ends a writer,
what it has stored stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from proofbase.engine.records import RecordError, decode_record, merge_encoded, without_sources
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.errors import LimitExceededError
from proofbase.service.resources.native import new_record_table

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, StopFlag

__all__ = ["STORED_AT_ONCE", "closed_chunks", "merged", "united", "united_with"]

Item = tuple[bytes, bytes]
"""A key and an encoded record."""
GetMany = Callable[[list[bytes]], Iterable[bytes | None]]
"""Gives the stored records of keys, None where there is none."""
CHUNK = 1_000
"""Claims of a chunk, where it can be cut anywhere: some milliseconds."""
ITEM_BYTES = 150
"""The size of a pair of two bytes objects in a list, without what these hold."""
STORED_AT_ONCE = 20_000
"""Records of a set up to which it is one chunk: other writers wait a tenth of a second."""


def closed_chunks(
    game: Game[Any],
    table: RecordTable,
    is_closed: Callable[[RecordTable], bool],
    tables: ValueTables | None,
    *,
    memory_bytes: int,
    stop: StopFlag | None = None,
) -> Iterator[list[Item]]:
    """The claims of a closed set in chunks. When any number of them is stored, from the first on, each claim passes.

    That holds for as long as no record that they rest on is removed.

    A progress claim rests on claims of smaller rank, so progress claims can be stored by ascending rank. Safety claims
    have rank 0 and may rest on each other in cycles, so all of them are in the first chunk, of any size. The progress
    claims that a safety claim may rest on are there as well; there are seldom any.

    Args:
        game: the game.
        table: holds the set.
        is_closed: whether the claims of a part of the set pass with those of the store.
        tables: values that claims may rest on as well.
        memory_bytes: of a job: the set and its first chunk have to fit.
        stop: ends the sorting of the claims.

    Raises:
        SearchCancelledError: `stop` was set.
        LimitExceededError: the safety claims of a game with cycles do not fit.
    """
    if len(table) <= STORED_AT_ONCE:
        yield [item for chunk in table.chunks(STORED_AT_ONCE, stop=stop) for item in chunk]
        return
    by_rank = iter(table.chunks(CHUNK, well_founded=True, stop=stop))
    if game.acyclic:
        yield from by_rank
        return
    claims = chain.from_iterable(by_rank)
    first, following = _smallest_closed_start(
        game, claims, is_closed, tables, memory_bytes - table.nbytes, memory_bytes
    )
    yield first
    claims = chain(following, claims)
    while chunk := list(islice(claims, CHUNK)):
        yield chunk


def _smallest_closed_start(
    game: Game[Any],
    claims: Iterator[Item],
    is_closed: Callable[[RecordTable], bool],
    tables: ValueTables | None,
    room: int,
    largest: int,
) -> tuple[list[Item], list[Item]]:
    """The claims up to a rank, the smallest of 0, 1, 3, 7, ... for which they are closed; and the claim after them."""
    table = new_record_table(game, tables)
    start: list[Item] = []
    following = next(claims, None)
    limit = 0
    while following is not None:
        added = []
        while following is not None and _rank(following) <= limit:
            added.append(following)
            room -= ITEM_BYTES + len(following[0]) + len(following[1])
            if room < table.nbytes:
                raise LimitExceededError(
                    f"the claims of {game.name} that may rest on each other in cycles are stored in one transaction, "
                    f"and take more than {largest} bytes of memory: raise the limit",
                    limit="job_memory_bytes",
                    largest=largest,
                )
            following = next(claims, None)
        start += added
        table.load(added)
        if is_closed(table):
            break
        limit = 2 * limit + 1
    return start, [] if following is None else [following]


def _rank(item: Item) -> int:
    """The rank of a record of `chunks(well_founded=True)`, which has one claim."""
    return decode_record(item[1]).claims[0].rank


def merged(items: Iterable[Item]) -> dict[bytes, bytes]:
    """Records by key, those of one key merged.

    Raises:
        ContradictionError: two of them exclude each other.
    """
    records: dict[bytes, bytes] = {}
    for key, data in items:
        present = records.get(key)
        records[key] = data if present is None else merge_encoded(present, data, None) or present
    return records


def united(records: Mapping[bytes, bytes], stored: GetMany) -> Callable[[Sequence[bytes]], list[bytes | None]]:
    """Gives the records of keys as some records and the store together say.

    Where the two exclude each other, it is what the former say.
    """

    def get_many(keys: Sequence[bytes]) -> list[bytes | None]:
        pairs = zip(map(records.get, keys), stored(list(keys)), strict=True)
        return [data if ours is None else united_with(ours, data) for ours, data in pairs]

    return get_many


def united_with(ours: bytes, stored: bytes | None) -> bytes:
    """What a record and the stored one together say; where the two exclude each other, what the former says."""
    if stored is None:
        return ours
    try:
        return merge_encoded(ours, without_sources(stored), None) or ours
    except RecordError:
        return ours
