"""The client of a server: every method is one call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, TypeVar, Unpack, cast

import grpc

from proofbase.service.answers import (
    Analysis,
    Cut,
    ExportSummary,
    GameInfo,
    ImportResult,
    Line,
    PositionAnswer,
    Proof,
    Statistics,
)
from proofbase.service.answers.batches import BatchItem, BatchItems, PackedAnswers
from proofbase.service.client.channel import open_channel
from proofbase.service.client.contract import Client
from proofbase.service.client.credentials import Credentials
from proofbase.service.client.failures import local_error
from proofbase.service.client.files import Exported, file_chunks
from proofbase.service.client.options import (
    OneSolveOptions,
    QuestionOptions,
    SearchOptions,
    TableOptions,
    VerificationOptions,
)
from proofbase.service.client.requests import (
    batch_request,
    enum_value,
    make,
    positions_requests,
    positive,
    question_fields,
    search_fields,
    table_fields,
    verification_fields,
    where,
)
from proofbase.service.convert import from_message, job_from_message, to_message
from proofbase.service.errors import ServiceFailedError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job, JobPage
from proofbase.service.jobs.positions.report import PositionOutcome
from proofbase.service.limits import Limits
from proofbase.service.positions import Where
from proofbase.v1 import jobs_pb2 as jobs
from proofbase.v1 import solutions_pb2 as solutions
from proofbase.v1 import transfer_pb2 as transfer
from proofbase.v1 import types_pb2 as types
from proofbase.v1.jobs_pb2_grpc import JobsStub
from proofbase.v1.solutions_pb2_grpc import SolutionsStub
from proofbase.v1.transfer_pb2_grpc import TransferStub

__all__ = ["RemoteClient"]

T = TypeVar("T")


class RemoteClient(Client):
    """Calls the server at `host:port`. Nothing is sent before the first call."""

    is_remote = True

    def __init__(self, target: str, credentials: Credentials | None = None) -> None:
        self.target = target
        self._channel = open_channel(target, credentials or Credentials())
        self._solutions = SolutionsStub(self._channel)
        self._jobs = JobsStub(self._channel)
        self._transfer = TransferStub(self._channel)

    # What is known

    def games(self) -> list[GameInfo]:
        games: list[GameInfo] = []
        continuation = ""
        while True:
            response = _call(self._solutions.ListGames, solutions.ListGamesRequest(continuation=continuation))
            games += [from_message(game, GameInfo) for game in response.games]
            continuation = response.cut.continuation
            if not continuation:
                return games

    def game(self, name: str) -> GameInfo:
        return from_message(_call(self._solutions.GetGame, make(solutions.GetGameRequest, game=name)), GameInfo)

    def limits(self) -> Limits:
        answer = _call(self._solutions.GetLimits, solutions.GetLimitsRequest())
        # A server of an earlier release does not name all of them.
        return Limits.of({field.name: int(value) for field, value in answer.ListFields()})

    def lookup(
        self,
        game: str,
        position: Where = None,
        *,
        board: bool = False,
        distances: bool = False,
        **search: Unpack[SearchOptions],
    ) -> PositionAnswer:
        fields = {**where(position), **search_fields(search)}
        request = make(solutions.LookupRequest, game=game, board=board, distances=distances, **fields)
        return from_message(_call(self._solutions.Lookup, request), PositionAnswer)

    def batch_lookup(self, game: str, positions: Sequence[str], **search: Unpack[SearchOptions]) -> BatchItems:
        items = BatchItems()
        fields = search_fields(search)
        while True:  # once, unless the answer has long texts or there are many searches
            response = _call(self._solutions.BatchLookup, batch_request(game, positions[len(items) :], fields))
            items += [from_message(item, BatchItem) for item in response.items]
            if not response.HasField("cut"):
                return items

    def batch_lookup_keys(self, game: str, keys: Sequence[bytes], **search: Unpack[SearchOptions]) -> PackedAnswers:
        request = batch_request(game, keys, search_fields(search))
        return from_message(_call(self._solutions.BatchLookup, request).packed, PackedAnswers)

    def batch_lookup_packed(self, game: str, packed: bytes, **search: Unpack[SearchOptions]) -> PackedAnswers:
        keys = solutions.PackedKeys(keys=packed)
        fields = search_fields(search)
        request = make(solutions.BatchLookupRequest, game=game, packed_keys=keys, **fields)
        found = _call(self._solutions.BatchLookup, request).packed
        return PackedAnswers(
            found.count, found.states, found.lowers, found.uppers, found.lower_ranks, found.upper_ranks
        )

    def stream_lookup(
        self, game: str, batches: Iterable[Sequence[str] | Sequence[bytes]], **search: Unpack[SearchOptions]
    ) -> Iterator[BatchItems | PackedAnswers]:
        fields = search_fields(search)
        with _errors():
            sent: deque[Sequence[str] | Sequence[bytes]] = deque()

            def requests() -> Iterator[solutions.BatchLookupRequest]:
                for batch in batches:
                    sent.append(batch)
                    yield batch_request(game, batch, fields)

            for response in self._solutions.StreamLookup(requests()):
                batch = sent.popleft()
                if response.HasField("packed"):
                    yield from_message(response.packed, PackedAnswers)
                    continue
                items = BatchItems(from_message(item, BatchItem) for item in response.items)
                if response.HasField("cut"):
                    left = [str(text) for text in batch[len(items) :]]
                    items += self.batch_lookup(game, left, **search)
                yield items

    def line(self, game: str, position: Where = None, *, max_plies: int | None = None) -> Line:
        plies = positive("max_plies", max_plies)
        request = make(solutions.GetLineRequest, game=game, max_plies=plies, **where(position))
        return from_message(_call(self._solutions.GetLine, request), Line)

    def analyse_game(self, game: str, moves: str, position: Where = None) -> Analysis:
        request = make(solutions.AnalyseGameRequest, game=game, moves=moves, **where(position))
        return from_message(_call(self._solutions.AnalyseGame, request), Analysis)

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
        request = make(
            solutions.GetProofRequest,
            game=game,
            side=0 if side is None else enum_value(types.Side.DESCRIPTOR, side, "side"),
            max_depth=positive("max_depth", max_depth),
            max_nodes=positive("max_nodes", max_nodes),
            continuation=continuation or "",
            **where(position),
        )
        return from_message(_call(self._solutions.GetProof, request), Proof)

    def statistics(
        self, game: str | None = None, *, census: bool = False, continuation: str | None = None
    ) -> Statistics:
        request = make(solutions.GetStatisticsRequest, game=game or "", census=census, continuation=continuation or "")
        return from_message(_call(self._solutions.GetStatistics, request), Statistics)

    # Jobs

    def start_solve(self, game: str, position: Where = None, **asked: Unpack[OneSolveOptions]) -> Job:
        workers = {name: asked[name] for name in ("workers", "worker_processes") if name in asked}
        request = make(jobs.StartSolveRequest, game=game, **question_fields(asked), **where(position), **workers)
        return job_from_message(_call(self._jobs.StartSolve, request))

    def start_positions(
        self,
        game: str,
        positions: Sequence[str] | Sequence[bytes],
        *,
        lines: Sequence[int] = (),
        source: str | None = None,
        **asked: Unpack[QuestionOptions],
    ) -> Job:
        fields = question_fields(asked)
        requests = positions_requests(positions, lines, game=game, source=source or "", **fields)
        return job_from_message(_call_streaming(self._jobs.StartPositions, requests))

    def list_positions(
        self, job_id: str, *, skip: int = 0, limit: int | None = None
    ) -> tuple[list[PositionOutcome], Cut | None]:
        request = make(jobs.ListPositionsRequest, id=job_id, skip=skip, limit=positive("limit", limit))
        response = _call(self._jobs.ListPositions, request)
        cut = from_message(response.cut, Cut) if response.HasField("cut") else None
        return [from_message(outcome, PositionOutcome) for outcome in response.outcomes], cut

    def start_verification(
        self, game: str | None = None, position: Where = None, **options: Unpack[VerificationOptions]
    ) -> Job:
        request = make(
            jobs.StartVerificationRequest,
            game=game or "",
            **verification_fields(options),
            **({} if position is None else where(position)),
        )
        return job_from_message(_call(self._jobs.StartVerification, request))

    def start_table(self, game: str, size: int, **options: Unpack[TableOptions]) -> Job:
        request = make(jobs.StartTableRequest, game=game, size=size, **table_fields(options))
        return job_from_message(_call(self._jobs.StartTable, request))

    def watch(self, job_id: str) -> Iterator[Job]:
        with _errors():
            call = self._jobs.Watch(make(jobs.WatchRequest, id=job_id))
            try:
                for message in call:
                    yield job_from_message(message)
            finally:
                call.cancel()

    def job(self, job_id: str) -> Job:
        return job_from_message(_call(self._jobs.Get, make(jobs.GetJobRequest, id=job_id)))

    def jobs(
        self,
        states: Collection[str] = (),
        *,
        kinds: Collection[str] = (),
        limit: int | None = None,
        continuation: str | None = None,
    ) -> tuple[JobPage, Cut | None]:
        request = make(
            jobs.ListJobsRequest,
            states=[enum_value(jobs.JobState.DESCRIPTOR, state, "states") for state in states],
            kinds=[enum_value(jobs.JobKind.DESCRIPTOR, kind, "kinds") for kind in kinds],
            limit=positive("limit", limit),
            continuation=continuation or "",
        )
        response = _call(self._jobs.List, request)
        cut = from_message(response.cut, Cut) if response.HasField("cut") else None
        page = JobPage(job_from_message(job) for job in response.jobs)
        page.unreadable = response.unreadable
        return page, cut

    def prune_jobs(self, *, older_than: float | None = None, keep: int | None = None) -> int:
        request = make(jobs.PruneJobsRequest, older_than_seconds=older_than, keep=keep)
        return _call(self._jobs.Prune, request).removed

    def cancel(self, job_id: str) -> Job:
        return job_from_message(_call(self._jobs.Cancel, make(jobs.CancelJobRequest, id=job_id)))

    def pause(self, job_id: str) -> Job:
        return job_from_message(_call(self._jobs.Pause, make(jobs.PauseJobRequest, id=job_id)))

    def resume(self, job_id: str, *, budget: Budget | None = None) -> Job:
        limits = None if budget is None else to_message(budget, jobs.Budget)
        return job_from_message(_call(self._jobs.Resume, make(jobs.ResumeJobRequest, id=job_id, budget=limits)))

    # Transfer

    def export(
        self,
        game: str,
        position: Where = None,
        *,
        form: Literal["certificate", "jsonl", "csv", "dot", "estimates"] = "certificate",
        max_nodes: int | None = None,
    ) -> Exported:
        request = make(
            transfer.ExportRequest,
            game=game,
            format=enum_value(transfer.Format.DESCRIPTOR, form, "format"),
            max_nodes=positive("max_nodes", max_nodes),
            **({} if position is None else where(position)),
        )
        with _errors():
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
        header = transfer.ImportHeader(
            format=cast("Any", enum_value(transfer.Format.DESCRIPTOR, form, "format")), source=source or ""
        )

        def chunks() -> Iterator[transfer.ImportChunk]:
            yield transfer.ImportChunk(header=header)
            for chunk in file_chunks(data):
                yield transfer.ImportChunk(data=chunk)

        return from_message(_call_streaming(self._transfer.Import, chunks()), ImportResult)

    def close(self) -> None:
        self._channel.close()


class _RemoteExport(Exported):
    def __init__(self, call: Any) -> None:
        self._call = call
        self._closed = False

    def __next__(self) -> bytes:
        if self._closed:
            raise StopIteration
        with _errors():
            for chunk in self._call:
                if chunk.HasField("summary"):
                    self.summary = from_message(chunk.summary, ExportSummary)
                if chunk.data:
                    return bytes(chunk.data)
        raise StopIteration

    def close(self) -> None:
        self._closed = True
        self._call.cancel()


def _call(method: Callable[[Any], T], request: object) -> T:
    with _errors():
        return method(request)


def _call_streaming(method: Callable[[Any], T], requests: Iterator[object]) -> T:
    """Calls a method that takes a stream; raises what the making of the stream raised, if it did."""
    failure: list[BaseException] = []

    def each() -> Iterator[object]:
        try:
            yield from requests
        except BaseException as error:
            failure.append(error)  # gRPC would only say that iterating failed
            raise

    try:
        return _call(method, each())
    except Exception:
        if failure:
            raise failure[0] from None
        raise


@contextmanager
def _errors() -> Iterator[None]:
    """Raises what the command raised in the server."""
    try:
        yield
    except grpc.RpcError as error:
        raise local_error(error) from None
    except ValueError as error:
        if "closed channel" not in str(error):
            raise
        raise ServiceFailedError("this client is closed") from None
