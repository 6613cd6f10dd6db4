"""Tables of awari with few stones, and the values that they should hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from awari_positions.endgames import endgames
from proofbase.engine._core import TableWork, open_game
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.rules import Awari

__all__ = ["GAME", "RULES", "STONES", "copy_of", "expected_values", "folder"]

STONES = 9
"""Of the largest table that the tests build."""
GAME = open_game("awari")
RULES = Awari()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to nine stones."""
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(GAME, str(directory), STONES, threads=2).build()
    return directory


_EXPECTED: list[int] = []


def expected_values() -> list[int]:
    if not _EXPECTED:
        _EXPECTED.extend(values(endgames(5)[0]))
    return _EXPECTED


def copy_of(folder: Path, target: Path, size: int) -> Path:
    for stones in range(size + 1):
        name = f"awari-{stones}.table"
        (target / name).write_bytes((folder / name).read_bytes())
    return target
