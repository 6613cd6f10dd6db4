"""Calls of any method by its name, with any bytes and any header."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor import FileDescriptor
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

__all__ = ["METHODS", "Method", "bearer", "status_of"]


class Method(NamedTuple):
    """A method of a service, and whether it has streams."""

    name: str
    """`package.Service/Method`."""
    requests: bool
    answers: bool


def _methods(files: Iterable[Any]) -> Iterator[Method]:
    for file in files:
        descriptor: FileDescriptor = file.DESCRIPTOR
        for service in descriptor.services_by_name.values():
            for method in service.methods:
                name = f"{service.full_name}/{method.name}"
                yield Method(name, method.client_streaming, method.server_streaming)


METHODS = list(_methods((solutions_pb2, jobs_pb2, transfer_pb2, health_pb2, reflection_pb2)))
"""Everything that a server answers."""


def bearer(token: str) -> list[tuple[str, str]]:
    """The header of a call with a token."""
    return [("authorization", f"Bearer {token}")]


def status_of(
    channel: grpc.Channel, method: Method, header: list[tuple[str, str]] | None = None, data: bytes | None = b""
) -> grpc.StatusCode:
    """How a call ends. A stream of answers is broken off after the first one.

    Args:
        channel: to the server.
        method: what is called.
        header: of the call.
        data: the request; None: a stream of requests in which nothing ever comes.
    """
    end = threading.Event()

    def requests() -> Iterator[bytes]:
        if data is None:
            end.wait(20)
        else:
            yield data

    path = f"/{method.name}"
    options: dict[str, Any] = {"metadata": header, "timeout": 20}
    try:
        if method.answers:
            call = (
                channel.stream_stream(path)(requests(), **options)
                if method.requests
                else channel.unary_stream(path)(data or b"", **options)
            )
            for _ in call:
                call.cancel()
                return grpc.StatusCode.OK
            return call.code()  # type: ignore[no-any-return]
        if method.requests:
            channel.stream_unary(path)(requests(), **options)
        else:
            channel.unary_unary(path)(data or b"", **options)
        return grpc.StatusCode.OK
    except grpc.RpcError as error:
        return error.code()  # type: ignore[attr-defined,no-any-return]
    finally:
        end.set()
