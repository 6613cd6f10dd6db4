"""One request over HTTP: who makes it, the method that it calls, and what is held for it until its answer is taken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from contextvars import ContextVar
from typing import Any, cast

from google.protobuf.message import Message

from proofbase.service.access.roles import Need
from proofbase.service.http.methods import Method
from proofbase.service.rpc.admission import Admission
from proofbase.service.rpc.calls import CLIENT, CONNECTION, GAME, Context, named_game
from proofbase.service.rpc.server_load import HeldBytes, OpenStream, ServerLoad

__all__ = ["EXCHANGE", "Exchange"]


class _CallEnd:
    """What the servicers use of the context of a call: they are told when it is over."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Any], None]] = []

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        self._callbacks.append(callback)

    def over(self) -> None:
        for callback in self._callbacks:
            callback(self)


class Exchange:
    """One request. It is made in the task that answers it.

    Args:
        load: of the server.
        admission: knows the clients; None where everybody is answered.
        connection: the connection that the request came over.
    """

    def __init__(self, load: ServerLoad, admission: Admission | None, connection: str) -> None:
        self._load = load
        self._admission = admission
        self._connection = connection
        self._end = _CallEnd()
        self._task = asyncio.current_task()
        self._asking: asyncio.Task[Any] | None = None
        """The task that waits for an answer of the method."""
        self._open = ExitStack()
        """Has the request ended when its client is no longer known."""
        self.ended_with: Exception | None = None
        """Why the server has ended the request; then its tasks are cancelled."""
        self.held = HeldBytes(load, connection)
        # A task may begin with what the request before it on the connection has set.
        CONNECTION.set(connection)
        CLIENT.set(None)
        GAME.set("")

    async def admit(self, name: str, need: Need | None, sent: Sequence[str], certificate_names: Sequence[str]) -> None:
        """Lets the request through, or ends it: see `Admission.admit`."""
        if self._admission is not None and need != "nobody":
            caller = await self._admission.admit(name, need, sent, certificate_names)
            self._open.enter_context(self._admission.open_call(caller, self._end_now))

    def _end_now(self, error: Exception) -> None:
        """Ends the request. A stream tells its client why; where the client takes nothing, the second call ends it."""
        task = self._task if self.ended_with is not None or self._asking is None else self._asking
        self.ended_with = error
        if task is not None:
            task.cancel()

    async def ask(self, method: Method, request: Any) -> Message:
        """Calls a method with one answer.

        Args:
            method: the method.
            request: its request, or the stream of them.

        Raises:
            Exception: what the command raised.
        """
        context = cast("Context", self._end)
        GAME.set(named_game(request))
        with self._asked():
            if not method.requests:
                return cast("Message", await method.call(request, context))
            with self._stream():
                return cast("Message", await method.call(request, context))

    async def stream(self, method: Method, request: Any) -> AsyncGenerator[Message]:
        """Calls a method with a stream of answers. It ends when the client's token does.

        Raises:
            Exception: what the command raised.
        """
        GAME.set(named_game(request))
        with self._stream():
            async with aclosing(method.call(request, cast("Context", self._end))) as answers:
                while (answer := await self._next(answers)) is not None:
                    yield answer

    async def _next(self, answers: AsyncIterator[Message]) -> Message | None:
        """The next answer of a stream; None at its end."""
        with self._asked():
            return await anext(answers, None)

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """A method is asked in this task; where the server ends the request meanwhile, its client is told why."""
        self._asking = task = asyncio.current_task()
        try:
            yield
        except asyncio.CancelledError:
            if self.ended_with is None or task is None:
                raise
            task.uncancel()
            raise self.ended_with from None
        finally:
            self._asking = None

    def over(self) -> None:
        """The answer is taken, or the client has gone."""
        self._open.close()
        self.held.release()
        self._end.over()

    @contextmanager
    def _stream(self) -> Iterator[None]:
        """One open stream, of the server and of the client.

        Raises:
            TooManyStreamsError, QuotaExceededError: no more may be open.
        """
        caller = CLIENT.get()
        with OpenStream(self._load, self._connection):
            if caller is None:
                yield
            else:
                with caller.account.stream():
                    yield


EXCHANGE: ContextVar[Exchange] = ContextVar("EXCHANGE")
"""The exchange that this task answers."""
