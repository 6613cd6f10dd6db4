"""Exceptions become gRPC statuses here, and only here. Requests that cannot be read are refused here, too."""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from proofbase.service.answers.bounds import cut_text
from proofbase.service.errors import (
    DOMAIN,
    InvalidRequestError,
    QuotaExceededError,
    UnknownFieldError,
    details_of,
    error_mapping,
    text_of,
)
from proofbase.service.limits import ERROR_CHARACTERS
from proofbase.service.rpc.calls import CONNECTION, GAME, Context, named_game
from proofbase.service.rpc.handlers import HandlerWrapper, same_shape
from proofbase.service.rpc.server_load import HeldBytes, OpenStream, ServerLoad
from proofbase.service.telemetry.call_ids import CALL_ID, CALL_ID_HEADER

__all__ = ["ErrorAnswers", "Failure", "abort", "abort_arguments", "check_known", "failure_of", "unreadable"]

_log = logging.getLogger("proofbase.service")
OWN_METHODS = "/proofbase.v1."
DETAILS_KEY = "grpc-status-details-bin"
Write = Callable[[Any], bytes]


class ErrorAnswers(HandlerWrapper):
    """Wraps every method of proofbase.v1.

    * What a command raises becomes the status of the table in service/errors.py, with google.rpc.ErrorInfo and, where
      a field is to blame, BadRequest.
    * A request that is no message (text that is not UTF-8, say) or has unknown fields is refused.
    * Streams are counted, and so are the bytes of requests and answers until the client has taken the answer: what
      exceeds the load is refused.
    """

    def __init__(self, load: ServerLoad) -> None:
        self._load = load

    def wrap(self, method: str, handler: Any) -> Any:
        if not method.startswith(OWN_METHODS):
            return _with_readable_requests(method, handler)
        # The answers are written to bytes here, not by gRPC: their size is what has to be counted.
        read, write = _or_unreadable(handler.request_deserializer), handler.response_serializer
        if handler.request_streaming and handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(self._streaming(method, handler.stream_stream, write), read)
        if handler.request_streaming:
            return grpc.stream_unary_rpc_method_handler(self._stream_unary(method, handler.stream_unary, write), read)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(self._streaming(method, handler.unary_stream, write), read)
        return grpc.unary_unary_rpc_method_handler(self._unary_unary(method, handler.unary_unary, write), read)

    def _begin(self, context: Context) -> tuple[str, HeldBytes]:
        """Counts a call until its answer is taken; gives its connection and what it holds."""
        connection = context.peer()
        CONNECTION.set(connection)
        held = HeldBytes(self._load, connection)
        context.add_done_callback(cast("Any", lambda _: held.release()))
        return connection, held

    def _unary_unary(self, method: str, inner: Any, write: Write) -> Any:
        async def call(received: _Received, context: Context) -> bytes:
            _, held = self._begin(context)
            try:
                held.become(received.size)
                answer = write(await inner(_checked(received), context))
                held.become(len(answer))
                return answer
            except Exception as error:
                await abort(method, error, context)
                raise  # not reached: an abort raises

        return call

    def _stream_unary(self, method: str, inner: Any, write: Write) -> Any:
        async def call(requests: AsyncIterator[_Received], context: Context) -> bytes:
            connection, held = self._begin(context)
            try:
                with OpenStream(self._load, connection):
                    answer = write(await inner(_each_checked(requests, held), context))
                held.become(len(answer))
                return answer
            except Exception as error:
                await abort(method, error, context)
                raise  # not reached: an abort raises

        return call

    def _streaming(self, method: str, inner: Any, write: Write) -> Any:
        """For methods with a stream of answers, whether their request is one message or a stream."""

        async def call(received: Any, context: Context) -> AsyncIterator[bytes]:
            connection, held = self._begin(context)
            try:
                with OpenStream(self._load, connection):
                    if isinstance(received, _Received):
                        held.become(received.size)
                        request = _checked(received)
                    else:
                        request = _each_checked(received, held)
                    async for message in inner(request, context):
                        answer = write(message)
                        held.become(len(answer))
                        yield answer  # comes back when the client has taken it, but for 64 KiB
            except Exception as error:
                await abort(method, error, context)

        return call


class _Received:
    """A request as it was received.

    Attributes:
        message: the request; the error where it could not be parsed.
        size: its bytes.
    """

    __slots__ = ("message", "size")

    def __init__(self, message: Message | Exception, size: int) -> None:
        self.message = message
        self.size = size


