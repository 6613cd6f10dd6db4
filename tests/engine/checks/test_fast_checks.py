"""Checks by squares and by sets of squares come to what those move by move come to, to the visit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from native_programs import PARTS, build_program


@pytest.mark.slow
def test_checks_by_squares_and_by_sets_agree_with_those_move_by_move(repository: Path, tmp_path: Path) -> None:
    program = tmp_path / "fast_checks"
    source = repository / "tests" / "engine" / "checks" / "fast_checks.cpp"
    if not build_program(source, program, "-O1", parts=(*PARTS, "records/evidence/line/line_check_by_squares.cpp")):
        pytest.skip("no C++ compiler to build the program with")
    done = subprocess.run([program, "800", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    rows = [line.rsplit(" ", 3) for line in done.stdout.splitlines()]
    assert len(rows) == 25
    for name, compared, passed, _ in rows:
        assert int(compared) > int(passed) > int(compared) / 25, name
