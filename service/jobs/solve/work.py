"""A solve: questions, in turn, until the value (or the asked bound) is known or the budget is used up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, NoReturn

from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.rules.deadline import call_in_time
from proofbase.service.answers import Value
from proofbase.service.errors import ServiceFailedError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.question_run import QuestionRun, RunEnd
from proofbase.service.jobs.solve.account import SolveAccount
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.current_progress import CurrentProgress
from proofbase.service.jobs.solve.estimates import QuestionEstimates
from proofbase.service.jobs.solve.model import SolveProgress, SolveResult, SolveSpec
from proofbase.service.jobs.solve.pairings import store_pairings
from proofbase.service.jobs.solve.search_checkpoint import NoCheckpoint, SearchCheckpoint
from proofbase.service.jobs.solve.searches import NativeSearches, Searches
from proofbase.service.jobs.solve.solution_writer import WriteEnd
from proofbase.service.jobs.solve.thresholds import Attempt
from proofbase.service.jobs.solve.value_search import search_for_value
from proofbase.service.positions.probe import best_move, probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.resources.games import PATIENCE
from proofbase.service.resources.search_table import SearchTable

__all__ = ["SolveWork"]

GRACE_SECONDS = 1.0
"""How long after the end of its time a user's game may still be in one call."""
CHECKPOINT_SECONDS = 3.0
"""A search runs in slices of this length; after each one what it expanded is stored. `kill -9` loses one slice. A pause
stores what one slice has expanded: some 2 MB, which takes 10 to 20 ms."""
BUDGET_ENDS = (RunEnd.NODES, RunEnd.SECONDS, RunEnd.MEMORY)
"""Where a larger budget can go on with the open question."""
FRUITLESS_ENDS = (RunEnd.MEMORY, RunEnd.EXHAUSTED, RunEnd.REPETITION)
"""Where the budget goes on with another question."""

RESTORING_SHARE = 10
"""Taking up the search of another job may cost one part in so many of what that search has cost."""
LONGEST_RESTORING = 1e6
"""Seconds, where time is not limited."""
BEGUN_ANEW = "begun anew: going on from the checkpoint would have taken too long"
LEAST_RATE = 10_000
"""Nodes a second: where a search makes fewer, its turns are measured by time, or it would keep the others waiting."""
LONGEST_UNSTORED, UNSTORED_SHARE = 1.0, 4
"""Seconds of searches whose solutions are not stored yet, since another question follows: one second, or of a budget of
seconds one part in so many, since a later answer often makes the solution needless. That question is asked for so long;
then they are stored before it goes on, while there is time for it."""
SAVE_SECONDS = 0.25
"""Between two questions the progress is stored so often at most."""

MOST_FORGOTTEN = 3
"""Searches of a job whose solution rests on records that are gone: then something else is wrong."""


Phase = Callable[[], "Phase | None"]
"""A step of the work, which returns the next one."""


class Turn(NamedTuple):
    """A search that runs, and the limits of its turn.

    Attributes:
        run: of its question.
        nodes: that its search may have when the turn ends; None: its question is the only one.
        seconds: of a turn; likewise.
        most_nodes: that its search may have in all.
        memory: bytes that it may hold.
    """

    run: QuestionRun
    nodes: int | None
    seconds: float | None
    most_nodes: int | None
    memory: int


