"""The Connect protocol (https://connectrpc.com/docs/protocol): methods as POST, with JSON or protobuf, and streams.

The library serves it from the descriptors of the protos: no code is generated for it. Messages are read and written
here, as over gRPC: what cannot be read, or has fields that nobody knows, is refused with the same errors, and large
messages do not block the event loop.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import cache
from typing import Any, cast

from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from starlette.responses import Response

from proofbase.service.errors import InvalidRequestError
from proofbase.service.http.exchange import EXCHANGE
from proofbase.service.http.failures import connect_error, not_read, nothing_here
from proofbase.service.http.json_text import json_text
from proofbase.service.http.methods import Method, Methods
from proofbase.service.rpc.calls import Calls
from proofbase.service.rpc.errors import check_known, unreadable

__all__ = ["Body", "ConnectApplication", "Messages"]

LARGE_BYTES = 20_000
"""Messages from this size on are read and written in a thread: JSON of a megabyte takes some 100 ms."""


class Body:
    """A request as it was received.

    Attributes:
        data: its bytes.
        kind: class of the message.
        json: whether it is JSON; the answer will be, too.
    """

    __slots__ = ("data", "json", "kind")

    def __init__(self, data: bytes, message_type: type[Message], *, json: bool) -> None:
        self.data = data
        self.kind = message_type
        self.json = json

    def read(self) -> Message:
        """The message.

        Raises:
            InvalidRequestError: it is none, or has unknown fields.
        """
        if self.json:
            return read_json(self.data, self.kind)
        try:
            message = self.kind.FromString(self.data)
        except (DecodeError, ValueError) as error:
            raise unreadable(error) from None
        check_known(message)
        return message


def read_json(data: bytes, message_type: type[Message]) -> Message:
    """A message in the JSON mapping of protobuf.

    Raises:
        InvalidRequestError: it is none, or has unknown fields.
    """
    try:
        if not data.lstrip().startswith(b"{"):  # json_format takes an empty list for an empty message
            raise json_format.ParseError("it is no object")
        if _has_floats(message_type.DESCRIPTOR):
            _refuse_truths(json.loads(data), message_type.DESCRIPTOR)
        return json_format.Parse(data, message_type())
    except (json_format.ParseError, ValueError, ArithmeticError, RecursionError, TypeError, AttributeError) as error:
        raise InvalidRequestError(f"the request is no JSON of {message_type.DESCRIPTOR.full_name}: {error}") from None


@cache
def _has_floats(descriptor: Any) -> bool:
    """Whether a message has a field, perhaps of a message in it, for numbers with a fraction. None contains itself."""
    return any(
        field.cpp_type in _FLOATS or (field.message_type is not None and _has_floats(field.message_type))
        for field in descriptor.fields
    )


def _refuse_truths(value: Any, descriptor: Any, path: str = "") -> None:
    """Refuses `true` where a number with a fraction belongs: json_format takes it for 1.

    Raises:
        ParseError: there is one.
    """
    if not isinstance(value, dict):
        return
    fields = {name: field for field in descriptor.fields for name in (field.name, field.json_name)}
    for name, part in value.items():
        field = fields.get(name)
        if field is None:
            continue
        for item in part if isinstance(part, list) else [part]:
            if field.cpp_type in _FLOATS and isinstance(item, bool):
                raise json_format.ParseError(f"{path}{name} is a number, not {json.dumps(item)}")
            if field.message_type is not None:
                _refuse_truths(item, field.message_type, f"{path}{name}.")


_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


class Messages:
    """Reads and writes messages, large ones in a thread.

    Args:
        calls: runs what takes longer.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def read(self, body: Body) -> Message:
        """The message of a request; see `Body.read`."""
        EXCHANGE.get().held.become(len(body.data))
        if len(body.data) < LARGE_BYTES:
            return body.read()
        return await self._calls.run_as("batch", body.read)

    async def write(self, message: Message, *, json: bool) -> bytes:
        """The bytes of an answer, which count until the client has taken them."""
        if not json:
            data = message.SerializeToString()
        elif message.ByteSize() < LARGE_BYTES:
            data = json_text(message).encode()
        else:
            data = await self._calls.run_as("batch", lambda: json_text(message).encode())
        EXCHANGE.get().held.become(len(data))
        return data


