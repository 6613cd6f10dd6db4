"""Parts of exports: one HTTP range, so that a download which broke off goes on."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from tempfile import TemporaryFile
from typing import IO, NamedTuple

__all__ = ["Range", "asked_range", "kept", "part_of"]

PIECE = 1 << 18
"""Bytes that are read of a file and sent at a time."""
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class Range(NamedTuple):
    """What a client asks for of a file.

    Attributes:
        first: the first byte; None where the bytes at the end are asked for.
        last: the last byte, None for that of the file; without `first`, how many bytes at the end.
    """

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


async def kept(pieces: AsyncGenerator[bytes]) -> IO[bytes]:
    """A temporary file of all pieces, whose position is its end: how large it gets is known only when it was made."""
    file: IO[bytes] = TemporaryFile()  # noqa: SIM115  closed by `part_of`
    try:
        async with aclosing(pieces) as open_pieces:
            async for piece in open_pieces:
                file.write(piece)
    except BaseException:
        file.close()
        raise
    return file


async def part_of(file: IO[bytes], begin: int = 0, end: int | None = None) -> AsyncGenerator[bytes]:
    """The bytes of a file from `begin` to before `end`, in pieces; the file is closed behind them."""
    with file:
        file.seek(begin)
        while piece := file.read(PIECE if end is None else min(PIECE, end - file.tell())):
            yield piece
