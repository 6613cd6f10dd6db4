"""The checkpoint of a solve: what the search of its question has expanded, stored piece by piece."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from proofbase.engine.errors import InvalidCheckpointError
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["NoCheckpoint", "SearchCheckpoint"]

_log = logging.getLogger(__name__)


class NoCheckpoint:
    """In the place of a `SearchCheckpoint`, keeps nothing: a search that is stopped begins again."""

    of_this_search = False

    def append(self, search: Search, threshold: int) -> None:
        """Has the search forget what it holds for its checkpoint."""
        search.checkpoint()

    def restore(self, search: Search, threshold: int, stop: Callable[[], None]) -> bool:
        """There is nothing to restore."""
        return True

    def drop(self) -> None:
        """There is nothing to forget."""

    def take_over(self, search: Search, threshold: int, job_id: str) -> bool:
        """There is nothing to go on with."""
        return False


class SearchCheckpoint:
    """The stored checkpoint of one job. Its first chunk, the heading, names the question and the algorithm."""

    def __init__(self, store: SolutionStore, job_id: str) -> None:
        self._store = store
        self._job_id = job_id
        self.of_this_search = False
        """Whether the stored checkpoint belongs to the search that runs now; after `restore`: whether there was one."""
        self._chunks = 0
        """Number of its chunks that are stored."""
        self._perhaps_stored: bytes | None = None
        """A chunk of which nobody knows whether it was stored: the store failed while it was appended."""

    def append(self, search: Search, threshold: int) -> None:
        """Stores what the search has expanded since the last call. After an error of the store, call it again."""
        if not self.of_this_search:
            self._store.drop_checkpoint(self._job_id)
            self._store.append_checkpoint(self._job_id, _heading(search, threshold))
            self.of_this_search, self._chunks = True, 1
        chunk = self._perhaps_stored
        if chunk is not None and sum(1 for _ in self._store.checkpoint(self._job_id)) > self._chunks:
            self._chunks += 1
            chunk = self._perhaps_stored = None
        # The search gives out each part once, so a part that was not stored is kept until it is.
        chunk = chunk or search.checkpoint()
        if chunk:
            self._perhaps_stored = chunk
            self._store.append_checkpoint(self._job_id, chunk)
            self._perhaps_stored = None
            self._chunks += 1

    def restore(self, search: Search, threshold: int, stop: Callable[[], None]) -> bool:
        """Brings a new search to where the stored checkpoint was made, if there is one of this question.

        Args:
            search: the new search.
            threshold: its question.
            stop: called while the checkpoint is read; what it raises ends that.

        Returns:
            False if the checkpoint is damaged or of another search: then the search has to be made anew.

        Raises:
            SearchCancelledError: the search was cancelled while it was restored.
        """
        self.of_this_search, self._perhaps_stored = False, None
        chunks = []
        for chunk in self._store.checkpoint(self._job_id):
            stop()
            chunks.append(chunk)
        if not chunks:
            return True
        if chunks.pop(0) != _heading(search, threshold):  # of a question that was settled just before the process ended
            self.drop()
            return True
        try:
            search.restore(chunks)
        except InvalidCheckpointError as error:
            # Damaged, or (delete-solved) the records known by now make another search of it: only work is lost.
            _log.warning("job %s starts its question again: %s", self._job_id, error)
            self.drop()
            return False
        self.of_this_search, self._chunks = True, len(chunks) + 1
        return True

    def take_over(self, search: Search, threshold: int, job_id: str) -> bool:
        """Copies the checkpoint of another job, if there is none yet and that one is of this search; whether it was.

        A process that is killed meanwhile leaves the first chunks of the copy, which are a checkpoint as well.
        """
        if next(iter(self._store.checkpoint(self._job_id)), None) is not None:
            return False
        chunks = self._store.checkpoint(job_id)
        if next(chunks, None) != _heading(search, threshold):
            return False
        self._store.append_checkpoint(self._job_id, _heading(search, threshold))
        for chunk in chunks:
            self._store.append_checkpoint(self._job_id, chunk)
        return True

    def drop(self) -> None:
        """Forgets the stored checkpoint."""
        self._store.drop_checkpoint(self._job_id)


def _heading(search: Search, threshold: int) -> bytes:
    return json.dumps({"at_least": threshold, "algorithm": search.algorithm}, sort_keys=True).encode()