class _Codec:
    """Hands bytes through: `Messages` reads and writes them."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name

    def encode(self, message: Any) -> bytes:
        return cast("bytes", message)

    def decode(self, data: bytes | bytearray, message_class: Any) -> Any:
        return Body(bytes(data), message_class, json=self._name == "json")


class ConnectApplication(ConnectASGIApplication[Methods]):
    """All methods, as an ASGI application. `EXCHANGE` has to be set, and the client admitted.

    Args:
        methods: by their names.
        messages: reads and writes them.
        message_bytes: the largest request.
    """

    def __init__(self, methods: Methods, messages: Messages, message_bytes: int) -> None:
        super().__init__(
            service=methods,
            endpoints=self._endpoints_of,
            read_max_bytes=message_bytes,
            codecs=[cast("Any", _Codec("json")), cast("Any", _Codec("proto"))],
        )
        self._methods = methods
        self._messages = messages

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One call, as ASGI has it. What the library refuses with a bare status gets a body that says why."""
        refused = False

        async def send_with_body(message: Any) -> None:
            nonlocal refused
            if refused:
                return
            if message["type"] == "http.response.start" and message["status"] in (405, 415):
                refused = True
                await self._refusal(scope, message["status"])(scope, receive, send)
            else:
                await send(message)

        await super().__call__(scope, receive, send_with_body)

    def _refusal(self, scope: Any, status: int) -> Response:
        if status == 405:
            return nothing_here(scope["method"], scope["path"], ["POST"])
        method = self._methods[scope["path"][1:]]
        streamed = "connect+" if method.requests or method.answers else ""
        return not_read(scope, [f"application/{streamed}{form}" for form in ("json", "proto")])

    @property
    def path(self) -> str:
        return "/"

    def _endpoints_of(self, methods: Methods) -> dict[str, Any]:
        return {f"/{name}": self._endpoint(method) for name, method in methods.items()}

    def _endpoint(self, method: Method) -> Any:
        service, _, name = method.name.partition("/")
        make, kind = _KINDS[method.requests, method.answers]
        about = MethodInfo(
            name=name,
            service_name=service,
            input=method.request,
            output=method.answer,
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=kind,
        )
        function = self._streaming(method) if method.answers else self._single(method)
        return make(method=about, function=function)

    def _single(self, method: Method) -> Callable[[Any, Any], Awaitable[Any]]:
        async def call(received: Any, context: Any) -> Any:
            exchange, first = EXCHANGE.get(), _First()
            try:
                request = await self._request(method, received, first)
                return await self._messages.write(await exchange.ask(method, request), json=first.json)
            except Exception as error:
                raise connect_error(method.name, error, context.response_headers) from error

        return call

    def _streaming(self, method: Method) -> Callable[[Any, Any], AsyncIterator[Any]]:
        async def call(received: Any, context: Any) -> AsyncIterator[Any]:
            exchange, first = EXCHANGE.get(), _First()
            try:
                request = await self._request(method, received, first)
                async with aclosing(exchange.stream(method, request)) as answers:
                    async for message in answers:
                        yield await self._messages.write(message, json=first.json)
            except Exception as error:
                raise connect_error(method.name, error, context.response_headers) from error

        return call

    async def _request(self, method: Method, received: Any, first: _First) -> Any:
        """The request of a call, or the stream of them."""
        if method.requests:
            return self._each(received, first)
        first.see(received)
        return await self._messages.read(received)

    async def _each(self, received: AsyncIterator[Body], first: _First) -> AsyncIterator[Message]:
        async for body in received:
            first.see(body)
            yield await self._messages.read(body)


class _First:
    """How a client writes its messages, as its first one tells."""

    def __init__(self) -> None:
        self.json = True

    def see(self, body: Body) -> None:
        self.json = body.json


_KINDS: dict[tuple[bool, bool], tuple[Callable[..., Any], StreamType]] = {
    (False, False): (Endpoint.unary, StreamType.UNARY),
    (True, False): (Endpoint.client_stream, StreamType.CLIENT_STREAM),
    (False, True): (Endpoint.server_stream, StreamType.SERVER_STREAM),
    (True, True): (Endpoint.bidi_stream, StreamType.BIDI_STREAM),
}
