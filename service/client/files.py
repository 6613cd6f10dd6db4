"""Files on their way out of a service and into it, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from proofbase.engine.checking.xz import compressed
from proofbase.service.answers import ExportSummary
from proofbase.service.errors import InvalidRequestError, ServiceFailedError
from proofbase.storage.closing import Closing

__all__ = ["Exported", "file_chunks", "write_compressed", "write_file"]

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


def write_file(path: Path, exported: Exported, on_chunk: Callable[[bytes], None] | None = None) -> ExportSummary:
    """Writes an export as it is.

    Args:
        path: the file.
        exported: what is written.
        on_chunk: is given each chunk of the export.

    Raises:
        Exception: what the export failed with.
    """
    return _written(path, exported, _told(exported, on_chunk))


def write_compressed(
    path: Path, exported: Exported, on_chunk: Callable[[bytes], None] | None = None, most: int | None = None
) -> ExportSummary:
    """Writes an export compressed by xz.

    Args:
        path: the file.
        exported: what is written.
        on_chunk: is given each chunk of the export.
        most: bytes of the export that may be compressed, None: all.

    Returns:
        The summary with the size of the file.

    Raises:
        InvalidRequestError: the export has more bytes.
        ModuleNotFoundError: this Python cannot compress.
        Exception: what the export failed with.
    """
    return _written(path, exported, compressed(_at_most(most, _told(exported, on_chunk))))


def _written(path: Path, exported: Exported, pieces: Iterable[bytes]) -> ExportSummary:
    with exported, path.open("wb") as file:
        file.writelines(pieces)
    if exported.summary is None:
        raise ServiceFailedError("the export ended without a summary")
    return replace(exported.summary, bytes=path.stat().st_size)


def _told(exported: Exported, on_chunk: Callable[[bytes], None] | None) -> Iterator[bytes]:
    for chunk in exported:
        if on_chunk is not None:
            on_chunk(chunk)
        yield chunk


def _at_most(most: int | None, chunks: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if most is not None and size > most:
            raise InvalidRequestError(
                f"more than {most:,} bytes, which is the most that readers take compressed: choose a name without .xz",
                field="path",
            )
        yield chunk
