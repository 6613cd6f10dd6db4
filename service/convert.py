"""Conversion between the messages of proofbase.v1 and the dataclasses of the service.

The dataclasses mirror the messages field by field, so conversion goes by name. Differences of form are few: an enum
value is a lower-case text here, a timestamp is seconds since the epoch, and what is absent or empty on the wire is None
where the dataclass allows it.
"""

from __future__ import annotations

import dataclasses
import threading
import types
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import Job, JobServer
from proofbase.v1 import jobs_pb2

__all__ = [
    "budget_of",
    "enum_name",
    "enum_number",
    "from_message",
    "job_from_message",
    "job_to_message",
    "to_message",
]

M = TypeVar("M", bound=Message)
D = TypeVar("D")
Converter = Callable[[Any], Any]


class _FieldPlan(NamedTuple):
    """How one field is converted.

    Attributes:
        name: of the field, in the dataclass and in the message.
        write: from the dataclass to the message; None where the value stays as it is, which is most of them.
        read: from the message to the dataclass; None likewise.
        presence: whether the message knows that the field is not set.
    """

    name: str
    write: Converter | None
    read: Converter | None
    presence: bool


def to_message(data: object, message_type: type[M]) -> M:
    """A message with the fields of a dataclass. What is None stays unset."""
    return message_type(**_writer(type(data), message_type)(data))


def from_message(message: Message, data_type: type[D]) -> D:
    """The dataclass with the fields of a message."""
    return cast("D", _reader(type(message), data_type)(message))


_writers: dict[tuple[Any, Any], Converter] = {}
"""By dataclass and message, those that are compiled."""
_begun = set[tuple[Any, Any]]()
"""Those that are being compiled: a type that contains itself asks for its own writer meanwhile."""
_compile_lock = threading.RLock()


def _writer(data_type: Any, message_type: Any) -> Converter:
    """A function from a dataclass to the fields of a message, as a dictionary; nested ones for nested messages."""
    pair = data_type, message_type
    write = _writers.get(pair)
    if write is not None:
        return write
    with _compile_lock:
        if pair in _begun:
            return lambda data: _writers[pair](data)  # noqa: PLW0108 - it is there when data is
        _begun.add(pair)
        try:
            return _writers.setdefault(pair, _compiled_writer(_field_plans(data_type, message_type.DESCRIPTOR)))
        finally:
            _begun.discard(pair)


def _compiled_writer(fields: Iterable[_FieldPlan]) -> Converter:
    """A function with the lines `if (value := data.a): fields["a"] = write_a(value)`, one for each field.

    Every answer is written by such functions. Compiled they take a fourth of the time of a loop over the fields. What
    is empty, or 0, is left out where the message does not tell it from what is unset: of most answers, most fields.
    """
    namespace: dict[str, Any] = {}
    lines = []
    for field in fields:
        value, unset = "value", " is not None" if field.presence else ""
        if field.write is not None:
            namespace[f"write_{field.name}"] = field.write
            value = f"write_{field.name}(value)"
        lines.append(f"    if (value := data.{field.name}){unset}: fields[{field.name!r}] = {value}\n")
    # The names are those of fields in our protos.
    exec(f"def write(data):\n    fields = {{}}\n{''.join(lines)}    return fields\n", namespace)  # noqa: S102
    return cast("Converter", namespace["write"])


def _new_reader(message_type: Any, data_type: Any) -> Converter:
    """A function from a message to a dataclass."""

    @cache
    def plan() -> tuple[Callable[[Any], tuple[Any, ...]], list[tuple[int, _FieldPlan]], bool]:
        plans = {field.name: field for field in _field_plans(data_type, message_type.DESCRIPTOR)}
        names = [field.name for field in dataclasses.fields(data_type)]
        special = [(i, plans[name]) for i, name in enumerate(names) if plans[name].read or plans[name].presence]
        # A single name would not give a tuple.
        return attrgetter(*names), special, len(names) == 1

    def read(message: Any) -> Any:
        get, special, single = plan()
        if not special and not single:
            return data_type(*get(message))
        values = [get(message)] if single else list(get(message))
        for index, (name, _, convert, presence) in special:
            if presence and not message.HasField(name):
                values[index] = None
            elif convert is not None:
                values[index] = convert(values[index])
        return data_type(*values)

    return read


_reader: Callable[[Any, Any], Converter] = cache(_new_reader)


def enum_name(enum: EnumDescriptor, number: int) -> str | None:
    """The text of an enum value, None for the unspecified one."""
    prefix = _prefix(enum)
    value = enum.values_by_number.get(number)
    return None if value is None or number == 0 else value.name.removeprefix(prefix).lower()


@lru_cache(maxsize=1000)
def enum_number(enum: EnumDescriptor, name: str) -> int:
    """The number of an enum value's text.

    Raises:
        ValueError: there is none.
    """
    value = enum.values_by_name.get(_prefix(enum) + name.upper())
    if value is None:
        names = ", ".join(entry.name.removeprefix(_prefix(enum)).lower() for entry in enum.values[1:])
        raise ValueError(f"unknown {enum.name.lower()} {name!r}: there are {names}")
    return int(value.number)


