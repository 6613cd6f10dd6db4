"""Requests from the parts of a URL: each names a field of the message, and is read as JSON would be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from proofbase.service.errors import InvalidRequestError, UnknownFieldError

__all__ = ["parameters_of", "request_from"]

MOST_PARAMETERS = 100
_TRUTHS = {"true": True, "1": True, "": True, "false": False, "0": False}


def parameters_of(descriptor: Any) -> dict[str, FieldDescriptor]:
    """The fields that a URL can give: numbers, texts, names, keys, and lists of them. By their names in the proto."""
    return {field.name: field for field in descriptor.fields if field.message_type is None}


def request_from(message_type: type[Message], parts: Iterable[tuple[str, str]]) -> Any:
    """A request from names and texts, such as those of a query.

    Args:
        kind: class of the message.
        parts: names of fields, as in the proto or as in JSON, with their texts. A list is a name several times.

    Raises:
        UnknownFieldError: there is no such parameter.
        InvalidRequestError: a text that its field cannot have.
    """
    fields = parameters_of(message_type.DESCRIPTOR)
    by_json_name = {field.json_name: field for field in fields.values()}
    values: dict[str, Any] = {}
    for number, (name, text) in enumerate(parts):
        field = fields.get(name) or by_json_name.get(name)
        if field is None:
            known = ", ".join(fields)
            raise UnknownFieldError(f"there is no parameter {name[:60]!r} here; there are: {known}", field=name[:60])
        if number >= MOST_PARAMETERS:
            raise InvalidRequestError(f"more than {MOST_PARAMETERS} parameters", field=name)
        value = _value(field, text)
        if field.is_repeated:
            values.setdefault(field.name, []).append(value)
        elif field.name in values:
            raise InvalidRequestError(f"{field.name} is given twice", field=field.name)
        else:
            values[field.name] = value
    try:
        return json_format.ParseDict(values, message_type())
    except (json_format.ParseError, ValueError, ArithmeticError, TypeError) as error:
        raise InvalidRequestError(f"the parameters make no {message_type.DESCRIPTOR.full_name}: {error}") from None


def _value(field: FieldDescriptor, text: str) -> Any:
    if field.enum_type is not None:
        return _name(field.enum_type, field.name, text)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        truth = _TRUTHS.get(text.lower())
        if truth is None:
            raise InvalidRequestError(f"{field.name} is true or false, not {text[:60]!r}", field=field.name)
        return truth
    return text


def _name(enum: EnumDescriptor, field: str, text: str) -> str:
    """A value of an enum by its name, with or without what all names of it begin with: `lower` for `SIDE_LOWER`."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    for name in (text.upper(), f"{prefix}{text.upper()}"):
        if name in enum.values_by_name:
            return name
    known = ", ".join(value.name.removeprefix(prefix).lower() for value in enum.values[1:])
    raise InvalidRequestError(f"{field} is none of {known}: {text[:60]!r}", field=field)
