"""What the page asks the services, as the dataclasses that pictures are made from."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message
from starlette.requests import Request

from proofbase.engine.errors import EngineError
from proofbase.engine.problems.report import ProblemReport
from proofbase.engine.rules import is_built_in
from proofbase.engine.rules.deadline import call_in_time
from proofbase.service.answers import (
    Analysis,
    Cut,
    GameInfo,
    Line,
    PositionAnswer,
    Proof,
    Statistics,
    TableInfo,
    ThreatAnswer,
    Value,
)
from proofbase.service.convert import enum_number, from_message, job_from_message
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.value_from_moves import value_from_moves
from proofbase.service.http.exchange import EXCHANGE
from proofbase.service.http.methods import Methods
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.pictures.boards.board import Squares
from proofbase.service.pictures.symmetric_moves import move_reward, symmetric_moves
from proofbase.service.positions.move_values import with_value_after
from proofbase.service.positions.probe import best_first
from proofbase.service.words.amounts import amount
from proofbase.service.words.values import rules_of
from proofbase.v1 import jobs_pb2, types_pb2

__all__ = ["Asker"]

MOST_GAMES = 1_000
MOST_JOBS = 50
MOST_RATED = 64
"""Moves of a position that are searched, at most; mirror images are not counted."""
RULES_SECONDS = 1.0
"""For what a user's rules say of their board."""
RATING_SECONDS = 1.0
"""The time of all searches of a position's moves together."""


