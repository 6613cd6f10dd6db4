"""The progress of a job as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

`event: job` with the job as JSON, now and whenever it has changed; at the end `event: end`, after which a client need
not come back. `event: failure` tells why a stream was broken off, in the form of the errors. A comment every few
seconds keeps proxies from closing a connection on which nothing happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

from google.protobuf.message import Message

from proofbase.service.http.failures import response_to
from proofbase.service.http.json_text import json_text

__all__ = ["job_events"]

SILENCE_SECONDS = 10.0


async def job_events(
    name: str, first: Message, later: AsyncIterator[Message], draining: asyncio.Event
) -> AsyncGenerator[bytes]:
    """The events of a job.

    Args:
        name: of the route, for the log.
        first: the job as it is now.
        later: its later states, until it rests.
        draining: the server is about to stop: the client is to come again.
    """
    drain = asyncio.create_task(draining.wait())
    following = asyncio.ensure_future(anext(later))
    try:
        yield _event("job", json_text(first))
        while True:
            await asyncio.wait({following, drain}, timeout=SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                job = following.result()
                following = asyncio.ensure_future(anext(later))
                yield _event("job", json_text(job))
            elif drain.done():
                return
            else:
                yield b":\n\n"
    except StopAsyncIteration:
        yield _event("end", "{}")
    except Exception as error:
        yield _event("failure", bytes(response_to(name, error).body).decode())
    finally:
        for task in (following, drain):
            task.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, Exception):
                await task


def _event(kind: str, data: str) -> bytes:
    return f"event: {kind}\ndata: {data}\n\n".encode()
