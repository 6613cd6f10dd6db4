"""Starting jobs for a call, perhaps in the name of a client: what the commands that start them need of the runner."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from proofbase.service.jobs.model import Job, Spec
from proofbase.service.jobs.runner import JobRunner

__all__ = ["JobStarter", "JobsOfCall"]


class JobStarter(Protocol):
    """What starts jobs: the runner itself, or the runner for one call."""

    def start(self, spec: Spec, checkpoint: Iterable[bytes] = ()) -> Job:
        """Stores a new job and queues it (`JobRunner.start`)."""


class JobsOfCall:
    """Starts jobs for a call: in the name of its client, as many as the client may have.

    Args:
        runner: runs them.
        call: the id of the call.
        name: of the client; None where clients are not checked.
        check: refuses another job; it is given the number of the client's jobs that run or wait in this process.
        confirm: asks whether the client may still start jobs; raises otherwise. It may wait for the store.
    """

    def __init__(
        self,
        runner: JobRunner,
        call: str | None,
        name: str | None = None,
        check: Callable[[int], None] = lambda number: None,
        confirm: Callable[[], None] = lambda: None,
    ) -> None:
        self._runner = runner
        self._call = call
        self._name = name
        self._check = check
        self._confirm = confirm

    def start(self, spec: Spec, checkpoint: Iterable[bytes] = ()) -> Job:
        """See `JobRunner.start`."""
        self._confirm()
        with _STARTING:
            self.check_room()
            return self._runner.start(spec, checkpoint, self._name, self._call)

    def check_room(self) -> None:
        """Refuses another job of the client where it has as many as it may."""
        if self._name is not None:
            self._check(sum(job.started_by == self._name for job in self._runner.here()))


_STARTING = threading.Lock()
"""Held between the count of a client's jobs and the next one of them."""
