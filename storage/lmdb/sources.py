"""Rows of sources."""

from __future__ import annotations

import json
import struct

from proofbase.storage.entries import Source
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row

__all__ = ["NUMBER", "read_source", "source_row"]

NUMBER = struct.Struct(">I")
"""The key of a source."""


def source_row(source: Source) -> tuple[bytes, bytes]:
    """The key and the row of a source."""
    place, row = NUMBER.pack(source.number), {"text": source.text, "created": source.created}
    return place, seal_row("sources", place, json.dumps(row).encode())


def read_source(number: bytes, stored: bytes, *, sealed: bool) -> Source:
    """Inverse of `source_row`; `sealed` as in `open_row`.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    row = open_row("sources", number, stored, sealed=sealed)
    try:
        entries = json.loads(row)
        return Source(NUMBER.unpack(number)[0], entries["text"], entries["created"])
    except (ValueError, TypeError, KeyError, struct.error) as error:
        raise damaged_row("sources", number, str(error)) from None
