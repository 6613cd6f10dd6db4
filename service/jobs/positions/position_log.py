"""The list of a job over positions, and what was found about each: chunks of the job's checkpoint.

A job itself is written again with every report and read with every list of jobs, so it has to stay small. Its
checkpoint is only ever appended to, in all stores, and may be large: the list stands there once, and each outcome is
written once.

A chunk is a header (what it holds, the number of its first position, how many) and its rows, as compressed JSON. A
chunk whose rows are not asked for is not unpacked. One that was appended twice, because nobody knew whether the store
had taken it, does no harm: of each position the first outcome counts.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidCheckpointError
from proofbase.service.answers import Value
from proofbase.service.jobs.positions.model import PositionOutcome
from proofbase.storage import SolutionStore

__all__ = ["ListPacker", "ListedPosition", "PositionLog"]

_HEADER = struct.Struct("<BIH")
_LISTED, _OUTCOMES = 1, 2
CHUNK_ROWS = 2_000
CHUNK_CHARACTERS = 1 << 18
"""Texts of a chunk of the list, about."""


class ListedPosition(NamedTuple):
    """A position of the list.

    Attributes:
        text: its text in the game's own form.
        line: its line in the file that the list is from; None where the list was none.
    """

    text: str
    line: int | None


class PositionLog:
    """Reads and writes the chunks of one job.

    Args:
        store: the store.
        job_id: the job.
    """

    def __init__(self, store: SolutionStore, job_id: str) -> None:
        self._store = store
        self._job_id = job_id

    def append(self, outcomes: Sequence[PositionOutcome]) -> None:
        """Stores outcomes of positions that follow one another. After an error of the store, call it again."""
        for start in range(0, len(outcomes), CHUNK_ROWS):
            part = outcomes[start : start + CHUNK_ROWS]
            chunk = _packed(_OUTCOMES, part[0].number, [_row(outcome) for outcome in part])
            self._store.append_checkpoint(self._job_id, chunk)

    def count(self) -> int:
        """The number of positions of the list that are stored."""
        return sum(chunk.size for chunk in self._chunks(_LISTED))

    def listed(self, skip: int = 0) -> Iterator[ListedPosition]:
        """The positions of the list from number `skip` on.

        The chunks are taken out of the store before the first one is unpacked: no read is open meanwhile.

        Raises:
            InvalidCheckpointError: the list is damaged.
        """
        chunks = [chunk for chunk in self._chunks(_LISTED) if chunk.first + chunk.size > skip]
        for chunk in chunks:
            yield from islice(chunk.listed(), max(0, skip - chunk.first), None)

    def outcomes(self, skip: int = 0) -> Iterator[PositionOutcome]:
        """The outcomes of the positions that are done, in their order, from number `skip` on.

        Raises:
            InvalidCheckpointError: they are damaged.
        """
        lists, chunks_of_outcomes = list[_Chunk](), list[_Chunk]()
        for chunk in self._chunks():
            if chunk.first + chunk.size > skip:
                (lists if chunk.kind == _LISTED else chunks_of_outcomes).append(chunk)
        listed = (position for chunk in lists for position in chunk.listed())
        at = lists[0].first if lists else 0  # the number of the next one of `listed`
        wanted = skip
        for chunk in chunks_of_outcomes:
            if chunk.first > wanted:
                raise self._damaged(f"the outcome of position {wanted} is missing")
            if chunk.first + chunk.size <= wanted:
                continue  # appended twice
            for number, row in enumerate(chunk.rows(), chunk.first):
                if number != wanted:
                    continue
                position = next(islice(listed, wanted - at, None), None)
                if position is None:
                    raise self._damaged(f"position {wanted} is missing")
                at = wanted = wanted + 1
                yield _outcome(number, position, row)

    def _chunks(self, kind: int | None = None) -> Iterator[_Chunk]:
        for data in self._store.checkpoint(self._job_id):
            if len(data) < _HEADER.size:
                raise self._damaged("a chunk without a header")
            kind_of_chunk, first, size = _HEADER.unpack_from(data)
            chunk = _Chunk(self._job_id, kind_of_chunk, first, size, data)
            if kind is None or chunk.kind == kind:
                yield chunk

    def _damaged(self, what: str) -> InvalidCheckpointError:
        return InvalidCheckpointError(f"the positions of job {self._job_id} are damaged: {what}")


class _Chunk(NamedTuple):
    job_id: str
    kind: int
    first: int
    size: int
    data: bytes

    def rows(self) -> list[Any]:
        """What the chunk holds."""
        try:
            rows = json.loads(zlib.decompress(memoryview(self.data)[_HEADER.size :]))
        except (zlib.error, ValueError) as error:
            raise InvalidCheckpointError(f"the positions of job {self.job_id} are damaged: {error}") from None
        if not isinstance(rows, list) or len(rows) != self.size:
            raise InvalidCheckpointError(f"the positions of job {self.job_id} are damaged: a chunk of another length")
        return rows

    def listed(self) -> Iterator[ListedPosition]:
        """The positions of a chunk of the list."""
        return (ListedPosition(*row) for row in self.rows())


class ListPacker:
    """Makes the chunks of a list, from its first position on."""

    def __init__(self) -> None:
        self._rows: list[ListedPosition] = []
        self._first = self._characters = 0

    def add(self, position: ListedPosition) -> Iterator[bytes]:
        """Adds a position; gives the chunk that it has completed, if it has."""
        self._rows.append(position)
        self._characters += len(position.text)
        if len(self._rows) == CHUNK_ROWS or self._characters >= CHUNK_CHARACTERS:
            yield from self.rest()

    def rest(self) -> Iterator[bytes]:
        """The last chunk, if there are positions in none."""
        if self._rows:
            yield _packed(_LISTED, self._first, self._rows)
        self._first += len(self._rows)
        self._rows, self._characters = [], 0


def _packed(kind: int, first: int, rows: Sequence[Any]) -> bytes:
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return _HEADER.pack(kind, first, len(rows)) + zlib.compress(text.encode())


def _row(outcome: PositionOutcome) -> list[Any]:
    """The fields of an outcome. Later releases may add some at the end."""
    value = outcome.value
    return [
        outcome.status,
        outcome.unknown_reason,
        value.lower,
        value.upper,
        value.lower_known,
        value.upper_known,
        outcome.best_move,
        outcome.rank,
        outcome.nodes,
        round(outcome.seconds, 6),
        outcome.records,
        outcome.algorithm,
    ]


def _outcome(number: int, position: ListedPosition, row: list[Any]) -> PositionOutcome:
    status, reason, lower, upper, lower_known, upper_known, best_move, rank, nodes, seconds, records, algorithm = row[
        :12
    ]
    value = Value(lower, upper, lower_known, upper_known)
    return PositionOutcome(
        number, position.line, position.text, status, reason, value, best_move, rank, nodes, seconds, records, algorithm
    )
