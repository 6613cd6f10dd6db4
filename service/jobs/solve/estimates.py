"""The estimates that searches leave in the store, and the earlier searches that they lead to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Value
from proofbase.service.jobs.model import UNFINISHED
from proofbase.storage import Capability, Estimate, SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import Progress

__all__ = ["INFINITE_OF_SEARCH", "LONG_SEARCH_NODES", "QuestionEstimates"]

LONG_SEARCH_NODES = 10_000
"""A search of fewer nodes leaves no estimate: it is made again in no time."""
INFINITE_OF_SEARCH = 2**32 - 1
"""What a proof number of a search is where nothing is left to prove, or no proof is possible."""


class QuestionEstimates:
    """The estimates of one position.

    Args:
        store: keeps them.
        game: the game.
        position: its position.
        job_id: whose estimates are saved.
    """

    def __init__(self, store: SolutionStore, game: Game[Any], position: Any, job_id: str) -> None:
        self._store = store
        self._game = game
        self._text = game.text(position)
        self._key = game.key(position)
        self._job_id = job_id
        self._kept = Capability.ESTIMATES in store.capabilities and game.terminal(position) is None

    def save(self, threshold: int, algorithm: str, progress: Progress) -> None:
        """Stores what a search believes of its question, if the search has taken long enough.

        Numbers that are settled on the search's own path only are none of an open question, and are left out.
        """
        numbers = (progress.proof, progress.disproof)
        if (
            self._kept
            and progress.nodes >= LONG_SEARCH_NODES
            and all(0 < number < INFINITE_OF_SEARCH for number in numbers)
        ):
            estimate = Estimate(self._key, threshold, *numbers, progress.nodes, time.time(), algorithm, self._job_id)
            self._store.estimates().put_many(self._game.name, [estimate], rules_version=self._game.rules_version)

    def drop_settled(self, value: Value) -> None:
        """Forgets the estimates of questions that are settled by what is known of the value."""
        if not self._kept:
            return
        stored = self._store.estimates().of_position(self._game.name, self._key)
        settled = [entry.question for entry in stored if not value.lower < entry.bound <= value.upper]
        if settled:
            self._store.estimates().drop(self._game.name, settled)

    def earlier_job(self, threshold: int) -> str | None:
        """The job whose checkpoint may hold an earlier search of this question; None where there is none at rest."""
        if not self._kept:
            return None
        [found] = self._store.estimates().get_many(self._game.name, [(self._key, threshold)])
        if found is None or found.job in ("", self._job_id):
            return None
        job = self._store.get_job(found.job)
        if job is None or job.kind != "solve" or job.state in UNFINISHED:
            return None
        asked = job.spec.get("game"), job.spec.get("position")
        # The moves of a checkpoint are those of this very position, not of one that is symmetric to it.
        return found.job if asked == (self._game.name, self._text) else None
