"""Sets of claims on their way into a store, in which every claim passes its local check at every commit.

A set is *closed* with a store when each of its claims passes with the claims of both. `check_with_store` tells, and
`closed_chunks` orders a closed set so that every part of it that can be stored is closed, too: whatever ends a writer,
what it has stored stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import RecordError, decode_record, merge_encoded, without_sources
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.errors import LimitExceededError
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.timed_chunks import timed_chunks

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable, StopFlag
    from proofbase.engine.checking.local_check import Finding

__all__ = [
    "STORED_AT_ONCE",
    "check_with_store",
    "closed_chunks",
    "findings_with_store",
    "load_stored",
    "merged",
    "sound_records",
    "united",
    "united_with",
]

Item = tuple[bytes, bytes]
"""A key and an encoded record."""
GetMany = Callable[[list[bytes]], Iterable[bytes | None]]
"""Gives the stored records of keys, None where there is none."""
CHUNK = 1_000
"""Claims of a chunk, where it can be cut anywhere: some milliseconds."""
ITEM_BYTES = 150
"""Of a pair of two bytes objects in a list, without what these hold."""
STORED_AT_ONCE = 20_000
"""Records of a set up to which it is one chunk: other writers wait a tenth of a second."""
CHECKED_TOGETHER = 1_000
"""Records from which several threads check a part each: some ten milliseconds."""
CHECKED_AT_ONCE = 10_000
"""Records whose children are read from the store at a time."""


def load_stored(table: RecordTable, keys: Sequence[bytes], stored: GetMany) -> None:
    """Merges the stored records of keys into a table. Those that cannot be read, or contradict it, are left out."""
    found = zip(keys, stored(list(keys)), strict=True)
    table.load([(key, data) for key, data in found if data is not None], [])


def check_with_store(table: RecordTable, keys: list[bytes], stored: GetMany, threads: int = 1) -> list[Finding]:
    """The local check of records of a table, with the stored records of their children.

    Args:
        table: holds the records of the keys, and what is stored of these (`load_stored`). It is left as it was.
        keys: which to check; the stored records of their children are held in memory meanwhile.
        stored: gives the stored records of keys.
        threads: check many records together.
    """
    outside = table.missing(keys)
    load_stored(table, outside, stored)
    if threads == 1 or len(keys) < CHECKED_TOGETHER:
        findings = table.check(keys).findings
    else:
        with ThreadPoolExecutor(threads, thread_name_prefix="check") as pool:
            reports = pool.map(table.check, (keys[part::threads] for part in range(threads)))
            findings = [finding for report in reports for finding in report.findings]
    table.remove(outside)
    return findings


def findings_with_store(table: RecordTable, keys: Collection[bytes], stored: GetMany) -> Iterator[Finding]:
    """The same for any number of distinct keys, part by part; what is stored of them is merged into the table first."""
    for part in timed_chunks(iter(keys), CHECKED_AT_ONCE):
        load_stored(table, part, stored)
    for part in timed_chunks(iter(keys), CHECKED_AT_ONCE):
        yield from check_with_store(table, part, stored)


def closed_chunks(
    game: Game[Any],
    table: RecordTable,
    stored: GetMany,
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
        stored: gives the stored records of keys.
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
    first, following = _smallest_closed_start(game, claims, stored, tables, memory_bytes - table.nbytes, memory_bytes)
    yield first
    claims = chain(following, claims)
    while chunk := list(islice(claims, CHUNK)):
        yield chunk


def _smallest_closed_start(
    game: Game[Any], claims: Iterator[Item], stored: GetMany, tables: ValueTables | None, room: int, largest: int
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
        if not any(_is_about(finding, start) for finding in _findings_of(table, start, stored)):
            break
        limit = 2 * limit + 1
    return start, [] if following is None else [following]


def _findings_of(table: RecordTable, items: Iterable[Item], stored: GetMany) -> Iterator[Finding]:
    return findings_with_store(table, dict.fromkeys(key for key, _ in items), stored)


def _is_about(finding: Finding, items: Iterable[Item]) -> bool:
    """Whether a finding is about a claim of some records, and not about one that only the store has."""
    of_key = (data for key, data in items if key == finding.key)
    return finding.claim is None or any(finding.claim in decode_record(data).claims for data in of_key)


def _rank(item: Item) -> int:
    """Of a record of `chunks(well_founded=True)`, which has one claim."""
    return decode_record(item[1]).claims[0].rank


def sound_records(game: Game[Any], items: Iterable[Item], stored: GetMany, tables: ValueTables | None) -> list[Item]:
    """Those of some records that are closed with the store; records with a claim that fails are left out whole.

    Args:
        game: the game.
        items: records, of which several may be of one key.
        stored: gives the stored records of keys.
        tables: values that claims may rest on as well.
    """
    records = merged(items)
    while records:
        failed = _failed_keys(game, records, stored, tables)
        if not failed:
            break
        records = {key: data for key, data in records.items() if key not in failed}
    return list(records.items())


def _failed_keys(
    game: Game[Any], records: Mapping[bytes, bytes], stored: GetMany, tables: ValueTables | None
) -> set[bytes]:
    if not is_native(game):
        check = LocalCheck(game, tables)
        items = [(key, data) for key, data in zip(records, united(records, stored)(list(records)), strict=True) if data]
        return {finding.key for finding in check.findings(items, united(records, stored))}
    table = new_record_table(game, tables)
    table.load(records.items())
    return {finding.key for finding in findings_with_store(table, records, stored)}


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
        found = zip(map(records.get, keys), stored(list(keys)), strict=True)
        return [data if ours is None else united_with(ours, data) for ours, data in found]

    return get_many


def united_with(ours: bytes, stored: bytes | None) -> bytes:
    """What a record and the stored one together say; where the two exclude each other, what the former says."""
    if stored is None:
        return ours
    try:
        return merge_encoded(ours, without_sources(stored), None) or ours
    except RecordError:
        return ours
