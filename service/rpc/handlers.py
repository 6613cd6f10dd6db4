"""What is added to every method when it is registered: handlers of the same shape, with the method wrapped.

Interceptors of grpc.aio would be asked at every call, and each of them is a coroutine more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import grpc

__all__ = ["HandlerWrapper", "WrappedMethods", "same_shape"]

Wrap = Callable[[Any], Any]


class HandlerWrapper(ABC):
    """Adds something to the methods of a server."""

    @abstractmethod
    def wrap(self, method: str, handler: Any) -> Any:
        """The handler of a method, such as `/proofbase.v1.Solutions/Lookup`, with what this wrapper adds."""


class WrappedMethods:
    """Registers methods at a server, each with what the wrappers add: `add_..._to_server` of generated code takes it.

    Args:
        server: answers.
        wrappers: the outermost first.
    """

    def __init__(self, server: grpc.aio.Server, wrappers: Sequence[HandlerWrapper]) -> None:
        self._server = server
        self._wrappers = wrappers

    def add_registered_method_handlers(self, service_name: str, method_handlers: Mapping[str, Any]) -> None:
        """Registers the methods of a service, by their names."""
        wrapped = {name: self._wrapped(f"/{service_name}/{name}", each) for name, each in method_handlers.items()}
        self._server.add_registered_method_handlers(service_name, wrapped)

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Sequence[Any]) -> None:
        """Generated code registers all methods by their names as well: only those are answered."""

    def _wrapped(self, method: str, handler: Any) -> Any:
        for wrapper in reversed(self._wrappers):
            handler = wrapper.wrap(method, handler)
        return handler


def same_shape(handler: Any, single: Wrap, streaming: Wrap, read: Callable[[bytes], Any] | None = None) -> Any:
    """The handler with its method wrapped; answers are written as before.

    Args:
        handler: of a method, as gRPC has it.
        single: wraps a method with one answer.
        streaming: wraps a method with a stream of answers.
        read: reads the requests; None: they are read as before.
    """
    read, write = read or handler.request_deserializer, handler.response_serializer
    if handler.request_streaming and handler.response_streaming:
        return grpc.stream_stream_rpc_method_handler(streaming(handler.stream_stream), read, write)
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(streaming(handler.unary_stream), read, write)
    if handler.request_streaming:
        return grpc.stream_unary_rpc_method_handler(single(handler.stream_unary), read, write)
    return grpc.unary_unary_rpc_method_handler(single(handler.unary_unary), read, write)
