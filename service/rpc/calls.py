"""What the servicers share: commands run in threads, so that no store and no search ever blocks the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from grpc.aio import ServicerContext

from proofbase.service.application import Application

__all__ = ["Calls", "Context", "where"]

Context = ServicerContext[Any, Any]

P = ParamSpec("P")
T = TypeVar("T")


class Calls:
    """An application and the threads that work on it.

    Args:
        app: the service.
        threads: run the commands.
    """

    def __init__(self, app: Application, threads: ThreadPoolExecutor) -> None:
        self.app = app
        self.threads = threads

    async def run(self, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, partial(command, *args, **kwargs))


def where(request: Any, group: str = "where") -> str | bytes | None:
    """The position of a request as commands take it: text, key, or None when the request names none."""
    choice = request.WhichOneof(group)
    return None if choice is None else getattr(request, choice)
