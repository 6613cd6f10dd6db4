"""The proofs are built once for all tests of this folder."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest


class Built(NamedTuple):
    """What `scripts/formal` has built, and what it printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="session")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    if shutil.which("coqc") is None:
        pytest.skip("coqc is not installed")
    folder = tmp_path_factory.mktemp("formal")
    done = subprocess.run(
        ["sh", str(repository / "scripts" / "formal"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Built(folder, done.stdout)


@pytest.fixture(scope="session")
def program(built: Built) -> Path:
    """`proofbase-check-verified`."""
    if shutil.which("ocamlfind") is None:
        pytest.skip("ocamlfind is not installed")
    return built.folder / "proofbase-check-verified"
