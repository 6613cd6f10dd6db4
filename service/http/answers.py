"""Answers to the URLs of `routes`: the request from the URL, the method's answer as JSON, as events or as a file."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import IO, Any

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.errors import InvalidRequestError
from proofbase.service.http.caching import answer_tag, cache_headers, not_changed
from proofbase.service.http.connect import Body, Messages
from proofbase.service.http.events import job_events
from proofbase.service.http.exchange import EXCHANGE
from proofbase.service.http.methods import Method, Methods
from proofbase.service.http.ranges import Range, asked_range, kept, part_of
from proofbase.service.http.reading import request_from
from proofbase.service.http.routes import ReadRoute
from proofbase.service.http.streams import StreamedResponse, until_gone
from proofbase.service.rpc.calls import Calls
from proofbase.v1 import transfer_pb2

__all__ = ["RouteAnswers"]

Endpoint = Callable[[Request], Awaitable[Response]]
FILES = {
    transfer_pb2.FORMAT_CERTIFICATE: ("proofbase", "application/octet-stream"),
    transfer_pb2.FORMAT_JSONL: ("jsonl", "application/jsonl"),
    transfer_pb2.FORMAT_CSV: ("csv", "text/csv; charset=utf-8"),
    transfer_pb2.FORMAT_DOT: ("dot", "text/vnd.graphviz; charset=utf-8"),
}
"""Ending and type of the file in each format."""


class RouteAnswers:
    """Answers the URLs.

    Args:
        methods: what they call.
        calls: runs commands.
        messages: reads and writes messages.
        private: clients are checked, so that answers are for them alone.
        draining: set when the server is about to stop.
    """

    def __init__(
        self, methods: Methods, calls: Calls, messages: Messages, draining: asyncio.Event, *, private: bool
    ) -> None:
        self._methods = methods
        self._calls = calls
        self._messages = messages
        self._private = private
        self._draining = draining

    def endpoint(self, route: ReadRoute) -> Endpoint:
        """What answers a URL. It raises what the command raises."""
        method = self._methods[route.method]

        async def answer(request: Request) -> Response:
            message = await self._request(route, method, request)
            # Answers of searches, and distances (by records of other games), change while the game's records do not.
            uncached = not route.cached or any(getattr(message, name, False) for name in ("search_nodes", "distances"))
            if uncached:
                return await self._answer(route, method, message, {"cache-control": "no-store"}, request)
            tag = await answer_tag(self._calls, message.game, request)
            headers = cache_headers(tag, private=self._private)
            not_modified = not_changed(request, tag, headers)
            return not_modified or await self._answer(route, method, message, headers, request)

        return answer

    async def _request(self, route: ReadRoute, method: Method, request: Request) -> Any:
        if route.verb == "POST":
            return await self._from_body(method, request)
        fields = [*request.path_params.items(), *request.query_params.multi_items()]
        if "moves" not in method.request.DESCRIPTOR.fields_by_name:
            fields = [_moves_as_position(name, text) for name, text in fields]
        return request_from(method.request, fields)

    async def _from_body(self, method: Method, request: Request) -> Any:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise InvalidRequestError("the body has to be JSON, with the header `content-type: application/json`")
        message: Any = await self._messages.read(Body(await request.body(), method.request, json=True))
        game = request.path_params["game"]
        if message.game not in ("", game):
            raise InvalidRequestError(f"the path is about {game}, and the body about another game", field="game")
        message.game = game
        return message

    async def _answer(
        self, route: ReadRoute, method: Method, message: Any, headers: dict[str, str], request: Request
    ) -> Response:
        exchange = EXCHANGE.get()
        if route.form == "json":
            async with until_gone(request.receive):
                answer: Any = await exchange.ask(method, message)
            if "etag" in headers and "cut" in answer.DESCRIPTOR.fields_by_name and answer.HasField("cut"):
                # How far it goes may depend on the time that it took, and its continuation may not hold for long.
                headers = {"cache-control": "no-store"}
            data = await self._messages.write(answer, json=True)
            return Response(data, headers=headers, media_type="application/json")
        if route.form == "events":
            answers = exchange.stream(method, message)
            pieces = job_events(route.name, await anext(answers), answers, self._draining)
            return StreamedResponse(pieces, "text/event-stream", headers | {"x-accel-buffering": "no"})
        pieces = await _file(method, message)
        ending, media_type = FILES[message.format]
        name = re.sub(r"[^A-Za-z0-9.]+", "-", message.game).strip("-")
        headers = headers | {"content-disposition": f'attachment; filename="{name}.{ending}"', "accept-ranges": "bytes"}
        wanted = asked_range(request.headers, headers.get("etag")) if request.method == "GET" else None
        if wanted is None or "etag" not in headers:
            return StreamedResponse(pieces, media_type, headers)
        async with until_gone(request.receive):
            file = await kept(pieces)
        if await answer_tag(self._calls, message.game, request) != headers["etag"]:  # something was written meanwhile
            return StreamedResponse(part_of(file), media_type, headers)
        return _part(file, wanted, media_type, headers)


def _part(file: IO[bytes], asked: Range, media_type: str, headers: dict[str, str]) -> Response:
    size = file.tell()
    bounds = asked.within(size)
    if bounds is None:
        file.close()
        return Response(status_code=416, headers={"content-range": f"bytes */{size}", "cache-control": "no-store"})
    first, last = bounds
    headers |= {"content-range": f"bytes {first}-{last}/{size}", "content-length": str(last - first + 1)}
    return StreamedResponse(part_of(file, first, last + 1), media_type, headers, 206)


def _moves_as_position(name: str, text: str) -> tuple[str, str]:
    """`moves=4455` stands for the position after these moves."""
    return ("position", f"moves:{text}") if name == "moves" else (name, text)


async def _file(method: Method, message: Any) -> AsyncGenerator[bytes]:
    """The bytes of an export, once it has begun. Those of one that fails end too early, which a client notices."""
    answers = EXCHANGE.get().stream(method, message)
    return _bytes(await anext(answers), answers)


async def _bytes(first: Any, later: AsyncGenerator[Any]) -> AsyncGenerator[bytes]:
    async with aclosing(later) as chunks:
        yield first.data
        async for chunk in chunks:
            if chunk.data:
                EXCHANGE.get().held.become(len(chunk.data))
                yield chunk.data
