"""Everything that a store holds, to be copied: how it is read, and how another store is filled with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.annotations import Annotation
from proofbase.storage.closing import Closing
from proofbase.storage.entries import Audit, Job, Source
from proofbase.storage.errors import StoreError
from proofbase.storage.estimates import Estimate
from proofbase.storage.tokens import Token

if TYPE_CHECKING:
    from proofbase.storage.store import SolutionStore

__all__ = ["Contents", "Filling", "GameContents"]


@dataclass(frozen=True, slots=True)
class GameContents:
    """What a store keeps of a game beside its records.

    Attributes:
        name, rules_version, records: as in `GameEntry`.
        generation: grows with every change.
        fingerprint: of its claims; None where it is not known.
        closed_sources: up to which number its sources are closed.
    """

    name: str
    rules_version: int
    records: int
    generation: int
    fingerprint: int | None
    closed_sources: int = 0


class Contents(ABC):
    """What a store held at one moment.

    Rows that are damaged are passed over, with an error in the list `faults`; without a list the first one raises.
    """

    @abstractmethod
    def games(self) -> list[GameContents]:
        """All games, by their numbers in the store."""

    @abstractmethod
    def sources(self, faults: list[StoreError] | None = None) -> Iterator[Source]:
        """All sources, by number."""

    @abstractmethod
    def records(self, game: str, faults: list[MalformedRecordError] | None = None) -> Iterator[tuple[bytes, bytes]]:
        """Keys and encoded records with their sources, keys ascending."""

    @abstractmethod
    def quarantined(self, game: str, faults: list[StoreError] | None = None) -> Iterator[tuple[bytes, bytes, str]]:
        """Quarantined keys, encoded records and reasons, keys ascending."""

    @abstractmethod
    def estimates(self, game: str, faults: list[StoreError] | None = None) -> Iterator[Estimate]:
        """The estimates of a game."""

    @abstractmethod
    def annotations(self, faults: list[StoreError] | None = None) -> Iterator[Annotation]:
        """All annotations."""

    @abstractmethod
    def jobs(self, faults: list[StoreError] | None = None) -> Iterator[Job]:
        """All jobs, by id."""

    @abstractmethod
    def checkpoint(self, job_id: str, faults: list[StoreError] | None = None) -> Iterator[bytes]:
        """The chunks of a job's checkpoint, in order."""


class Filling(Closing):
    """A store that is being made from the contents of another one: whole, or not at all.

    Nobody sees anything of it before `finish`. A process that is killed before leaves nothing that looks like a store,
    and the next attempt begins anew.
    """

    @abstractmethod
    def add_sources(self, sources: Iterable[Source]) -> None:
        """Before any records: their claims name sources."""

    @abstractmethod
    def add_game(self, game: GameContents, items: Iterable[tuple[bytes, bytes]]) -> None:
        """A game with its records, keys ascending."""

    @abstractmethod
    def add_quarantined(self, game: str, rows: Iterable[tuple[bytes, bytes, str]]) -> None:
        """Rows of the quarantine of a game that was added."""

    @abstractmethod
    def add_estimates(self, game: str, estimates: Iterable[Estimate]) -> None:
        """Estimates of a game that was added."""

    @abstractmethod
    def add_annotations(self, annotations: Iterable[Annotation]) -> None:
        """What is said about games and positions."""

    @abstractmethod
    def add_jobs(self, jobs: Iterable[tuple[Job, Iterable[bytes]]]) -> None:
        """Jobs, each with the chunks of its checkpoint."""

    @abstractmethod
    def add_tokens(self, tokens: Iterable[Token]) -> None:
        """The clients of a server of the store."""

    @abstractmethod
    def audits(self) -> Iterator[tuple[str, Audit]]:
        """Each game that was added, read back from what was written."""

    @property
    @abstractmethod
    def store(self) -> SolutionStore:
        """What was written so far, to be read only, until `finish` or `close`; the caller does not close it."""

    @abstractmethod
    def finish(self) -> None:
        """Makes the store durable and visible, in one step."""

    @abstractmethod
    def close(self) -> None:
        """Removes what is not finished."""
