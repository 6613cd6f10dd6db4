"""How the servicers run commands without blocking the event loop, and read positions of requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from google.protobuf.message import Message
from grpc.aio import ServicerContext

from proofbase.service.access.clients import Identity
from proofbase.service.access.quotas import Account
from proofbase.service.convert import to_message
from proofbase.service.resources import Resources
from proofbase.service.rpc.pools import Kind, Pools

__all__ = ["CLIENT", "CONNECTION", "GAME", "Caller", "Calls", "Context", "named_game", "requested_position"]

Context = ServicerContext[Any, Any]
CONNECTION: ContextVar[str] = ContextVar("CONNECTION", default="")
"""The connection that the call of this task came over, as gRPC names it. Connections get their turns one by one."""
GAME: ContextVar[str] = ContextVar("GAME", default="")
"""The game that the last request of this task names; empty where it names none."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The client whose call it is, where clients are checked.

    Attributes:
        identity: who it is.
        account: what it has used.
        confirm: asks the store whether the client is still known; called in a thread, before anything is written.
    """

    identity: Identity
    account: Account
    confirm: Callable[[], None]


CLIENT: ContextVar[Caller | None] = ContextVar("CLIENT", default=None)
"""Whose call this task makes; None where the server answers everybody."""
FREE_KINDS = ("fast", "control", "upload")
"""Kinds of work that go on when a client's processor time of the day is used up: they take next to none."""

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Message)


class Calls:
    """Calls commands for the servicers.

    Args:
        resources: what the commands work on.
        pools: run the commands.
    """

    def __init__(self, resources: Resources, pools: Pools) -> None:
        self.resources = resources
        self._pools = pools

    async def run_short(self, game: str, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command that reads a few records of a game.

        A change of threads takes longer (200 us) than such a command (60 us). So the command runs in the event loop
        where neither the store nor the rules of a user's game can make it wait.
        """
        if self.resources.store.reads_wait or not self.resources.games.answers_at_once(game):
            return await self.run_as(self.kind_of_reading(game), command, *args, **kwargs)
        return command(*args, **kwargs)

    async def run(self, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command that reads or writes a few records or jobs, in a thread: no store blocks the event loop."""
        return await self.run_as("fast", command, *args, **kwargs)

    async def run_as(self, kind: Kind, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a command in a thread for that kind of work.

        Raises:
            TooManyCallsError: too many calls wait already.
            GameFailedError: the request is about a user's game whose rules have not returned in time.
            QuotaExceededError: the client has used up its processor time.
        """
        caller = CLIENT.get()
        if caller is None:
            return await self._in_pool(kind, command, *args, **kwargs)
        account = caller.account
        if kind not in FREE_KINDS:
            account.check_seconds()

        def measured() -> T:
            began = time.thread_time()
            try:
                return command(*args, **kwargs)
            finally:
                account.add_seconds(time.thread_time() - began)

        return await self._in_pool(kind, measured)

    async def _in_pool(self, kind: Kind, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        family = self.resources.games.users_family(GAME.get())
        if family:  # its rules may hang
            return await self._pools.run_by_rules(family, CONNECTION.get(), command, *args, **kwargs)
        return await self._pools.run(kind, CONNECTION.get(), command, *args, **kwargs)

    async def run_write(self, kind: Kind, command: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for a command that writes: whether the client is still known is asked once more before it is called.

        Raises:
            NotAuthenticatedError: the client's token was revoked, or has ended, since the call began.
        """
        caller = CLIENT.get()
        if caller is None:
            return await self.run_as(kind, command, *args, **kwargs)

        def confirmed() -> T:
            caller.confirm()
            return command(*args, **kwargs)

        return await self.run_as(kind, confirmed)

    async def answer(
        self, kind: Kind, message: type[M], command: Callable[P, Any], *args: P.args, **kwargs: P.kwargs
    ) -> M:
        """The same, with what the command returns as a message: large ones are made in the thread, too."""

        def call() -> M:
            return to_message(command(*args, **kwargs), message)

        return await self.run_as(kind, call)

    def spend_lookups(self, number: int) -> None:
        """Counts positions that the client of this call looks up.

        Raises:
            QuotaExceededError: it may look up no more for the moment.
        """
        caller = CLIENT.get()
        if caller is not None:
            caller.account.spend_lookups(number)

    def kind_of_reading(self, game: str) -> Kind:
        """The kind of work that reading records of a game is: slow where the rules are a user's."""
        return "rules" if self.resources.games.has_slow_rules(game) else "fast"


def named_game(request: Any) -> str:
    """The game that a request names; empty where it names none."""
    return getattr(request, "game", "")


def requested_position(request: Any, group: str = "where") -> str | bytes | None:
    """The position of a request as commands take it: text, key, or None when the request names none."""
    choice = request.WhichOneof(group)
    return None if choice is None else getattr(request, choice)
