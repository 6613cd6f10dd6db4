"""Messages as JSON are those of google.protobuf.json_format with all fields, whatever is in them."""

from __future__ import annotations

import json
import math
import random
import struct
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from proofbase.service.http.json_text import json_text
from proofbase.v1 import jobs_pb2, lookups_pb2, solutions_pb2, transfer_pb2, types_pb2

KINDS = sorted(
    {
        GetMessageClass(kind)
        for file in (solutions_pb2, jobs_pb2, transfer_pb2)
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        for kind in (method.input_type, method.output_type)
    },
    key=lambda kind: kind.DESCRIPTOR.full_name,
)
CHARACTERS = 'aZ09 "\\/\n\t\x00\x7f<>&é漢😀\u2028'


def any_double(rng: random.Random) -> float:
    """Any number, the special ones among them; but not a NaN, of which there are many."""
    value = struct.unpack("<d", rng.randbytes(8))[0]
    return rng.choice([0.0, -0.0, 1.0, -2.5, 1e15, math.inf, -math.inf, 0.0 if math.isnan(value) else value])


SCALARS: dict[int, Callable[[random.Random], Any]] = {
    FieldDescriptor.TYPE_BOOL: lambda rng: rng.random() < 0.5,
    FieldDescriptor.TYPE_SINT32: lambda rng: rng.choice([0, 1, -1, -(2**31), 2**31 - 1]),
    FieldDescriptor.TYPE_UINT32: lambda rng: rng.choice([0, 1, 2**32 - 1]),
    FieldDescriptor.TYPE_SINT64: lambda rng: rng.choice([0, 5, -(2**63), 2**63 - 1]),
    FieldDescriptor.TYPE_UINT64: lambda rng: rng.choice([0, 5, 2**53 + 1, 2**64 - 1]),
    FieldDescriptor.TYPE_DOUBLE: any_double,
    FieldDescriptor.TYPE_STRING: lambda rng: "".join(rng.choices(CHARACTERS, k=rng.randrange(12))),
    FieldDescriptor.TYPE_BYTES: lambda rng: rng.randbytes(rng.randrange(12)),
    FieldDescriptor.TYPE_ENUM: lambda rng: rng.randrange(10),  # some have names, others are of a later release
}


def fill(message: Any, rng: random.Random, depth: int = 0) -> None:
    """Gives some fields of a message any values."""
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.4 or depth > 3:
            continue
        times = rng.randrange(3) if field.is_repeated else 1
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = (SCALARS[kind.fields_by_name[name].type] for name in ("key", "value"))
            for _ in range(times):
                getattr(message, field.name)[key(rng)] = value(rng)
        elif kind is not None and kind.full_name == "google.protobuf.Timestamp":
            getattr(message, field.name).FromNanoseconds(rng.randrange(2**62))
        elif kind is not None:
            for _ in range(times):
                part = getattr(message, field.name)
                part = part.add() if field.is_repeated else part
                part.SetInParent()
                fill(part, rng, depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).extend(SCALARS[field.type](rng) for _ in range(times))
        else:
            setattr(message, field.name, SCALARS[field.type](rng))


def with_nulls(message: Message, written: Any) -> Any:
    """What the library writes of a message, with null for each optional number that is absent."""
    for field in message.DESCRIPTOR.fields:
        parts = getattr(message, field.name)
        kind = field.message_type
        if kind is not None and (kind.GetOptions().map_entry or kind.full_name.startswith("google.")):
            continue
        if kind is not None and field.is_repeated:
            for part, made in zip(parts, written[field.json_name], strict=True):
                with_nulls(part, made)
        elif kind is not None and field.json_name in written:
            with_nulls(parts, written[field.json_name])
        elif kind is None and field.has_presence and field.containing_oneof.name == f"_{field.name}":
            written.setdefault(field.json_name, None)
    return written


def test_draws_first_moves_and_what_is_not_known_are_written() -> None:
    move = lookups_pb2.MoveAnswer(move="1", value=types_pb2.Value(lower_known=True, upper_known=True, exact=True))
    written = json.loads(json_text(move))
    assert written == {
        "move": "1",
        "number": 0,
        "value": {"lower": 0, "upper": 0, "lowerKnown": True, "upperKnown": True, "exact": True},
        "rank": None,
        "known": False,
        "position": "",
        "terminal": False,
        "noWinWithin": 0,
        "noLossWithin": 0,
    }


def test_parts_that_are_not_set_are_left_out() -> None:
    assert json.loads(json_text(lookups_pb2.LookupRequest(key=b"a"))) == {
        "game": "",
        "key": "YQ==",
        "board": False,
        "searchNodes": "0",
        "searchSeconds": 0.0,
        "distances": False,
    }
    assert not {"cut", "searched", "value"} & json.loads(json_text(lookups_pb2.LookupResponse())).keys()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.DESCRIPTOR.name)
def test_json_is_that_of_the_library(kind: type[Message]) -> None:
    rng = random.Random(kind.DESCRIPTOR.full_name)
    for _ in range(30):
        message = kind()
        fill(message, rng)
        written = json_text(message)
        library = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
        assert json.loads(written) == with_nulls(message, library)
        again = json_format.Parse(written, kind())
        assert again.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)


def test_numbers_that_are_none_have_names() -> None:
    written = json_text(jobs_pb2.PruneJobsRequest(older_than_seconds=math.nan))
    assert written.startswith('{"olderThanSeconds":"NaN"')
