"""Everything that a store holds, to be copied."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.annotations import Annotation
from proofbase.storage.entries import Job, Source
from proofbase.storage.errors import StoreError
from proofbase.storage.estimates import Estimate

__all__ = ["Contents", "GameContents"]


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
