"""Parts of files that are made as they are sent: one HTTP range, so that a download which broke off goes on."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import NamedTuple

__all__ = ["Range", "asked_range", "part_of", "size_of"]

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class Range(NamedTuple):
    """What a client asks for of a file: from `first` to `last`, to the end, or (`first` is None) the last bytes."""

    first: int | None
    last: int | None

    def within(self, size: int) -> tuple[int, int] | None:
        """The first and the last byte, of a file of so many; None where the file has nothing of it."""
        if self.first is None:
            return (max(0, size - (self.last or 0)), size - 1) if self.last and size else None
        last = size - 1 if self.last is None else min(self.last, size - 1)
        return (self.first, last) if self.first <= last else None


def asked_range(headers: Mapping[str, str], tag: str | None) -> Range | None:
    """The part that a request asks for; None for the whole file, also where it asks for several parts.

    Args:
        headers: of the request.
        tag: the ETag of the file now; a client that has a part of another one (If-Range) gets all of it.
    """
    fields = _RANGE.fullmatch(headers.get("range", "").replace(" ", ""))
    first, last = (int(text) if text else None for text in fields.groups()) if fields else (None, None)
    ordered = first is None or last is None or first <= last
    if (first is None and last is None) or not ordered or headers.get("if-range", tag) != tag:
        return None
    return Range(first, last)


async def size_of(pieces: AsyncGenerator[bytes]) -> int:
    """The bytes of a file, which is made for that."""
    async with aclosing(pieces) as open_pieces:
        return sum([len(piece) async for piece in open_pieces])


async def part_of(pieces: AsyncGenerator[bytes], first: int, last: int) -> AsyncGenerator[bytes]:
    """The bytes of a file from the first to the last one."""
    at = 0
    async with aclosing(pieces) as open_pieces:
        async for piece in open_pieces:
            part = piece[max(0, first - at) : last + 1 - at]
            at += len(piece)
            if part:
                yield part
            if at > last:
                break
