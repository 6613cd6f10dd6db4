"""What interceptors make of the handler of a method: one of the same shape, with the method wrapped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from grpc.aio import ServerInterceptor

__all__ = ["WrappingInterceptor", "same_shape"]

Wrap = Callable[[Any], Any]


class WrappingInterceptor(ServerInterceptor, ABC):
    """Wraps the handler of each method once, and not anew for every call."""

    def __init__(self) -> None:
        self._wrapped: dict[str, tuple[Any, Any]] = {}
        """By method: the handler, and what was made of it."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        known = self._wrapped.get(method)
        if known is not None and known[0] is handler:
            return known[1]
        if handler is None:
            return None
        wrapped = self.wrap(method, handler)
        self._wrapped[method] = handler, wrapped
        return wrapped

    @abstractmethod
    def wrap(self, method: str, handler: Any) -> Any:
        """The handler of a method, as gRPC has it, with what this interceptor adds."""


def same_shape(handler: Any, single: Wrap, streaming: Wrap) -> Any:
    """The handler with its method wrapped; requests and answers are read and written as before.

    Args:
        handler: of a method, as gRPC has it.
        single: wraps a method with one answer.
        streaming: wraps a method with a stream of answers.
    """
    read, write = handler.request_deserializer, handler.response_serializer
    if handler.request_streaming and handler.response_streaming:
        return grpc.stream_stream_rpc_method_handler(streaming(handler.stream_stream), read, write)
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(streaming(handler.unary_stream), read, write)
    if handler.request_streaming:
        return grpc.stream_unary_rpc_method_handler(single(handler.stream_unary), read, write)
    return grpc.unary_unary_rpc_method_handler(single(handler.unary_unary), read, write)