class SolveWork:
    """The work of one solve.

    It goes from phase to phase:

    | phase | what it does | next |
    |---|---|---|
    | `begin` | looks for what answers without a question, and what the value may be | `look` |
    | `look` | reads what is known, and chooses the question | `ask`, or `done` |
    | `ask` | runs its search for one slice | `keep`, `write` if it is answered, `leave` if its turn has ended |
    | `keep` | stores the checkpoint | `ask` |
    | `write` | stores the solution, now or later | `look`; `leave` if the time is over |
    | `leave` | keeps the search for another turn, or gives it up | `look`, or `done` |

    Stored is the solution of the bounds that are known at the end. A question that was answered quickly, by a search
    whose table answers it again at once, waits for that; the solution of any other question is stored as soon as it is
    answered. Until then its search is checkpointed, so that a later process can go on with it. Where questions are
    asked in turn, a search that has no table to hand on is kept from one of its turns to the next.

    Args:
        resources: the store and what belongs to it.
        control: of the job.
        spec: what is asked.
        checkpoint: keeps the search of a question; None for that of the job.
        table: what the searches of earlier solves of the game have left.
        searches: how it searches.
    """

    _stored: Value
    """What the store knew of the value, when this work looked last."""
    _turn: Turn

    def __init__(
        self,
        resources: Resources,
        control: JobControl,
        spec: SolveSpec,
        checkpoint: NoCheckpoint | None = None,
        table: SearchTable | None = None,
        searches: Callable[[SolveContext], Searches] = NativeSearches,
    ) -> None:
        self._control = control
        self._table = table or SearchTable()
        self._context = SolveContext(resources, control, spec, self._table)
        self._account = SolveAccount(control, spec)
        self._searches = searches(self._context)
        self._progress = CurrentProgress(self._context, self._account, self._searches)
        store, job = resources.store, control.job.id
        self._checkpoint: NoCheckpoint | SearchCheckpoint = checkpoint or SearchCheckpoint(store, job)
        self._estimates = QuestionEstimates(store, self._context.game, self._context.position, job)
        self._account.schedule.first_turn = self._searches.first_turn
        self._kept: dict[int, QuestionRun] = {}
        """The searches that wait for their next turn, by question."""
        self._chosen = self._searches.choice.for_question(1 if spec.at_least is None else spec.at_least)
        self._saved_at = 0.0
        """When the searches were stored last, in seconds of work."""
        self._anew = set[int]()
        """Questions whose search was not brought to its checkpoint."""
        self._unstored_since = 0.0
        """When the first of the answers that are not stored was found, in seconds of work."""
        self._late: tuple[int, bool] | None = None
        """The question, and whether it was proved, of a search whose solution was not stored in time."""
        self._seconds_before = 0.0
        """Seconds that the search which runs now took before this turn."""
        self._closed_by: RunEnd | None = None
        """How the last search ended that left its question open for good, while another one could be asked."""
        self._reason: str | None = None
        """Why the work has ended with a question open."""
        self._ended_by_budget = False
        self._forgotten = 0
        """Searches whose solution rested on records that were gone."""
        self._fault = ""
        """What was wrong with the last of them."""

    def run(self) -> SolveResult:
        """Goes from phase to phase."""
        phase: Phase | None = self._begin
        try:
            while phase is not None:
                phase = phase()
        finally:
            self._control.on_stop(None)
            self._searches.end()
        return self._result()

    # The phases

    def _begin(self) -> Phase:
        """What is known before the first question, and what it may be."""
        account, spec = self._account, self._context.spec
        account.start()
        limit = spec.budget.seconds
        self._context.resources.games.refuse_broken(spec.game, PATIENCE if limit is None else min(limit, PATIENCE))
        self._stored = self._context.known_value()
        changed = self._control.with_retries(partial(store_pairings, self._context, self._stored))
        if changed:
            account.spent.records += changed
            account.spent.algorithm = "pairing"
            self._stored = self._context.known_value()
        self._store_unstored()  # what a pause has left
        if not self._known_value().exact:
            search_for_value(self._context, account, self._searches, CHECKPOINT_SECONDS, self._stop_if_asked)
        return self._look

    def _look(self) -> Phase | None:
        """What is known now, and whose turn it is."""
        account = self._account
        self._control.on_stop(None)
        self._searches.end(self._kept)
        self._stored = self._context.known_value()  # another job may have stored something
        value = self._known_value()
        self._progress.value(value)
        attempt = account.schedule.next(value)
        if self._control.reason not in (None, "cancel"):
            self._save(*self._kept.values())
        self._stop_if_asked()
        if attempt is None and not account.unstored:
            return self._done(self._closed_by)
        used_up = RunEnd.SECONDS if attempt is None else account.budget_used()
        if attempt is not None and used_up is None:
            self._begin_turn(attempt)
            return self._ask
        self._store_unstored()
        if attempt is None and not account.unstored:
            return self._look  # the rest is stored, by this job or another one; else the time was over
        self._save(*self._kept.values())
        self._list_kept()
        return self._done(used_up)

    def _ask(self) -> Phase:
        """One slice of the search whose turn it is."""
        turn, account = self._turn, self._account
        seconds_left = account.seconds_left()
        if seconds_left is not None and seconds_left <= 0 and self._control.reason is None:
            return partial(self._leave, RunEnd.SECONDS)
        seconds = CHECKPOINT_SECONDS if seconds_left is None else min(max(seconds_left, 1e-6), CHECKPOINT_SECONDS)
        if turn.seconds is not None:
            seconds = min(seconds, turn.seconds)
        if account.unstored:
            seconds = min(seconds if seconds_left is None else seconds_left / 2, self._longest_unstored())
        with self._control.giving_way():
            end = self._in_time(partial(turn.run.run, seconds, turn.memory, turn.most_nodes, turn.nodes))
        self._control.begin_work()
        if end is RunEnd.ANSWERED:
            return self._write
        if self._control.reason is not None:
            self._stop(turn.run)
        if end is not RunEnd.SECONDS:
            return partial(self._leave, end)
        if turn.seconds is not None and turn.run.search.progress().seconds - self._seconds_before >= turn.seconds:
            return partial(self._leave, RunEnd.ATTEMPT_NODES)
        if account.unstored and turn.run.took_table:
            return partial(self._leave, RunEnd.INTERRUPTED)
        return self._keep

    def _keep(self) -> Phase:
        """Stores what the search has expanded, and what has waited for that."""
        run = self._turn.run
        if self._account.unstored:
            self._store_unstored()
            self._control.on_stop(run.search.cancel)
            self._progress.search = run.search
        self._save(*self._kept.values(), run)
        return self._ask

    def _write(self) -> Phase:
        """Stores the solution of the search, which has answered its question, or lets it wait."""
        run = self._turn.run
        search, threshold = run.search, run.threshold
        if self._can_wait(search, threshold):
            if not self._account.unstored:
                self._unstored_since = self._account.seconds()
            self._account.unstored.add(threshold, search)
            self._end_answered(search, threshold)
            self._account.schedule.expect(search.value_bounds)
            return self._look
        stored = self._store_solution(run)
        if stored is WriteEnd.LATE:
            self._late = threshold, search.status == "proved"
            return partial(self._leave, RunEnd.SECONDS)
        if stored is WriteEnd.UNSUPPORTED:
            self._forget(search, threshold)
        else:
            self._store_unstored()
        return self._look

    def _leave(self, end: RunEnd) -> Phase | None:
        """The turn has ended, with the question open."""
        run = self._turn.run
        search, threshold = run.search, run.threshold
        self._control.on_stop(None)
        if end is RunEnd.INTERRUPTED:
            self._end_search(search, threshold, "unknown", listed=False)
            self._store_unstored()
            return self._look
        if end is RunEnd.MEMORY and self._kept:  # the others begin anew when this one has come to its end
            self._kept.clear()
            self._account.schedule.alone = threshold
            end = RunEnd.ATTEMPT_NODES
        if end is RunEnd.ATTEMPT_NODES:
            self._end_turn(run)
            return self._look
        if run.another_search_follows(end):
            self._end_search(search, threshold, "unknown", listed=end is not RunEnd.TRIAL_NODES)
            if end is RunEnd.MEMORY:
                self._store_unstored()
                self._drop_searches()
            self._drop_checkpoint()
            self._save_progress(now=end is not RunEnd.TRIAL_NODES)  # these few nodes can be tried again
            return self._look
        if end in BUDGET_ENDS:
            # Stored before its nodes are added to those of the others: a larger budget goes on with it.
            self._save(*self._kept.values(), run)
        self._end_search(search, threshold, "unknown")
        if end in FRUITLESS_ENDS and self._account.schedule.close(threshold, self._known_value()) is not None:
            self._closed_by = end
            return self._look
        self._list_kept()
        self._store_unstored()
        return self._done(end)

    def _done(self, reason: str | None) -> Phase | None:
        """Nothing is left to ask, or the budget does not allow it."""
        self._reason, self._ended_by_budget = reason, reason in BUDGET_ENDS
        return None

    def _list_kept(self) -> None:
        """Lists the questions whose searches have waited for another turn."""
        for kept in self._kept.values():
            seconds = kept.search.progress().seconds
            self._account.add_question(kept.threshold, "unknown", self._known_value(), 0, seconds)

    def progress(self) -> SolveProgress:
        """Totals over all questions, with the state of the search that runs now."""
        return self._progress.now()

    def _known_value(self) -> Value:
        """What is known of the value, stored or not."""
        return self._account.unstored.narrow(self._stored)

    def _found_value(self, stored: Value) -> Value | None:
        """What is found of the value; None if it is no more than what is stored."""
        value = self._account.unstored.narrow(stored)
        if self._late is not None:
            threshold, proved = self._late
            value = value.narrowed(threshold, proved=proved)
        return None if (value.lower, value.upper) == (stored.lower, stored.upper) else value

    def _begin_turn(self, attempt: Attempt) -> None:
        """Brings the search of a question to where it goes on, with the limits of its turn."""
        account = self._account
        run = self._take_up(attempt.threshold)
        self._seconds_before = run.search.progress().seconds
        memory = self._context.memory
        if self._searches.can_be_kept(run.search):
            memory = max(1, memory - sum(kept.search.progress().memory for kept in self._kept.values()))
        nodes = seconds = None
        if attempt.nodes is not None:
            nodes = attempt.nodes + account.spent.inherited
            seconds = None if self._context.of_users_game else attempt.nodes / LEAST_RATE
        self._turn = Turn(run, nodes, seconds, account.nodes_left(), memory)

    def _take_up(self, threshold: int) -> QuestionRun:
        """The search of a question that waits for its turn, or a new one."""
        choice = self._searches.choice
        run = self._kept.pop(threshold, None)
        if run is not None and run.chosen != choice.for_question(threshold):
            run = None
        if run is None:
            run = QuestionRun(threshold, choice, partial(self._new_search, threshold), self._table)
            search = run.begin_search()
            self._show(run)
            if not self._restore(search, threshold):
                run.begin_again()
                self._anew.add(threshold)
                self._show(run)
        else:
            self._control.on_stop(run.search.cancel)
            self._account.take_up(threshold)
            self._show(run)
            self._progress.begin()
        self._progress.search = run.search
        return run

    def _show(self, run: QuestionRun) -> None:
        """Has the progress name the question and its search."""
        self._chosen = run.chosen
        if run.threshold in self._anew:
            self._chosen = run.chosen._replace(reason="; ".join(filter(None, (run.chosen.reason, BEGUN_ANEW))))
        self._account.spent.algorithm = run.search.algorithm
        self._progress.question(run.threshold, run.search.algorithm, self._chosen.reason)

    def _end_turn(self, run: QuestionRun) -> None:
        """Goes on with another question."""
        if self._account.seconds() - self._saved_at >= CHECKPOINT_SECONDS:
            self._save(*self._kept.values(), run)
        before = self._account.spent.nodes
        self._end_search(run.search, run.threshold, "unknown", listed=False)
        self._account.add_turn(run.threshold, self._account.spent.nodes - before)
        if self._searches.can_be_kept(run.search):
            self._kept[run.threshold] = run
        if self._account.unstored and self._account.seconds() - self._unstored_since > self._longest_unstored():
            self._store_unstored()
        self._save_progress(now=False)

    def _drop_searches(self) -> None:
        """Frees the memory of all searches that have run; what was searched is lost."""
        self._table.drop()
        self._kept.clear()

    def _drop_checkpoint(self) -> None:
        """Forgets the checkpoint when no question is left of which it holds a search."""
        value = self._known_value()
        self._control.with_retries(
            partial(self._checkpoint.drop, lambda one: one in self._kept and value.lower < one <= value.upper)
        )

    def _can_wait(self, search: Any, threshold: int) -> bool:
        """Whether the solution of a search that has answered its question need not be stored before the next one."""
        seconds = self._account.unstored.seconds + search.progress().seconds
        if (
            seconds > self._longest_unstored()
            or self._checkpoint.was_restored(search, threshold)
            or not self._searches.can_wait(search)
        ):
            return False
        value, proved = self._known_value(), search.status == "proved"
        return self._account.schedule.next(value.narrowed(threshold, proved=proved)) is not None

    def _longest_unstored(self) -> float:
        return max(LONGEST_UNSTORED, (self._context.spec.budget.seconds or 0.0) / UNSTORED_SHARE)

    def _store_unstored(self) -> None:
        """Stores the solutions of the bounds that are not stored.

        If the time is over, they wait for a larger budget. If it fails otherwise, their questions are open again.
        """
        unstored = self._account.unstored
        while unstored and (threshold := unstored.next_to_store(self._stored)) is not None:
            held = unstored.searches.get(threshold)
            stored = self._answer_again(threshold) if held is None else self._write_solution(held, threshold)
            self._stop_if_asked()
            if stored is WriteEnd.LATE:
                return
            if stored is WriteEnd.UNSUPPORTED:
                self._drop_searches()
            if stored is not WriteEnd.STORED or unstored.next_to_store(self._stored) == threshold:
                unstored.forget()  # or the search gave another answer than the job remembers
            self._control.with_retries(partial(self._estimates.drop_settled, self._known_value()))

    def _answer_again(self, threshold: int) -> WriteEnd | None:
        """Searches for the answer to a question that has been answered, and stores the solution.

        The checkpoint of the job is that of an open question, and stays.

        Returns:
            How the storing ended; None if the budget does not allow the search.
        """
        run = QuestionRun(threshold, self._searches.choice, partial(self._new_search, threshold), self._table)
        search = run.begin_search()
        self._progress.begin()
        self._progress.search = search
        try:
            nodes = self._account.nodes_left()
            while True:
                seconds_left = self._account.seconds_left()
                if seconds_left is not None and seconds_left <= 0:
                    return WriteEnd.LATE
                seconds = CHECKPOINT_SECONDS if seconds_left is None else min(seconds_left, CHECKPOINT_SECONDS)
                end = self._in_time(partial(run.run, seconds, self._context.memory, nodes))
                if end is RunEnd.ANSWERED:
                    return self._write_solution(search, threshold)
                if end is not RunEnd.SECONDS:
                    return None
        finally:
            self._end_search(search, threshold, "unknown", listed=False)
            self._control.on_stop(None)

    def _new_search(self, threshold: int, algorithm: str) -> Any:
        search = self._searches.new(threshold, algorithm, self._stop_if_asked)
        self._control.on_stop(search.cancel)
        return search

    def _in_time(self, run: Callable[[], RunEnd]) -> RunEnd:
        """Runs a slice of a search. The rules of a user's game may hang, which no search can notice."""
        seconds_left = self._account.seconds_left()
        if seconds_left is None or not self._context.of_users_game:
            return run()
        ended: RunEnd = call_in_time(run, seconds_left + GRACE_SECONDS, self._context.game.name)
        return ended

    def _stop(self, run: QuestionRun) -> NoReturn:
        """Ends the work as asked, with the search of a question under way."""
        if self._control.reason == "cancel":
            self._end_search(run.search, run.threshold, "unknown")
            self._reason = RunEnd.CANCELLED
            raise Stopped(self._result())
        self._save(*self._kept.values(), run)
        raise Stopped

    def _stop_if_asked(self) -> None:
        reason = self._control.reason
        if reason is not None:
            self._account.keep()
            self._reason = RunEnd.CANCELLED
            raise Stopped(self._result() if reason == "cancel" else None)

    def _save(self, *runs: QuestionRun) -> None:
        """Stores what searches have expanded since the last time, if the job is still this process's."""
        self._saved_at = self._account.seconds()
        if runs:
            self._control.private["checkpoint_nodes"] = runs[-1].search.progress().nodes
        if self._save_progress():
            for run in runs:
                search, retry = run.search, self._control.with_retries
                retry(partial(self._checkpoint.append, search, run.threshold))
                retry(partial(self._estimates.save, run.threshold, search.algorithm, search.progress()))

    def _save_progress(self, *, now: bool = True) -> bool:
        """Stores how far the job is, if it was not just stored; False if another server has taken the job over."""
        if not now and self._account.seconds() - self._account.kept_seconds < SAVE_SECONDS:
            return True
        self._account.keep()
        return self._control.save(self.progress())

    def _restore(self, search: Any, threshold: int) -> bool:
        """Brings a search to the stored checkpoint, if there is one; False if the search has to be made anew."""
        with self._progress.restoring(search):
            try:
                took_over = self._control.with_retries(partial(self._take_over, search, threshold))
                limit = partial(self._restoring_seconds, took_over=took_over)
                restored = self._checkpoint.restore(search, threshold, self._stop_if_asked, limit)
            except SearchCancelledError:
                self._control.on_stop(None)
                self._stop_if_asked()
                raise
        if self._checkpoint.was_restored(search, threshold):
            self._searches.restored()
        self._account.inherit(threshold, search.progress().nodes if restored else 0, of_another_job=took_over)
        self._stop_if_asked()
        self._progress.begin()
        return restored

    def _take_over(self, search: Any, threshold: int) -> bool:
        """Gets the checkpoint of an earlier job that was given up with this question open; whether there was one."""
        earlier = self._estimates.earlier_job(threshold)
        return earlier is not None and self._checkpoint.take_over(search, threshold, earlier)

    def _restoring_seconds(self, searched: float, *, took_over: bool) -> float:
        """How long it may take to bring a search to its checkpoint, where the search had taken so many seconds.

        The job's own search is taken up in any case, since its nodes are counted. That of another job is one to save
        time with: where time is limited, it has a share of it.
        """
        seconds_left = self._account.seconds_left()
        if seconds_left is None:
            return LONGEST_RESTORING
        return min(searched / RESTORING_SHARE, seconds_left) if took_over else seconds_left

    def _forget(self, search: Any, threshold: int) -> None:
        """Ends a search whose solution rests on records that the store has no more: the question is asked anew."""
        self._forgotten += 1
        if self._forgotten > MOST_FORGOTTEN:
            raise ServiceFailedError(
                f"the records of at_least {threshold} fail the local check with what the store holds, though they were "
                f"searched for {self._forgotten} times: nothing of them was stored; `proofbase verify` tells whether "
                f"the store is sound ({self._fault})"
            )
        self._end_search(search, threshold, "unknown")
        self._account.unstored.forget()
        self._drop_searches()
        self._drop_checkpoint()
        self._save_progress()

    def _store_solution(self, run: QuestionRun) -> WriteEnd:
        """Stores what a search proved.

        If the job is stopped meanwhile, or its time is over, all of it is stored when the job goes on.
        """
        search, threshold = run.search, run.threshold
        stored = self._write_solution(search, threshold)
        if stored is WriteEnd.STOPPED:
            self._stop(run)
        if stored is not WriteEnd.STORED:
            return stored
        value = self._end_answered(search, threshold)
        self._control.with_retries(partial(self._estimates.drop_settled, value))
        self._drop_checkpoint()
        self._save_progress(now=False)
        return stored

    def _write_solution(self, search: Any, threshold: int) -> WriteEnd:
        """Stores the solution of a search."""
        nodes = self._account.spent.nodes + search.progress().nodes
        with self._account.storing():
            stored = self._searches.store_solution(search, threshold, nodes, self._account.seconds_left())
        self._account.spent.records += stored.records
        self._account.spent.tables = sorted({*self._account.spent.tables, *stored.tables})
        self._fault = stored.fault
        if stored.end is WriteEnd.STORED:
            proved, value = search.status == "proved", self._context.known_value()
            self._stored = value
            if not (value.lower >= threshold if proved else value.upper < threshold):
                raise ServiceFailedError(
                    f"the search says at_least {threshold} is {search.status}, but its records do not show it"
                )
        return stored.end

    def _end_search(
        self, search: Any, threshold: int, status: Literal["proved", "disproved", "unknown"], *, listed: bool = True
    ) -> Value:
        """Adds a search that has ended to what was spent, and its question to the list. Returns what is known now."""
        value, now = self._known_value(), search.progress()
        self._progress.end(value)
        least = 0 if self._context.of_users_game else int((now.seconds - self._seconds_before) * LEAST_RATE)
        nodes = self._account.add_search(threshold, now.nodes, now.peak_nodes, least)
        if listed:
            self._account.add_question(threshold, status, value, nodes, now.seconds)
        return value

    def _end_answered(self, search: Any, threshold: int) -> Value:
        self._account.spent.settled += 1
        return self._end_search(search, threshold, "proved" if search.status == "proved" else "disproved")

    def _result(self) -> SolveResult:
        context, account = self._context, self._account
        tables = context.resources.tables.of(context.game)
        probe, moves = probe_with_moves(context.game, context.position, context.resources.undamaged, tables)
        spent, value = account.spent, probe.value
        # A job that can be resumed counts on from what was stored: its result says no more than that.
        seconds = account.kept_seconds if self._ended_by_budget else account.seconds()
        at_least = context.spec.at_least
        status: Literal["proved", "disproved", "exact", "unknown"] = "unknown"
        if at_least is not None:
            status = "proved" if value.lower >= at_least else "disproved" if value.upper < at_least else "unknown"
        elif value.exact:
            status = "exact"
        return SolveResult(
            status=status,
            value=value,
            best_move=best_move(context.game, context.position, probe, moves),
            rank=probe.rank,
            nodes=spent.nodes,
            seconds=seconds,
            nodes_per_second=spent.nodes / seconds if seconds > 0 else 0.0,
            records=spent.records,
            algorithm=spent.algorithm,
            unknown_reason=str(self._reason) if self._reason is not None and status == "unknown" else None,
            algorithm_reason=self._searches.reason(self._chosen) if account.questions else None,
            questions=tuple(account.questions),
            resumable=self._ended_by_budget and status == "unknown",
            questions_in_all=spent.questions,
            storing_seconds=min(spent.storing, seconds),
            peak_nodes=spent.peak_nodes,
            found_value=self._found_value(value) if status == "unknown" else None,
            tables=tuple(spent.tables),
        )
