"""A solve: questions, one after the other, until the value (or the asked bound) is known or the budget is used up."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from proofbase.engine.errors import InvalidCheckpointError, SearchCancelledError
from proofbase.service.answers import Value
from proofbase.service.errors import ServiceFailedError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import Question, SolveProgress, SolveResult, SolveSpec, stored_question
from proofbase.service.jobs.thresholds import Ask, Questioning
from proofbase.service.native import choose_algorithm, new_search
from proofbase.service.positions import find_position
from proofbase.service.standing import stand_many

if TYPE_CHECKING:
    from proofbase.engine._core import Search
    from proofbase.service.application import Application

__all__ = ["SolveWork"]

_log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 10.0
"""A search runs in slices of this length; after each one what it expanded is stored. `kill -9` loses one slice."""
WRITE_CHUNK = 10_000


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
        private = control.private
        self._spent = _Spent(**private.get("spent", {}))
        self._questions = [stored_question(entry) for entry in private.get("questions", ())]
        self._questioning = Questioning.restored(spec.thresholds, spec.at_least, private.get("questioning"))
        self._search: Search | None = None
        self._resumed = False
        """Whether the stored checkpoint belongs to the search under way."""
        self._restoring = False
        self._started = time.monotonic()
        self._report = SolveProgress()
        self._game = app.games.open(spec.game)
        self._position = find_position(self._game, spec.position)
        self._memory = spec.budget.memory_bytes or app.limits.job_memory_bytes
        self._algorithm: str = spec.algorithm
        self._reason: str | None = None
        self._choose(memory_used_up=False)
        if private.get("memory_used_up"):
            self._choose(memory_used_up=True)

    def run(self) -> SolveResult:
        """Asks question after question."""
        self._started = time.monotonic()
        reason: str | None = None
        while True:
            value = self._known_value()
            self._report = replace(self._report, value=value)
            ask = self._questioning.next(value)
            if ask is None:
                break
            self._stop_if_asked()
            reason = self._budget_used() or self._ask(ask)
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

    def _ask(self, ask: Ask) -> str | None:
        """One question. Returns why the job has to end with it open, None when another question can be asked."""
        search = self._new_search(ask.threshold)
        self._spent.algorithm = search.algorithm
        self._report = replace(
            self._report, at_least=ask.threshold, algorithm=search.algorithm, algorithm_reason=self._reason
        )
        if not self._restore(search, ask.threshold):
            search = self._new_search(ask.threshold)
        self._search = search
        try:
            reason = self._run_slices(search, ask)
        finally:
            self._control.on_stop(None)
        if reason is None:
            self._settle(search, ask.threshold)
        elif self._control.reason is None:
            self._count(search, ask.threshold, "unknown")
            return self._leave_open(reason)
        return reason

    def _new_search(self, threshold: int) -> Search:
        known = self._app.cache.table(self._game.name)
        search = new_search(self._game, self._position, threshold, algorithm=self._algorithm, known=known)
        self._control.on_stop(search.cancel)
        return search

    def _choose(self, *, memory_used_up: bool) -> bool:
        """Replaces `auto`, or what it stood for. False where there is nothing to choose."""
        if self._spec.algorithm != "auto":
            return False
        choice = choose_algorithm(self._game, memory_used_up=memory_used_up)
        if choice is None:
            return False
        self._algorithm, self._reason = choice
        return True

    def _leave_open(self, reason: str) -> str | None:
        """A question is left open. Returns why the job has to end, None when there is another one to ask."""
        private = self._control.private
        if reason == "attempt":
            self._questioning.withstands()
        elif reason == "memory" and not private.get("memory_used_up") and self._choose(memory_used_up=True):
            private["memory_used_up"] = True
        elif reason != "memory" or not self._questioning.is_full(self._known_value()):
            return reason
        self._app.store.drop_checkpoint(self._control.job.id)
        self._remember()
        return None

    def _run_slices(self, search: Search, ask: Ask) -> str | None:
        """Runs a search to its end. Returns why it ended without an answer: `attempt` for the question's own limit."""
        budget = self._spec.budget
        left = None if budget.nodes is None else max(1, budget.nodes - self._spent.nodes)
        attempt = ask.nodes is not None and (left is None or ask.nodes < left)
        nodes = ask.nodes if attempt else left
        while True:
            left_seconds = None if budget.seconds is None else budget.seconds - self._seconds()
            if left_seconds is not None and left_seconds <= 0:
                return "seconds"
            seconds = CHECKPOINT_SECONDS if left_seconds is None else min(left_seconds, CHECKPOINT_SECONDS)
            outcome = search.run(nodes=nodes, seconds=seconds, memory=self._memory)
            if outcome.status != "unknown":
                return None
            if self._control.reason is not None:
                if self._control.reason == "cancel":
                    self._count(search, ask.threshold, "unknown")
                    raise Stopped(self._result("cancelled"))
                self._save(search, ask.threshold)
                raise Stopped
            if outcome.reason != "seconds":
                return "attempt" if attempt and outcome.reason == "nodes" else str(outcome.reason)
            self._save(search, ask.threshold)

    def _save(self, search: Search, threshold: int) -> None:
        """Appends to the checkpoint what was expanded since the last time, if the job is still this process's."""
        if not self._remember():
            return
        store, job_id = self._app.store, self._control.job.id
        if not self._resumed:
            store.drop_checkpoint(job_id)
            store.append_checkpoint(job_id, self._heading(search, threshold))
            self._resumed = True
        chunk = search.checkpoint()
        if chunk:
            store.append_checkpoint(job_id, chunk)

    def _remember(self) -> bool:
        """Stores where the job stands, for whoever takes it up; False if another server has done so."""
        self._keep_private()
        return self._control.save(self.progress())

    def _keep_private(self) -> None:
        private = self._control.private
        private["spent"] = vars(replace(self._spent, seconds=self._seconds()))
        private["questions"] = [asdict(question) for question in self._questions]
        private["questioning"] = self._questioning.state()

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
        self._stop_if_asked()  # restore() forgets a cancel() that came before it
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
        proved = search.status == "proved"
        value = self._count(search, threshold, "proved" if proved else "disproved")
        if not (value.lower >= threshold if proved else value.upper < threshold):
            raise ServiceFailedError(
                f"the search says at_least {threshold} is {search.status}, but its records do not show it"
            )
        self._questioning.settled()
        self._app.store.drop_checkpoint(self._control.job.id)
        self._remember()

    def _count(self, search: Search, threshold: int, status: Literal["proved", "disproved", "unknown"]) -> Value:
        """Adds a search that has ended to what was spent, and its question to the list. Returns what is known now."""
        value, now = self._known_value(), search.progress()
        self._report = replace(self.progress(), memory_bytes=0, best_line=(), value=value)
        self._search = None
        self._spent.nodes += now.nodes
        self._questions.append(Question(threshold, status, value, now.nodes, now.seconds))
        return value

    def _known_value(self) -> Value:
        return stand_many(self._game, [self._position], self._app.store, self._app.tables.of(self._game))[0].value

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
            self._keep_private()
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
            algorithm_reason=self._reason if self._questions else None,
            questions=tuple(self._questions),
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
