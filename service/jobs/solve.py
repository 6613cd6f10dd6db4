"""A solve: questions, one after the other, until the value (or the asked bound) is known or the budget is used up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.rules.deadline import call_in_time
from proofbase.service.answers import Value
from proofbase.service.errors import ServiceFailedError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.json_values import from_json
from proofbase.service.jobs.open_questions.estimates import QuestionEstimates
from proofbase.service.jobs.search_checkpoint import Checkpoint, SearchCheckpoint
from proofbase.service.jobs.solution_writer import SolutionWriter
from proofbase.service.jobs.solve_report import BUDGET_REASONS, Question, SolveProgress, SolveResult, SolveSpec, Spent
from proofbase.service.jobs.thresholds import Attempt, ThresholdSchedule
from proofbase.service.limits import LINE_MOVES, QUESTIONS
from proofbase.service.positions import find_position, texts_of_line
from proofbase.service.positions.probe import best_move, probe_positions, probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.resources.algorithm_choice import AlgorithmChoice
from proofbase.service.resources.games import PATIENCE
from proofbase.service.resources.native import new_search
from proofbase.service.resources.search_table import SearchTable

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["Question", "SolveProgress", "SolveResult", "SolveSpec", "SolveWork"]

GRACE_SECONDS = 1.0
"""How long after the end of its time a user's game may still be in one call."""
CHECKPOINT_SECONDS = 3.0
"""A search runs in slices of this length; after each one what it expanded is stored. `kill -9` loses one slice. A pause
stores what one slice has expanded: some 2 MB, which takes 10 to 20 ms."""