def _or_unreadable(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """A parser that never fails: gRPC itself would answer INTERNAL, though the fault is the caller's."""

    def parse(data: bytes) -> _Received:
        try:
            return _Received(read(data), len(data))
        except (DecodeError, ValueError) as error:
            return _Received(error, 0)

    return parse


def _with_readable_requests(method: str, handler: Any) -> Any:
    """A method of another service: a request that is no message is refused, which gRPC would log as our failure."""

    def single(inner: Any) -> Any:
        async def call(received: Any, context: Context) -> Any:
            try:
                return await inner(_read(received), context)
            except InvalidRequestError as error:
                await abort(method, error, context)

        return call

    def streaming(inner: Any) -> Any:
        if not inspect.isasyncgenfunction(inner):  # it writes its answers by itself
            return single(inner)

        async def call(received: Any, context: Context) -> AsyncIterator[Any]:
            try:
                async for answer in inner(_read(received), context):
                    yield answer
            except InvalidRequestError as error:
                await abort(method, error, context)

        return call

    return same_shape(handler, single, streaming, _or_unreadable(handler.request_deserializer))


def _read(received: Any) -> Any:
    return _message(received) if isinstance(received, _Received) else _each_message(received)


async def _each_message(requests: AsyncIterator[_Received]) -> AsyncIterator[Any]:
    async for received in requests:
        yield _message(received)


def _message(received: _Received) -> Message:
    if isinstance(received.message, Exception):
        raise unreadable(received.message)
    return received.message


def _checked(received: _Received) -> Any:
    request = _message(received)
    check_known(request)
    GAME.set(named_game(request))
    return request


def unreadable(error: Exception) -> InvalidRequestError:
    """The error of bytes that are no message."""
    return InvalidRequestError(f"the request cannot be read (all text must be UTF-8): {error}")


def check_known(request: Message) -> None:
    """Refuses a request with a field that this version does not know: ignoring it might change what was meant.

    Raises:
        UnknownFieldError: it has one.
    """
    path = unknown_field(request)
    if path is not None:
        raise UnknownFieldError(
            f"the request has a field that this version does not know: {path} of {request.DESCRIPTOR.full_name}",
            field=path,
        )


async def _each_checked(requests: AsyncIterator[_Received], held: HeldBytes) -> AsyncIterator[Any]:
    async for received in requests:
        held.become(received.size)
        yield _checked(received)


def unknown_field(message: Message) -> str | None:
    """The path to the first unknown field, such as `budget.#17`; None when all are known."""
    unknown = UnknownFieldSet(message)
    if len(unknown):
        return f"#{unknown[0].field_number}"
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if field.is_repeated else (value,):
            path = unknown_field(part)
            if path is not None:
                return f"{field.name}.{path}"
    return None


@dataclass(frozen=True, slots=True)
class Failure:
    """How an exception leaves the service, over gRPC and over HTTP alike.

    Attributes:
        status: name of the gRPC status.
        text: for people.
        details: google.rpc.ErrorInfo, then RetryInfo and BadRequest where they say something.
        retry_after: seconds after which the call may succeed; 0 where that is not known.
    """

    status: str
    text: str
    details: tuple[Message, ...]
    retry_after: int = 0


def failure_of(method: str, error: Exception, *, quiet: bool = False) -> Failure:
    """What a client is told of an exception. The log has the rest; `quiet`: only where it tells everything."""
    mapping = error_mapping(error)
    internal = mapping.reason == "INTERNAL"
    level = logging.DEBUG if quiet else mapping.level
    _log.log(level, "%s: %s: %s", method, mapping.reason, text_of(error), exc_info=error if internal else None)
    # The text of an unforeseen error may hold anything: it goes to the log only.
    text = text_of(error)
    if internal:
        text = f"internal error ({type(error).__name__}); the server's log has the details, of call {CALL_ID.get()}"
    text = cut_text(text, ERROR_CHARACTERS) or mapping.reason
    metadata = details_of(error)
    details: list[Message] = [ErrorInfo(reason=mapping.reason, domain=DOMAIN, metadata=metadata)]
    retry_after = error.retry_after if isinstance(error, QuotaExceededError) else 0
    if retry_after:
        details.append(RetryInfo(retry_delay=Duration(seconds=retry_after)))
    field = metadata.get("field") or mapping.field
    if field:
        violation = BadRequest.FieldViolation(field=field, description=text, reason=mapping.reason)
        details.append(BadRequest(field_violations=[violation]))
    return Failure(mapping.status, text, tuple(details), retry_after)


async def abort(method: str, error: Exception, context: Context, *, quiet: bool = False) -> None:
    """Ends a call with the status of an error. It does not return: gRPC raises."""
    if isinstance(error, grpc.RpcError | grpc.aio.AbortError | grpc.aio.UsageError):
        raise error
    await context.abort(*abort_arguments(failure_of(method, error, quiet=quiet)))


def abort_arguments(failure: Failure) -> tuple[grpc.StatusCode, str, tuple[tuple[str, str | bytes], ...]]:
    """The arguments of a context's `abort` that tell of a failure."""
    code: grpc.StatusCode = getattr(grpc.StatusCode, failure.status)
    status = Status(code=code.value[0], message=failure.text, details=map(_packed, failure.details))
    return code, failure.text, ((DETAILS_KEY, status.SerializeToString()), (CALL_ID_HEADER, CALL_ID.get() or ""))


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed
