"""Which stored records a verification (or an export) is about."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.timed_chunks import ChunkSize
from proofbase.storage import MalformedRecordError, SolutionStore

__all__ = ["Chunk", "below", "chunks_of", "sample_keys"]

Item = tuple[bytes, bytes]


class Chunk(NamedTuple):
    """Records of a game, keys ascending.

    Attributes:
        items: those that are as they were written.
        damaged: errors for the others among them.
    """

    items: list[Item]
    damaged: list[MalformedRecordError]

    @property
    def last(self) -> bytes:
        """The last key."""
        return max([key for key, _ in self.items[-1:]] + [error.key or b"" for error in self.damaged])


def sample_keys(store: SolutionStore, game: str, count: int, seed: int) -> list[bytes]:
    """`count` keys drawn without replacement (all, when there are fewer), ascending.

    The same seed draws the same keys from the same records.
    """
    total = store.count(game)
    if count >= total:
        return list(_all_keys(store, game))
    chosen = set(random.Random(seed).sample(range(total), count))
    return [key for index, key in enumerate(_all_keys(store, game)) if index in chosen]


def _all_keys(store: SolutionStore, game: str) -> Iterator[bytes]:
    """Keys of the records of a game, of damaged ones as well, ascending."""
    damaged: list[MalformedRecordError] = []
    for key, _ in store.scan(game, faults=damaged):
        yield from (error.key or b"" for error in damaged)
        damaged.clear()
        yield key
    yield from (error.key or b"" for error in damaged)


def below(
    store: SolutionStore,
    game: Game[Any],
    root: bytes,
    damaged: list[MalformedRecordError] | None = None,
    *,
    own: bytes | None = None,
) -> Iterator[Item]:
    """The stored records that the claims of a root rest on, the root's own first; each once, of one moment.

    Args:
        store, game, root: where to begin.
        damaged: an error for each damaged record is added here; None: the first one raises.
        own: the root's record in place of the stored one; it is then not among those that are given.
    """
    seen: dict[bytes, bytes] = {}
    follow, starts = _children_to_follow(game, seen), [root]
    if own is not None:
        seen[root] = own
        starts = list(dict.fromkeys(follow([root])))
    for key, data in store.scan_below(game.name, starts, follow, faults=damaged):
        seen[key] = data
        yield key, data


def _children_to_follow(game: Game[Any], seen: dict[bytes, bytes]) -> Callable[[list[bytes]], Iterable[bytes]]:
    """What `scan_below` calls with a batch of keys: it gives the children that the claims of their records rest on.

    Args:
        game: the game.
        seen: the records that were reached, by key; those of a batch are taken out.
    """
    native = is_native(game)

    def native_children(keys: list[bytes]) -> Iterable[bytes]:
        table = new_record_table(game)
        for key in keys:
            try:
                table.load([(key, seen.pop(key))])
            except ValueError:
                continue  # damaged: nothing to follow
        parents = set(keys)
        # A child within the batch is on the list of reached records already.
        return [key for key in table.missing() if key not in parents]

    def python_children(keys: list[bytes]) -> Iterable[bytes]:
        for key in keys:
            try:
                yield from _claimed_children(game, key, seen.pop(key))
            except ValueError:
                continue

    return native_children if native else python_children


def _claimed_children(game: Game[Any], key: bytes, data: bytes) -> Iterator[bytes]:
    position = game.position(key)
    check = LocalCheck(game)
    for claim in decode_record(data).claims:
        for move in check.supporting_moves(position, claim):
            child = game.play(position, move)
            if game.terminal(child) is None:
                yield game.key(child)


def chunks_of(
    store: SolutionStore, game: str, keys: list[bytes] | None, after: bytes | None, most: int
) -> Iterator[Chunk]:
    """Records in chunks, keys ascending, behind `after`: those of `keys` that are stored, or all (None).

    A chunk has at most `most` records, and fewer where these take the caller long.
    """
    damaged: list[MalformedRecordError] = []
    pace = ChunkSize(most)
    if keys is None:
        items = store.scan(game, after=after, faults=damaged)
        while (chunk := list(islice(items, pace.size))) or damaged:
            began = time.monotonic()
            yield Chunk(chunk, damaged.copy())
            pace.took(time.monotonic() - began)
            damaged.clear()
        return
    keys_left = iter([key for key in keys if after is None or key > after])
    while part := list(islice(keys_left, pace.size)):
        began = time.monotonic()
        stored = zip(part, store.get_many(game, part, damaged), strict=True)
        yield Chunk([(key, data) for key, data in stored if data is not None], damaged.copy())
        pace.took(time.monotonic() - began)
        damaged.clear()
