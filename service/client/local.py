"""The client of a service in the same process: every method is one command, most of them a row of a table."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Literal, ParamSpec, TypeVar, Unpack, cast

from proofbase.service.answers import GameInfo, ImportResult, PositionAnswer
from proofbase.service.answers.batches import BatchItems, PackedAnswers
from proofbase.service.application import Application
from proofbase.service.client.contract import Client
from proofbase.service.client.files import Exported, file_chunks
from proofbase.service.client.options import QuestionOptions, SearchOptions
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
from proofbase.service.commands.solutions.get_threats import get_threats
from proofbase.service.commands.solutions.list_games import get_game, list_games
from proofbase.service.commands.solutions.lookup import lookup
from proofbase.service.commands.solutions.lookup_with_search import lookup_with_search
from proofbase.service.commands.solutions.position_search import LookupBudget, lookup_budget
from proofbase.service.commands.transfer.export import Export, export
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.commands.transfer.new_tables import import_tables
from proofbase.service.commands.transfer.read_table import read_table
from proofbase.service.commands.transfer.record_blocks import block_records, record_blocks
from proofbase.service.jobs.model import Job
from proofbase.service.positions import Where

__all__ = ["LocalClient"]

P = ParamSpec("P")
T = TypeVar("T")


def command(declared: Callable[P, T], run: Callable[..., T], *held: str) -> Callable[P, T]:
    """The method of a client that is one command.

    Args:
        declared: the method of the contract: it has the arguments.
        run: the command. It takes what the client holds, and then the arguments in the order of `declared`.
        held: attributes of the client.
    """
    signature = inspect.signature(declared)

    @functools.wraps(declared, updated=())  # without the mark of an abstract method
    def method(self: Any, *arguments: Any, **named: Any) -> T:
        bound = signature.bind(self, *arguments, **named)
        bound.apply_defaults()
        return run(*(getattr(self, name) for name in held), *bound.args[1:], **bound.kwargs)

    return cast("Callable[P, T]", method)


class LocalClient(Client):
    """Runs the commands on an application, and closes it in the end."""

    def __init__(self, app: Application, target: str) -> None:
        self._app = app
        self._resources = app.resources
        self._jobs = app.jobs
        self._proof_pages = app.proof_pages
        self.target = target
        self.is_temporary = app.resources.store.temporary

    # What is known

    game = command(Client.game, get_game, "_resources")
    limits = command(Client.limits, get_limits, "_resources")
    line = command(Client.line, get_line, "_resources")
    analyse_game = command(Client.analyse_game, analyse_game, "_resources")
    threats = command(Client.threats, get_threats, "_resources")
    proof = command(Client.proof, get_proof, "_resources", "_proof_pages")
    statistics = command(Client.statistics, get_statistics, "_resources")

    def games(self) -> list[GameInfo]:
        return list(self._pages_of_games())

    def _pages_of_games(self) -> Iterator[GameInfo]:
        games, cut = list_games(self._resources)
        yield from games
        while cut is not None:
            games, cut = list_games(self._resources, cut.continuation)
            yield from games

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

    # Work

    start_solve = command(Client.start_solve, start_solve, "_resources", "_jobs")
    list_positions = command(Client.list_positions, list_positions, "_resources", "_jobs")
    start_verification = command(Client.start_verification, start_verification, "_resources", "_jobs")
    start_table = command(Client.start_table, start_table, "_resources", "_jobs")
    watch = command(Client.watch, watch_job, "_jobs")
    job = command(Client.job, get_job, "_jobs")
    jobs = command(Client.jobs, list_jobs, "_jobs")
    prune_jobs = command(Client.prune_jobs, prune_jobs, "_jobs")
    cancel = command(Client.cancel, cancel_job, "_jobs")
    pause = command(Client.pause, pause_job, "_jobs")
    resume = command(Client.resume, resume_job, "_resources", "_jobs")

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

    def export(
        self,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "estimates"] = "certificate",
        max_nodes: int | None = None,
        strategy_seconds: float | None = None,
    ) -> Exported:
        parts = export(
            self._resources, game, position, form=form, max_nodes=max_nodes, strategy_seconds=strategy_seconds
        )
        return _LocalExport(parts)

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

    record_blocks = command(Client.record_blocks, record_blocks, "_resources")
    read_table = command(Client.read_table, read_table, "_resources")
    import_tables = command(Client.import_tables, import_tables, "_resources")

    def block_records(self, game: str, first: bytes = b"", end: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
        for batch in block_records(self._resources, game, first, end):
            yield from batch

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
