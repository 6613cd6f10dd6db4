"""Exports into files of every format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from proofbase.engine.checking.certificate import MOST_COMPRESSED
from proofbase.engine.checking.xz import XZ_SUFFIX
from proofbase.service.answers import ExportSummary
from proofbase.service.client.claim_tables import write_parquet, write_positions
from proofbase.service.client.contract import Service
from proofbase.service.client.coq_files import write_coq_theorem
from proofbase.service.client.files import write_compressed, write_file
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where

__all__ = ["NOT_COMPRESSED", "export_to"]

NOT_COMPRESSED = ("parquet", "positions", "coq")
"""Formats that are made here, from another one, and need the name of a file."""


def export_to(
    client: Service,
    path: Path,
    game: str,
    position: Where = None,
    *,
    form: Literal["certificate", "jsonl", "csv", "dot", "parquet", "positions", "coq", "estimates"] = "certificate",
    max_nodes: int | None = None,
    strategy_seconds: float | None = None,
    side: Literal["lower", "upper"] | None = None,
    on_chunk: Callable[[bytes], None] | None = None,
) -> ExportSummary:
    """Writes an export into a file: `Client.export_to`."""
    compress = path.suffix == XZ_SUFFIX
    if compress and form in NOT_COMPRESSED:
        raise InvalidRequestError(f"{path.name}: files of the format {form} are not compressed by xz", field="path")
    part = path.with_name(path.name + ".part")
    written: Any = {"parquet": "csv", "positions": "csv", "coq": "certificate"}.get(form, form)
    chunks = client.export(
        game, position, form=written, max_nodes=max_nodes, strategy_seconds=strategy_seconds, side=side
    )
    try:
        if form == "parquet":
            summary = write_parquet(part, chunks, on_chunk)
        elif form == "positions":
            summary = write_positions(part, client, client.game(game).name, chunks, on_chunk)
        elif form == "coq":
            summary = write_coq_theorem(part, chunks, on_chunk)
        elif compress:
            most = MOST_COMPRESSED if form == "certificate" else None
            summary = write_compressed(part, chunks, on_chunk, most)
        else:
            summary = write_file(part, chunks, on_chunk)
        part.replace(path)
    except OSError as error:
        if type(error) is OSError and error.filename is None:  # of a write
            error.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)
    return summary
