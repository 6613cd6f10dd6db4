"""Start a job over a list of positions."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import IO, Self

from proofbase.engine.errors import InvalidPositionError
from proofbase.service.commands.jobs.questions import (
    ValueQuestion,
    check_algorithm,
    check_memory,
    check_threads,
    check_writable,
)
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.positions.model import PositionsSpec
from proofbase.service.jobs.positions.position_log import ListedPosition, ListPacker
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.jobs.starting import JobStarter
from proofbase.service.positions import find_position, text_of_job
from proofbase.service.resources import Resources

__all__ = ["NewPositionsJob"]

_LENGTH = struct.Struct("<I")


class NewPositionsJob:
    """A job over positions whose list is being received, part by part. A context manager.

    Everything that can be wrong with the request is found before there is a job: what is asked when this is made, and
    each position when it is added. The list is kept aside on disk until it is complete.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: any name of the game.
        at_least, result_at_least, thresholds: what is asked about every position (`ValueQuestion`).
        algorithm: name of a search with its policies.
        budget: limits of each position; the memory is limited by the service in any case.
        source: where the list is from, for people.

    Raises:
        UnknownGameError, UnknownAlgorithmError: there is no such thing.
        InvalidRequestError: that is no question.
        LimitExceededError: more memory or threads than a job may use.
        StoreReadOnlyError: the store is open read-only.
    """

    def __init__(
        self,
        resources: Resources,
        jobs: JobStarter,
        game_name: str,
        *,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
        source: str | None = None,
    ) -> None:
        self._game = resources.games.open(game_name)
        self._jobs = jobs
        self._question = ValueQuestion(at_least, result_at_least, thresholds)
        self._question.check(self._game)
        self._most = resources.limits.job_positions
        budget = budget or Budget()
        check_memory(resources, budget)
        algorithm = algorithm or "auto"
        check_algorithm(self._game, algorithm)
        check_threads(resources, algorithm)
        check_writable(resources)
        self._asked = PositionsSpec(
            self._game.name, 0, at_least, result_at_least, algorithm, budget, thresholds, source or None
        )
        self._count = 0
        self._packer = ListPacker()
        self._upload = resources.uploads.new()

    def add(self, positions: Sequence[str] | Sequence[bytes], lines: Sequence[int] = ()) -> None:
        """Adds positions to the list.

        Args:
            positions: texts, or keys, which stand for their canonical positions.
            lines: their lines in the file that they are from; none where there is no file.

        Raises:
            InvalidPositionError: a text or a key that is no position; its message names the line, or else the place in
                the list.
            InvalidRequestError: no value decides the question there, or not as many lines as positions.
            LimitExceededError: more positions than a job may have.
            SpoolFullError: there is no room to keep the list aside.
        """
        if lines and len(lines) != len(positions):
            raise InvalidRequestError(f"{len(lines)} lines for {len(positions)} positions", field="lines")
        if self._count + len(positions) > self._most:
            raise LimitExceededError(
                f"a list of more than {self._most} positions: that is the limit of one job; start several jobs",
                limit="job_positions",
                largest=self._most,
                field="positions",
            )
        for number in range(len(positions)):
            line = lines[number] if lines else None
            for chunk in self._packer.add(ListedPosition(self._text(positions[number], self._count, line), line)):
                self._keep(chunk)
            self._count += 1

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._game.name

    def start(self) -> Job:
        """Stores the job with its list, and queues it.

        Raises:
            InvalidRequestError: a list without positions.
            QueueFullError: too many jobs wait.
            StoreError: it cannot be stored.
        """
        if not self._count:
            raise InvalidRequestError("a list without positions", field="positions")
        for chunk in self._packer.rest():
            self._keep(chunk)
        spec = self._asked.of(self._count)
        return self._jobs.start(spec, _chunks(self._upload.complete()))

    def _text(self, where: str | bytes, number: int, line: int | None) -> str:
        """The text of a position of the list, in the game's own form."""
        try:
            position = find_position(self._game, where)
            self._question.threshold(self._game, position)
            return text_of_job(self._game, position)
        except ValueError as error:
            place = f"positions[{number}]" if line is None else f"line {line}"
            if getattr(error, "field", None) == "result_at_least":
                raise InvalidRequestError(f"{place}: {error}", field="result_at_least") from None
            raise InvalidPositionError(f"{place}: {error}") from None

    def _keep(self, chunk: bytes) -> None:
        self._upload.write(_LENGTH.pack(len(chunk)) + chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._upload.__exit__()


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while head := file.read(_LENGTH.size):
        yield file.read(_LENGTH.unpack(head)[0])
