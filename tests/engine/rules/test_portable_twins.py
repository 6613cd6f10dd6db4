"""What the rules compute with instructions of this processor, they compute without them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from native_programs import NATIVE, build_program

CHESS = [str(path) for path in sorted((NATIVE / "games" / "chessboard").rglob("*.cpp"))]


@pytest.mark.slow
def test_the_rules_compute_the_same_without_special_instructions(repository: Path, tmp_path: Path) -> None:
    source = repository / "tests" / "engine" / "rules" / "portable_twins.cpp"
    printed = []
    for flags in (("-march=native",), ()):
        if not build_program(source, tmp_path / "twins", "-O1", *flags, *CHESS, parts=("errors.cpp",)):
            pytest.skip("no C++ compiler to build the program with")
        printed.append(subprocess.run([tmp_path / "twins", "200"], capture_output=True, text=True, check=True).stdout)
    assert printed[0] == printed[1] and printed[0].count("\n") == 8
