"""Ends an open call over gRPC from outside of its handler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import grpc

from proofbase.service.rpc.calls import Context
from proofbase.service.rpc.errors import abort

__all__ = ["end_call"]

ABORT_SECONDS = 0.1
"""So long the status of a call that is ended may take to its client; then the handler is cancelled."""


async def end_call(
    method: str,
    error: Exception,
    context: Context,
    handler: asyncio.Task[Any] | None,
    *,
    is_over: Callable[[], bool] = lambda: False,
    quiet: bool = False,
) -> None:
    """Tells the client how its call ends, and cancels the handler.

    Args:
        method: for the log.
        error: why it ends.
        context: of the call.
        handler: the task that answers it; None where its request has not come yet.
        is_over: whether the call has ended; then nothing of it may be touched.
        quiet: the log need not tell.
    """

    async def tell() -> None:
        if is_over() or context.done() or (handler is not None and handler.done()):
            return
        with suppress(grpc.aio.AbortError, grpc.aio.UsageError, grpc.aio.InternalError):  # it ends by itself
            await abort(method, error, context, quiet=quiet)

    ending = asyncio.create_task(tell())
    # A client that takes no answers gets the status behind them, if ever.
    await asyncio.wait({ending}, timeout=ABORT_SECONDS)
    if handler is not None:
        handler.cancel()
