"""Annotations in PostgreSQL: a row each."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from proofbase.storage.annotations import Annotation, AnnotationStore
from proofbase.storage.errors import StoreDamagedError
from proofbase.storage.postgres.tables import annotation_rows
from proofbase.storage.postgres.transactions import TransactionalStore

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["PostgresAnnotations", "annotation_values", "read_annotation"]

_log = logging.getLogger(__name__)


class PostgresAnnotations(AnnotationStore):
    """The annotations of a database.

    Args:
        store: runs the transactions.
    """

    def __init__(self, store: TransactionalStore) -> None:
        self._store = store

    def put(self, annotation: Annotation) -> None:
        row = annotation_values(annotation)
        storing = insert(annotation_rows).values(row)
        place = ["game", "key", "id"]
        storing = storing.on_conflict_do_update(
            index_elements=place, set_={name: storing.excluded[name] for name in row if name not in place}
        )
        self._store.writing(lambda connection: connection.execute(storing).rowcount)

    def of_keys(self, game: str, keys: Iterable[bytes]) -> list[Annotation]:
        if "\0" in game:
            return []
        rows = select(annotation_rows).where(annotation_rows.c.game == game, annotation_rows.c.key.in_(list(keys)))
        rows = rows.order_by(annotation_rows.c.created.desc(), annotation_rows.c.id.desc())
        with self._store.reading() as connection:
            return list(_sound(connection.execute(rows).mappings()))

    def drop(self, game: str, key: bytes, annotation_id: str) -> bool:
        if "\0" in game + annotation_id:
            return False
        place = annotation_rows.c.game == game, annotation_rows.c.key == key, annotation_rows.c.id == annotation_id

        def drop(connection: Connection) -> int:
            return connection.execute(delete(annotation_rows).where(*place)).rowcount

        return self._store.writing(drop, unchanged=0) > 0


def _sound(rows: Iterable[Mapping[Any, Any]]) -> Iterator[Annotation]:
    """The annotations that can be read; a damaged one counts as absent."""
    for row in rows:
        try:
            yield read_annotation(row)
        except StoreDamagedError as error:
            _log.warning("%s: it counts as absent", error)


def annotation_values(annotation: Annotation) -> dict[str, Any]:
    """The row of an annotation."""
    return {column.name: getattr(annotation, column.name) for column in annotation_rows.c}


def read_annotation(row: Mapping[Any, Any]) -> Annotation:
    """Inverse of `annotation_values`.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    try:
        return Annotation(**{str(name): value for name, value in row.items()})
    except (ValueError, TypeError) as error:
        raise StoreDamagedError(f"the annotation {row['id']} of {row['game']} cannot be read: {error}") from None
