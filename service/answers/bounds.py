"""Answers that stay small: texts that are cut and say so, and pages that end before a message is too large.

The limits themselves are in `service/limits.py`. Texts of native games are short; those of users' games may be of any
length, and a game may have any number of moves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import Any, TypeVar, cast

from proofbase.service.limits import BOARD_CHARACTERS, PAGE_BYTES, POSITION_CHARACTERS, TEXT_CHARACTERS

__all__ = ["bounded", "cut_text", "first_page", "message_bytes", "sendable"]

D = TypeVar("D")

_LIMITS = {
    "position": POSITION_CHARACTERS,
    "position_after": POSITION_CHARACTERS,
    "last_position": POSITION_CHARACTERS,
    "initial": POSITION_CHARACTERS,
    "root": POSITION_CHARACTERS,
    "board": BOARD_CHARACTERS,
    "continuation": 1 << 20,  # it must come back whole; it is made of a key or of numbers
}
"""Characters of fields by name; other texts may have `TEXT_CHARACTERS`."""


def sendable(text: str) -> str:
    """The text, with `?` for what is no Unicode character (a lone surrogate): messages and stores refuse such texts."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode()


def cut_text(text: str, limit: int = TEXT_CHARACTERS) -> str:
    """The text, cut to so many characters if it is longer; then it says so, and how long it was."""
    text = sendable(text)
    if len(text) <= limit:
        return text
    note = f"... (cut: {len(text)} characters in all)"
    return text[: max(0, limit - len(note))] + note


def bounded(data: D) -> D:
    """A dataclass of `service.answers` with all its texts cut, those of the dataclasses in it included."""
    changes = {}
    for name, convert in _texts_of(cast("Any", type(data))):
        value = getattr(data, name)
        if value is not None and (other := convert(value)) is not value:
            changes[name] = other
    return dataclasses.replace(data, **changes) if changes else data  # type: ignore[type-var]


@cache
def _texts_of(data_type: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The fields that may hold texts, and how each is cut."""
    if not dataclasses.is_dataclass(data_type):
        return ()
    cutters = []
    for field in dataclasses.fields(data_type):
        hint = str(field.type)
        if hint == "bool" or "int" in hint.split(" | ") or hint in ("float", "bytes"):
            continue
        cutters.append((field.name, _cutter(_LIMITS.get(field.name, TEXT_CHARACTERS))))
    return tuple(cutters)


def _cutter(limit: int) -> Callable[[Any], Any]:
    def cut(value: Any) -> Any:
        if isinstance(value, str):
            other = cut_text(value, limit)
            return value if other == value else other
        if isinstance(value, tuple):
            entries = tuple([cut(entry) for entry in value])
            return value if all(old is new for old, new in zip(value, entries, strict=True)) else entries
        return bounded(value)

    return cut


def message_bytes(data: Any) -> int:
    """Bytes of the message of a dataclass of the service, or of one field of it: never less than it takes."""
    if isinstance(data, str):
        return (len(data) if data.isascii() else 4 * len(data)) + 6
    if isinstance(data, bytes):
        return len(data) + 6
    if isinstance(data, tuple | list):
        return sum(map(message_bytes, data)) + 6
    if isinstance(data, dict):
        return sum([message_bytes(name) + message_bytes(value) + 6 for name, value in data.items()]) + 6
    numbers, others = _fields_of(cast("Any", type(data)))
    return numbers + sum([message_bytes(getattr(data, name)) for name in others])


_NUMBERS = ("int", "float", "bool", "int | None", "float | None", "bool | None")


@cache
def _fields_of(data_type: type) -> tuple[int, tuple[str, ...]]:
    """Bytes of a dataclass's numbers at the most, and the names of its other fields. Anything else is a number."""
    if not dataclasses.is_dataclass(data_type):
        return 12, ()
    fields = dataclasses.fields(data_type)
    others = tuple(field.name for field in fields if str(field.type) not in _NUMBERS)
    return 12 * (len(fields) - len(others)) + 12, others


def first_page(items: Iterable[D], limit: int | None = None, room: int = PAGE_BYTES) -> tuple[list[D], bool]:
    """The items that fit into one message, at least one of them, and whether the bytes ended the page.

    Args:
        items: dataclasses of the service; at most one item more than the page holds is taken from them.
        limit: at most so many.
        room: bytes of the page.
    """
    taken: list[D] = []
    for item in items if limit is None else islice(items, limit):
        room -= message_bytes(item)
        if room < 0 and taken:
            return taken, True
        taken.append(item)
    return taken, False
