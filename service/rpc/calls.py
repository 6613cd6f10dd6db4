"""How the servicers run commands without blocking the event loop, and read positions of requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from grpc.aio import ServicerContext

from proofbase.service.resources import Resources

__all__ = ["Calls", "Context", "requested_position"]

Context = ServicerContext[Any, Any]

P = ParamSpec("P")
T = TypeVar("T")


class Calls:
    """Calls commands for the servicers.

    Args:
        resources: what the commands work on.
        threads: run the commands.
    """

    def __init__(self, resources: Resources, threads: ThreadPoolExecutor) -> None:
        self.resources = resources
        self.threads = threads

    async def run_short(self, game: str, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command that reads a few records of a game.

        A change of threads takes longer (200 us) than such a command (60 us). So the command runs in the event loop
        where neither the store nor the rules of a user's game can make it wait.
        """
        if self.resources.store.reads_wait or not self.resources.games.answers_at_once(game):
            return await self.run(command, *args, **kwargs)
        return command(*args, **kwargs)

    async def run(self, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command in a thread, so that no store and no search ever blocks the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, partial(command, *args, **kwargs))


def requested_position(request: Any, group: str = "where") -> str | bytes | None:
    """The position of a request as commands take it: text, key, or None when the request names none."""
    choice = request.WhichOneof(group)
    return None if choice is None else getattr(request, choice)