class SolveWork:
    """The work of one solve.

    The records of a question are stored as soon as the question is answered. Until then its search is checkpointed, so
    that a later process can go on with it.

    Args:
        resources: the store and what belongs to it.
        control: of the job.
        spec: what is asked.
        checkpoint: keeps the search of a question; None for that of the job.
        table: what the searches of earlier solves of the game have left.
    """

    def __init__(
        self,
        resources: Resources,
        control: JobControl,
        spec: SolveSpec,
        checkpoint: Checkpoint | None = None,
        table: SearchTable | None = None,
    ) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        private = control.private
        spent = private.get("spent", {})  # by a newer release it may have more
        self._spent = Spent(**{field.name: spent[field.name] for field in fields(Spent) if field.name in spent})
        self._questions = [from_json(Question, entry) for entry in private.get("questions", ())]
        self._schedule = ThresholdSchedule.restored(spec.thresholds, spec.at_least, private.get("questioning"))
        self._checkpoint = checkpoint or SearchCheckpoint(resources.store, control.job.id)
        self._table = table or SearchTable()
        self._search: Search | None = None
        self._begun = False
        """Whether a search of this run has been made: before, the progress is the one that is stored."""
        self._restoring: Search | None = None
        """A search that is being brought to its checkpoint: of its own progress only the nodes mean something."""
        self._writer: SolutionWriter | None = None
        """What stores the solution of the search, while it does."""
        self._ended_by_budget = False
        self._started = time.monotonic()
        self._report = SolveProgress()
        self._game = resources.games.open(spec.game)
        self._position = find_position(self._game, spec.position)
        self._estimates = QuestionEstimates(resources.store, self._game, self._position, control.job.id)
        self._memory = spec.budget.memory_bytes or resources.limits.job_memory_bytes
        self._choice = AlgorithmChoice(self._game, spec.algorithm, private)
        self._chosen = self._choice.for_question(1 if spec.at_least is None else spec.at_least)

    def run(self) -> SolveResult:
        """Asks question after question."""
        self._started = time.monotonic()
        limit = self._spec.budget.seconds
        self._resources.games.refuse_broken(self._spec.game, PATIENCE if limit is None else min(limit, PATIENCE))
        reason: str | None = None
        while True:
            value = self._known_value()
            self._report = replace(self._report, value=value)
            attempt = self._schedule.next(value)
            if attempt is None:
                break
            self._stop_if_asked()
            reason = self._budget_used()
            if reason is not None:
                self._keep_private()
                self._ended_by_budget = True
                break
            reason = self._make_attempt(attempt)
            if reason is not None:
                break
        self._search = None
        return self._result(reason)

    def progress(self) -> SolveProgress:
        """Totals over all questions, with the state of the search that runs now."""
        report, search, spent = self._report, self._search, self._spent
        nodes, seconds = spent.nodes, self._seconds()
        before, restoring, writer = self._control.job.progress, self._restoring, self._writer
        if isinstance(before, SolveProgress) and not self._begun:
            shown = replace(before, seconds=seconds, value=report.value, phase=None, phase_done=0, phase_total=0)
            if restoring is None:
                return shown
            total: int = self._control.private.get("checkpoint_nodes", max(0, shown.nodes - nodes))
            done = min(total, restoring.progress().nodes)
            return replace(shown, phase="replaying", phase_done=done, phase_total=total)
        if search is None:
            return replace(report, nodes=nodes, seconds=seconds, settled=spent.settled, phase=None)
        now = search.progress()
        return replace(
            report,
            settled=spent.settled,
            nodes=nodes + now.nodes - spent.inherited,
            seconds=seconds,
            nodes_per_second=float(now.nodes_per_second),
            proof=_proof_number(now.proof),
            disproof=_proof_number(now.disproof),
            memory_bytes=now.memory,
            best_line=tuple(texts_of_line(self._game, self._position, now.best_line[:LINE_MOVES])),
            best_line_moves=now.best_line_moves,
            phase="searching" if writer is None else "storing",
            phase_done=now.replies_proved if writer is None else writer.done,
            phase_total=now.replies if writer is None else writer.total,
        )

    def _make_attempt(self, attempt: Attempt) -> str | None:
        """One question. Returns why the job has to end with it open, None when another question can be asked."""
        threshold = attempt.threshold
        self._chosen = self._choice.for_question(threshold)
        search = self._new_search(threshold)
        self._spent.algorithm = search.algorithm
        self._report = replace(
            self._report, at_least=threshold, algorithm=search.algorithm, algorithm_reason=self._chosen.reason
        )
        if not self._restore(search, threshold):
            self._table.keep(search)
            search = self._new_search(threshold)
        self._search = search
        try:
            reason = self._run_slices(search, attempt)
            if reason is None:
                self._store_proof(search, threshold)
                return None
        finally:
            self._control.on_stop(None)
        another = self._asks_another(reason, threshold)
        if another:
            self._add_to_spent(search, threshold, "unknown", listed=reason != "first nodes")
            if reason == "memory":
                self._table.drop()
            self._control.patiently(self._checkpoint.drop)
            self._save_progress()
            return None
        if reason in BUDGET_REASONS:
            # What a larger budget goes on with; it is stored before the nodes of the search are added to the others.
            self._save(search, threshold)
            self._ended_by_budget = True
        self._add_to_spent(search, threshold, "unknown")
        return reason

    def _new_search(self, threshold: int) -> Search:
        known = self._resources.cache.records(self._game.name, self._stop_if_asked)
        search = new_search(self._game, self._position, threshold, algorithm=self._chosen.name, known=known)
        self._table.lend(search)
        self._control.on_stop(search.cancel)
        return search

    def _asks_another(self, reason: str, threshold: int) -> bool:
        """Whether there is another question to ask, or another search to make, when a question is left open."""
        if reason == "first nodes":
            self._choice.nodes_used_up(threshold)
            return True
        if reason == "attempt":
            self._schedule.out_of_nodes()
            return True
        if reason == "exhausted":
            return self._choice.exhausted(threshold)
        if reason != "memory":
            return False
        if self._choice.memory_used_up():
            return True
        before = self._schedule.state()
        if self._schedule.out_of_memory(self._known_value()):
            return True
        # The job ends. With more memory it goes on with this question.
        self._schedule = ThresholdSchedule.restored(self._spec.thresholds, self._spec.at_least, before)
        return False

    def _in_time(self, run: Callable[[], Any], seconds: float | None) -> Any:
        """Runs a search for some seconds. The rules of a user's game may hang, which no search can notice."""
        if seconds is None or not self._resources.games.is_users_own(self._game.name):
            return run()
        return call_in_time(run, seconds + GRACE_SECONDS, self._game.name)

    def _run_slices(self, search: Search, attempt: Attempt) -> str | None:
        """Runs a search to its end.

        Returns why it ended without an answer: `attempt` for the attempt's own limit, `first nodes` for that of the
        first algorithm that is tried.
        """
        budget = self._spec.budget
        inherited = self._spent.inherited
        left = None if budget.nodes is None else max(1, budget.nodes - self._spent.nodes) + inherited
        own = None if attempt.nodes is None else attempt.nodes + inherited
        limits = {"nodes": left, "attempt": own, "first nodes": self._chosen.nodes}
        reason_of_nodes, nodes = min(
            ((reason, limit) for reason, limit in limits.items() if limit is not None),
            key=lambda entry: entry[1],
            default=("nodes", None),
        )
        while True:
            left_seconds = None if budget.seconds is None else budget.seconds - self._seconds()
            if left_seconds is not None and left_seconds <= 0 and self._control.reason is None:
                return "seconds"
            seconds = CHECKPOINT_SECONDS if left_seconds is None else min(max(left_seconds, 1e-6), CHECKPOINT_SECONDS)
            run = partial(search.run, nodes=nodes, seconds=seconds, memory=self._memory)
            outcome = self._in_time(run, left_seconds)
            if outcome.status != "unknown":
                return None
            if self._control.reason is not None:
                self._stop(search, attempt.threshold)
            if outcome.reason != "seconds":
                return reason_of_nodes if outcome.reason == "nodes" else str(outcome.reason)
            self._save(search, attempt.threshold)

    def _stop(self, search: Search, threshold: int) -> NoReturn:
        """Ends the work as asked, with the search of a question under way."""
        if self._control.reason == "cancel":
            self._add_to_spent(search, threshold, "unknown")
            raise Stopped(self._result("cancelled"))
        self._save(search, threshold)
        raise Stopped

    def _save(self, search: Search, threshold: int) -> None:
        """Appends to the checkpoint what was expanded since the last time, if the job is still this process's."""
        self._control.private["checkpoint_nodes"] = search.progress().nodes
        if self._save_progress():
            self._control.patiently(lambda: self._checkpoint.append(search, threshold))
            report = search.progress()
            self._control.patiently(lambda: self._estimates.save(threshold, search.algorithm, report))

    def _save_progress(self) -> bool:
        """Stores how far the job is; False if another server has taken the job over."""
        self._keep_private()
        return self._control.save(self.progress())

    def _keep_private(self) -> None:
        private = self._control.private
        private["spent"] = asdict(replace(self._spent, seconds=self._seconds()))
        private["questions"] = [asdict(question) for question in self._questions[-QUESTIONS:]]
        private["questioning"] = self._schedule.state()

    def _restore(self, search: Search, threshold: int) -> bool:
        """Brings a search to the stored checkpoint, if there is one; False if the search has to be made anew."""
        self._restoring = search
        try:
            took_over = self._take_over(search, threshold)
            restored = self._checkpoint.restore(search, threshold, self._stop_if_asked)
        except SearchCancelledError:
            self._control.on_stop(None)
            self._stop_if_asked()
            raise
        finally:
            self._restoring = None
        nodes = search.progress().nodes if restored else 0
        self._spent.inherited = nodes if took_over else min(self._spent.inherited, nodes)
        self._stop_if_asked()
        self._begun = True
        return restored

    def _take_over(self, search: Search, threshold: int) -> bool:
        """Gets the checkpoint of an earlier job that was given up with this question open, if there is one."""

        def take_over() -> bool:
            earlier = self._estimates.earlier_job(threshold)
            return earlier is not None and self._checkpoint.take_over(search, threshold, earlier)

        return self._control.patiently(take_over)

    def _store_proof(self, search: Search, threshold: int) -> None:
        """Stores what a search proved. If the job is stopped meanwhile, all of it is stored when it goes on."""
        if not self._write_proof(search, threshold):
            self._stop(search, threshold)
        self._spent.settled += 1
        proved = search.status == "proved"
        value = self._add_to_spent(search, threshold, "proved" if proved else "disproved")
        if not (value.lower >= threshold if proved else value.upper < threshold):
            raise ServiceFailedError(
                f"the search says at_least {threshold} is {search.status}, but its records do not show it"
            )
        self._schedule.answered()
        self._control.patiently(lambda: self._estimates.drop_settled(value))
        self._control.patiently(self._checkpoint.drop)
        self._save_progress()

    def _write_proof(self, search: Search, threshold: int) -> bool:
        """Stores the solution of a search; False if the job is to stop before all of it is stored."""
        # Without the job and its budget: else there would be a new source for every job.
        source = f"solve {search.algorithm} at_least={threshold}{self._control.job.origin}"
        self._writer = writer = SolutionWriter(self._resources.cache, self._game, self._control)
        try:
            return writer.write(search, source)
        finally:
            self._writer = None
            self._spent.records += writer.changed

    def _add_to_spent(
        self,
        search: Search,
        threshold: int,
        status: Literal["proved", "disproved", "unknown"],
        *,
        listed: bool = True,
    ) -> Value:
        """Adds a search that has ended to what was spent, and its question to the list. Returns what is known now."""
        value, now = self._known_value(), search.progress()
        self._table.keep(search)
        self._report = replace(self.progress(), memory_bytes=0, best_line=(), value=value)
        self._search = None
        nodes, self._spent.inherited = now.nodes - self._spent.inherited, 0
        self._spent.nodes += nodes
        if listed:
            self._spent.questions += 1
            self._questions.append(Question(threshold, status, value, nodes, now.seconds))
        return value

    def _known_value(self) -> Value:
        tables = self._resources.tables.of(self._game)
        return probe_positions(self._game, [self._position], self._resources.undamaged, tables)[0].value

    def _seconds(self) -> float:
        """Seconds of work; waiting for the store is none."""
        return self._spent.seconds + time.monotonic() - self._started - self._control.waited

    def _budget_used(self) -> str | None:
        return self._spec.budget.used_up(self._spent.nodes, self._seconds())

    def _stop_if_asked(self) -> None:
        reason = self._control.reason
        if reason is not None:
            self._keep_private()
            raise Stopped(self._result("cancelled") if reason == "cancel" else None)

    def _result(self, reason: str | None) -> SolveResult:
        tables = self._resources.tables.of(self._game)
        probe, moves = probe_with_moves(self._game, self._position, self._resources.undamaged, tables)
        nodes, value = self._spent.nodes, probe.value
        # A job that can be resumed counts on from what was stored: its result says no more than that.
        seconds = self._control.private["spent"]["seconds"] if self._ended_by_budget else self._seconds()
        at_least = self._spec.at_least
        status: Any = "unknown"
        if at_least is not None:
            status = "proved" if value.lower >= at_least else "disproved" if value.upper < at_least else "unknown"
        elif value.exact:
            status = "exact"
        return SolveResult(
            status=status,
            value=value,
            best_move=best_move(self._game, self._position, probe, moves),
            rank=probe.rank,
            nodes=nodes,
            seconds=seconds,
            nodes_per_second=nodes / seconds if seconds > 0 else 0.0,
            records=self._spent.records,
            algorithm=self._spent.algorithm,
            unknown_reason=reason if status == "unknown" else None,
            algorithm_reason=self._chosen.reason if self._questions else None,
            questions=tuple(self._questions),
            resumable=self._ended_by_budget and status == "unknown",
            questions_in_all=self._spent.questions,
        )


def _proof_number(number: int) -> int:
    """A proof number as the wire has it: infinite is -1."""
    return -1 if number >= 2**32 - 1 else number
