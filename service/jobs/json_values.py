"""Dataclasses as JSON values, and back by their type hints: how the store keeps what jobs are asked and what they find.

Bytes become hexadecimal text and tuples lists. Fields that are missing get their defaults, and fields that are not
known are passed over: a later release may have added them.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

__all__ = ["from_json", "to_json"]

D = TypeVar("D")
Reader = Callable[[Any], Any]


def to_json(data: Any) -> Any:
    """The JSON values of a dataclass, or of what stands in its fields."""
    kind = type(data)
    if kind in _AS_THEY_ARE:
        return data
    if hasattr(kind, "__dataclass_fields__"):
        values = {name: getattr(data, name) for name in _field_names(cast("Any", kind))}
        return {name: value if type(value) in _AS_THEY_ARE else to_json(value) for name, value in values.items()}
    if isinstance(data, bytes):
        return data.hex()
    if isinstance(data, dict):
        return {name: to_json(entry) for name, entry in data.items()}
    if isinstance(data, list | tuple):
        return [to_json(entry) for entry in data]
    return data


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def from_json(data_type: type[D], data: dict[str, Any]) -> D:
    """Inverse of `to_json` for a dataclass. Fields that it does not have are of a later release, and passed over."""
    readers: dict[str, Reader] = _field_readers(cast("Any", data_type))
    known = {name: data[name] for name in _field_names(cast("Any", data_type)) if name in data}
    return data_type(**{name: readers[name](value) if name in readers else value for name, value in known.items()})


@cache
def _field_names(data_type: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(data_type))


@cache
def _field_readers(data_type: type) -> dict[str, Reader]:
    """For each field whose JSON value differs from its own: how it is read."""
    hints = get_type_hints(data_type)
    readers = {name: _reader(hint) for name, hint in hints.items()}
    return {name: reader for name, reader in readers.items() if reader is not None}


def _reader(hint: Any) -> Reader | None:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        [inner] = [_reader(part) for part in get_args(hint) if part is not type(None)]
        return None if inner is None else lambda value: None if value is None else inner(value)
    if origin is tuple:
        entry = _reader(get_args(hint)[0])
        return tuple if entry is None else lambda values: tuple(entry(value) for value in values)
    if hint is bytes:
        return bytes.fromhex
    if dataclasses.is_dataclass(hint):
        return lambda value: from_json(cast("type[Any]", hint), value)
    return None
