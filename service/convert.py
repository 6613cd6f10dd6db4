"""Between the messages of proofbase.v1 and the dataclasses of the service.

The dataclasses mirror the messages field by field, so conversion goes by name. Differences of form are few: an enum
value is a lower-case text here, a timestamp is seconds since the epoch, and what is absent or empty on the wire is None
where the dataclass allows it.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from proofbase.service.jobs.model import (
    Budget,
    Job,
    SolveProgress,
    SolveResult,
    SolveSpec,
    TableProgress,
    TableResult,
    TableSpec,
    VerificationProgress,
    VerificationResult,
    VerificationSpec,
)
from proofbase.v1 import jobs_pb2

__all__ = ["budget_of", "enum_name", "enum_number", "from_message", "job_answer", "job_message", "to_message"]

M = TypeVar("M", bound=Message)
D = TypeVar("D")
Converter = Callable[[Any], Any]


class _Way(NamedTuple):
    """How one field travels. A converter is None where the value stays as it is, which is most of them."""

    name: str
    there: Converter | None
    back: Converter | None
    presence: bool


def to_message(data: object, kind: type[M]) -> M:
    """A message with the fields of a dataclass. What is None stays unset."""
    return kind(**_writer(type(data), kind)(data))


def from_message(message: Message, kind: type[D]) -> D:
    """The dataclass with the fields of a message."""
    return cast("D", _reader(type(message), kind)(message))


def _new_writer(data_kind: Any, kind: Any) -> Converter:
    """From a dataclass to the fields of a message: a dictionary, nested ones for nested messages."""

    # Not made before the first use: the plans of types that stand for themselves would never end.
    @cache
    def plan() -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], list[tuple[str, Converter]]]:
        ways = _ways(data_kind, kind.DESCRIPTOR)
        names = tuple(way.name for way in ways)
        return names, attrgetter(*names, "__class__"), [(way.name, way.there) for way in ways if way.there]

    def write(data: Any) -> dict[str, Any]:
        names, values, converters = plan()
        # The class is fetched in addition so that a single field gives a tuple, too; zip leaves it out. Messages leave
        # unset what is None.
        fields = dict(zip(names, values(data), strict=False))
        for name, there in converters:
            value = fields[name]
            if value is not None:
                fields[name] = there(value)
        return fields

    return write


_writer: Callable[[Any, Any], Converter] = cache(_new_writer)


def _new_reader(message_kind: Any, kind: Any) -> Converter:
    """From a message to a dataclass."""

    @cache
    def plan() -> tuple[Callable[[Any], tuple[Any, ...]], list[tuple[int, _Way]], bool]:
        ways = {way.name: way for way in _ways(kind, message_kind.DESCRIPTOR)}
        names = [field.name for field in dataclasses.fields(kind)]
        special = [(place, ways[name]) for place, name in enumerate(names) if ways[name].back or ways[name].presence]
        # A single name would not give a tuple.
        return attrgetter(*names), special, len(names) == 1

    def read(message: Any) -> Any:
        get, special, single = plan()
        if not special and not single:
            return kind(*get(message))
        values = [get(message)] if single else list(get(message))
        for place, (name, _, back, presence) in special:
            if presence and not message.HasField(name):
                values[place] = None
            elif back is not None:
                values[place] = back(values[place])
        return kind(*values)

    return read


_reader: Callable[[Any, Any], Converter] = cache(_new_reader)


def enum_name(kind: EnumDescriptor, number: int) -> str | None:
    """The text of an enum value, None for the unspecified one."""
    prefix = _prefix(kind)
    value = kind.values_by_number.get(number)
    return None if value is None or number == 0 else value.name.removeprefix(prefix).lower()


def enum_number(kind: EnumDescriptor, name: str) -> int:
    """The number of an enum value's text.

    Raises:
        ValueError: there is none.
    """
    value = kind.values_by_name.get(_prefix(kind) + name.upper())
    if value is None:
        names = ", ".join(entry.name.removeprefix(_prefix(kind)).lower() for entry in kind.values[1:])
        raise ValueError(f"unknown {kind.name.lower()} {name!r}: there are {names}")
    return int(value.number)


_PARTS: dict[str, tuple[type, type, type]] = {
    "solve": (SolveSpec, SolveProgress, SolveResult),
    "verification": (VerificationSpec, VerificationProgress, VerificationResult),
    "table": (TableSpec, TableProgress, TableResult),
}


def job_message(job: Job) -> jobs_pb2.Job:
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
    for name, part in (("", job.spec), ("_progress", job.progress), ("_result", job.result)):
        if part is not None:
            field = getattr(message, job.kind + name)
            field.CopyFrom(to_message(part, type(field)))
    return message


def job_answer(message: jobs_pb2.Job) -> Job:
    """Inverse of `job_message`."""
    kind = cast("Any", enum_name(jobs_pb2.JobKind.DESCRIPTOR, message.kind))
    parts: list[Any] = []
    for name, part in zip(("", "_progress", "_result"), _PARTS[kind], strict=True):
        field = kind + name
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
    )


def budget_of(message: jobs_pb2.Budget) -> Budget:
    """The budget of a request.

    Raises:
        InvalidRequestError: a limit is 0 or less.
    """
    return from_message(message, Budget)


# --- Plans -----------------------------------------------------------------------------------------------------------


@cache
def _ways(kind: type, descriptor: Descriptor) -> tuple[_Way, ...]:
    hints = get_type_hints(kind)
    stored = {field.name for field in dataclasses.fields(kind)}
    missing = stored - {field.name for field in descriptor.fields}
    if missing:
        raise TypeError(f"{descriptor.full_name} has no fields {sorted(missing)}, which {kind.__name__} has")
    return tuple(_way(field, hints.get(field.name)) for field in descriptor.fields)


def _way(field: FieldDescriptor, hint: Any) -> _Way:
    there, back = _converters(field, _plain_type(hint))
    optional = type(None) in get_args(hint)
    if optional and not field.has_presence:
        required = back or _same

        def back_or_none(value: Any) -> Any:
            return required(value) if value else None

        back = back_or_none
    return _Way(field.name, there, back, field.has_presence)


def _converters(field: FieldDescriptor, hint: Any) -> tuple[Converter | None, Converter | None]:
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return dict, dict
    one = _one_converter(field, get_args(hint)[0] if get_origin(hint) is tuple else hint)
    if not field.is_repeated:
        return one
    there, back = one
    if there is None or back is None:
        return list, tuple
    return lambda values: [there(value) for value in values], lambda values: tuple([back(value) for value in values])


def _one_converter(field: FieldDescriptor, hint: Any) -> tuple[Converter | None, Converter | None]:
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


def _prefix(kind: EnumDescriptor) -> str:
    return str(kind.values_by_number[0].name).removesuffix("UNSPECIFIED")
