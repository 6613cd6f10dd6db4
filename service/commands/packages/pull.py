"""Takes from another store, or a package, what this store lacks: every record is checked before it is stored."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice
from typing import IO

from proofbase.engine.errors import EngineError, InvalidKeyError
from proofbase.engine.records import RecordError, merge_encoded, without_sources
from proofbase.service.commands.packages.pulled import Pulled
from proofbase.service.commands.transfer.fingerprints import FileFingerprint
from proofbase.service.commands.transfer.import_formats import RecordFile
from proofbase.service.commands.transfer.import_records import check_and_store
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.uploads import temporary_file
from proofbase.storage import (
    MalformedRecordError,
    OnProgress,
    RulesVersionError,
    SolutionStore,
    StoreDamagedError,
    StoreReadOnlyError,
)
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed
from proofbase.storage.package import PackageStore
from proofbase.storage.package.coding import Block
from proofbase.storage.package.manifest import IndexRoot

__all__ = ["pull"]

BATCH = 10_000
INCOMING = (1 << 31) - 1
"""A number that no stored source has."""
_SIZES = struct.Struct("<II")
Item = tuple[bytes, bytes]


def pull(resources: Resources, source: SolutionStore, game_name: str | None, on_progress: OnProgress) -> list[Pulled]:
    """Merges what another store knows into this one. Tables of values stay where they are.

    Args:
        resources: this store, and what belongs to it. Claims by tables are checked by its own tables.
        source: the other store; is read only.
        game_name: only this game; None for all.
        on_progress: told how far it is.

    Raises:
        InvalidRequestError: the other store has no records of the game.
        UnsoundRecordsError, ContradictionError, RulesVersionError: records that this store does not take; of this game
            nothing is stored.
        MalformedRecordError, StoreDamagedError: the other store is damaged.
        StoreReadOnlyError, StoreFullError: this store cannot be written.
    """
    if resources.store.read_only:
        raise StoreReadOnlyError(f"the store {resources.store.url} is open read-only: nothing can be stored")
    entries = {entry.name: entry for entry in source.games() if entry.records}
    if game_name is not None:
        name = resources.games.open(game_name).name
        if name not in entries:
            raise InvalidRequestError(f"{source.url} has no records of {name}", field="game")
        entries = {name: entries[name]}
    return [_pull_game(resources, source, name, entry.rules_version, on_progress) for name, entry in entries.items()]


def _pull_game(
    resources: Resources, source: SolutionStore, name: str, rules_version: int, on_progress: OnProgress
) -> Pulled:
    store, total = resources.store, source.count(name)
    try:
        game = resources.games.open(name)
    except EngineError as error:
        return Pulled(name, total, skipped=str(error))
    if game.rules_version != rules_version:
        raise RulesVersionError(name, game.rules_version, rules_version)
    known = store.fingerprint(name)
    if known is not None and known == source.fingerprint(name) and store.count(name) == total:
        return Pulled(name, total)
    read = 0
    with temporary_file() as spool:
        batches = _differing(source, store, name)
        while batch := list(islice(batches, BATCH)):
            read += len(batch)
            on_progress(f"read {name}", read, total, "records")
            for key, record in _new_among(store, name, batch):
                spool.write(_SIZES.pack(len(key), len(record)) + key + record)
        if not spool.tell():
            return Pulled(name, total, read)
        on_progress(f"check and store {name}", 0, None, "records")
        resources.games.refuse_broken(name)
        file = RecordFile(game, None, lambda: _spooled(spool), FileFingerprint(name))
        try:
            result = check_and_store(resources, file, f"pull from {source.url}", StopSignal())
        except InvalidKeyError as error:
            raise StoreDamagedError(f"{source.url} holds what is no record of {name}: {error}") from None
    return Pulled(name, total, read, result.added, result.improved)


def _differing(source: SolutionStore, store: SolutionStore, name: str) -> Iterator[Item]:
    """The other store's records; of a package without the blocks of which this store has just the same records."""
    if not isinstance(source, PackageStore) or not store.count(name):
        yield from source.scan(name)
        return
    index = source.manifest.solutions[name].index
    for block in _differing_blocks(source, store, name, index):
        keys = source.reader.block_keys(index, block)
        for key, record in zip(keys, source.get_many(name, keys), strict=True):
            if record is not None:
                yield key, record


def _differing_blocks(source: PackageStore, store: SolutionStore, name: str, index: IndexRoot) -> Iterator[Block]:
    blocks = list(source.reader.blocks(index))
    ends = [block.first for block in blocks[1:]]
    faults: list[MalformedRecordError] = []
    items, seed = store.scan(name, faults=faults), game_seed(name)
    item = next(items, None)
    while item is not None and item[0] < blocks[0].first:
        item = next(items, None)
    for place, block in enumerate(blocks):
        end = ends[place] if place < len(ends) else None
        items_of_block: list[Item] = []
        while item is not None and (end is None or item[0] < end):
            items_of_block.append(item)
            item = next(items, None)
        if (
            len(items_of_block) != block.records
            or fingerprint_of(seed, items_of_block) % FINGERPRINT_LIMIT != block.fingerprint
        ):
            yield block


def _new_among(store: SolutionStore, name: str, batch: list[Item]) -> Iterator[Item]:
    """Those that say something new, without sources. Damaged records of this store count as absent."""
    faults: list[MalformedRecordError] = []
    stored = store.get_many(name, [key for key, _ in batch], faults)
    for (key, data), present in zip(batch, stored, strict=True):
        record = without_sources(data)
        try:
            if present is not None and merge_encoded(present, record, INCOMING) is None:
                continue
        except RecordError:
            pass  # a contradiction, which the check names with both sources
        yield key, record


def _spooled(spool: IO[bytes]) -> Iterator[Item]:
    spool.seek(0)
    while sizes := spool.read(_SIZES.size):
        of_key, of_record = _SIZES.unpack(sizes)
        yield spool.read(of_key), spool.read(of_record)