def job_to_message(job: Job) -> jobs_pb2.Job:
    """A job as a message."""
    message = jobs_pb2.Job(
        id=job.id,
        kind=cast("Any", enum_number(jobs_pb2.JobKind.DESCRIPTOR, job.kind)),
        state=cast("Any", enum_number(jobs_pb2.JobState.DESCRIPTOR, job.state)),
        created=_timestamp(job.created),
        updated=_timestamp(job.updated),
        error=job.error or "",
        error_reason=job.error_reason or "",
    )
    if job.server is not None:
        message.server.CopyFrom(to_message(job.server, jobs_pb2.JobServer))
    if job.message is not None:
        message.message = job.message
    message.started_by = job.started_by or ""
    message.call = job.call or ""
    for suffix, part in (("", job.spec), ("_progress", job.progress), ("_result", job.result)):
        if part is not None:
            field = getattr(message, job.kind + suffix)
            field.CopyFrom(to_message(part, type(field)))
    return message


def job_from_message(message: jobs_pb2.Job) -> Job:
    """Inverse of `job_to_message`."""
    kind = cast("Any", enum_name(jobs_pb2.JobKind.DESCRIPTOR, message.kind))
    parts: list[Any] = []
    for suffix, part in zip(("", "_progress", "_result"), KINDS[kind][:3], strict=True):
        field = kind + suffix
        parts.append(from_message(getattr(message, field), part) if message.HasField(cast("Any", field)) else None)
    return Job(
        id=message.id,
        kind=kind,
        state=cast("Any", enum_name(jobs_pb2.JobState.DESCRIPTOR, message.state)),
        created=_seconds(message.created),
        updated=_seconds(message.updated),
        spec=parts[0],
        progress=parts[1],
        result=parts[2],
        error=message.error or None,
        error_reason=message.error_reason or None,
        server=from_message(message.server, JobServer) if message.HasField("server") else None,
        message=message.message or None,
        started_by=message.started_by or None,
        call=message.call or None,
    )


def budget_of(message: jobs_pb2.Budget) -> Budget:
    """The budget of a request.

    Raises:
        InvalidRequestError: a limit is 0 or less.
    """
    return from_message(message, Budget)


# --- Plans -----------------------------------------------------------------------------------------------------------


@cache
def _field_plans(data_type: type, descriptor: Descriptor) -> tuple[_FieldPlan, ...]:
    hints = get_type_hints(data_type)
    stored = {field.name for field in dataclasses.fields(data_type)}
    missing = stored - {field.name for field in descriptor.fields}
    if missing:
        raise TypeError(f"{descriptor.full_name} has no fields {sorted(missing)}, which {data_type.__name__} has")
    return tuple(_field_plan(field, hints.get(field.name)) for field in descriptor.fields)


def _field_plan(field: FieldDescriptor, hint: Any) -> _FieldPlan:
    write, read = _converters(field, _plain_type(hint))
    optional = type(None) in get_args(hint)
    if optional and not field.has_presence:
        read_value = read or _same

        def read_or_none(value: Any) -> Any:
            return read_value(value) if value else None

        read = read_or_none
    return _FieldPlan(field.name, write, read, field.has_presence)


def _converters(field: FieldDescriptor, hint: Any) -> tuple[Converter | None, Converter | None]:
    """How a field is written and how it is read."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return dict, dict
    one = _one_converter(field, get_args(hint)[0] if get_origin(hint) is tuple else hint)
    if not field.is_repeated:
        return one
    write, read = one
    if write is None or read is None:
        return list, tuple
    return lambda values: [write(value) for value in values], lambda values: tuple([read(value) for value in values])


def _one_converter(field: FieldDescriptor, hint: Any) -> tuple[Converter | None, Converter | None]:
    """The same for one entry of a repeated field, or for a field that is not repeated."""
    message, enum = field.message_type, field.enum_type
    if enum is not None:
        return lambda name: enum_number(enum, name), lambda number: enum_name(enum, number)
    if message is None:
        return None, None
    if message.full_name == "google.protobuf.Timestamp":
        return _timestamp, _seconds
    nested = GetMessageClass(message)
    return _writer(hint, nested), _reader(nested, hint)


def _plain_type(hint: Any) -> Any:
    """`X` of `X | None`."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(part for part in get_args(hint) if part is not type(None))
    return hint


def _same(value: Any) -> Any:
    return value


def _timestamp(seconds: float) -> Timestamp:
    whole = int(seconds // 1)
    return Timestamp(seconds=whole, nanos=min(999_999_999, round((seconds - whole) * 1e9)))


def _seconds(time: Timestamp) -> float:
    return float(time.seconds + time.nanos / 1e9)


def _prefix(enum: EnumDescriptor) -> str:
    return str(enum.values_by_number[0].name).removesuffix("UNSPECIFIED")
