"""Estimates: what searches believe of open questions and have not proved. They are kept beside claims, never as one."""

from __future__ import annotations

import heapq
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from proofbase.storage.errors import KeySizeError

__all__ = [
    "ESTIMATE_LIMIT",
    "INFINITE",
    "KEPT_SHARE",
    "MAX_KEY_BYTES",
    "Estimate",
    "EstimateStore",
    "MemoryEstimates",
    "Question",
    "surplus",
]

Question = tuple[bytes, int]
"""A key and a bound: is the value of the position at least this, for its side to move?"""

ESTIMATE_LIMIT = 1_000_000
"""Estimates that a store keeps, of all games together: some 200 MB."""
INFINITE = 2**60
"""A proof or disproof number of a question that a search has answered and no record shows yet. The other one is 1."""
KEPT_SHARE = 0.9
"""How much of the limit is left when estimates give way: dropping them one by one would cost a scan for each put."""
MAX_KEY_BYTES = 500
LARGEST = 2**63 - 1
MAX_TEXT_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is believed of one open question.

    Attributes:
        key: of the position, 1..500 bytes.
        bound: is the value at least this?
        proof: proof number, at least 1: so many leaves, or more, have to be proved for a yes.
        disproof: disproof number, at least 1, likewise for a no.
        work: nodes that have been searched for this question, those of all tasks below it included.
        updated: when that was, in seconds since the epoch (UTC).
        algorithm: by which search; up to 200 characters.
        job: by which job; its checkpoint may hold the search. Empty: nobody knows.

    Raises:
        ValueError: an attribute is out of range.
        KeySizeError: the key is empty or too long.
    """

    key: bytes
    bound: int
    proof: int
    disproof: int
    work: int
    updated: float
    algorithm: str = ""
    job: str = ""

    def __post_init__(self) -> None:
        if not 0 < len(self.key) <= MAX_KEY_BYTES:
            raise KeySizeError(f"the key of an estimate has {len(self.key)} bytes; 1..{MAX_KEY_BYTES} are accepted")
        if not -(2**31) <= self.bound < 2**31:
            raise ValueError(f"the bound of an estimate has 32 bits, and {self.bound} has not")
        if not (1 <= self.proof <= LARGEST and 1 <= self.disproof <= LARGEST):
            raise ValueError(f"the numbers of an open question are 1..2**63-1, not {self.proof} and {self.disproof}")
        if not 0 <= self.work <= LARGEST:
            raise ValueError(f"the work of an estimate is 0..2**63-1 nodes, not {self.work}")
        if not math.isfinite(self.updated):
            raise ValueError("the time of an estimate is a number")
        for name in ("algorithm", "job"):
            text = getattr(self, name)
            if len(text) > MAX_TEXT_CHARACTERS or "\0" in text:
                raise ValueError(f"the {name} of an estimate has up to {MAX_TEXT_CHARACTERS} characters and no NUL")

    @property
    def question(self) -> Question:
        """What it is about."""
        return self.key, self.bound

    def replaces(self, stored: Estimate | None) -> bool:
        """Whether this one is kept and the stored one goes: more work counts, and of equal work the later estimate.

        So the order in which estimates of one question come does not matter.
        """
        return stored is None or (self.work, self.updated) > (stored.work, stored.updated)


class EstimateStore(ABC):
    """Keeps estimates of questions, and which job manages a question. Thread-safe.

    Of each question there is at most one estimate. When there are more than `limit` of them, those of the least work
    give way (of equal work the oldest): what cost most stays. An estimate is a hint and no fact: one that is damaged
    counts as absent.
    """

    limit: int = ESTIMATE_LIMIT

    @abstractmethod
    def get_many(self, game: str, questions: Iterable[Question]) -> list[Estimate | None]:
        """The estimates of the questions, in the order asked, None where there is none."""

    @abstractmethod
    def of_position(self, game: str, key: bytes) -> list[Estimate]:
        """All estimates of a position, by ascending bounds."""

    @abstractmethod
    def put_many(self, game: str, estimates: Iterable[Estimate], *, rules_version: int) -> int:
        """Stores estimates durably, in one step; of one question the one that `replaces` the other stays.

        Args:
            game: canonical name, which gets an entry in the store if it has none.
            estimates: in any order.
            rules_version: version of the game's rules that they follow.

        Returns:
            How many were new or replaced another one.

        Raises:
            RulesVersionError: the store holds this game by other rules.
            StoreReadOnlyError, StoreFullError: the store cannot be written.
        """

    @abstractmethod
    def drop(self, game: str, questions: Iterable[Question]) -> int:
        """Forgets the estimates of questions that are settled, durably. Returns how many there were."""

    @abstractmethod
    def scan(self, game: str) -> Iterator[Estimate]:
        """All estimates of a game as of one moment, in the store's own order; exhaust it or `close()` it."""

    @abstractmethod
    def count(self) -> int:
        """How many estimates there are, of all games."""

    @abstractmethod
    def hold(self, game: str, question: Question, job: str, *, instead_of: str | None, rules_version: int) -> str:
        """Makes a job the one that manages a question, in one durable step.

        Args:
            game: canonical name.
            question: the question.
            job: its id.
            instead_of: the job that holds it now, which the caller knows to be at rest; None: nobody.
            rules_version: as for `put_many`.

        Returns:
            The job that holds the question now: `job`, or another one, and then nothing has changed.
        """

    @abstractmethod
    def release(self, game: str, question: Question, job: str) -> None:
        """Ends what `hold` began; nothing happens if the job does not hold the question."""


