"""The work of a job over a list of positions: a solve of each, one after the other, in the order of the list."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import Any

from proofbase.engine.errors import InvalidCheckpointError
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import Progress
from proofbase.service.jobs.positions.model import PositionOutcome, PositionsProgress, PositionsResult, PositionsSpec
from proofbase.service.jobs.positions.position_log import ListedPosition, PositionLog
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.solve.search_checkpoint import NoCheckpoint
from proofbase.service.jobs.solve.work import SolveWork
from proofbase.service.positions import find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.search_table import SearchTable

__all__ = ["PositionsWork"]

SAVE_SECONDS = 1.0
"""So often outcomes are stored, at most: `kill -9` loses those of a second. What was proved is stored before."""
RATE_SECONDS = 60.0
"""The rate is that of about this time."""


class PositionsWork:
    """The work of one job.

    A job gives way at any time. A question that it lost by that is asked in twice the time, so that the job gets on.

    Each position is solved as a job of its own would. What a pause or a restart loses is the search for the answer to
    one question, and those of a second before it: the other questions before it are in the store, and the positions
    before it have their outcomes.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: PositionsSpec) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        self._game = resources.games.open(spec.game)
        self._log = PositionLog(resources.store, control.job.id)
        self._counts: Counter[str] = Counter()
        """Positions that are done, by status."""
        self._done = self._nodes = self._records = 0
        self._not_stored: list[PositionOutcome] = []
        """Outcomes since the last save."""
        self._table = SearchTable()
        """What is true of a position helps with the others as well."""
        self._solve: SolveWork | None = None
        self._solved: ListedPosition | None = None
        """The position that is being solved."""
        self._seconds_before: float = control.private.get("seconds", 0.0)
        self._started = self._saved = time.monotonic()
        self._rate = _RecentRate()

    def run(self) -> PositionsResult:
        """Solves the positions that are not done."""
        self._started = self._saved = time.monotonic()
        listed = self._log.count()
        if listed != self._spec.positions:
            raise InvalidCheckpointError(
                f"{listed:,} of {self._spec.positions:,} positions of this job were stored: start it again"
            )
        for outcome in self._log.outcomes():
            self._count(outcome)
        self._rate.note(self._done)
        self._control.least_turn = 2 * self._lost_seconds()
        self._control.begin_work()
        with self._control.giving_way():
            for position in self._log.listed(self._done):
                self._stop_if_asked()
                outcome = self._solve_one(position)
                self._control.least_turn = 0.0
                self._not_stored.append(outcome)
                self._count(outcome)
                self._rate.note(self._done)
                if time.monotonic() - self._saved >= SAVE_SECONDS:
                    self._save()
        self._solved = None
        self._save()
        return self._result()

    def progress(self) -> PositionsProgress:
        """Totals over all positions, with the search that runs now."""
        solve, solved, done = self._solve, self._solved, self._done
        rate = self._rate.per_second(done)
        return PositionsProgress(
            done=done,
            positions=self._spec.positions,
            open=self._counts["unknown"],
            nodes=self._nodes + (0 if solve is None else solve.progress().nodes),
            seconds=self._seconds(),
            positions_per_second=rate,
            seconds_left=(self._spec.positions - done) / rate if rate else None,
            line=None if solved is None else solved.line,
            position=None if solved is None else solved.text,
        )

    def _solve_one(self, position: ListedPosition) -> PositionOutcome:
        spec = self._spec
        at_least = spec.at_least
        if spec.result_at_least is not None:
            at_least = spec.result_at_least - self._game.score(find_position(self._game, position.text))
        # A control of its own: what a solve keeps from question to question ends with the position.
        control = JobControl(self._control.job, {}, self._save_now_and_then, self._control.wait)
        solve_spec = SolveSpec(spec.game, position.text, at_least, spec.algorithm, spec.budget, spec.thresholds)
        work = SolveWork(self._resources, control, solve_spec, NoCheckpoint(), self._table)
        self._solve, self._solved = work, position
        self._control.on_stop(lambda: control.request_stop(self._control.reason or "shutdown"))
        began = time.monotonic()
        try:
            result = work.run()
        except Stopped:
            self._control.private["lost"] = {"number": self._done, "seconds": time.monotonic() - began}
            self._stop_if_asked()
            raise
        finally:
            self._control.on_stop(None)
            self._solve = None
        return PositionOutcome(
            number=self._done,
            line=position.line,
            position=position.text,
            status=result.status,
            unknown_reason=result.unknown_reason,
            value=result.value,
            best_move=result.best_move,
            rank=result.rank,
            nodes=result.nodes,
            seconds=result.seconds,
            records=result.records,
            algorithm=result.algorithm,
        )

    def _lost_seconds(self) -> float:
        """How long the position that is next was searched before the job was stopped; 0 where it was not."""
        lost = self._control.private.get("lost", {"number": -1, "seconds": 0.0})
        return float(lost["seconds"]) if lost["number"] == self._done else 0.0

    def _count(self, outcome: PositionOutcome) -> None:
        self._counts[outcome.status] += 1
        self._nodes += outcome.nodes
        self._records += outcome.records
        self._done = outcome.number + 1

    def _stop_if_asked(self) -> None:
        """Ends the work as asked, with everything stored that is done."""
        reason = self._control.reason
        if reason is not None:
            self._save()
            raise Stopped(self._result() if reason == "cancel" else None)

    def _save_now_and_then(self, progress: Progress, private: dict[str, Any]) -> bool:
        """What a solve calls to be saved. False if another server has taken the job over."""
        return self._save() if time.monotonic() - self._saved >= SAVE_SECONDS else True

    def _save(self) -> bool:
        """Stores the outcomes and how far the job is; False if another server has taken it over."""
        self._saved = time.monotonic()
        self._control.private["seconds"] = self._seconds()
        if not self._control.save(self.progress()):
            return False
        self._control.with_retries(lambda: self._log.append(self._not_stored))
        self._not_stored = []
        return True

    def _seconds(self) -> float:
        """Seconds of work; waiting for the store is none."""
        return self._seconds_before + time.monotonic() - self._started - self._control.waited

    def _result(self) -> PositionsResult:
        seconds = self._seconds()
        return PositionsResult(
            positions=self._done,
            exact=self._counts["exact"],
            proved=self._counts["proved"],
            disproved=self._counts["disproved"],
            open=self._counts["unknown"],
            nodes=self._nodes,
            seconds=seconds,
            positions_per_second=self._done / seconds if seconds > 0 else 0.0,
            records=self._records,
        )


class _RecentRate:
    """How many a second, over the last minute: what the store knows passes quickly, and says little of the others."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def note(self, done: int) -> None:
        """Tells how many positions are done now."""
        now = time.monotonic()
        if not self._samples or now - self._samples[-1][0] >= 1:
            self._samples.append((now, done))
        while len(self._samples) > 2 and now - self._samples[1][0] > RATE_SECONDS:
            self._samples.popleft()

    def per_second(self, done: int) -> float:
        """The rate; 0 while nothing is known."""
        if not self._samples:
            return 0.0
        since, before = self._samples[0]
        return (done - before) / max(time.monotonic() - since, 1e-3)