class Asker:
    """Asks the methods that gRPC has, for the client of the request.

    Args:
        methods: by their names.
    """

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def _ask(self, name: str, **fields: Any) -> Any:
        method = self._methods[f"proofbase.v1.{name}"]
        request: Message = method.request(**fields)
        return await EXCHANGE.get().ask(method, request)

    async def read(self, request: Request) -> tuple[dict[str, str], Place, GameInfo]:
        """What the address of a page about a position says: its parameters, the place and the game.

        Raises:
            LimitExceededError: too many moves.
            UnknownGameError, InvalidParametersError, RulesNotLoadedError: there is no such game here.
        """
        parameters = dict(request.query_params)
        place = Place.read(request.path_params["game"], parameters)
        return parameters, place, await self.game(place.game)

    async def game(self, name: str) -> GameInfo:
        """A game by any of its names."""
        return from_message(await self._ask("Solutions/GetGame", game=name), GameInfo)

    async def games(self) -> tuple[list[GameInfo], str | None]:
        """The games of the store, then others; and why there are more of them."""
        games: list[GameInfo] = []
        continuation = ""
        while True:
            page = await self._ask("Solutions/ListGames", continuation=continuation)
            games += [from_message(game, GameInfo) for game in page.games]
            continuation = page.cut.continuation
            if not continuation or len(games) >= MOST_GAMES:
                return games, page.cut.message or None

    async def lookup(self, game: str, position: str, *, search_nodes: int = 0) -> PositionAnswer:
        """What is known of a position; with `search_nodes`, what a search finds."""
        fields = {"game": game, "position": position, "board": True, "distances": True, "search_nodes": search_nodes}
        return value_from_moves(from_message(await self._ask("Solutions/Lookup", **fields), PositionAnswer))

    async def lookup_at(self, place: Place, *, search_nodes: int = 0) -> PositionAnswer:
        """The same for a place."""
        position = place.position
        if position is None:
            position = (await self.analysis(place.game, place.start, place.played)).last_position
        return await self.lookup(place.game, position, search_nodes=search_nodes)

    async def rated(self, answer: PositionAnswer, nodes: int) -> tuple[PositionAnswer, frozenset[int], str]:
        """A position with what short searches find of those of its moves that are not known.

        Returns:
            The answer, the numbers of the moves of which a search has found more than is stored, and what was tried, in
            words.
        """
        open_moves = [move for move in answer.moves if not move.known]
        alike = symmetric_moves(answer, open_moves)[:MOST_RATED]
        if not alike:
            return answer, frozenset(), "No move was left to search."
        each = max(1, nodes // len(alike))
        request = {
            "game": answer.game,
            "texts": {"positions": [moves[0].position for moves in alike]},
            "search_nodes": each,
            "search_seconds": RATING_SECONDS,
        }
        items = (await self._ask("Solutions/BatchLookup", **request)).items
        rated_moves = {}
        for moves, item in zip(alike, items, strict=False):
            value = from_message(item.value, Value) if item.HasField("value") else None
            rank = item.rank if item.HasField("rank") else None
            for move in moves:
                rated = with_value_after(move, value, rank, move_reward(answer, move))
                if rated != move:
                    rated_moves[move.number] = rated
        together = best_first([rated_moves.get(move.number, move) for move in answer.moves])
        tried = (
            f"{amount(len(alike), 'move')} of {len(open_moves)} searched, with up to {amount(each, 'node')} each and "
            f"{RATING_SECONDS:g} s together; mirror images are not counted."
        )
        return value_from_moves(replace(answer, moves=tuple(together))), frozenset(rated_moves), tried

    async def squares(self, answer: PositionAnswer) -> Squares | None:
        """The squares of a user's game that offers them; None for others, and where its rules fail or take long."""
        if is_built_in(answer.game):
            return None
        try:
            return await asyncio.to_thread(call_in_time, lambda: squares_of(answer), RULES_SECONDS, answer.game)
        except (EngineError, ValueError, TypeError):
            return None

    async def line(self, game: str, position: str) -> Line:
        """The line of best play."""
        return from_message(await self._ask("Solutions/GetLine", game=game, position=position), Line)

    async def threats(self, game: str, position: str) -> ThreatAnswer:
        """Wins by threats."""
        return from_message(await self._ask("Solutions/GetThreats", game=game, position=position), ThreatAnswer)

    async def problem(self, game: str, position: str, moves: int, intended: Sequence[str]) -> ProblemReport:
        """Whether one first move alone wins in so many moves; 0: in as few as can be."""
        fields = {"game": game, "position": position, "moves": moves, "intended": intended}
        return from_message(await self._ask("Solutions/ExamineProblem", **fields), ProblemReport)

    async def analysis(self, game: str, start: str, moves: tuple[str, ...]) -> Analysis:
        """What is known of each move of a game."""
        fields: dict[str, Any] = {"game": game, "moves": " ".join(moves)}
        if start:
            fields["position"] = start
        return from_message(await self._ask("Solutions/AnalyseGame", **fields), Analysis)

    async def proof(
        self, game: str, position: str, *, side: str | None, depth: int, nodes: int, continuation: str
    ) -> Proof:
        """A page of the proof below a position."""
        number = 0 if side is None else enum_number(types_pb2.Side.DESCRIPTOR, side)
        fields = {"max_depth": depth, "max_nodes": nodes, "continuation": continuation, "side": number}
        return from_message(await self._ask("Solutions/GetProof", game=game, position=position, **fields), Proof)

    async def statistics(self) -> Statistics:
        """Counts of the store."""
        return from_message(await self._ask("Solutions/GetStatistics"), Statistics)

    async def tables(self, game: str) -> tuple[TableInfo, ...]:
        """The tables of a game with the counts of their positions."""
        statistics = await self._ask("Solutions/GetStatistics", game=game, histograms=True)
        return from_message(statistics, Statistics).tables

    async def job(self, job_id: str) -> Job:
        """A job as it is now."""
        return job_from_message(await self._ask("Jobs/Get", id=job_id))

    async def job_about(self, answer: PositionAnswer) -> Job | None:
        """The newest job about a position that runs, waits or is paused."""
        states = [enum_number(jobs_pb2.JobState.DESCRIPTOR, state) for state in ("queued", "running", "paused")]
        for message in (await self._ask("Jobs/List", states=states, limit=MOST_JOBS)).jobs:
            job = job_from_message(message)
            if isinstance(job.spec, SolveSpec) and (job.spec.game, job.spec.position) == (answer.game, answer.position):
                return job
        return None

    async def jobs(self, limit: int, continuation: str) -> tuple[list[Job], Cut | None]:
        """A page of jobs, newest first."""
        page = await self._ask("Jobs/List", limit=limit, continuation=continuation)
        cut = from_message(page.cut, Cut) if page.HasField("cut") else None
        return [job_from_message(job) for job in page.jobs], cut


def squares_of(answer: PositionAnswer) -> Squares | None:
    """What a user's game says of its board; None where it says nothing."""
    rules = rules_of(answer.game)
    if rules is None:
        return None
    position = rules.parse(answer.position)
    rows = tuple(str(row) for row in rules.squares(position))
    moves = {move.move: tuple(rules.move_squares(position, move.number)) for move in answer.moves}
    return Squares(rows, moves) if rows else None
