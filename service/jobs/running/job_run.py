"""One job in this process: its thread, and the saving of its states in a store that may fail for a while."""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from proofbase.engine.rules.process_end import may_outlast
from proofbase.service.errors import error_mapping
from proofbase.service.jobs.control import JobControl, Stopped, StopReason, Work
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import UNFINISHED, Job, JobServer, Progress, Result, State
from proofbase.service.jobs.running.ledger import JobLedger
from proofbase.service.jobs.running.watchers import Watchers
from proofbase.service.jobs.store_retries import backoff_seconds, error_text, waiting_message
from proofbase.service.resources import Resources
from proofbase.storage import StoreError, TransientStoreError

__all__ = ["JobRun", "RunnerParts"]

_log = logging.getLogger(__name__)
# For what the person who waits for the job is shown as well: it is logged where logs are set up, and only there.
_log_of_shown = logging.getLogger(f"{__name__}.shown")
_log_of_shown.addHandler(logging.NullHandler())
STEADY_SECONDS = 60.0
"""Work that has run so long without an error of the store begins with short waits again."""
_STATE_AFTER: dict[StopReason, State] = {
    "cancel": "cancelled",
    "pause": "paused",
    "shutdown": "queued",
    "turn": "queued",
}
"""The state of a job whose work was stopped, by the reason."""
TURN_MESSAGE = "its turn is over: it goes on by itself when a job of another client has had one"


@dataclass(frozen=True)
class RunnerParts:
    """What all jobs of a runner share."""

    resources: Resources
    ledger: JobLedger
    watchers: Watchers
    on_end: Callable[[JobRun, JobRun | None], None]
    """Called when a job has left its slot, before its watchers hear of its state, with what waits in its place."""


@dataclass(frozen=True)
class _Outcome:
    """How a job's work has ended."""

    state: State
    result: Result | None = None
    error: str | None = None
    error_reason: str | None = None
    turn_is_over: bool = False
    """The job goes on later in this process."""


