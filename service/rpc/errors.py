"""Exceptions become gRPC statuses here, and only here. Requests that cannot be read are refused here, too."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc.aio import ServerInterceptor, ServicerContext

from proofbase.service.bounds import cut_text
from proofbase.service.errors import (
    DOMAIN,
    InvalidRequestError,
    TooManyStreamsError,
    UnknownFieldError,
    details_of,
    error_mapping,
)
from proofbase.service.limits import ERROR_CHARACTERS

__all__ = ["ErrorInterceptor", "unknown_field"]

_log = logging.getLogger("proofbase.service")
OWN_METHODS = "/proofbase.v1."
DETAILS_KEY = "grpc-status-details-bin"


class ErrorInterceptor(ServerInterceptor):
    """Wraps every method of proofbase.v1.

    * What a command raises becomes the status of the table in service/errors.py, with google.rpc.ErrorInfo and, where
      a field is to blame, BadRequest.
    * A request that is no message (text that is not UTF-8, say) or has unknown fields is refused.
    * No more than `streams` streams are open at a time.
    """

    def __init__(self, streams: int) -> None:
        self._streams = streams
        self._open = 0

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or not method.startswith(OWN_METHODS):
            return handler
        read = _or_unreadable(handler.request_deserializer)
        write = handler.response_serializer
        if handler.request_streaming and handler.response_streaming:
            behaviour = self._stream_stream(method, handler.stream_stream)
            return grpc.stream_stream_rpc_method_handler(behaviour, read, write)
        if handler.request_streaming:
            behaviour = self._stream_unary(method, handler.stream_unary)
            return grpc.stream_unary_rpc_method_handler(behaviour, read, write)
        if handler.response_streaming:
            behaviour = self._unary_stream(method, handler.unary_stream)
            return grpc.unary_stream_rpc_method_handler(behaviour, read, write)
        return grpc.unary_unary_rpc_method_handler(self._unary_unary(method, handler.unary_unary), read, write)

    def _unary_unary(self, method: str, inner: Any) -> Any:
        async def call(request: Any, context: ServicerContext[Any, Any]) -> Any:
            try:
                return await inner(_checked(request), context)
            except Exception as error:
                await _abort(method, error, context)

        return call

    def _unary_stream(self, method: str, inner: Any) -> Any:
        async def call(request: Any, context: ServicerContext[Any, Any]) -> AsyncIterator[Any]:
            try:
                with _Stream(self):
                    async for response in inner(_checked(request), context):
                        yield response
            except Exception as error:
                await _abort(method, error, context)

        return call

    def _stream_unary(self, method: str, inner: Any) -> Any:
        async def call(requests: AsyncIterator[Any], context: ServicerContext[Any, Any]) -> Any:
            try:
                with _Stream(self):
                    return await inner(_each_checked(requests), context)
            except Exception as error:
                await _abort(method, error, context)

        return call

    def _stream_stream(self, method: str, inner: Any) -> Any:
        async def call(requests: AsyncIterator[Any], context: ServicerContext[Any, Any]) -> AsyncIterator[Any]:
            try:
                with _Stream(self):
                    async for response in inner(_each_checked(requests), context):
                        yield response
            except Exception as error:
                await _abort(method, error, context)

        return call


class _Stream:
    """One open stream, counted."""

    def __init__(self, owner: ErrorInterceptor) -> None:
        self._owner = owner

    def __enter__(self) -> None:
        owner = self._owner
        if owner._open >= owner._streams:
            raise TooManyStreamsError(f"{owner._open} streams are open already: that is the limit (concurrent_streams)")
        owner._open += 1

    def __exit__(self, *_: object) -> None:
        self._owner._open -= 1


class _Unreadable:
    """Stands for a request that could not be parsed, until the call of the method refuses it."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _or_unreadable(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """A parser that never fails: gRPC itself would answer INTERNAL, though the fault is the caller's."""

    def parse(data: bytes) -> Any:
        try:
            return read(data)
        except (DecodeError, ValueError) as error:
            return _Unreadable(error)

    return parse


def _checked(request: Any) -> Any:
    if isinstance(request, _Unreadable):
        raise InvalidRequestError(f"the request cannot be read (all text must be UTF-8): {request.error}")
    path = unknown_field(request)
    if path is not None:
        raise UnknownFieldError(
            f"the request has a field that this version does not know: {path} of {request.DESCRIPTOR.full_name}",
            field=path,
        )
    return request


async def _each_checked(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    async for request in requests:
        yield _checked(request)


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


async def _abort(method: str, error: Exception, context: ServicerContext[Any, Any]) -> None:
    if isinstance(error, grpc.RpcError | grpc.aio.AbortError | grpc.aio.UsageError):
        raise error
    mapping = error_mapping(error)
    internal = mapping.reason == "INTERNAL"
    _log.log(mapping.level, "%s: %s: %s", method, mapping.reason, error, exc_info=internal)
    # The text of an unforeseen error may hold anything: it goes to the log only.
    text = f"internal error ({type(error).__name__}); the server's log has the details" if internal else str(error)
    text = cut_text(text, ERROR_CHARACTERS) or mapping.reason
    details = details_of(error)
    status = Status(code=getattr(grpc.StatusCode, mapping.status).value[0], message=text)
    status.details.append(_packed(ErrorInfo(reason=mapping.reason, domain=DOMAIN, metadata=details)))
    field = details.get("field") or mapping.field
    if field:
        violation = BadRequest.FieldViolation(field=field, description=text, reason=mapping.reason)
        status.details.append(_packed(BadRequest(field_violations=[violation])))
    await context.abort(
        getattr(grpc.StatusCode, mapping.status), text, trailing_metadata=((DETAILS_KEY, status.SerializeToString()),)
    )


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed
