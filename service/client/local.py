"""The client of a service in the same process: every method is one command."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal, Unpack

from proofbase.service.answers import Analysis, Cut, GameInfo, ImportResult, Line, PositionAnswer, Proof, Statistics
from proofbase.service.answers.batches import BatchItems, PackedAnswers
from proofbase.service.application import Application
from proofbase.service.client.contract import Client
from proofbase.service.client.files import Exported, file_chunks
from proofbase.service.client.options import (
    OneSolveOptions,
    QuestionOptions,
    SearchOptions,
    TableOptions,
    VerificationOptions,
)
from proofbase.service.commands.jobs.control_job import cancel_job, get_job, pause_job, resume_job, watch_job
from proofbase.service.commands.jobs.list_jobs import list_jobs
from proofbase.service.commands.jobs.list_positions import list_positions
from proofbase.service.commands.jobs.prune_jobs import prune_jobs
from proofbase.service.commands.jobs.start_positions import NewPositionsJob
from proofbase.service.commands.jobs.start_solve import start_solve
from proofbase.service.commands.jobs.start_table import start_table
from proofbase.service.commands.jobs.start_verification import start_verification
from proofbase.service.commands.solutions.analyse_game import analyse_game
from proofbase.service.commands.solutions.batch_lookup import batch_lookup, batch_lookup_keys, batch_lookup_packed
from proofbase.service.commands.solutions.get_limits import get_limits
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.get_proof import get_proof
from proofbase.service.commands.solutions.get_statistics import get_statistics
from proofbase.service.commands.solutions.list_games import get_game, list_games
from proofbase.service.commands.solutions.lookup import lookup
from proofbase.service.commands.solutions.lookup_with_search import lookup_with_search
from proofbase.service.commands.solutions.position_search import LookupBudget, lookup_budget
from proofbase.service.commands.transfer.export import Export, export
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job, JobPage
from proofbase.service.jobs.positions.report import PositionOutcome
from proofbase.service.limits import Limits
from proofbase.service.positions import Where

__all__ = ["LocalClient"]


class LocalClient(Client):
    """Runs the commands on an application, and closes it in the end."""

    def __init__(self, app: Application, target: str) -> None:
        self._app = app
        self._resources = app.resources
        self._jobs = app.jobs
        self.target = target
        self.is_temporary = app.resources.store.temporary

    def games(self) -> list[GameInfo]:
        return list(self._pages_of_games())

    def _pages_of_games(self) -> Iterator[GameInfo]:
        games, cut = list_games(self._resources)
        yield from games
        while cut is not None:
            games, cut = list_games(self._resources, cut.continuation)
            yield from games

    def game(self, name: str) -> GameInfo:
        return get_game(self._resources, name)

    def limits(self) -> Limits:
        return get_limits(self._resources)

    def lookup(
        self,
        game: str,
        position: Where = None,
        *,
        board: bool = False,
        distances: bool = False,
        **search: Unpack[SearchOptions],
    ) -> PositionAnswer:
        budget = _budget(search)
        if budget is None:
            return lookup(self._resources, game, position, board=board, distances=distances)
        return lookup_with_search(
            self._resources,
            game,
            position,
            nodes=budget.nodes,
            seconds=budget.seconds,
            board=board,
            distances=distances,
        )

    def batch_lookup(self, game: str, positions: Sequence[str], **search: Unpack[SearchOptions]) -> BatchItems:
        return BatchItems(batch_lookup(self._resources, game, positions, search=_budget(search)))

    def batch_lookup_keys(self, game: str, keys: Sequence[bytes], **search: Unpack[SearchOptions]) -> PackedAnswers:
        return batch_lookup_keys(self._resources, game, keys, search=_budget(search))

    def batch_lookup_packed(self, game: str, packed: bytes, **search: Unpack[SearchOptions]) -> PackedAnswers:
        return batch_lookup_packed(self._resources, game, packed, search=_budget(search))

    def stream_lookup(
        self, game: str, batches: Iterable[Sequence[str] | Sequence[bytes]], **search: Unpack[SearchOptions]
    ) -> Iterator[BatchItems | PackedAnswers]:
        budget = _budget(search)
        for batch in batches:
            texts = [entry for entry in batch if isinstance(entry, str)]
            if batch and len(texts) == len(batch):
                yield BatchItems(batch_lookup(self._resources, game, texts, search=budget))
            else:
                keys = [entry for entry in batch if isinstance(entry, bytes)]
                yield batch_lookup_keys(self._resources, game, keys, search=budget)

    def line(self, game: str, position: Where = None, *, max_plies: int | None = None) -> Line:
        return get_line(self._resources, game, position, max_plies=max_plies)

    def analyse_game(self, game: str, moves: str, position: Where = None) -> Analysis:
        return analyse_game(self._resources, game, moves, position)

    def proof(
        self,
        game: str,
        position: Where = None,
        *,
        side: Literal["lower", "upper"] | None = None,
        max_depth: int | None = None,
        max_nodes: int | None = None,
        continuation: str | None = None,
    ) -> Proof:
        return get_proof(
            self._resources,
            self._app.proof_pages,
            game,
            position,
            side=side,
            max_depth=max_depth,
            max_nodes=max_nodes,
            continuation=continuation,
        )

    def statistics(
        self, game: str | None = None, *, census: bool = False, continuation: str | None = None
    ) -> Statistics:
        return get_statistics(self._resources, game, census=census, continuation=continuation)

    def start_solve(self, game: str, position: Where = None, **asked: Unpack[OneSolveOptions]) -> Job:
        return start_solve(self._resources, self._jobs, game, position, **asked)

    def start_positions(
        self,
        game: str,
        positions: Sequence[str] | Sequence[bytes],
        *,
        lines: Sequence[int] = (),
        source: str | None = None,
        **asked: Unpack[QuestionOptions],
    ) -> Job:
        with NewPositionsJob(self._resources, self._jobs, game, source=source, **asked) as new:
            new.add(positions, lines)
            return new.start()

    def list_positions(
        self, job_id: str, *, skip: int = 0, limit: int | None = None
    ) -> tuple[list[PositionOutcome], Cut | None]:
        return list_positions(self._resources, self._jobs, job_id, skip=skip, limit=limit)

    def start_verification(
        self, game: str | None = None, position: Where = None, **options: Unpack[VerificationOptions]
    ) -> Job:
        return start_verification(self._resources, self._jobs, game, position, **options)

    def start_table(self, game: str, size: int, **options: Unpack[TableOptions]) -> Job:
        return start_table(self._resources, self._jobs, game, size, **options)

    def watch(self, job_id: str) -> Iterator[Job]:
        return watch_job(self._jobs, job_id)

    def job(self, job_id: str) -> Job:
        return get_job(self._jobs, job_id)

    def jobs(
        self,
        states: Collection[str] = (),
        *,
        kinds: Collection[str] = (),
        limit: int | None = None,
        continuation: str | None = None,
    ) -> tuple[JobPage, Cut | None]:
        return list_jobs(self._jobs, states, kinds=kinds, limit=limit, continuation=continuation)

    def prune_jobs(self, *, older_than: float | None = None, keep: int | None = None) -> int:
        return prune_jobs(self._jobs, older_than=older_than, keep=keep)

    def cancel(self, job_id: str) -> Job:
        return cancel_job(self._jobs, job_id)

    def pause(self, job_id: str) -> Job:
        return pause_job(self._jobs, job_id)

    def resume(self, job_id: str, *, budget: Budget | None = None) -> Job:
        return resume_job(self._resources, self._jobs, job_id, budget)

    def export(
        self,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "estimates"] = "certificate",
        max_nodes: int | None = None,
    ) -> Exported:
        return _LocalExport(export(self._resources, game, position, form=form, max_nodes=max_nodes))

    def import_(
        self,
        data: Iterable[bytes] | IO[bytes] | Path,
        *,
        form: Literal["certificate", "jsonl", "estimates"] = "certificate",
        source: str | None = None,
    ) -> ImportResult:
        if source is None and isinstance(data, Path):
            source = data.name
        return import_records(self._resources, file_chunks(data), form=form, source=source)

    def close(self) -> None:
        self._app.close()


def _budget(options: SearchOptions) -> LookupBudget | None:
    return lookup_budget(options.get("search"), options.get("search_seconds"))


class _LocalExport(Exported):
    def __init__(self, parts: Export) -> None:
        self._parts = parts

    def __next__(self) -> bytes:
        try:
            return next(self._parts)
        finally:
            self.summary = self._parts.summary

    def close(self) -> None:
        self._parts.close()
