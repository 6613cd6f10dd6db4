"""The methods of all services: the servicers that gRPC calls, by the names of the protos."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from proofbase.service.rpc.calls import Context
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

__all__ = ["FILES", "Method", "Methods", "methods_of"]

FILES: tuple[Any, ...] = (solutions_pb2, jobs_pb2, transfer_pb2)


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service.

    Attributes:
        name: `proofbase.v1.Solutions/Lookup`.
        request, answer: classes of its messages.
        requests, answers: whether these are streams.
        call: the servicer's method.
    """

    name: str
    request: type[Message]
    answer: type[Message]
    requests: bool
    answers: bool
    call: Callable[[Any, Context], Any]


Methods = Mapping[str, Method]


def methods_of(servicers: Mapping[str, object]) -> Methods:
    """The methods of the servicers, which are given by the full names of their services."""
    return {
        f"{service.full_name}/{method.name}": Method(
            f"{service.full_name}/{method.name}",
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
            method.client_streaming,
            method.server_streaming,
            getattr(servicers[service.full_name], method.name),
        )
        for file in FILES
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
