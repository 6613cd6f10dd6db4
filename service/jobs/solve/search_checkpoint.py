"""The checkpoint of a solve: what the search of its question has expanded, stored piece by piece."""

from __future__ import annotations

import json
import logging
import struct
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from proofbase.engine.errors import InvalidCheckpointError, SearchCancelledError
from proofbase.storage import SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["NoCheckpoint", "SearchCheckpoint"]

_log = logging.getLogger(__name__)
_HEADING = b'{"algorithm"'
"""What a heading begins with, and no chunk of a search does."""


class NoCheckpoint:
    """In the place of a `SearchCheckpoint`, keeps nothing: a search that is stopped begins again."""

    def append(self, search: Search, threshold: int) -> None:
        """Has the search forget what it holds for its checkpoint."""
        search.checkpoint()

    def restore(
        self, search: Search, threshold: int, stop_if_asked: Callable[[], None], limit: Callable[[float], float]
    ) -> bool:
        """There is nothing to restore."""
        return True

    def was_restored(self, search: Search, threshold: int) -> bool:
        """Never."""
        return False

    def drop(self, is_open: Callable[[int], bool]) -> None:
        """There is nothing to forget."""

    def take_over(self, search: Search, threshold: int, job_id: str) -> bool:
        """There is nothing to go on with."""
        return False


class SearchCheckpoint:
    """The stored checkpoint of one job: what the searches of its open questions have expanded.

    Chunks of a search follow a heading, which names the question and the algorithm. Searches that take turns have
    several headings: all but the first one say that the search `continues`. A heading that does not begins it anew.
    """

    def __init__(self, store: SolutionStore, job_id: str) -> None:
        self._store = store
        self._job_id = job_id
        self._stored: dict[int, bool] = {}
        """The questions of which chunks are stored, and whether these are of the search that is there now."""
        self._restored: dict[bytes, bool] = {}
        """By heading the searches that this process has taken up, and whether there were chunks to go on with."""
        self._last: int | None = None
        """The question of the last heading."""
        self._chunks = 0
        """Number of chunks that are stored since this process began, without headings."""
        self._perhaps_stored: bytes | None = None
        """A chunk of which nobody knows whether it was stored: the store failed while it was appended."""

    def append(self, search: Search, threshold: int) -> None:
        """Stores what the search has expanded since the last call. After an error of the store, call it again."""
        if not self._stored.get(threshold):
            if not self._stored.keys() - {threshold}:
                self._store.drop_checkpoint(self._job_id)
                self._chunks = 0
            self._store.append_checkpoint(self._job_id, _heading(search, threshold))
            self._stored[threshold], self._last = True, threshold
        elif self._last != threshold:
            self._store.append_checkpoint(self._job_id, _heading(search, threshold, continues=True))
            self._last = threshold
        chunk = self._perhaps_stored
        if chunk is not None and self._count() > self._chunks:
            self._chunks += 1
            chunk = self._perhaps_stored = None
        # The search gives out each part once, so a part that was not stored is kept until it is.
        chunk = chunk or search.checkpoint()
        if chunk:
            self._perhaps_stored = chunk
            self._store.append_checkpoint(self._job_id, chunk)
            self._perhaps_stored = None
            self._chunks += 1

    def _count(self) -> int:
        return sum(not chunk.startswith(_HEADING) for chunk in self._store.checkpoint(self._job_id))

    def restore(
        self, search: Search, threshold: int, stop_if_asked: Callable[[], None], limit: Callable[[float], float]
    ) -> bool:
        """Brings a new search to where its stored chunks were made, if it is the first one with its heading.

        Args:
            search: the new search, whose chunks are appended from now on.
            threshold: its question.
            stop_if_asked: called while the checkpoint is read; what it raises ends that.
            limit: for the seconds that the search had taken, those that this may take.

        Returns:
            False if that takes longer, or the chunks are damaged or of another search: then the search has to be made
            anew.

        Raises:
            SearchCancelledError: the search was cancelled while it was restored.
        """
        self._perhaps_stored = None
        if threshold in self._stored:
            self._stored[threshold] = False
        heading = _heading(search, threshold)
        if heading in self._restored:
            return True
        self._restored[heading], self._chunks = False, 0
        for chunk in self._store.checkpoint(self._job_id):
            stop_if_asked()
            if chunk.startswith(_HEADING):
                self._last = int(json.loads(chunk)["at_least"])
                self._stored.setdefault(self._last, False)
            else:
                self._chunks += 1
        chunks = _chunks_of(self._store.checkpoint(self._job_id), search, threshold, stop_if_asked)
        if not chunks:
            return True
        late = threading.Event()

        def cancel_when_late() -> None:
            late.set()
            search.cancel()

        timer = threading.Timer(max(0.0, limit(_searched_seconds(chunks[-1]))), cancel_when_late)
        timer.daemon = True
        timer.start()
        try:
            search.restore(chunks)
            timer.cancel()
            timer.join()  # a cancel() now would end the search that follows
            if late.is_set():
                return False
        except SearchCancelledError:
            if late.is_set():
                return False
            raise
        except InvalidCheckpointError as error:
            # Damaged, or (delete-solved) the records known by now make another search of it: only work is lost.
            _log.warning("job %s starts its question again: %s", self._job_id, error)
            return False
        finally:
            timer.cancel()
        self._stored[threshold] = self._restored[heading] = True
        return True

    def was_restored(self, search: Search, threshold: int) -> bool:
        """Whether a search was brought to stored chunks."""
        return self._restored.get(_heading(search, threshold), False)

    def take_over(self, search: Search, threshold: int, job_id: str) -> bool:
        """Copies the chunks of this search that another job has stored, if this one has none; whether there were some.

        A process that is killed meanwhile leaves the first chunks of the copy, which are a checkpoint as well.
        """
        taken_up = _heading(search, threshold) in self._restored
        if taken_up or _chunks_of(self._store.checkpoint(self._job_id), search, threshold):
            return False
        chunks = _chunks_of(self._store.checkpoint(job_id), search, threshold)
        for chunk in [_heading(search, threshold), *chunks] if chunks else ():
            self._store.append_checkpoint(self._job_id, chunk)
        return bool(chunks)

    def drop(self, is_open: Callable[[int], bool]) -> None:
        """Forgets the stored checkpoint when none of its questions is open any more."""
        if not any(map(is_open, self._stored)):
            self._store.drop_checkpoint(self._job_id)
            self._stored.clear()
            self._last = None


def _heading(search: Search, threshold: int, *, continues: bool = False) -> bytes:
    heading = {"at_least": threshold, "algorithm": search.algorithm} | ({"continues": True} if continues else {})
    return json.dumps(heading, sort_keys=True).encode()


def _searched_seconds(chunk: bytes) -> float:
    """How long a search had run when it gave out a chunk; that of a proof manager does not say, and takes no time."""
    if not chunk.startswith(b"pbck"):
        return float("inf")
    (length,) = struct.unpack_from("<I", chunk, 5)
    (seconds,) = struct.unpack_from("<d", chunk, 9 + length)
    return float(seconds)


def _chunks_of(
    stored: Iterable[bytes], search: Search, threshold: int, stop_if_asked: Callable[[], None] = lambda: None
) -> list[bytes]:
    """The chunks of a search among those of all searches."""
    begins, continues = _heading(search, threshold), _heading(search, threshold, continues=True)
    chunks, here = list[bytes](), False
    for chunk in stored:
        stop_if_asked()
        if chunk.startswith(_HEADING):
            here = chunk in (begins, continues)
            if chunk == begins:
                chunks.clear()
        elif here:
            chunks.append(chunk)
    return chunks
