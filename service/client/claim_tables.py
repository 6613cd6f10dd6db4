"""Exported claims, or positions, as Arrow tables and Parquet files: made here from the CSV that the service sends."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from proofbase.service.answers import ExportSummary
from proofbase.service.answers.tabular import pyarrow
from proofbase.service.client.contract import Service
from proofbase.service.client.files import Exported
from proofbase.service.errors import ServiceFailedError
from proofbase.service.scores.scoring import Reading, known_bounds

__all__ = ["claims_table", "write_parquet", "write_positions"]

NUMBERS = {"bound": "int32", "rank": "uint32"}
BATCH = 10_000
"""Positions that are looked up together."""
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


def write_positions(
    path: Path, client: Service, game: str, exported: Exported, on_chunk: Callable[[bytes], None] | None = None
) -> ExportSummary:
    """Writes a Parquet file with a row for each position: as data sets are published, to train or judge players.

    Columns: `position`, `value` (for the side to move), `moves`, `values` (of the moves, in their order), `best` (all
    moves that keep the value), `fingerprint` (of the exported claims, which is known at their end: the rows are kept in
    a temporary file until then). What is not proved is null.

    Args:
        path: the file.
        client: is asked for the values.
        game: its canonical name.
        exported: the claims as CSV; they say which positions.
        on_chunk: is given each chunk of the CSV.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
        Exception: what the export failed with.
    """
    arrow, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    texts = arrow.list_(arrow.string())
    columns = {"position": arrow.string(), "value": arrow.int32(), "moves": texts}
    columns |= {"values": arrow.list_(arrow.int32()), "best": texts}
    schema, size, last = arrow.schema(columns), client.limits().batch_size, ""
    with TemporaryFile(dir=path.parent) as kept:
        with (
            exported,
            _rows(exported, on_chunk) as rows,
            parquet.ParquetWriter(kept, schema, compression="zstd") as writer,
        ):
            for batch in rows:
                keys = list(dict.fromkeys(key for key in batch.column("key").to_pylist() if key != last))
                for start in range(0, len(keys), BATCH):
                    rows_of_keys = _position_rows(client, game, keys[start : start + BATCH], size)
                    writer.write_table(arrow.Table.from_pylist(list(rows_of_keys), schema))
                last = keys[-1] if keys else last
        if exported.summary is None:
            raise ServiceFailedError("the export ended without a summary")
        stamp = arrow.field("fingerprint", arrow.string())
        with parquet.ParquetWriter(path, schema.append(stamp), compression="zstd") as writer:
            for batch in parquet.ParquetFile(kept).iter_batches(BATCH):
                stamps = arrow.array([exported.summary.fingerprint] * batch.num_rows, stamp.type)
                writer.write_table(arrow.Table.from_batches([batch]).append_column(stamp, stamps))
    return replace(exported.summary, bytes=path.stat().st_size, fingerprint=None)


def _position_rows(client: Service, game: str, keys: Sequence[str], batch_size: int) -> Iterator[dict[str, Any]]:
    reading = Reading.of(game)
    for key in keys:
        reading.expand(reading.game.position(bytes.fromhex(key)))
    lower, upper, _, _ = known_bounds(client, game, list(reading.keys), batch_size)
    for entry in reading.scored(lower, upper):
        moves = [reading.game.move_text(entry.position, move) for move in entry.moves]
        yield {
            "position": reading.game.text(entry.position),
            "value": entry.lower if entry.lower == entry.upper else None,
            "moves": moves,
            "values": [low if low == high else None for low, high in zip(entry.low, entry.high, strict=True)],
            "best": entry.best_of(moves),
        }


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
