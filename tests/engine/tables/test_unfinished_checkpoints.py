"""A checkpoint that was being written when its process was killed (`.new`) goes when the work is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import TableWork

STONES = 4


def work_in(directory: Path) -> TableWork:
    return TableWork(open_game("awari"), str(directory), STONES)


def unfinished(directory: Path, name: str) -> Path:
    (left := directory / f"awari-{STONES}.{name}.new").write_bytes(b"half of it")
    return left


@pytest.mark.parametrize("longest_part", [None, 64])
def test_of_a_build(tmp_path: Path, longest_part: int | None) -> None:
    left = unfinished(tmp_path, "checkpoint")
    assert work_in(tmp_path).build(longest_part=longest_part)
    assert not left.exists()
    assert {path.suffix for path in tmp_path.iterdir()} <= {".table", ".lock"}


def test_of_a_build_whose_table_was_written_already(tmp_path: Path) -> None:
    assert work_in(tmp_path).build()
    left = unfinished(tmp_path, "checkpoint")
    (checkpoint := left.with_suffix("")).touch()
    assert work_in(tmp_path).build()
    assert not left.exists() and not checkpoint.exists()


@pytest.mark.parametrize("longest_part", [None, 64])
def test_of_a_verification(tmp_path: Path, longest_part: int | None) -> None:
    assert work_in(tmp_path).build()
    left = unfinished(tmp_path, "verification")
    report = work_in(tmp_path).verify(STONES, longest_part=longest_part)
    assert report is not None and report.failed == 0
    assert not left.exists()
