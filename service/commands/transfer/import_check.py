"""What becomes of a file's records when they are stored: read, merged, and compared with the stored ones.

Memory: of the file, one table of its records (docs/service.md tells the bytes); of a game with cycles
also its safety claims (docs/store-format.md); all else is bounded by a chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from proofbase.engine.records import MalformedRecordError, RecordError, merge_encoded
from proofbase.service.commands.transfer.import_formats import Item, RecordFile
from proofbase.service.errors import LimitExceededError
from proofbase.service.resources import Resources
from proofbase.service.resources.closed_sets import merged
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.resources.timed_chunks import timed_chunks
from proofbase.storage.chunks import with_key_and_sources
from proofbase.storage.entries import PutResult

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["Comparison", "compared_with_store", "records_of"]

CHUNK = 10_000
"""Records at a time at most."""
INCOMING = (1 << 31) - 1
"""A number that no stored source has: of claims of the file while they are compared with stored ones."""


def records_of(resources: Resources, file: RecordFile, stop: StopSignal) -> RecordTable | Mapping[bytes, bytes]:
    """The records of a file, merged; of a game in plain Python by key.

    Raises:
        MalformedCertificateError, MalformedRecordError, ContradictionError: the file is not as its format asks for, or
            contradicts itself.
        LimitExceededError: they would take more memory than `job_memory_bytes`.
        CallCancelledError: `stop` was set.
    """
    if not is_native(file.game):
        return merged(stop.checked(file.items()))
    largest = resources.limits.job_memory_bytes
    table = new_record_table(file.game)
    for chunk in stop.checked(timed_chunks(file.items(), CHUNK)):
        table.load(chunk)
        if table.nbytes > largest:
            raise LimitExceededError(
                f"the records of the file take more than {largest} bytes of memory: import it in parts, or raise the "
                "limit",
                limit="job_memory_bytes",
                largest=largest,
                field="data",
            )
    return table


def compared_with_store(
    resources: Resources,
    game: str,
    records: RecordTable | Mapping[bytes, bytes],
    source: str,
    stop: StopSignal,
) -> Comparison:
    """What a put of a file's records would change.

    Args:
        resources: the store and what belongs to it.
        game: name of the game.
        records: of the file.
        source: where the file comes from.
        stop: ends it.
    """
    comparison = Comparison(resources, game, source)
    items: Iterable[Item]
    if isinstance(records, Mapping):
        items = records.items()
    else:
        items = (item for chunk in records.chunks(CHUNK, stop=stop.native_flag()) for item in chunk)
    for chunk in stop.checked(timed_chunks(iter(items), CHUNK)):
        comparison.add(chunk)
    return comparison


class Comparison:
    """What a put of a file's records changes, as they are compared with the stored ones.

    Args:
        resources: the store and what belongs to it.
        game: name of the game.
        source: where the file comes from.
    """

    def __init__(self, resources: Resources, game: str, source: str) -> None:
        self._resources = resources
        self._game = game
        self._source = source
        self._total = PutResult()
        self._contradiction: Exception | None = None

    def add(self, chunk: Sequence[Item]) -> None:
        """Reads the stored records of some keys, and compares them with those of the file.

        Args:
            chunk: the file's records of distinct keys, merged.
        """
        damaged: list[MalformedRecordError] = []
        stored_records = self._resources.store.get_many(self._game, [key for key, _ in chunk], damaged)
        improved, unchanged = len(damaged), 0  # a record takes the place of a damaged one
        for (key, data), present in zip(chunk, stored_records, strict=True):
            if present is None:
                continue
            try:
                changed = merge_encoded(present, data, INCOMING) is not None
            except RecordError as error:
                if self._contradiction is None:
                    texts = {entry.number: entry.text for entry in self._resources.store.sources()}
                    self._contradiction = with_key_and_sources(error, self._game, key, texts, self._source)
                continue
            improved += changed
            unchanged += not changed
        self._total += PutResult(len(chunk) - improved - unchanged, improved, unchanged)

    def result(self) -> PutResult:
        """What becomes of the records.

        Raises:
            ContradictionError: one of them contradicts a stored one.
        """
        if self._contradiction is not None:
            raise self._contradiction from None
        return self._total
