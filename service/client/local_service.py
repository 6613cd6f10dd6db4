"""The client of a service in the same process: every method is one command, most of them a row of a table."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from proofbase.service.answers import GameInfo, ImportResult, PositionAnswer
from proofbase.service.answers.batches import BatchItems, PackedAnswers
from proofbase.service.application import Application
from proofbase.service.client.contract import Service
from proofbase.service.client.files import Exported, file_chunks
from proofbase.service.commands.solutions.lookup_budget import LookupBudget, lookup_budget
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.positions import Where

if TYPE_CHECKING:
    from proofbase.service.commands.solutions.get_proof import ProofPages
    from proofbase.service.commands.transfer.export_chunks import Export
    from proofbase.service.jobs.runner import JobRunner

__all__ = ["LocalService", "loaded_command"]

P = ParamSpec("P")
T = TypeVar("T")


@functools.cache
def loaded_command(place: str) -> Callable[..., Any]:
    """A command by MODULE:NAME in the folder of commands. Each is imported when it is first called."""
    module, name = place.split(":")
    loaded: Callable[..., Any] = getattr(import_module(f"proofbase.service.commands.{module}"), name)
    return loaded


def command(declared: Callable[P, T], place: str, *held: str) -> Callable[P, T]:
    """The method of a client that is one command.

    Args:
        declared: the method of the contract: it has the arguments.
        place: MODULE:NAME of the command. It takes what the client holds, and then the arguments in the order of
            `declared`.
        held: attributes of the client.
    """
    signature = inspect.signature(declared)

    @functools.wraps(declared, updated=())  # without the mark of an abstract method
    def method(self: Any, *arguments: Any, **named: Any) -> T:
        bound = signature.bind(self, *arguments, **named)
        bound.apply_defaults()
        run: Callable[..., T] = loaded_command(place)
        return run(*(getattr(self, name) for name in held), *bound.args[1:], **bound.kwargs)

    return cast("Callable[P, T]", method)


class LocalService(Service):
    """Runs the commands on an application, and closes it in the end."""

    def __init__(self, app: Application, target: str) -> None:
        self._app = app
        self._resources = app.resources
        self.target = target
        self.is_temporary = app.resources.store.temporary

    @property
    def _jobs(self) -> JobRunner:
        return self._app.jobs

    @property
    def _proof_pages(self) -> ProofPages:
        return self._app.proof_pages

    # What is known

    game = command(Service.game, "solutions.list_games:get_game", "_resources")
    limits = command(Service.limits, "solutions.get_limits:get_limits", "_resources")
    line = command(Service.line, "solutions.get_line:get_line", "_resources")
    analyse_game = command(Service.analyse_game, "solutions.analyse_game:analyse_game", "_resources")
    threats = command(Service.threats, "solutions.get_threats:get_threats", "_resources")
    problem = command(Service.problem, "solutions.examine_problem:examine_problem", "_resources")
    proof = command(Service.proof, "solutions.get_proof:get_proof", "_resources", "_proof_pages")
    statistics = command(Service.statistics, "solutions.get_statistics:get_statistics", "_resources")

    def games(self) -> list[GameInfo]:
        return list(self._pages_of_games())

    def _pages_of_games(self) -> Iterator[GameInfo]:
        list_games = loaded_command("solutions.list_games:list_games")
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
        search: int | None = None,
        search_seconds: float | None = None,
    ) -> PositionAnswer:
        budget = lookup_budget(search, search_seconds)
        answer: PositionAnswer
        if budget is None:
            answer = loaded_command("solutions.lookup:lookup")(
                self._resources, game, position, board=board, distances=distances
            )
        else:
            answer = loaded_command("solutions.lookup_with_search:lookup_with_search")(
                self._resources,
                game,
                position,
                nodes=budget.nodes,
                seconds=budget.seconds,
                board=board,
                distances=distances,
            )
        return answer

    def batch_lookup(
        self, game: str, positions: Sequence[str], *, search: int | None = None, search_seconds: float | None = None
    ) -> BatchItems:
        return self._items(game, positions, lookup_budget(search, search_seconds))

    def _items(self, game: str, positions: Sequence[str], budget: LookupBudget | None) -> BatchItems:
        return BatchItems(
            loaded_command("solutions.batch_lookup:batch_lookup")(self._resources, game, positions, search=budget)
        )

    def batch_lookup_keys(
        self, game: str, keys: Sequence[bytes], *, search: int | None = None, search_seconds: float | None = None
    ) -> PackedAnswers:
        return self._columns(game, keys, lookup_budget(search, search_seconds))

    def _columns(self, game: str, keys: Sequence[bytes], budget: LookupBudget | None) -> PackedAnswers:
        answers: PackedAnswers = loaded_command("solutions.batch_lookup:batch_lookup_keys")(
            self._resources, game, keys, search=budget
        )
        return answers

    def batch_lookup_packed(
        self, game: str, packed: bytes, *, search: int | None = None, search_seconds: float | None = None
    ) -> PackedAnswers:
        answers: PackedAnswers = loaded_command("solutions.batch_lookup:batch_lookup_packed")(
            self._resources, game, packed, search=lookup_budget(search, search_seconds)
        )
        return answers

    def stream_lookup(
        self,
        game: str,
        batches: Iterable[Sequence[str] | Sequence[bytes]],
        *,
        search: int | None = None,
        search_seconds: float | None = None,
    ) -> Iterator[BatchItems | PackedAnswers]:
        budget = lookup_budget(search, search_seconds)
        for batch in batches:
            texts = [entry for entry in batch if isinstance(entry, str)]
            if batch and len(texts) == len(batch):
                yield self._items(game, texts, budget)
            else:
                yield self._columns(game, [entry for entry in batch if isinstance(entry, bytes)], budget)

    # Work

    start_solve = command(Service.start_solve, "jobs.start_solve:start_solve", "_resources", "_jobs")
    list_positions = command(Service.list_positions, "jobs.list_positions:list_positions", "_resources", "_jobs")
    start_verification = command(
        Service.start_verification, "jobs.start_verification:start_verification", "_resources", "_jobs"
    )
    start_table = command(Service.start_table, "jobs.start_table:start_table", "_resources", "_jobs")
    watch = command(Service.watch, "jobs.control_job:watch_job", "_jobs")
    job = command(Service.job, "jobs.control_job:get_job", "_jobs")
    jobs = command(Service.jobs, "jobs.list_jobs:list_jobs", "_jobs")
    prune_jobs = command(Service.prune_jobs, "jobs.prune_jobs:prune_jobs", "_jobs")
    cancel = command(Service.cancel, "jobs.control_job:cancel_job", "_jobs")
    pause = command(Service.pause, "jobs.control_job:pause_job", "_jobs")
    resume = command(Service.resume, "jobs.control_job:resume_job", "_resources", "_jobs")

    def start_positions(
        self,
        game: str,
        positions: Sequence[str] | Sequence[bytes],
        *,
        lines: Sequence[int] = (),
        source: str | None = None,
        at_least: int | None = None,
        result_at_least: int | None = None,
        algorithm: str = "auto",
        thresholds: ThresholdOrder = "auto",
        budget: Budget | None = None,
    ) -> Job:
        new_job = loaded_command("jobs.start_positions:NewPositionsJob")
        with new_job(
            self._resources,
            self._jobs,
            game,
            source=source,
            at_least=at_least,
            result_at_least=result_at_least,
            algorithm=algorithm,
            thresholds=thresholds,
            budget=budget,
        ) as new:
            new.add(positions, lines)
            job: Job = new.start()
        return job

    def export(
        self,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "estimates"] = "certificate",
        max_nodes: int | None = None,
        strategy_seconds: float | None = None,
        side: Literal["lower", "upper"] | None = None,
    ) -> Exported:
        parts = loaded_command("transfer.export:export")(
            self._resources,
            game,
            position,
            form=form,
            max_nodes=max_nodes,
            strategy_seconds=strategy_seconds,
            side=side,
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
        imported: ImportResult = loaded_command("transfer.import_records:import_records")(
            self._resources, file_chunks(data), form=form, source=source
        )
        return imported

    record_blocks = command(Service.record_blocks, "transfer.record_blocks:record_blocks", "_resources")
    read_table = command(Service.read_table, "transfer.read_table:read_table", "_resources")
    import_tables = command(Service.import_tables, "transfer.new_tables:import_tables", "_resources")

    def block_records(self, game: str, first: bytes = b"", end: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
        for batch in loaded_command("transfer.record_blocks:block_records")(self._resources, game, first, end):
            yield from batch

    def close(self) -> None:
        self._app.close()


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
