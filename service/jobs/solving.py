"""A solve: questions, one after the other, until the value (or the asked bound) is known or the budget is used up."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import InvalidCheckpointError, SearchCancelledError
from proofbase.service.answers import Value
from proofbase.service.errors import ServiceFailedError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import SolveProgress, SolveResult, SolveSpec
from proofbase.service.native import new_search
from proofbase.service.positions import find_position
from proofbase.service.standing import stand_many

if TYPE_CHECKING:
    from proofbase.engine._core import Search
    from proofbase.service.application import Application

__all__ = ["SolveWork", "next_threshold"]

_log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 10.0
"""A search runs in slices of this length; after each one what it expanded is stored. `kill -9` loses one slice."""
WRITE_CHUNK = 10_000


def next_threshold(value: Value, at_least: int | None) -> int | None:
    """The threshold to ask next, None when nothing is open.

    With three values left (win, draw, loss) the best one is asked first, as its proof or refutation is the usual
    interest; wider ranges are halved.

    Args:
        value: what is known.
        at_least: the only threshold of interest; None for the exact value.
    """
    if at_least is not None:
        return at_least if value.lower < at_least <= value.upper else None
    if value.exact:
        return None
    width = value.upper - value.lower
    return value.upper if width <= 2 else value.lower + (width + 1) // 2


@dataclass
class _Spent:
    """What finished questions and earlier runs have used."""

    nodes: int = 0
    seconds: float = 0.0
    records: int = 0
    settled: int = 0
    algorithm: str = "store"


class SolveWork:
    """The work of one solve.

    A question's records are stored as soon as it is settled; meanwhile its search is checkpointed, so that any later
    process can take it up.
    """

    def __init__(self, app: Application, control: JobControl, spec: SolveSpec) -> None:
        self._app = app
        self._control = control
        self._spec = spec
        self._spent = _Spent(**control.private.get("spent", {}))
        self._search: Search | None = None
        self._resumed = False
        """Whether the stored checkpoint belongs to the search under way."""
        self._restoring = False
        self._started = time.monotonic()
        self._report = SolveProgress()
        self._game = app.games.open(spec.game)
        self._position = find_position(self._game, spec.position)

    def run(self) -> SolveResult:
        """Asks question after question."""
        self._started = time.monotonic()
        reason: str | None = None
        while True:
            value = self._known_value()
            self._report = replace(self._report, value=value)
            threshold = next_threshold(value, self._spec.at_least)
            if threshold is None:
                break
            self._stop_if_asked()
            reason = self._budget_used() or self._ask(threshold)
            if reason is not None:
                break
        self._search = None
        return self._result(reason)

    def progress(self) -> SolveProgress:
        """Totals over all questions, with the state of the search under way."""
        report, search, spent = self._report, self._search, self._spent
        nodes, seconds = spent.nodes, self._seconds()
        before = self._control.job.progress
        if self._restoring and isinstance(before, SolveProgress):
            return replace(before, seconds=seconds, value=report.value)
        if search is None:
            return replace(report, nodes=nodes, seconds=seconds, settled=spent.settled)
        now = search.progress()
        return replace(
            report,
            settled=spent.settled,
            nodes=nodes + now.nodes,
            seconds=seconds,
            nodes_per_second=float(now.nodes_per_second),
            proof=_number(now.proof),
            disproof=_number(now.disproof),
            memory_bytes=now.memory,
            best_line=tuple(self._line(now.best_line)),
        )

    def _ask(self, threshold: int) -> str | None:
        """One question. Returns why it stays open, None when it is settled."""
        known = self._app.cache.table(self._game.name)
        search = new_search(self._game, self._position, threshold, algorithm=self._spec.algorithm, known=known)
        self._spent.algorithm = search.algorithm
        self._report = replace(self._report, at_least=threshold)
        self._control.on_stop(search.cancel)
        if not self._restore(search, threshold):
            search = new_search(self._game, self._position, threshold, algorithm=self._spec.algorithm, known=known)
            self._control.on_stop(search.cancel)
        self._search = search
        try:
            reason = self._run_slices(search, threshold)
        finally:
            self._control.on_stop(None)
        if reason is None:
            self._settle(search, threshold)
        elif self._control.reason is None:
            self._count(search)
        return reason

    def _run_slices(self, search: Search, threshold: int) -> str | None:
        budget = self._spec.budget
        memory = budget.memory_bytes or self._app.limits.job_memory_bytes
        nodes = None if budget.nodes is None else max(1, budget.nodes - self._spent.nodes)
        while True:
            left = None if budget.seconds is None else budget.seconds - self._seconds()
            if left is not None and left <= 0:
                return "seconds"
            seconds = CHECKPOINT_SECONDS if left is None else min(left, CHECKPOINT_SECONDS)
            outcome = search.run(nodes=nodes, seconds=seconds, memory=memory)
            if outcome.status != "unknown":
                return None
            if self._control.reason is not None:
                if self._control.reason == "cancel":
                    self._count(search)
                    raise Stopped(self._result("cancelled"))
                self._save(search, threshold)
                raise Stopped
            if outcome.reason != "seconds":
                return str(outcome.reason)
            self._save(search, threshold)

    def _save(self, search: Search, threshold: int) -> None:
        """Appends to the checkpoint what was expanded since the last time."""
        store, job_id = self._app.store, self._control.job.id
        if not self._resumed:
            store.drop_checkpoint(job_id)
            store.append_checkpoint(job_id, self._heading(search, threshold))
            self._resumed = True
        chunk = search.checkpoint()
        if chunk:
            store.append_checkpoint(job_id, chunk)
        self._control.private["spent"] = vars(replace(self._spent, seconds=self._seconds()))
        self._control.save(self.progress())

    def _restore(self, search: Search, threshold: int) -> bool:
        """Takes the stored checkpoint up, if there is one; False if the search is spoilt and has to be made anew."""
        self._resumed = False
        store, job_id = self._app.store, self._control.job.id
        chunks = list(store.checkpoint(job_id))
        if not chunks:
            return True
        if chunks.pop(0) != self._heading(search, threshold):  # of a question settled just before the process ended
            store.drop_checkpoint(job_id)
            return True
        self._restoring = True
        try:
            search.restore(chunks)
        except SearchCancelledError:
            self._control.on_stop(None)
            self._stop_if_asked()
            raise
        except InvalidCheckpointError as error:
            # Damaged, or (delete-solved) the records known by now make another search of it: only work is lost.
            _log.warning("job %s starts its question again: %s", job_id, error)
            store.drop_checkpoint(job_id)
            return False
        finally:
            self._restoring = False
        self._resumed = True
        return True

    def _heading(self, search: Search, threshold: int) -> bytes:
        return json.dumps({"at_least": threshold, "algorithm": search.algorithm}, sort_keys=True).encode()

    def _settle(self, search: Search, threshold: int) -> None:
        """Stores what a search proved."""
        limits = "+".join(f"{name}={number}" for name, number in vars_of(self._spec.budget) if number is not None)
        source = f"solve {self._control.job.id} {search.algorithm} at_least={threshold} {limits}".strip()
        result = self._app.cache.put(
            self._game.name,
            _items(search),
            source=source,
            rules_version=self._game.rules_version,
        )
        self._spent.records += result.added + result.improved
        self._spent.settled += 1
        self._count(search)
        value = self._known_value()
        proved = search.status == "proved"
        if not (value.lower >= threshold if proved else value.upper < threshold):
            raise ServiceFailedError(
                f"the search says at_least {threshold} is {search.status}, but its records do not show it"
            )
        self._app.store.drop_checkpoint(self._control.job.id)
        self._control.private["spent"] = vars(replace(self._spent, seconds=self._seconds()))
        self._control.save(self.progress())

    def _count(self, search: Search) -> None:
        self._report = replace(self.progress(), memory_bytes=0, best_line=())
        self._search = None
        self._spent.nodes += search.progress().nodes

    def _known_value(self) -> Value:
        return stand_many(self._game, [self._position], self._app.store)[0].value

    def _seconds(self) -> float:
        return self._spent.seconds + time.monotonic() - self._started

    def _budget_used(self) -> str | None:
        budget = self._spec.budget
        if budget.nodes is not None and self._spent.nodes >= budget.nodes:
            return "nodes"
        if budget.seconds is not None and self._seconds() >= budget.seconds:
            return "seconds"
        return None

    def _stop_if_asked(self) -> None:
        reason = self._control.reason
        if reason is not None:
            self._control.private["spent"] = vars(replace(self._spent, seconds=self._seconds()))
            raise Stopped(self._result("cancelled") if reason == "cancel" else None)

    def _result(self, reason: str | None) -> SolveResult:
        from proofbase.service.commands.lookup import answer_position

        answer = answer_position(self._app, self._game, self._position)
        seconds, nodes, value = self._seconds(), self._spent.nodes, answer.value
        at_least = self._spec.at_least
        status: Any = "unknown"
        if at_least is not None:
            status = "proved" if value.lower >= at_least else "disproved" if value.upper < at_least else "unknown"
        elif value.exact:
            status = "exact"
        return SolveResult(
            status=status,
            value=value,
            best_move=answer.witness,
            rank=answer.rank,
            nodes=nodes,
            seconds=seconds,
            nodes_per_second=nodes / seconds if seconds > 0 else 0.0,
            records=self._spent.records,
            algorithm=self._spent.algorithm,
            unknown_reason=reason if status == "unknown" else None,
        )

    def _line(self, moves: list[int]) -> Iterator[str]:
        position = self._position
        for move in moves:
            if self._game.terminal(position) is not None or move not in self._game.moves(position):
                return
            yield self._game.move_text(position, move)
            position = self._game.play(position, move)


def vars_of(budget: Any) -> list[tuple[str, Any]]:
    """The fields of a budget with their numbers."""
    return [(name, getattr(budget, name)) for name in ("nodes", "seconds", "memory_bytes")]


def _items(search: Search) -> Iterator[tuple[bytes, bytes]]:
    """What a claim rests on comes before it: a reader, or a `kill -9`, between two writes finds a closed set."""
    for chunk in search.solution().chunks(WRITE_CHUNK, well_founded=True):
        yield from chunk


def _number(number: int) -> int:
    """Proof numbers as the wire has them: infinite is -1."""
    return -1 if number >= 2**32 - 1 else number
