"""Jobs of every kind: what they have in common. Fields mirror protos/proofbase/v1/jobs.proto."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal, Protocol

from proofbase.service.answers.bounds import cut_text
from proofbase.service.answers.html_repr import HtmlRepr
from proofbase.service.limits import ERROR_CHARACTERS

__all__ = ["FINISHED", "UNFINISHED", "Job", "JobPage", "JobServer", "Progress", "Result", "Spec", "State", "new_job_id"]

State = Literal["queued", "running", "paused", "done", "failed", "cancelled"]
UNFINISHED: tuple[State, ...] = ("queued", "running")
FINISHED: tuple[State, ...] = ("done", "failed", "cancelled")


class Result(Protocol):
    """What a job has found: a dataclass of the job's kind."""

    @property
    def outcome(self) -> str:
        """What was found, in a few words."""

    @property
    def seconds(self) -> float:
        """How long it took."""


class Spec(Protocol):
    """What a job was asked to do: a dataclass of the job's kind."""

    @property
    def game(self) -> str | None:
        """The game; None for all games of the store."""

    @property
    def action(self) -> str:
        """What the job does, as a verb: solve, verify, build."""

    @property
    def subject(self) -> str:
        """What the job is about, in a few words."""


class Progress(Protocol):
    """How far a job is: a dataclass of the job's kind."""

    @property
    def text(self) -> str | None:
        """How far it is in one line; None while there is nothing to tell."""

    @property
    def seconds(self) -> float:
        """How long the job has worked."""

    @property
    def share(self) -> tuple[int, int] | None:
        """How much is done, and of how much; None where that is not known."""


@dataclass(frozen=True, slots=True)
class JobServer:
    """The process that a job runs in, or waits in.

    Attributes:
        id: another one for each process.
        host: name of its machine.
        pid: its number there.
        address: `host:port` where it answers calls; None for a command that works on the store itself.
    """

    id: str
    host: str
    pid: int
    address: str | None = None

    def __str__(self) -> str:
        at = f" at {self.address}" if self.address else ""
        return f"process {self.pid} of {self.host}{at}"


@dataclass(frozen=True, slots=True)
class Job(HtmlRepr):
    """A job as it is at one moment.

    `server` is the process that an unfinished job belongs to, and `message` what holds the job up at the moment.
    `started_by` is the client that has started the job, where the server checks its clients, and `call` the id of the
    call that did so, which the log has as well.
    """

    id: str
    kind: str
    state: State
    created: float
    updated: float
    spec: Spec
    progress: Progress | None = None
    result: Result | None = None
    error: str | None = None
    error_reason: str | None = None
    server: JobServer | None = None
    message: str | None = None
    started_by: str | None = None
    call: str | None = None

    def __post_init__(self) -> None:
        for name in ("error", "message"):
            text = getattr(self, name)
            if text is not None:
                object.__setattr__(self, name, cut_text(text, ERROR_CHARACTERS))

    @property
    def resumable(self) -> bool:
        """Whether the job rests and can go on: it is paused, or done without an answer, and its work is kept."""
        return self.state == "paused" or (self.state == "done" and getattr(self.result, "resumable", False))

    @property
    def origin(self) -> str:
        """For the source of records: ` by NAME` where it is known who has started it, then where its list is from."""
        listed = getattr(self.spec, "source", None)
        return ("" if self.started_by is None else f" by {self.started_by}") + (f", {listed}" if listed else "")

    @property
    def finished(self) -> bool:
        """Whether the job will never run again."""
        return self.state in FINISHED

    @property
    def resting(self) -> bool:
        """Whether the job stays as it is unless somebody asks for a change: it is finished or paused."""
        return self.state not in UNFINISHED


class JobPage(list[Job]):
    """A page of jobs.

    Attributes:
        unreadable: how many stored jobs were passed over so far because their rows cannot be read: they are damaged, or
            of a later release. The log names them.
    """

    unreadable: int = 0


def new_job_id(now: float) -> str:
    """An id that is unique across servers, and sorts by time: milliseconds since the epoch, then 40 random bits."""
    return f"{int(now * 1000):011x}{secrets.token_hex(5)}"
