"""Small programs around the headers of the native core, for tests and benchmarks."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[1] / "engine" / "native"
# What the headers of games, of go-moku's threats and of records need.
PARTS = ("errors.cpp", "games/gomoku/board.cpp", "records/claims/varint.cpp", "records/claims/threat_trees.cpp")


def build_program(source: Path, program: Path, *flags: str, parts: Sequence[str] = PARTS) -> bool:
    """Compiles a source as one file with `parts`, sources of the native core; False without a compiler."""
    compiler = shutil.which("c++")
    if compiler is None:
        return False
    files = "".join(f'#include "{path}"\n' for path in [source, *(NATIVE / part for part in parts)])
    command = [compiler, "-std=c++20", "-w", *flags, f"-I{NATIVE}", "-x", "c++", "-", "-o", str(program)]
    subprocess.run(command, input=files, text=True, check=True)
    return True


def shared_program(source: Path, factory: pytest.TempPathFactory, *flags: str) -> Path | None:
    """The same, compiled once for all processes of a run of the tests; None without a compiler."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    program = folder / source.stem
    with (folder / f"{source.stem}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return program if program.exists() or build_program(source, program, *flags) else None