def surplus(works: Iterable[tuple[int, float, bytes]], count: int, limit: int) -> list[bytes]:
    """The places of the estimates that give way.

    Args:
        works: work, time and place of each estimate.
        count: how many there are.
        limit: how many a store keeps.
    """
    return [place for _, _, place in heapq.nsmallest(max(0, count - int(limit * KEPT_SHARE)), works)]


class MemoryEstimates(EstimateStore):
    """Estimates that end with the process.

    Args:
        check: called with a game and the version of its rules before anything is written; it gives the game its entry.
    """

    def __init__(self, check: Callable[[str, int], None]) -> None:
        self._check = check
        self._games: dict[str, dict[bytes, dict[int, Estimate]]] = {}
        self._count = 0
        self._holders: dict[tuple[str, Question], str] = {}
        self._lock = threading.Lock()

    def get_many(self, game: str, questions: Iterable[Question]) -> list[Estimate | None]:
        with self._lock:
            known = self._games.get(game, {})
            return [known.get(key, {}).get(bound) for key, bound in questions]

    def of_position(self, game: str, key: bytes) -> list[Estimate]:
        with self._lock:
            by_bound = self._games.get(game, {}).get(key, {})
            return [by_bound[bound] for bound in sorted(by_bound)]

    def put_many(self, game: str, estimates: Iterable[Estimate], *, rules_version: int) -> int:
        given = list(estimates)
        self._check(game, rules_version)
        with self._lock:
            known = self._games.setdefault(game, {})
            changed = 0
            for estimate in given:
                of_key = known.setdefault(estimate.key, {})
                if estimate.replaces(of_key.get(estimate.bound)):
                    self._count += estimate.bound not in of_key
                    of_key[estimate.bound] = estimate
                    changed += 1
            if self._count > self.limit:
                self._keep_within_limit()
        return changed

    def _keep_within_limit(self) -> None:
        places = [
            (estimate, game)
            for game, known in self._games.items()
            for of_key in known.values()
            for estimate in of_key.values()
        ]
        works = ((entry.work, entry.updated, index.to_bytes(8, "big")) for index, (entry, _) in enumerate(places))
        for place in surplus(works, self._count, self.limit):
            estimate, game = places[int.from_bytes(place, "big")]
            self._drop(game, estimate.question)

    def _drop(self, game: str, question: Question) -> bool:
        key, bound = question
        known = self._games.get(game, {})
        if known.get(key, {}).pop(bound, None) is None:
            return False
        self._count -= 1
        if not known[key]:
            del known[key]
        return True

    def drop(self, game: str, questions: Iterable[Question]) -> int:
        with self._lock:
            return sum(self._drop(game, question) for question in set(questions))

    def scan(self, game: str) -> Iterator[Estimate]:
        with self._lock:
            of_game = [estimate for of_key in self._games.get(game, {}).values() for estimate in of_key.values()]
        yield from of_game

    def count(self) -> int:
        with self._lock:
            return self._count

    def hold(self, game: str, question: Question, job: str, *, instead_of: str | None, rules_version: int) -> str:
        self._check(game, rules_version)
        with self._lock:
            holder = self._holders.get((game, question))
            if holder is None or holder == instead_of:
                holder = self._holders[game, question] = job
            return holder

    def release(self, game: str, question: Question, job: str) -> None:
        with self._lock:
            if self._holders.get((game, question)) == job:
                del self._holders[game, question]
