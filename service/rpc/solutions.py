# ruff: noqa: N802  (methods are called as in the protos)
"""Solutions over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator

from proofbase.service.commands.solutions.analyse_game import analyse_game
from proofbase.service.commands.solutions.batch_lookup import batch_lookup_keys, batch_lookup_packed, page_of_batch
from proofbase.service.commands.solutions.examine_problem import examine_problem
from proofbase.service.commands.solutions.get_limits import get_limits
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.get_proof import ProofPages, get_proof
from proofbase.service.commands.solutions.get_statistics import get_statistics
from proofbase.service.commands.solutions.get_threats import get_threats
from proofbase.service.commands.solutions.list_games import get_game, list_games
from proofbase.service.commands.solutions.lookup import lookup
from proofbase.service.commands.solutions.lookup_budget import lookup_budget
from proofbase.service.commands.solutions.lookup_with_search import lookup_with_search
from proofbase.service.convert import enum_name, to_message
from proofbase.service.errors import InvalidRequestError
from proofbase.service.rpc.calls import GAME, Calls, Context, requested_position
from proofbase.service.rpc.pools import Kind
from proofbase.v1 import solutions_pb2, types_pb2
from proofbase.v1.solutions_pb2_grpc import SolutionsServicer

__all__ = ["Solutions"]

SMALL_BATCH = 200
SHORT_PACKED_BATCH = 10 << 10
"""Bytes of packed keys, 1,000 or so, which take some 100 us where the records are in memory."""
SMALL_PACKED_BATCH = 32 << 10
"""Bytes of packed keys, 4,000 keys or so, which take a few milliseconds."""

USUAL_KEY_BYTES = 8


class Solutions(SolutionsServicer):
    """Reads each request, calls its command, and writes the answer."""

    def __init__(self, calls: Calls, proof_pages: ProofPages) -> None:
        self._calls = calls
        self._resources = calls.resources
        self._proof_pages = proof_pages

    async def ListGames(
        self, request: solutions_pb2.ListGamesRequest, context: Context
    ) -> solutions_pb2.ListGamesResponse:
        games, cut = await self._calls.run_as("proof", list_games, self._resources, request.continuation or None)
        return solutions_pb2.ListGamesResponse(
            games=[to_message(game, solutions_pb2.GameInfo) for game in games],
            cut=None if cut is None else to_message(cut, types_pb2.Cut),
        )

    async def GetGame(self, request: solutions_pb2.GetGameRequest, context: Context) -> solutions_pb2.GameInfo:
        game = await self._calls.run_short(request.game, get_game, self._resources, request.game)
        return to_message(game, solutions_pb2.GameInfo)

    async def GetLimits(self, request: solutions_pb2.GetLimitsRequest, context: Context) -> solutions_pb2.Limits:
        return to_message(get_limits(self._resources), solutions_pb2.Limits)

    async def Lookup(self, request: solutions_pb2.LookupRequest, context: Context) -> solutions_pb2.LookupResponse:
        resources, game, position = self._resources, request.game, requested_position(request)
        parts = {"board": request.board, "distances": request.distances}
        self._calls.spend_lookups(1)
        search = lookup_budget(request.search_nodes or None, request.search_seconds or None)
        if search is not None:
            nodes, seconds = search.nodes, search.seconds
            answer = await self._calls.run_as(
                "search", lookup_with_search, resources, game, position, nodes=nodes, seconds=seconds, **parts
            )
        else:
            answer = await self._calls.run_short(game, lookup, resources, game, position, **parts)
        return to_message(answer, solutions_pb2.LookupResponse)

    async def BatchLookup(
        self, request: solutions_pb2.BatchLookupRequest, context: Context
    ) -> solutions_pb2.BatchLookupResponse:
        self._calls.spend_lookups(self._positions_of(request))
        if self._is_answered_from_memory(request):
            return await self._calls.run_short(request.game, self._batch, request)
        return await self._calls.run_as(self._kind_of_batch(request), self._batch, request)

    async def StreamLookup(
        self, request_iterator: AsyncIterator[solutions_pb2.BatchLookupRequest], context: Context
    ) -> AsyncIterator[solutions_pb2.BatchLookupResponse]:
        async for request in request_iterator:
            GAME.set(request.game)
            self._calls.spend_lookups(self._positions_of(request))
            yield await self._calls.run_as(self._kind_of_batch(request), self._batch, request)

    async def GetLine(self, request: solutions_pb2.GetLineRequest, context: Context) -> solutions_pb2.GetLineResponse:
        self._calls.spend_lookups(1)
        return await self._calls.answer(
            "search",
            solutions_pb2.GetLineResponse,
            get_line,
            self._resources,
            request.game,
            requested_position(request),
            max_plies=request.max_plies or None,
        )

    async def AnalyseGame(
        self, request: solutions_pb2.AnalyseGameRequest, context: Context
    ) -> solutions_pb2.AnalyseGameResponse:
        self._calls.spend_lookups(1)
        return await self._calls.answer(
            "search",
            solutions_pb2.AnalyseGameResponse,
            analyse_game,
            self._resources,
            request.game,
            request.moves,
            requested_position(request),
        )

    async def GetThreats(
        self, request: solutions_pb2.GetThreatsRequest, context: Context
    ) -> solutions_pb2.GetThreatsResponse:
        self._calls.spend_lookups(1)
        return await self._calls.answer(
            "search",
            solutions_pb2.GetThreatsResponse,
            get_threats,
            self._resources,
            request.game,
            requested_position(request),
            search=request.search_nodes or None,
            search_seconds=request.search_seconds or None,
        )

    async def ExamineProblem(
        self, request: solutions_pb2.ExamineProblemRequest, context: Context
    ) -> solutions_pb2.ProblemReport:
        self._calls.spend_lookups(1)
        return await self._calls.answer(
            "search",
            solutions_pb2.ProblemReport,
            examine_problem,
            self._resources,
            request.game,
            requested_position(request),
            moves=request.moves or None,
            intended=request.intended,
            search_seconds=request.search_seconds or None,
        )

    async def GetProof(
        self, request: solutions_pb2.GetProofRequest, context: Context
    ) -> solutions_pb2.GetProofResponse:
        side = enum_name(types_pb2.Side.DESCRIPTOR, request.side)
        return await self._calls.answer(
            "proof",
            solutions_pb2.GetProofResponse,
            get_proof,
            self._resources,
            self._proof_pages,
            request.game,
            requested_position(request),
            side=side,  # type: ignore[arg-type]  # the enum has exactly these names
            max_depth=request.max_depth or None,
            max_nodes=request.max_nodes or None,
            continuation=request.continuation or None,
        )

    async def GetStatistics(
        self, request: solutions_pb2.GetStatisticsRequest, context: Context
    ) -> solutions_pb2.GetStatisticsResponse:
        return await self._calls.answer(
            "census" if request.census or request.histograms else "fast",
            solutions_pb2.GetStatisticsResponse,
            get_statistics,
            self._resources,
            request.game or None,
            census=request.census,
            histograms=request.histograms,
            continuation=request.continuation or None,
        )

    def _positions_of(self, request: solutions_pb2.BatchLookupRequest) -> int:
        """How many positions a batch asks for, for the client's account; of packed keys about so many."""
        packed = request.packed_keys
        keys = len(packed.keys) // (packed.key_size or USUAL_KEY_BYTES)
        return max(1, len(request.texts.positions) + len(request.keys.keys) + keys)

    def _is_answered_from_memory(self, request: solutions_pb2.BatchLookupRequest) -> bool:
        """Whether a batch takes less than a change of threads: packed keys of a game whose records are in memory."""
        packed = len(request.packed_keys.keys)
        return (
            0 < packed <= SHORT_PACKED_BATCH
            and not request.search_nodes
            and self._resources.cache.cached(request.game) > 0
        )

    def _kind_of_batch(self, request: solutions_pb2.BatchLookupRequest) -> Kind:
        """Large batches do not keep small ones waiting, and those that search no others."""
        if request.search_nodes:
            return "search"
        large = (
            len(request.texts.positions) > SMALL_BATCH
            or len(request.keys.keys) > SMALL_BATCH
            or len(request.packed_keys.keys) > SMALL_PACKED_BATCH
        )
        kind = self._calls.kind_of_reading(request.game)
        return "batch" if large and kind == "fast" else kind

    def _batch(self, request: solutions_pb2.BatchLookupRequest) -> solutions_pb2.BatchLookupResponse:
        resources, game = self._resources, request.game
        search = lookup_budget(request.search_nodes or None, request.search_seconds or None)
        choice = request.WhichOneof("positions")
        if choice == "packed_keys":
            packed = request.packed_keys
            answers = batch_lookup_packed(resources, game, packed.keys, packed.key_size, search=search)
        elif choice == "keys":
            answers = batch_lookup_keys(resources, game, request.keys.keys, search=search)
        elif choice == "texts":
            items, cut = page_of_batch(resources, game, request.texts.positions, search=search)
            return solutions_pb2.BatchLookupResponse(
                game=game,
                items=[to_message(item, solutions_pb2.BatchItem) for item in items],
                cut=None if cut is None else to_message(cut, types_pb2.Cut),
            )
        else:
            raise InvalidRequestError("a batch needs texts, keys or packed keys", field="positions")
        return solutions_pb2.BatchLookupResponse(game=game, packed=to_message(answers, solutions_pb2.PackedAnswers))