class JobRun:
    """A job that is queued or running in this process. Thread-safe.

    A state of the job is shown only after it was stored. While the store has no room or does not answer, the job waits
    and tries again; its state stays as it is stored, and its message tells. No error of that kind ends the job.

    Attributes:
        job: as it is stored, with the progress and the message of this moment.
        ended: set when the job has left this process, or its slot.
        gave_way: whether the job waits for its next turn, as another run; set before `ended` is.
    """

    def __init__(self, job: Job, private: dict[str, Any], parts: RunnerParts) -> None:
        self.job = job
        self.ended = threading.Event()
        self.gave_way = False
        self._private = private
        """As it is stored."""
        self._parts = parts
        self._stored = job.updated
        """`updated` of the job as this process stored it last."""
        self._perhaps_stored: set[float] = set()
        """`updated` of states of which nobody knows whether they were stored."""
        self._taken_over = False
        """Another server has taken the job over."""
        self._abandoned = False
        """The work does not stop: the job goes on, or ends, without it."""
        self._control: JobControl | None = None
        self._work: Work | None = None
        self._ending: State | None = None
        """The last state in this process, while it is being stored."""
        self._left = False
        self._told_waiting = False
        """The log has a line that the job waits for its store."""
        # Held while a state is stored, so that states follow one another.
        self._lock = threading.RLock()
        # Held while watchers are told, so that nothing is told after the last state.
        self._telling = threading.Lock()

    @property
    def waits_for_slot(self) -> bool:
        """Whether the job has not begun to run."""
        return self._control is None

    @property
    def gives_way_soon(self) -> bool:
        """Whether the job gives its slot to another client's job when its turn is over, whatever it does.

        Jobs of other kinds do so late or never. Nor can those by the rules of a user's game, which may hang.
        """
        game = self.job.spec.game
        users_own = game is not None and self._parts.resources.games.is_users_own(game)
        return KINDS[self.job.kind].gives_way_soon(self.job.spec) and not users_own

    def turn_began(self, seconds: float) -> float | None:
        """When the turn of a running job began, if it is over and the job may give way (`JobControl.turn_began`)."""
        return None if self._control is None else self._control.turn_began(seconds)

    @property
    def gives_way(self) -> bool:
        """Whether the job was asked to stop just now, and has not left its slot yet."""
        return self._control is not None and self._control.gives_way

    @property
    def waits_for_store(self) -> bool:
        """Whether the last state of the job cannot be stored at the moment."""
        return self._ending is not None and self.job.message is not None

    def start(self) -> None:
        """Begins to run the job, in a thread of its own."""
        self._control = JobControl(self.job, copy.deepcopy(self._private), self._save, self._wait)
        thread = threading.Thread(target=self._run, name=f"job {self.job.id}", daemon=True)
        may_outlast(thread)
        thread.start()

    def request_stop(self, reason: StopReason) -> None:
        """Ends the work soon."""
        assert self._control is not None, "a job that waits for a slot has no work to stop"
        self._control.request_stop(reason)

    def change_state(self, state: State) -> bool:
        """Stores another state of a job that waits for a slot; False if another server has it now.

        Raises:
            StoreError: it cannot be stored.
        """
        job = replace(self.job, state=state, updated=time.time(), server=self._server_in(state), message=None)
        with self._lock:
            kept = self._keep(job, self._private)
            if kept:
                self.job = job
        return kept

    def abandon(self, state: State | None) -> None:
        """Lets go of a job whose work does not stop: nothing that the work does from now on changes the job.

        Args:
            state: what the job becomes; None leaves it as it is stored, for the next process.

        Raises:
            StoreError: the state cannot be stored.
        """
        with self._lock:
            if self._left or (state is not None and not self.change_state(state)):
                return
            self._abandoned = True
            if state == "cancelled":
                self._forget_checkpoint()
        _log.warning("job %s does not stop: it is %s, and its thread is left alone", self.job.id, self.job.state)
        self._leave(self.job)

    def show_progress(self) -> None:
        """Tells watchers how far the job is."""
        work, job = self._work, self.job
        if work is None or job.state != "running":
            return
        try:
            progress = work.progress()
        except BaseException:  # it may run a user's code
            _log.exception("no progress from job %s", job.id)
            return
        self._show(progress=progress)

    # In the job's thread

    def _run(self) -> None:
        try:
            self._end(self._outcome())
        except BaseException:
            _log.exception("job %s ends without a state that could be stored", self.job.id)
            self._leave(None)

    def _outcome(self) -> _Outcome:
        control = self._control
        assert control is not None
        try:
            control.with_retries(self._set_running)
            return _Outcome("done", self._run_work(control))
        except Stopped as stopped:
            reason = control.reason or "shutdown"
            result = stopped.result if reason == "cancel" else None
            return _Outcome(_STATE_AFTER[reason], result, turn_is_over=reason == "turn")
        except BaseException as error:  # a user's game may raise SystemExit
            if control.reason == "shutdown":  # what it needs is being closed
                return _Outcome("queued")
            mapping = error_mapping(error)
            text = error_text(error)
            internal = mapping.reason == "INTERNAL"
            log = _log if internal else _log_of_shown
            log.log(mapping.level, "job %s failed: %s", self.job.id, text, exc_info=internal)
            return _Outcome("failed", error=text, error_reason=mapping.reason)

    def _run_work(self, control: JobControl) -> Result:
        """Does the work. After an error of the store that may pass the work is made anew from what was saved last."""
        pauses = backoff_seconds()
        while True:
            began = time.monotonic()
            try:
                # If the job's game is no longer known, the job fails and nothing else.
                self._work = KINDS[self.job.kind].work(self._parts.resources, control, self.job.spec)
                return self._work.run()
            except TransientStoreError as error:
                control.on_stop(None)
                if time.monotonic() - began > STEADY_SECONDS:
                    pauses = backoff_seconds()
                control.wait(error, next(pauses))
                with self._lock:
                    control.job, control.private = self.job, copy.deepcopy(self._private)
                    control.begin_again()

    def _set_running(self) -> None:
        if self.change_state("running"):
            self._parts.watchers.publish(self.job)
        elif not self._abandoned:
            raise Stopped

    def _end(self, outcome: _Outcome) -> None:
        """Stores how the job has ended, however long that takes."""
        assert self._control is not None
        self._ending = outcome.state
        for seconds in backoff_seconds():
            try:
                job = self._store_end(outcome)
                break
            except TransientStoreError as error:
                if self._control.reason == "shutdown":
                    _log.warning("job %s is left %s for the next server: %s", self.job.id, self.job.state, error)
                    job = None
                    break
                self._tell_waiting(error, seconds)
                # Woken by the end of the process only: the job has ended, and there is nothing to stop.
                self._sleep(seconds)
            except StoreError as error:
                # The store keeps the state of the job that it had before, and the next start takes it up from there.
                _log.error("job %s is %s, but that cannot be stored: %s", self.job.id, outcome.state, error)
                job = None
                break
            except ValueError as error:
                if outcome.error is not None:
                    raise
                _log.exception("the result of job %s cannot be stored", self.job.id)
                outcome = _Outcome("failed", error=error_text(error), error_reason=error_mapping(error).reason)
        if job is not None and job is self.job and outcome.turn_is_over:
            waiting = replace(job, message=TURN_MESSAGE)
            self._leave(waiting, JobRun(waiting, self._private, self._parts))
        else:
            self._leave(job)

    def _sleep(self, seconds: float) -> None:
        assert self._control is not None
        until = time.monotonic() + seconds
        while self._control.reason != "shutdown" and not self._abandoned and time.monotonic() < until:
            time.sleep(0.05)

    def _store_end(self, outcome: _Outcome) -> Job | None:
        """Stores the last state, and returns the job as it is stored; None if the job is no longer this process's."""
        assert self._control is not None
        with self._lock:
            if self._abandoned:
                return None
            job = replace(
                self.job,
                state=outcome.state,
                updated=time.time(),
                server=self._server_in(outcome.state),
                progress=self._last_progress(),
                result=outcome.result,
                error=outcome.error,
                error_reason=outcome.error_reason,
                message=None,
            )
            if not self._keep(job, self._control.private):
                return self._parts.ledger.find(job.id)[0]
            with self._telling:
                self.job = job  # nothing is shown from now on: the last state is told when the job has left
        if job.state in ("done", "cancelled") and not job.resumable:
            self._forget_checkpoint()
        return job

    def _forget_checkpoint(self) -> None:
        """Drops what the job, which has ended, will not need any more."""
        if not KINDS[self.job.kind].keeps_checkpoint:
            self._parts.ledger.drop_checkpoint_or_later(self.job.id)

    def _server_in(self, state: State) -> JobServer | None:
        """The server that the job has in a state: one that rests has none."""
        return self.job.server if state in UNFINISHED else None

    def _last_progress(self) -> Progress | None:
        try:
            return self.job.progress if self._work is None else self._work.progress()
        except BaseException:  # it may run a user's code
            return self.job.progress

    def _leave(self, job: Job | None, successor: JobRun | None = None) -> None:
        """The job has left its slot; its watchers hear of its last state before cancel() and pause() return.

        Args:
            job: as it is now; None where that is not known.
            successor: waits in its place for the next turn.
        """
        with self._telling:
            if self._left:
                return
            self._left = True
        self._work = None
        self.gave_way = successor is not None
        self._parts.on_end(self, successor)
        if job is not None:
            self._parts.watchers.publish(job)
        self.ended.set()

    # Storing

    def _save(self, progress: Progress, private: dict[str, Any]) -> bool:
        job = replace(self.job, progress=progress, updated=time.time(), message=None)
        with self._lock:
            kept = self._keep(job, dict(private))
            if kept:
                self.job = job
        return kept

    def _keep(self, job: Job, private: dict[str, Any]) -> bool:
        """Stores the job; False if it is no longer this process's: then the work ends here."""
        if self._taken_over or self._abandoned:
            return False
        try:
            while not self._parts.ledger.replace(job, private, self._stored):
                stored = self._parts.ledger.updated(job.id)
                if stored not in self._perhaps_stored:
                    self._lose()
                    return False
                self._stored = stored
        except TransientStoreError:
            self._perhaps_stored.add(job.updated)
            raise
        self._stored, self._private = job.updated, private
        if self._told_waiting:
            _log.info("job %s goes on: the store takes its writes again", job.id)
            self._told_waiting = False
        self._perhaps_stored.clear()
        return True

    def _lose(self) -> None:
        _log.warning("job %s has another server now: it ends here", self.job.id)
        self._taken_over = True
        if self._control is not None:
            self._control.request_stop("shutdown")

    def _wait(self, error: TransientStoreError, seconds: float) -> None:
        """Waits for the store; `Stopped` if the work was asked to stop."""
        assert self._control is not None
        self._tell_waiting(error, seconds)
        stopped = self._control.stopping.wait(seconds)
        self._show(message=None)
        if stopped:
            raise Stopped

    def _tell_waiting(self, error: TransientStoreError, seconds: float) -> None:
        """Tells the watchers and, once until the store takes the job again, the log."""
        if not self._told_waiting:
            _log_of_shown.warning("job %s waits for the store: %s", self.job.id, error_text(error))
            self._told_waiting = True
        self._show(message=waiting_message(error, seconds))

    def _show(self, **changes: Any) -> None:
        """Shows watchers the job with another progress or message; its state is the stored one."""
        with self._telling:
            if not self._left and self.job.state != self._ending:
                self.job = replace(self.job, **changes)
                self._parts.watchers.publish(self.job)
