"""What all tests share: the outside data, and a summary of what was skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Before any test module imports them: their assertions are to be explained like those of the tests themselves.
pytest.register_assert_rewrite("proofbase.storage.testing")

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """The project's shared data: PROOFBASE_SHARED, or `shared` beside the repository; None when it is not there."""
    folder = Path(os.environ.get("PROOFBASE_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "data").is_dir() else None


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree: tests read its documents and scripts, and import nothing from it."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of outside test data; the test is skipped where it is not there."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("outside test data: neither PROOFBASE_SHARED nor ../shared has a folder data")
    return folder / "data"
