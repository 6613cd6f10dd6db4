"""Requests to a server, written from the arguments of a client's methods.

An argument is the field of its name in the request, and what is None is not sent. `FIELDS` and `WRITERS` have the
arguments that are written in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from proofbase.service.convert import enum_number, to_message
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where
from proofbase.v1 import jobs_pb2, lookups_pb2

__all__ = ["Requests", "batch_arguments", "make", "positions_requests"]

M = TypeVar("M", bound=Message)
Writer = Callable[[Any], dict[str, Any]]
"""From an argument that is not None to fields of a request."""
PART_BYTES = 400_000
"""A message with a part of a list has about so many bytes, at most."""
FIELDS = {
    "name": "game",
    "job_id": "id",
    "note_id": "id",
    "search": "search_nodes",
    "older_than": "older_than_seconds",
    "form": "format",
}
"""By arguments, the fields that have another name."""


def _where(position: Where) -> dict[str, Any]:
    return {"key" if isinstance(position, bytes) else "position": position}


def _search_seconds(seconds: float) -> dict[str, Any]:
    if not seconds > 0:  # the wire has 0 for the service's own limit
        raise InvalidRequestError(f"a search of {seconds} seconds: more than 0 are needed", field="search_seconds")
    return {"search_seconds": seconds}


WRITERS: dict[str, Writer] = {
    "position": _where,
    "positions": lambda texts: {"texts": make(lookups_pb2.Texts, positions=texts)},
    "keys": lambda keys: {"keys": make(lookups_pb2.Keys, keys=keys)},
    "packed": lambda packed: {"packed_keys": make(lookups_pb2.PackedKeys, keys=packed)},
    "search_seconds": _search_seconds,
}
"""By arguments, those that are not the value of one field."""


def make(kind: Callable[..., M], **fields: Any) -> M:
    """A request. What does not fit its fields raises the same error as what the server refuses."""
    try:
        return kind(**{name: value for name, value in fields.items() if value is not None})
    except (ValueError, TypeError, UnicodeError) as error:
        raise InvalidRequestError(f"the request cannot be written: {error}") from None


class Requests(Generic[M]):
    """Writes requests of one type.

    Args:
        message_type: of the requests.
        types: the arguments that there may be, with their types.
    """

    def __init__(self, message_type: type[M], types: Mapping[str, Any]) -> None:
        self._message_type = message_type
        fields = message_type.DESCRIPTOR.fields_by_name
        self._asks = "question" in message_type.DESCRIPTOR.oneofs_by_name
        self._writers = {
            name: WRITERS.get(name) or _writer(fields[FIELDS.get(name, name)], optional_count=hint == (int | None))
            for name, hint in types.items()
        }

    def of(self, arguments: Mapping[str, Any]) -> M:
        """The request with these arguments.

        Raises:
            InvalidRequestError: one of them makes no sense.
        """
        fields: dict[str, Any] = {}
        for name, value in arguments.items():
            if value is not None:
                fields |= self._writers[name](value)
        if self._asks:
            if "at_least" in fields and "result_at_least" in fields:  # the wire has room for one only
                raise InvalidRequestError("at_least and result_at_least are two questions", field="result_at_least")
            if not fields.keys() & {"at_least", "result_at_least"}:
                fields["exact"] = True
        return make(self._message_type, **fields)


def _writer(field: Any, *, optional_count: bool) -> Writer:
    name, enum, message = field.name, field.enum_type, field.message_type
    if enum is not None and field.is_repeated:
        return lambda values: {name: [_enum_value(enum, value, name) for value in values]}
    if enum is not None:
        return lambda value: {name: _enum_value(enum, value, name)}
    if message is not None:
        kind = GetMessageClass(message)
        return lambda value: {name: to_message(value, kind)}
    if optional_count and not field.has_presence:
        return lambda number: {name: _positive(name, number)}
    return lambda value: {name: value}


def _positive(name: str, number: int) -> int:
    """A number as the wire has it: there 0 means "not given", so the number 0 itself is refused."""
    if number < 1:
        raise InvalidRequestError(f"{name} is {number}: at least 1 is needed", field=name)
    return number


def _enum_value(enum: Any, name: str, field: str) -> int:
    try:
        return enum_number(enum, name)
    except ValueError as error:
        raise InvalidRequestError(str(error), field=field) from None


def batch_arguments(batch: Sequence[str] | Sequence[bytes]) -> dict[str, Any]:
    """A batch of texts or of keys, as an argument."""
    return {"positions" if batch and isinstance(batch[0], str) else "keys": batch}


def positions_requests(
    header: jobs_pb2.PositionsHeader, positions: Sequence[str] | Sequence[bytes], lines: Sequence[int]
) -> Iterator[jobs_pb2.StartPositionsRequest]:
    """A list of positions as messages of some 100 KB, behind the header."""
    yield make(jobs_pb2.StartPositionsRequest, header=header)
    start = 0
    while start < len(positions):
        end, room = start, PART_BYTES
        while end < len(positions) and room > 0:
            room -= 4 * len(positions[end]) + 10
            end += 1
        part = positions[start:end]
        [(name, value)] = batch_arguments(part).items()
        yield make(jobs_pb2.StartPositionsRequest, lines=lines[start:end], **WRITERS[name](value))
        start = end
