"""What interceptors make of the handler of a method: one of the same shape, with the method wrapped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc

__all__ = ["same_shape"]

Wrap = Callable[[Any], Any]


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
