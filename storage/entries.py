"""What a store holds beside records: its games, sources and jobs, and the outcome of a put."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, replace
from typing import Any

from proofbase import __version__

PROGRAM = f"proofbase {__version__}"
JOB_KINDS = ("solve", "verification", "table", "import", "export", "positions", "report")
"""The index of an LMDB store has their places in this list: new ones come last.
`import` and `export` are unused and keep their places."""
JOB_STATES = ("queued", "running", "paused", "done", "failed", "cancelled")
MAX_JOB_ID_BYTES = 200
MAX_CHECKPOINT_BYTES = 512 << 20


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of which the store holds (or once held) records.

    Attributes:
        name: canonical name of the game.
        rules_version: version of the rules that its records follow.
        records: number of records, quarantined ones not counted.
        quarantined: number of records in quarantine.
        generation: grows with every change of the game's records.
        fingerprint: of the game's claims, 0..2**64-1; None while it is not known.
    """

    name: str
    rules_version: int
    records: int
    quarantined: int = 0
    generation: int = 0
    fingerprint: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where claims came from.

    Attributes:
        number: what stored claims refer to; counted from 1, never reused.
        text: as given to `put_many`; a text has another entry after `close_sources`.
        created: seconds since the epoch (UTC) of its first use.
        program: what stored it, such as `proofbase 0.2.0`; empty where nobody knows.
    """

    number: int
    text: str
    created: float
    program: str = ""

    @classmethod
    def new(cls, number: int, text: str) -> Source:
        """A source of this release, of this moment."""
        return cls(number, text, time.time(), PROGRAM)

    def takes(self, closed: int) -> bool:
        """Whether claims that this release stores may name it, where sources up to the number `closed` are closed."""
        return self.number > closed and self.program == PROGRAM


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A process that runs jobs of a shared store.

    Attributes:
        id: chosen by the process; 1..200 characters without NUL.
        about: what the process told of itself; JSON values only.
        silent: seconds since the process renewed its entry, by the clock of the store. The time before the last start
            of the database does not count: nobody could renew an entry then.
    """

    id: str
    about: dict[str, Any]
    silent: float


@dataclass(frozen=True, slots=True)
class PutResult:
    """What a put did; the three numbers add up to the items given.

    Attributes:
        added: keys that had no record.
        improved: keys whose record changed.
        unchanged: items without a new claim, and items that repeat a key of the same chunk.
    """

    added: int = 0
    improved: int = 0
    unchanged: int = 0

    def __add__(self, other: PutResult) -> PutResult:
        return PutResult(self.added + other.added, self.improved + other.improved, self.unchanged + other.unchanged)


@dataclass(frozen=True, slots=True)
class Audit:
    """What a store keeps of a game's records beside what is there, all of one moment.

    Attributes:
        generation: the game's generation.
        stored_records: number of records as the store keeps it with every write.
        stored_fingerprint: the fingerprint as the store keeps it; None where it is not known.
        records: records that are there, damaged ones included.
        fingerprint: the fingerprint of those that are sound.
        damaged: how many are damaged.
    """

    generation: int
    stored_records: int
    stored_fingerprint: int | None
    records: int
    fingerprint: int
    damaged: int

    @classmethod
    def of(
        cls, generation: int, stored_records: int, stored_fingerprint: int | None, sound: int, total: int, damaged: int
    ) -> Audit:
        """The audit of a game with so many sound records, whose claims add up to `total`."""
        return cls(generation, stored_records, stored_fingerprint, sound + damaged, total % (1 << 64), damaged)

    @property
    def complete(self) -> bool:
        """Whether the store holds as many records as it counts, and those that were written where that is known."""
        known = self.stored_fingerprint is not None and not self.damaged
        return self.records == self.stored_records and (not known or self.fingerprint == self.stored_fingerprint)

    def check_recount(self) -> None:
        """Refuses to take over the fingerprint of records some of which are damaged.

        Raises:
            ValueError: there are damaged records.
        """
        if self.damaged:
            raise ValueError(f"{self.damaged} records are damaged: move them to the quarantine first")


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work of the service, as the store keeps it.

    Attributes:
        id: chosen by the service; 1..200 bytes of UTF-8 without NUL.
        kind: one of `JOB_KINDS`.
        state: one of `JOB_STATES`.
        created, updated: seconds since the epoch (UTC).
        spec: what was asked for; JSON values only, as in `progress` and `result`.
        progress: the last progress.
        result: the outcome of a job that is done.
        error: why a failed job failed.
        unknown: attributes that a later release has stored beside these; they are stored again as they are.

    Raises:
        ValueError: an attribute is out of range or cannot be stored: JSON does not hold it.
    """

    id: str
    kind: str
    state: str
    created: float
    updated: float
    spec: dict[str, Any] = field(default_factory=dict)
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    error: str | None = None
    unknown: dict[str, Any] = field(default_factory=dict, compare=False)
    _text: str = field(init=False, repr=False, compare=False)
    """The job in JSON, as it was made."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.id.encode()) <= MAX_JOB_ID_BYTES or "\0" in self.id:
            raise ValueError(f"a job id has 1..{MAX_JOB_ID_BYTES} bytes and no NUL: {self.id!r}")
        if self.kind not in JOB_KINDS:
            raise ValueError(f"unknown kind of job {self.kind!r}; there are {', '.join(JOB_KINDS)}")
        if self.state not in JOB_STATES:
            raise ValueError(f"unknown state {self.state!r}; there are {', '.join(JOB_STATES)}")
        if self.error is not None and "\0" in self.error.encode().decode():
            raise ValueError("the error text of a job holds no NUL")
        try:
            known = {name: getattr(self, name) for name in _JOB_ATTRIBUTES}
            text = json.dumps({**self.unknown, **known}, allow_nan=False)
        except TypeError as error:
            raise ValueError(f"job {self.id}: {error}") from None
        object.__setattr__(self, "_text", text)

    def changed(self, **attributes: Any) -> Job:
        """The same job with other attributes."""
        return replace(self, **attributes)

    def to_json(self) -> str:
        """One JSON object with all attributes, as they were when the job was made."""
        return self._text

    @classmethod
    def from_json(cls, text: str | bytes) -> Job:
        """Inverse of `to_json`.

        Raises:
            ValueError: the text is no job of this release.
        """
        try:
            entries = json.loads(text)
            known = {name: entries.pop(name) for name in _JOB_ATTRIBUTES if name in entries}
            job = cls(**known, unknown=entries)
            for name in ("spec", "progress", "unknown"):
                if not isinstance(getattr(job, name), dict):
                    raise ValueError(f"the {name} of a job is no object")
            if not isinstance(job.created, int | float) or not isinstance(job.updated, int | float):
                raise ValueError("the times of a job are numbers")
        except (TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"that is no job: {error}") from None
        return job

    def keeping(self, stored: Job) -> Job:
        """This job with what a later release has stored beside it, so that its next change does not lose that.

        Args:
            stored: the same job as it is in the store.
        """
        return replace(self, unknown=stored.unknown, spec={**stored.spec, **self.spec})


_JOB_ATTRIBUTES = ("id", "kind", "state", "created", "updated", "spec", "progress", "result", "error")
