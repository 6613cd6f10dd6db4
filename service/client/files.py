"""Files on their way out of a service and into it, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from proofbase.service.answers import ExportSummary
from proofbase.storage.closing import Closing

__all__ = ["Exported", "file_chunks"]

IMPORT_CHUNK = 1 << 18


class Exported(Closing, Iterator[bytes]):
    """A file in chunks below 1 MiB. `summary` is None until the last chunk was taken.

    An export that is broken off holds on to resources of the store until it is closed: call `close`, or use it as a
    context manager.
    """

    summary: ExportSummary | None = None

    def close(self) -> None:
        """Ends the export; there are no more chunks."""


def file_chunks(data: Iterable[bytes] | IO[bytes] | Path) -> Iterator[bytes]:
    """The bytes to import in chunks: of a file by its path, of an open file, or of what gives bytes."""
    if isinstance(data, Path):
        with data.open("rb") as file:
            yield from file_chunks(file)
        return
    read = getattr(data, "read", None)
    source: Iterable[bytes] = iter(lambda: read(IMPORT_CHUNK), b"") if read is not None else data
    for piece in source:
        for start in range(0, len(piece), IMPORT_CHUNK):
            yield piece[start : start + IMPORT_CHUNK]
