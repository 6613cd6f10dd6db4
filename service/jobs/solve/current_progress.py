"""How far a solve is at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from proofbase.service.answers import Value
from proofbase.service.jobs.solve.account import SolveAccount
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.estimates import INFINITE_OF_SEARCH
from proofbase.service.jobs.solve.model import SolveProgress
from proofbase.service.jobs.solve.searches import Searches
from proofbase.service.limits import LINE_MOVES
from proofbase.service.positions import texts_of_line

__all__ = ["CurrentProgress"]


class CurrentProgress:
    """Totals over all questions of a solve, with the state of the search that runs now. Read from any thread.

    Args:
        context: the solve.
        account: what the questions that have ended used.
        searches: makes the searches.

    Attributes:
        search: that runs now; None between two searches.
    """

    def __init__(self, context: SolveContext, account: SolveAccount, searches: Searches) -> None:
        self._context = context
        self._account = account
        self._searches = searches
        self._last: dict[str, Any] = {}
        """Fields of the progress, by name: others have their defaults. It is replaced, never changed."""
        self._begun = False
        """Whether a search of this run has been made: before, the progress is the one that is stored."""
        self._restoring: Any = None
        """A search that is being brought to its checkpoint: of its own progress only the nodes mean something."""
        self.search: Any = None

    def value(self, value: Value) -> None:
        """This is known of the value now."""
        self._last = {**self._last, "value": value}

    def question(self, threshold: int, algorithm: str, reason: str | None) -> None:
        """This question is asked now."""
        self._last = {**self._last, "at_least": threshold, "algorithm": algorithm, "algorithm_reason": reason}

    @contextmanager
    def restoring(self, search: Any) -> Iterator[None]:
        """While a search is brought to its checkpoint."""
        self._restoring = search
        try:
            yield
        finally:
            self._restoring = None

    def begin(self) -> None:
        """A search begins: its numbers are shown from now on, and not those of an earlier run of the job."""
        self._begun = True

    def end(self, value: Value) -> None:
        """The search has ended, and this is known of the value now. Its last numbers are kept."""
        self._last = {**self._fields(with_line=False), "memory_bytes": 0, "best_line_moves": 0, "value": value}
        self.search = None

    def now(self) -> SolveProgress:
        """The progress of the solve."""
        return SolveProgress(**self._fields())

    def _fields(self, *, with_line: bool = True) -> dict[str, Any]:
        """The fields of the progress; `best_line` is empty where it is not asked for."""
        search = self.search
        members = self._own_fields(search, with_line=with_line)
        self._searches.add_progress(members, search)
        return members

    def _own_fields(self, search: Any, *, with_line: bool) -> dict[str, Any]:
        last, spent, restoring = self._last, self._account.spent, self._restoring
        nodes, seconds = spent.nodes, self._account.seconds()
        before = self._context.control.job.progress
        if search is None or not self._begun or restoring is not None:
            if not self._begun and isinstance(before, SolveProgress):
                members = {field.name: getattr(before, field.name) for field in fields(before)}
                members |= {"value": last.get("value"), "phase_done": 0, "phase_total": 0}
            else:
                counts = {"nodes": nodes, "settled": spent.settled, "peak_nodes": spent.peak_nodes}
                members = {**last, **counts}
            members |= {"seconds": seconds, "phase": None}
            done = 0 if restoring is None else restoring.progress().nodes
            if done > 1:
                total = self._account.checkpoint_nodes(last["at_least"])
                members |= {"phase": "replaying", "phase_done": min(done, total or done), "phase_total": total}
            return members
        now = search.progress()
        moves = now.best_line[:LINE_MOVES] if with_line else ()
        return {
            **last,
            "settled": spent.settled,
            "nodes": nodes + now.nodes - spent.inherited,
            "seconds": seconds,
            "nodes_per_second": float(now.nodes_per_second),
            "proof": _proof_number(now.proof),
            "disproof": _proof_number(now.disproof),
            "memory_bytes": now.memory,
            "peak_nodes": spent.peak_with(now.peak_nodes),
            "best_line": tuple(texts_of_line(self._context.game, self._context.position, moves)),
            "best_line_moves": now.best_line_moves,
            "phase": "searching",
            "phase_done": now.replies_proved,
            "phase_total": now.replies,
        }


def _proof_number(number: int) -> int:
    """A proof number as the wire has it: infinite is -1."""
    return -1 if number >= INFINITE_OF_SEARCH else number
