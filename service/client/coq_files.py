"""Exported certificates as files for Coq. They are made here from the certificate that the service sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

from proofbase.engine.formats.coq_theorem import coq_theorem
from proofbase.service.answers import ExportSummary
from proofbase.service.client.files import Exported
from proofbase.service.errors import ServiceFailedError

__all__ = ["write_coq_theorem"]


def write_coq_theorem(path: Path, exported: Exported, on_chunk: Callable[[bytes], None] | None = None) -> ExportSummary:
    """Writes what a certificate claims of its root as a theorem for Coq (docs/formal.md).

    Args:
        path: the file.
        exported: the certificate.
        on_chunk: is given each chunk of the certificate.

    Raises:
        InvalidParametersError: the game or a kind of evidence is not in engine/formal.
        Exception: what the export failed with.
    """
    with TemporaryFile() as certificate:
        with exported:
            for chunk in exported:
                certificate.write(chunk)
                if on_chunk is not None:
                    on_chunk(chunk)
        if exported.summary is None:
            raise ServiceFailedError("the export ended without a summary")
        certificate.seek(0)
        with path.open("w", encoding="ascii") as file:
            file.writelines(coq_theorem(certificate))
    return replace(exported.summary, bytes=path.stat().st_size, fingerprint=None)
