"""One request over HTTP: who makes it, the method that it calls, and what is held for it until its answer is taken."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from typing import Any, cast

from google.protobuf.message import Message

from proofbase.service.access.roles import Need
from proofbase.service.http.methods import Method
from proofbase.service.rpc.admission import Admission
from proofbase.service.rpc.calls import CLIENT, CONNECTION, Context
from proofbase.service.rpc.load import HeldBytes, Load, OpenStream

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

    def __init__(self, load: Load, admission: Admission | None, connection: str) -> None:
        self._load = load
        self._admission = admission
        self._connection = connection
        self._end = _CallEnd()
        self.held = HeldBytes(load, connection)
        # A task may begin with what the request before it on the connection has set.
        CONNECTION.set(connection)
        CLIENT.set(None)

    async def admit(self, name: str, need: Need | None, sent: Sequence[str], certificate_names: Sequence[str]) -> None:
        """Lets the request through, or ends it: see `Admission.admit`."""
        if self._admission is not None and need != "nobody":
            await self._admission.admit(name, need, sent, certificate_names)

    async def ask(self, method: Method, request: Any) -> Message:
        """Calls a method with one answer.

        Args:
            method: the method.
            request: its request, or the stream of them.

        Raises:
            Exception: what the command raised.
        """
        context = cast("Context", self._end)
        if method.requests:
            with self._stream():
                return cast("Message", await method.call(request, context))
        return cast("Message", await method.call(request, context))

    async def stream(self, method: Method, request: Any) -> AsyncGenerator[Message]:
        """Calls a method with a stream of answers. It ends when the client's token does.

        Raises:
            Exception: what the command raised.
        """
        caller = CLIENT.get()
        with self._stream():
            async with aclosing(method.call(request, cast("Context", self._end))) as answers:
                async for answer in answers:
                    if self._admission is not None and caller is not None:
                        await self._admission.check_still_known(caller.identity)
                    yield answer

    def over(self) -> None:
        """The answer is taken, or the client has gone."""
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
