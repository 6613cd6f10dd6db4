"""Exported claims as Arrow tables and Parquet files. They are made here from the CSV that the service sends."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from proofbase.service.answers import ExportSummary
from proofbase.service.answers.tabular import pyarrow
from proofbase.service.client.files import Exported
from proofbase.service.errors import ServiceFailedError

__all__ = ["claims_table", "write_parquet"]

NUMBERS = {"bound": "int32", "rank": "uint32"}
TEXTS = ("key", "position", "side", "evidence", "witness", "sources")


def claims_table(exported: Exported) -> Any:
    """A `pyarrow.Table` with a row for each claim.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
        Exception: what the export failed with.
    """
    with exported, _rows(exported, None) as rows:
        return rows.read_all()


def write_parquet(path: Path, exported: Exported, on_chunk: Callable[[bytes], None] | None = None) -> ExportSummary:
    """Writes a Parquet file with a row for each claim, some megabytes of CSV at a time.

    Args:
        path: the file.
        exported: the claims as CSV.
        on_chunk: is given each chunk of the CSV.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
        Exception: what the export failed with.
    """
    parquet = pyarrow("pyarrow.parquet")
    with (
        exported,
        _rows(exported, on_chunk) as rows,
        parquet.ParquetWriter(path, rows.schema, compression="zstd") as writer,
    ):
        for batch in rows:
            writer.write_batch(batch)
    if exported.summary is None:
        raise ServiceFailedError("the export ended without a summary")
    return replace(exported.summary, bytes=path.stat().st_size, fingerprint=None)


def _rows(exported: Exported, on_chunk: Callable[[bytes], None] | None) -> Any:
    arrow, csv = pyarrow(), pyarrow("pyarrow.csv")
    kinds = {name: getattr(arrow, kind)() for name, kind in NUMBERS.items()} | dict.fromkeys(TEXTS, arrow.string())
    return csv.open_csv(
        io.BufferedReader(_Chunks(exported, on_chunk)),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(column_types=kinds, null_values=[""], strings_can_be_null=True),
        read_options=csv.ReadOptions(use_threads=False),
    )


class _Chunks(io.RawIOBase):
    """The chunks of an export as a file to read."""

    def __init__(self, chunks: Iterator[bytes], on_chunk: Callable[[bytes], None] | None) -> None:
        self._chunks = chunks
        self._on_chunk = on_chunk
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            if self._on_chunk is not None:
                self._on_chunk(chunk)
            self._left = memoryview(chunk)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size
