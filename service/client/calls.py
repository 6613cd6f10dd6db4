"""Calls to a server: a method of the client is a row of a table, with the call and how its answer is read."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar, cast, get_type_hints

import grpc
from google.protobuf.message_factory import GetMessageClass

from proofbase.service.client.failures import local_error
from proofbase.service.client.requests import Requests
from proofbase.service.convert import from_message
from proofbase.service.errors import ServiceFailedError
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

__all__ = ["answer", "argument_types", "call", "call_streaming", "errors_of_calls", "remote"]

P = ParamSpec("P")
T = TypeVar("T")
SERVICES = {
    name: service
    for file in (solutions_pb2, jobs_pb2, transfer_pb2)
    for name, service in file.DESCRIPTOR.services_by_name.items()
}


class Caller(Protocol):
    """A client of a server, with the stubs of its services by their names."""

    _stubs: Mapping[str, Any]


def remote(declared: Callable[P, T], service: str, rpc: str, read: Callable[[Any], T]) -> Callable[P, T]:
    """The method of a client that is one call.

    Args:
        declared: the method of the contract: it has the arguments.
        service: of the server.
        rpc: its call.
        read: from the response to what the method returns.
    """
    kind = GetMessageClass(SERVICES[service].methods_by_name[rpc].input_type)
    requests = Requests(kind, argument_types(declared))
    signature = inspect.signature(declared)

    @functools.wraps(declared, updated=())  # without the mark of an abstract method
    def method(self: Caller, *arguments: Any, **named: Any) -> T:
        _, *values = signature.bind(self, *arguments, **named).arguments.items()
        request = requests.of(dict(values))
        return read(call(getattr(self._stubs[service], rpc), request))

    return cast("Callable[P, T]", method)


def argument_types(declared: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a method with their types."""
    hints = get_type_hints(declared)
    return {name: hints[name] for name in list(inspect.signature(declared).parameters)[1:]}


def answer(data_type: type[T]) -> Callable[[Any], T]:
    """Reads a response as a dataclass."""
    return lambda message: from_message(message, data_type)


def call(method: Callable[[Any], T], request: object) -> T:
    """Makes one call."""
    with errors_of_calls():
        return method(request)


def call_streaming(method: Callable[[Any], T], requests: Iterator[object]) -> T:
    """Calls a method that takes a stream; raises what the making of the stream raised, if it did."""
    failure: list[BaseException] = []

    def each() -> Iterator[object]:
        try:
            yield from requests
        except BaseException as error:
            failure.append(error)  # gRPC would only say that iterating failed
            raise

    try:
        return call(method, each())
    except Exception:
        if failure:
            raise failure[0] from None
        raise


@contextmanager
def errors_of_calls() -> Iterator[None]:
    """Raises what the command raised in the server."""
    try:
        yield
    except grpc.RpcError as error:
        raise local_error(error) from None
    except ValueError as error:
        if "closed channel" not in str(error):
            raise
        raise ServiceFailedError("this client is closed") from None
