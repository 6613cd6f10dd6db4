"""Answers that come piece by piece, as long as somebody takes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

__all__ = ["StreamedResponse"]


class StreamedResponse(Response):
    """Sends pieces until they end or the client goes; then whatever makes them is closed at once.

    Args:
        pieces: of the body.
        media_type: its type.
        headers: others.
    """

    def __init__(self, pieces: AsyncGenerator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(headers=headers, media_type=media_type)
        del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        until = asyncio.timeout(None)
        try:
            async with until, aclosing(self._pieces) as pieces:
                watch = asyncio.create_task(_end_when_gone(receive, until))
                try:
                    await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                    async for piece in pieces:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                finally:
                    watch.cancel()
                    with suppress(asyncio.CancelledError):
                        await watch
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            if not until.expired():
                raise


async def _end_when_gone(receive: Receive, until: asyncio.Timeout) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    if not until.expired():
        until.reschedule(asyncio.get_running_loop().time())
