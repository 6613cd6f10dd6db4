"""The comments of the protos, which the build keeps beside the generated code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

__all__ = ["comments"]


@cache
def comments() -> dict[str, str]:
    """What the protos say, by the full names of messages, fields, values of enums, services and methods."""
    data = files("proofbase.v1").joinpath("descriptors.binpb").read_bytes()
    by_name: dict[str, str] = {}
    for file in FileDescriptorSet.FromString(data).file:
        for location in file.source_code_info.location:
            text = " ".join(line.strip() for line in location.leading_comments.splitlines()).strip()
            name = _name(file, list(location.path)) if text else None
            if name is not None:
                by_name[name] = text
    return by_name


def _name(file: FileDescriptorProto, path: list[int]) -> str | None:
    """The full name of what is at a path of numbers of fields and places, as SourceCodeInfo describes it."""
    names = [file.package]
    message: Any = file
    for number, place in zip(path[::2], path[1::2], strict=False):
        field = message.DESCRIPTOR.fields_by_number.get(number)
        if field is None or not field.is_repeated or field.message_type is None:
            return None
        message = getattr(message, field.name)[place]
        names.append(getattr(message, "name", ""))
    if len(path) % 2 or isinstance(message, FileDescriptorProto) or not all(names):
        return None
    return ".".join(names)
