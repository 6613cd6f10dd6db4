"""Messages as JSON are those of google.protobuf.json_format, whatever is in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.service.http.json_text import json_text
from proofbase.v1 import jobs_pb2, solutions_pb2, transfer_pb2

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
SCALARS: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_SINT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.TYPE_SINT64: st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: st.integers(0, 2**64 - 1),
    FieldDescriptor.TYPE_DOUBLE: st.floats(allow_nan=True, allow_infinity=True),
    FieldDescriptor.TYPE_STRING: st.text(max_size=20),
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=20),
    FieldDescriptor.TYPE_ENUM: st.integers(0, 9),  # some are names, others are of a later release
}


def fill(message: Any, data: st.DataObject, depth: int = 0) -> None:
    """Gives some fields of a message any values."""
    for field in message.DESCRIPTOR.fields:
        if not data.draw(st.booleans()) or depth > 3:
            continue
        times = data.draw(st.integers(0, 3)) if field.is_repeated else 1
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            keys, values = (SCALARS[kind.fields_by_name[name].type] for name in ("key", "value"))
            for _ in range(times):
                getattr(message, field.name)[data.draw(keys)] = data.draw(values)
        elif kind is not None and kind.full_name == "google.protobuf.Timestamp":
            getattr(message, field.name).FromNanoseconds(data.draw(st.integers(0, 2**62)))
        elif kind is not None:
            for _ in range(times):
                part = getattr(message, field.name)
                part = part.add() if field.is_repeated else part
                part.SetInParent()
                fill(part, data, depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).extend(data.draw(SCALARS[field.type]) for _ in range(times))
        else:
            setattr(message, field.name, data.draw(SCALARS[field.type]))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.DESCRIPTOR.name)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_json_is_that_of_the_library(kind: type[Message], data: st.DataObject) -> None:
    message = kind()
    fill(message, data)
    written = json_text(message)
    expected = json_format.MessageToDict(message)
    assert (
        json.dumps(json.loads(written), sort_keys=True) == json.dumps(json.loads(json.dumps(expected)), sort_keys=True)
        or json.loads(written) == expected
    )
    assert json_format.Parse(written, kind()).SerializeToString(deterministic=True) == message.SerializeToString(
        deterministic=True
    )
