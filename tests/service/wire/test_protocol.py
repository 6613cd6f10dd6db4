"""The generated package proofbase.v1 is that of the protos."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def test_the_generated_code_is_that_of_the_protos(repository: Path, tmp_path: Path) -> None:
    for tool in ("grpc_tools", "mypy_protobuf"):
        pytest.importorskip(tool, reason=f"{tool} is not installed")
    subprocess.run([sys.executable, repository / "scripts" / "protocol", tmp_path], check=True, capture_output=True)

    def files(folder: Path) -> dict[str, bytes]:
        found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}

    made, kept = files(tmp_path), files(repository / "protos" / "python")
    different = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    assert different == [], "run scripts/protocol"
