"""Annotations in LMDB: a row each, with a checksum. Those of one position are neighbours, and those of one game."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import lmdb
from xxhash import xxh3_64_digest

from proofbase.storage.annotations import Annotation, AnnotationStore, newest_first
from proofbase.storage.errors import StoreDamagedError
from proofbase.storage.lmdb.environment import Environment, Unchanged
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["LmdbAnnotations", "annotation_row", "read_annotation"]

_log = logging.getLogger(__name__)
CACHED_BYTES = 2_000
DROPPED_KINDS = ("note", "report")
"""Stores that were written between 0.1.0 and the release after it may hold some. They are passed over."""


class LmdbAnnotations(AnnotationStore):
    """The annotations of an LMDB store.

    Args:
        environment: the files of the store.
        check_writable: raises where the store is closed or open read-only.
    """

    def __init__(self, environment: Environment, check_writable: Callable[[], None]) -> None:
        self._environment = environment
        self._check_writable = check_writable

    def put(self, annotation: Annotation) -> None:
        self._check_writable()
        place, row = annotation_row(annotation)
        self._environment.write(lambda txn: txn.put(place, row, db=self._environment.dbs.annotations))

    def of_keys(self, game: str, keys: Iterable[bytes]) -> list[Annotation]:
        of_all_keys: list[Annotation] = []
        with self._environment.read() as txn:
            for key in dict.fromkeys(keys):
                of_all_keys += [
                    entry for entry in self._rows(txn, _place(game, key)) if entry.game == game and entry.key == key
                ]
        return newest_first(of_all_keys) if len(of_all_keys) > 1 else of_all_keys

    def drop(self, game: str, key: bytes, annotation_id: str) -> bool:
        self._check_writable()
        place = _place(game, key) + annotation_id.encode()

        def drop(txn: Transaction) -> bool:
            row = txn.get(place, db=self._environment.dbs.annotations)
            if row is None:
                raise Unchanged(False)
            return bool(txn.delete(place, db=self._environment.dbs.annotations))

        return self._environment.write(drop) if len(annotation_id) <= 100 else False

    def _rows(self, txn: Transaction, prefix: bytes) -> Iterator[Annotation]:
        if self._environment.dbs.annotations is None:  # a store of an earlier release
            return
        cursor = txn.cursor(self._environment.dbs.annotations)
        if cursor.set_range(prefix):
            for place, row in cursor:
                if not place.startswith(prefix):
                    return
                try:
                    annotation = read_annotation(place, row)
                except StoreDamagedError as error:
                    _log.warning("%s: it counts as absent", error)
                else:
                    if annotation is not None:
                        yield annotation


def annotation_row(annotation: Annotation) -> tuple[bytes, bytes]:
    """The key and the row of an annotation."""
    place = _place(annotation.game, annotation.key) + annotation.id.encode()
    return place, seal_row("annotations", place, annotation.to_json().encode())


def read_annotation(place: bytes, stored: bytes) -> Annotation | None:
    """Inverse of `annotation_row`; None for one of a kind that is kept no more. What is said must not be changed.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    return _cached(place, stored) if len(stored) <= CACHED_BYTES else _read(place, stored)


def _read(place: bytes, stored: bytes) -> Annotation | None:
    row = open_row("annotations", place, stored, sealed=True)
    try:
        entries = json.loads(row)
        dropped = isinstance(entries, dict) and entries.get("kind") in DROPPED_KINDS
        return None if dropped else Annotation.from_json(row)
    except (ValueError, RecursionError) as error:
        raise damaged_row("annotations", place, str(error)) from None


_cached = lru_cache(1024)(_read)
"""Every lookup reads the verifications of its game."""


def _place(game: str, key: bytes) -> bytes:
    """What the keys of rows begin with."""
    return xxh3_64_digest(game.encode()) + xxh3_64_digest(key)
