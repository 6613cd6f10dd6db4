"""How a store is filled with everything that another one holds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from proofbase.storage.annotations import Annotation
from proofbase.storage.closing import Closing
from proofbase.storage.contents import GameContents
from proofbase.storage.entries import Audit, Job, Source
from proofbase.storage.estimates import Estimate
from proofbase.storage.store import SolutionStore
from proofbase.storage.tokens import Token

__all__ = ["Filling"]


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
