"""The records that the claims of a position rest on: as they are stored, or a certificate's smallest closed set."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any

from proofbase.engine.records import merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.commands.transfer.export_chunks import Item
from proofbase.service.commands.transfer.shortest_proof import refutation_of_shorter_wins
from proofbase.service.commands.transfer.smallest import smallest
from proofbase.service.jobs.record_selection import below
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.stop_signal import StopSignal

__all__ = ["supporting_records"]

BATCH = 10_000
"""Records that are handed to a table, and taken out of it, at once."""


def supporting_records(
    resources: Resources,
    game: Game[Any],
    root: bytes,
    root_record: bytes | None,
    stop: StopSignal,
    *,
    certificate: bool,
    strategy_seconds: float,
) -> Iterator[Item]:
    """The records that the claims of a root rest on, by ascending keys.

    A certificate has the smallest closed part of them that `RecordTable.trimmed` finds, without sources. Of a win
    within so many plies it also has the proof that fewer are not enough, if that is stored; each has half of the time.

    Args:
        resources: the store and what belongs to it.
        game: the game.
        root: the key of the position.
        root_record: the record of the root where it is not the stored one.
        stop: ends the work.
        certificate: whether a certificate is written.
        strategy_seconds: how long strategies are looked for; 0 for not at all.
    """
    other = refutation_of_shorter_wins(resources.store, game, root) if certificate else None
    seconds = strategy_seconds if other is None else strategy_seconds / 2
    closed = partial(_closed_set, resources, stop=stop, certificate=certificate, strategy_seconds=seconds)
    closed_records = closed(game, root, root_record)
    if other is not None:
        name, key = other
        closed_records = _merged(closed_records, closed(resources.games.open(name), key, None))
    yield from closed_records


def _merged(first: Iterable[Item], second: Iterable[Item]) -> Iterator[Item]:
    """The records of both, by ascending keys; of a key that both have the claims are united."""
    last: Item | None = None
    for key, data in heapq.merge(first, second, key=itemgetter(0)):
        if last is not None and last[0] == key:
            last = key, merge_encoded(last[1], data, None) or last[1]
            continue
        if last is not None:
            yield last
        last = key, data
    if last is not None:
        yield last


def _closed_set(
    resources: Resources,
    game: Game[Any],
    root: bytes,
    root_record: bytes | None,
    *,
    stop: StopSignal,
    certificate: bool,
    strategy_seconds: float,
) -> Iterator[Item]:
    """The records that the claims of one root rest on."""
    records_below = stop.checked(below(resources.store, game, root, own=root_record))
    if not is_native(game):  # Python rules: small enough to sort here
        yield from sorted({**dict(records_below), **({} if root_record is None else {root: root_record})}.items())
        return
    table = new_record_table(game)
    if root_record is not None:
        table.load([(root, root_record)])
    while batch := list(islice(records_below, BATCH)):
        table.load(batch)
    if certificate:
        if strategy_seconds:
            table = smallest(table, root, strategy_seconds, stop)
        else:
            table = table.trimmed(root, stop=stop.native_flag())
    for chunk in table.chunks(BATCH, stop=stop.native_flag()):
        if certificate:
            yield from chunk
            continue
        # Read from the store once more: tables of records do not keep sources.
        keys = [key for key, _ in chunk]
        stored = resources.store.get_many(game.name, keys)
        for key, data in zip(keys, stored, strict=True):
            record = root_record if key == root and root_record is not None else data
            if record is not None:
                yield key, record
