"""The client of a server: every method is one call, most of them a row of a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from proofbase.engine.problems.report import ProblemReport
from proofbase.service.answers import (
    Analysis,
    Cut,
    ExportSummary,
    GameInfo,
    ImportResult,
    ImportTablesResult,
    Line,
    PositionAnswer,
    Proof,
    Statistics,
    ThreatAnswer,
)
from proofbase.service.answers.batches import BatchItem, BatchItems, PackedAnswers
from proofbase.service.client.calls import answer, argument_types, call, call_streaming, errors_of_calls, remote
from proofbase.service.client.channel import open_channel
from proofbase.service.client.contract import Service
from proofbase.service.client.credentials import Credentials
from proofbase.service.client.files import Exported, file_chunks
from proofbase.service.client.requests import Requests, batch_arguments, make, positions_requests
from proofbase.service.commands.transfer.record_blocks import RecordBlock
from proofbase.service.convert import from_message, job_from_message
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job, JobPage
from proofbase.service.jobs.positions.model import PositionOutcome
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.limits import Limits
from proofbase.service.positions import Where
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2
from proofbase.v1.jobs_pb2_grpc import JobsStub
from proofbase.v1.solutions_pb2_grpc import SolutionsStub
from proofbase.v1.transfer_pb2_grpc import TransferStub

__all__ = ["RemoteService"]


def _limits(message: solutions_pb2.Limits) -> Limits:
    # A server of an earlier release does not name all of them.
    return Limits.of({field.name: int(value) for field, value in message.ListFields()})


def _packed(response: solutions_pb2.BatchLookupResponse) -> PackedAnswers:
    return from_message(response.packed, PackedAnswers)


def _cut(response: Any) -> Cut | None:
    return from_message(response.cut, Cut) if response.HasField("cut") else None


def _outcomes(response: jobs_pb2.ListPositionsResponse) -> tuple[list[PositionOutcome], Cut | None]:
    return [from_message(outcome, PositionOutcome) for outcome in response.outcomes], _cut(response)


def _job_page(response: jobs_pb2.ListJobsResponse) -> tuple[JobPage, Cut | None]:
    page = JobPage(job_from_message(job) for job in response.jobs)
    page.unreadable = response.unreadable
    return page, _cut(response)


def _removed(response: jobs_pb2.PruneJobsResponse) -> int:
    return response.removed


_batch_requests = Requests(
    solutions_pb2.BatchLookupRequest, argument_types(Service.batch_lookup) | argument_types(Service.batch_lookup_keys)
)
_list_requests = Requests(
    jobs_pb2.PositionsHeader,
    {
        name: hint
        for name, hint in argument_types(Service.start_positions).items()
        if name not in ("positions", "lines")
    },
)
_export_requests = Requests(transfer_pb2.ExportRequest, argument_types(Service.export))
_import_requests = Requests(transfer_pb2.ImportHeader, {"form": str, "source": str | None})


class RemoteService(Service):
    """Calls the server at `host:port`. Nothing is sent before the first call."""

    is_remote = True

    def __init__(self, target: str, credentials: Credentials | None = None) -> None:
        self.target = target
        self._channel = open_channel(target, credentials or Credentials())
        self._solutions = SolutionsStub(self._channel)
        self._jobs = JobsStub(self._channel)
        self._transfer = TransferStub(self._channel)
        self._stubs = {
            "Solutions": self._solutions,
            "Jobs": self._jobs,
            "Transfer": self._transfer,
        }

    # What is known

    game = remote(Service.game, "Solutions", "GetGame", answer(GameInfo))
    limits = remote(Service.limits, "Solutions", "GetLimits", _limits)
    lookup = remote(Service.lookup, "Solutions", "Lookup", answer(PositionAnswer))
    batch_lookup_keys = remote(Service.batch_lookup_keys, "Solutions", "BatchLookup", _packed)
    batch_lookup_packed = remote(Service.batch_lookup_packed, "Solutions", "BatchLookup", _packed)
    line = remote(Service.line, "Solutions", "GetLine", answer(Line))
    analyse_game = remote(Service.analyse_game, "Solutions", "AnalyseGame", answer(Analysis))
    threats = remote(Service.threats, "Solutions", "GetThreats", answer(ThreatAnswer))
    problem = remote(Service.problem, "Solutions", "ExamineProblem", answer(ProblemReport))
    proof = remote(Service.proof, "Solutions", "GetProof", answer(Proof))
    statistics = remote(Service.statistics, "Solutions", "GetStatistics", answer(Statistics))

    def games(self) -> list[GameInfo]:
        games: list[GameInfo] = []
        continuation = ""
        while True:
            response = call(self._solutions.ListGames, solutions_pb2.ListGamesRequest(continuation=continuation))
            games += [from_message(game, GameInfo) for game in response.games]
            continuation = response.cut.continuation
            if not continuation:
                return games

    def batch_lookup(
        self, game: str, positions: Sequence[str], *, search: int | None = None, search_seconds: float | None = None
    ) -> BatchItems:
        items = BatchItems()
        while True:  # once, unless the answer has long texts or there are many searches
            request = _batch_requests.of(
                {"game": game, "positions": positions[len(items) :], "search": search, "search_seconds": search_seconds}
            )
            response = call(self._solutions.BatchLookup, request)
            items += [from_message(item, BatchItem) for item in response.items]
            if not response.HasField("cut"):
                return items

    def stream_lookup(
        self,
        game: str,
        batches: Iterable[Sequence[str] | Sequence[bytes]],
        *,
        search: int | None = None,
        search_seconds: float | None = None,
    ) -> Iterator[BatchItems | PackedAnswers]:
        searches = {"search": search, "search_seconds": search_seconds}
        _batch_requests.of(
            {"game": game, **searches}
        )  # what makes no sense is refused here, and not in the thread of gRPC
        with errors_of_calls():
            sent: deque[Sequence[str] | Sequence[bytes]] = deque()

            def requests() -> Iterator[solutions_pb2.BatchLookupRequest]:
                for batch in batches:
                    sent.append(batch)
                    yield _batch_requests.of({"game": game, **batch_arguments(batch), **searches})

            for response in self._solutions.StreamLookup(requests()):
                batch = sent.popleft()
                if response.HasField("packed"):
                    yield from_message(response.packed, PackedAnswers)
                    continue
                items = BatchItems(from_message(item, BatchItem) for item in response.items)
                if response.HasField("cut"):
                    left = [str(text) for text in batch[len(items) :]]
                    items += self.batch_lookup(game, left, search=search, search_seconds=search_seconds)
                yield items

    # Jobs

    start_solve = remote(Service.start_solve, "Jobs", "StartSolve", job_from_message)
    list_positions = remote(Service.list_positions, "Jobs", "ListPositions", _outcomes)
    start_verification = remote(Service.start_verification, "Jobs", "StartVerification", job_from_message)
    start_table = remote(Service.start_table, "Jobs", "StartTable", job_from_message)
    job = remote(Service.job, "Jobs", "Get", job_from_message)
    jobs = remote(Service.jobs, "Jobs", "List", _job_page)
    prune_jobs = remote(Service.prune_jobs, "Jobs", "Prune", _removed)
    cancel = remote(Service.cancel, "Jobs", "Cancel", job_from_message)
    pause = remote(Service.pause, "Jobs", "Pause", job_from_message)
    resume = remote(Service.resume, "Jobs", "Resume", job_from_message)

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
        header = _list_requests.of(
            {
                "game": game,
                "source": source,
                "at_least": at_least,
                "result_at_least": result_at_least,
                "algorithm": algorithm,
                "thresholds": thresholds,
                "budget": budget,
            }
        )
        requests = positions_requests(header, positions, lines)
        return job_from_message(call_streaming(self._jobs.StartPositions, requests))

    def watch(self, job_id: str) -> Iterator[Job]:
        with errors_of_calls():
            watched = self._jobs.Watch(make(jobs_pb2.WatchRequest, id=job_id))
            try:
                for message in watched:
                    yield job_from_message(message)
            finally:
                watched.cancel()

    # Transfer

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
        request = _export_requests.of(
            {
                "game": game,
                "position": position,
                "form": form,
                "max_nodes": max_nodes,
                "strategy_seconds": strategy_seconds,
                "side": side,
            }
        )
        with errors_of_calls():
            return _RemoteExport(self._transfer.Export(request))

    def import_(
        self,
        data: Iterable[bytes] | IO[bytes] | Path,
        *,
        form: Literal["certificate", "jsonl", "estimates"] = "certificate",
        source: str | None = None,
    ) -> ImportResult:
        if source is None and isinstance(data, Path):
            source = data.name
        header = _import_requests.of({"form": form, "source": source})

        def chunks() -> Iterator[transfer_pb2.ImportChunk]:
            yield transfer_pb2.ImportChunk(header=header)
            for chunk in file_chunks(data):
                yield transfer_pb2.ImportChunk(data=chunk)

        return from_message(call_streaming(self._transfer.Import, chunks()), ImportResult)

    def record_blocks(self, game: str, firsts: Sequence[bytes] = ()) -> Iterator[RecordBlock]:
        with errors_of_calls():
            for message in self._transfer.ListBlocks(
                make(transfer_pb2.ListBlocksRequest, game=game, firsts=list(firsts))
            ):
                yield from_message(message, RecordBlock)

    def block_records(self, game: str, first: bytes = b"", end: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
        with errors_of_calls():
            request = make(transfer_pb2.GetRecordsRequest, game=game, first=first, end=end)
            for message in self._transfer.GetRecords(request):
                yield from zip(message.keys, message.records, strict=True)

    def read_table(self, game: str, name: str) -> Iterator[bytes]:
        with errors_of_calls():
            for message in self._transfer.GetTable(make(transfer_pb2.GetTableRequest, game=game, name=name)):
                yield message.data

    def import_tables(self, game: str, tables: Iterable[tuple[str, Iterable[bytes]]]) -> ImportTablesResult:
        def chunks() -> Iterator[transfer_pb2.ImportTablesChunk]:
            yield make(transfer_pb2.ImportTablesChunk, game=game)
            for name, data in tables:
                yield make(transfer_pb2.ImportTablesChunk, table=name)
                for chunk in file_chunks(data):
                    yield transfer_pb2.ImportTablesChunk(data=chunk)

        return from_message(call_streaming(self._transfer.ImportTables, chunks()), ImportTablesResult)

    def close(self) -> None:
        self._channel.close()


class _RemoteExport(Exported):
    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._closed = False

    def __next__(self) -> bytes:
        if self._closed:
            raise StopIteration
        with errors_of_calls():
            for chunk in self._stream:
                if chunk.HasField("summary"):
                    self.summary = from_message(chunk.summary, ExportSummary)
                if chunk.data:
                    return bytes(chunk.data)
        raise StopIteration

    def close(self) -> None:
        self._closed = True
        self._stream.cancel()
