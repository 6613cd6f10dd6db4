"""Which stored claims of a game fail their local check, with all claims that rest on them: by claim, not by record.

Verifications move them to the quarantine, and repairs prove them anew. A record's other claims, which are sound without
them, stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from proofbase.engine.checking.local_check import Finding as BrokenRule
from proofbase.engine.rules import Game
from proofbase.service.jobs.local_checks import Check, NativeCheck, WholeGame, load_sound
from proofbase.service.jobs.record_selection import chunks_of
from proofbase.service.resources import Resources
from proofbase.service.resources.native import new_record_table
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.storage import Claim, MalformedRecordError, SolutionStore, decode_record
from proofbase.storage.record_claims import without_claims

__all__ = ["Failing", "failing_among", "failing_claims", "failing_of", "keep_sound_part", "whole_game"]

Failing = dict[bytes, set[Claim] | None]
"""Claims that fail, without sources, by key; None where the whole record does, such as one that cannot be read."""
RECORD_BYTES = 48
"""Bytes of a usual record in a table of records, at the most."""
LOAD_CHUNK = 20_000


def whole_game(resources: Resources, game: Game[Any], stop_if_asked: Callable[[], None]) -> WholeGame | None:
    """All records of a game in memory; None where they do not fit into `job_memory_bytes`."""
    store, limit = resources.store, resources.limits.job_memory_bytes
    if store.count(game.name) * RECORD_BYTES > limit:
        return None
    table, faults = new_record_table(game, resources.tables.of(game)), dict[bytes, BrokenRule]()
    damaged: list[MalformedRecordError] = []
    for chunk in timed_chunks(store.scan(game.name, faults=damaged), LOAD_CHUNK):
        stop_if_asked()
        faults.update((fault.key, fault) for fault in load_sound(table, chunk))
        if table.nbytes > limit:
            return None
    return WholeGame(table, faults, tuple(error.key or b"" for error in damaged))


def keep_sound_part(
    whole: WholeGame, first: Failing, stop_if_asked: Callable[[], None], *, zones: bool = False
) -> Failing:
    """Takes claims out of a game, and then those that fail without them, until all that are left pass.

    Args:
        whole: the game; its table has the sound claims afterwards.
        first: claims that fail.
        stop_if_asked: called now and then; what it raises ends it.
        zones: as of `NativeCheck`.

    Returns:
        What was taken out. What cannot be read is there as well.
    """
    table, unreadable = whole.records, Failing.fromkeys((*whole.faults, *whole.damaged))
    failing = {**first, **unreadable}
    fresh = {key: claims for key, claims in first.items() if key not in unreadable}
    while True:
        stop_if_asked()
        before = {key: record for key in fresh if (record := table.get(key)) is not None}
        table.remove(list(before))
        table.load([(key, left) for key, record in before.items() if (left := _left(record, fresh[key])) is not None])
        fresh = failing_of(table.check(zones=zones).findings, table.get)
        if not fresh:
            return failing
        _unite(failing, fresh)


def failing_claims(
    resources: Resources, game: Game[Any], first: Failing, stop_if_asked: Callable[[], None], *, zones: bool = False
) -> Failing:
    """Some claims of a game, and all that fail without them; and all that fail anyway, or cannot be read.

    Args:
        resources: the store and what belongs to it.
        game: the game.
        first: claims that fail.
        stop_if_asked: called now and then; what it raises ends it.
        zones: as of `NativeCheck`.
    """
    whole = whole_game(resources, game, stop_if_asked)
    if whole is not None:
        return keep_sound_part(whole, first, stop_if_asked, zones=zones)
    failing = Failing(first)
    without = _Without(resources.store, failing)
    check = NativeCheck(game, without, None, resources.tables.of(game), zones=zones)
    grows = True
    while grows:  # a pass over the store for each step from the claims that fail
        grows = False
        for chunk in chunks_of(resources.store, game.name, None, None, check.chunk):
            stop_if_asked()
            failing.update(dict.fromkeys(error.key or b"" for error in chunk.damaged))
            items_left = [(key, rest) for key, data in chunk.items if (rest := without.rest(key, data)) is not None]
            more_failing = failing_of(check.broken(items_left), dict(items_left).get)
            _unite(failing, more_failing)
            grows = grows or bool(more_failing)
    return failing


def failing_of(broken: Iterable[BrokenRule], record: Callable[[bytes], bytes | None]) -> Failing:
    """What findings say of claims. A finding about a record is one about all of its claims.

    Args:
        broken: the findings.
        record: gives the records, as they were checked.
    """
    failing = Failing()
    for finding in broken:
        if finding.claim is not None:
            claims = failing.setdefault(finding.key, set())
            if claims is not None:
                claims.add(finding.claim.with_source(None))
            continue
        try:
            all_claims = decode_record(record(finding.key) or b"").claims
        except ValueError:
            failing[finding.key] = None
        else:
            failing[finding.key] = {claim.with_source(None) for claim in all_claims}
    return failing


def failing_among(
    check: Check, store: SolutionStore, game: str, keys: list[bytes], stop_if_asked: Callable[[], None]
) -> Failing:
    """The claims that fail among those of some stored records."""
    failing = Failing()
    for chunk in chunks_of(store, game, keys, None, check.chunk):
        stop_if_asked()
        failing.update(dict.fromkeys(error.key or b"" for error in chunk.damaged))
        failing.update(failing_of(check.broken(chunk.items), dict(chunk.items).get))
    return failing


def _unite(failing: Failing, more: Mapping[bytes, set[Claim] | None]) -> None:
    for key, claims in more.items():
        before = failing.get(key, set())
        failing[key] = None if before is None or claims is None else before | claims


def _left(record: bytes, claims: set[Claim] | None) -> bytes | None:
    return None if claims is None else without_claims(record, claims)


class _Without:
    """The records of a store without the claims that fail.

    Args:
        store: is read.
        failing: the claims; it may grow.
    """

    def __init__(self, store: SolutionStore, failing: Failing) -> None:
        self._store = store
        self._failing = failing

    def rest(self, key: bytes, record: bytes) -> bytes | None:
        """What is left of a stored record."""
        return _left(record, self._failing[key]) if key in self._failing else record

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        """See `SolutionStore`."""
        wanted = list(keys)
        records = self._store.get_many(game, wanted, faults)
        return [data and self.rest(key, data) for key, data in zip(wanted, records, strict=True)]
