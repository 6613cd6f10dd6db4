"""Work for a client ends when the client goes: answers that come piece by piece, and those that take a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

__all__ = ["StreamedResponse", "until_gone"]


class StreamedResponse(Response):
    """Sends pieces until they end or the client goes; then whatever makes them is closed at once.

    Args:
        pieces: of the body.
        media_type: its type.
        headers: others.
        status: of HTTP.
    """

    def __init__(
        self, pieces: AsyncGenerator[bytes], media_type: str, headers: dict[str, str], status: int = 200
    ) -> None:
        super().__init__(headers=headers, media_type=media_type, status_code=status)
        if "content-length" not in headers:
            del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with until_gone(receive), aclosing(self._pieces) as pieces:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for piece in pieces:
                if scope["method"] == "HEAD":
                    break
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@asynccontextmanager
async def until_gone(receive: Receive) -> AsyncIterator[None]:
    """Breaks off what it holds when the client goes. The body has to be read before.

    Raises:
        ClientDisconnect: the client has gone.
    """
    until, loop = asyncio.timeout(None), asyncio.get_running_loop()
    watch: list[asyncio.Task[None]] = []
    # What never waits is answered before this is called, and pays for no task.
    start = loop.call_soon(lambda: watch.append(loop.create_task(_end_when_gone(receive, until))))
    try:
        async with until:
            yield
    except TimeoutError:
        if until.expired():
            raise ClientDisconnect from None
        raise
    finally:
        start.cancel()
        for task in watch:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _end_when_gone(receive: Receive, until: asyncio.Timeout) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    if not until.expired():
        until.reschedule(asyncio.get_running_loop().time())
