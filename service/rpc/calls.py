"""What the servicers share: how commands run without blocking the event loop."""

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

    async def look_up(self, game: str, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command that reads a few records of a game.

        A change of threads takes longer than such a command (200 us to 60 us), so it runs in the event loop where
        nothing can hold it up: neither the store nor the rules of a user's game.
        """
        if self.app.store.reads_wait or not self.app.games.answers_at_once(game):
            return await self.run(command, *args, **kwargs)
        return command(*args, **kwargs)

    async def run(self, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command in a thread, so that no store and no search ever blocks the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, partial(command, *args, **kwargs))


def where(request: Any, group: str = "where") -> str | bytes | None:
    """The position of a request as commands take it: text, key, or None when the request names none."""
    choice = request.WhichOneof(group)
    return None if choice is None else getattr(request, choice)
