"""Counts the processor time of running jobs for the clients that have started them, and pauses what goes beyond."""

from __future__ import annotations

import asyncio
import logging

from proofbase.service.access.quotas import Accounts
from proofbase.service.errors import JobStateError, QuotaExceededError
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.parallelism import threads_of
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.rpc.pools import Pools
from proofbase.storage import JobNotFoundError, StoreError

__all__ = ["JobMeter"]

_log = logging.getLogger(__name__)
METER_SECONDS = 1.0


class JobMeter:
    """Looks at the running jobs every second.

    Args:
        jobs: the runner.
        accounts: of the clients.
        pools: pause jobs.
    """

    def __init__(self, jobs: JobRunner, accounts: Accounts, pools: Pools) -> None:
        self._jobs = jobs
        self._accounts = accounts
        self._pools = pools
        self._seen: dict[str, float] = {}
        """Seconds of each running job that are counted."""

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(METER_SECONDS)
            for job in self.count():
                await self._pause(job)

    def count(self) -> list[Job]:
        """Counts what the running jobs have worked since the last time.

        Returns:
            Jobs of clients whose processor time of the day is used up.
        """
        running = [job for job in self._jobs.here() if job.state == "running" and job.started_by is not None]
        seen, self._seen, over = self._seen, {}, []
        for job in running:
            seconds = 0.0 if job.progress is None else job.progress.seconds
            # A job that was resumed brings the seconds of before with it: they were counted then.
            before = seen.get(job.id, max(0.0, seconds - METER_SECONDS))
            self._seen[job.id] = seconds
            account = self._accounts.of(job.started_by or "")
            account.add_seconds((seconds - before) * threads_of(job.spec))
            try:
                account.check_seconds()
            except QuotaExceededError:
                over.append(job)
        return over

    async def _pause(self, job: Job) -> None:
        try:
            await self._pools.run("control", "", self._jobs.pause, job.id)
            _log.info("job %s is paused: %s has used up its processor time of the day", job.id, job.started_by)
        except (JobStateError, JobNotFoundError):
            return  # it has just ended
        except StoreError as error:
            _log.warning("job %s cannot be paused: %s", job.id, error)
