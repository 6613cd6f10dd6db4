"""Which of the native cores of a wheel that travels is imported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import proofbase.engine
from proofbase.engine import _core

CHOICE = Path(proofbase.engine.__file__).with_name("_core.py")
IMPORT = """
import sys
from importlib.util import spec_from_file_location

class Finder:
    def find_spec(self, name, path=None, target=None):
        return spec_from_file_location(name, sys.argv[1]) if name == "proofbase.engine._core" else None

sys.meta_path.insert(0, Finder())
from proofbase.engine import open_game
from proofbase.engine import _core
print(open_game("tic-tac-toe").name, _core.__file__, sys.modules["proofbase.engine._core"] is _core)
"""
HASWELL = "flags\t\t: fpu sse4_2 popcnt avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        ("", "x86-64-v2"),
        ("flags\t\t: fpu sse4_2 popcnt avx", "x86-64-v2"),
        (HASWELL, "x86-64-v3"),
        (HASWELL + " avx512f", "x86-64-v3"),
    ],
)
def test_the_best_level_of_a_processor(flags: str, level: str) -> None:
    spec = spec_from_file_location("choice", CHOICE)
    assert spec is not None and spec.loader is not None
    choice = module_from_spec(spec)
    spec.loader.exec_module(choice)
    assert choice.level_of(flags) == level


def test_the_core_of_the_level_is_imported(tmp_path: Path) -> None:
    assert _core.__file__ is not None
    choice = shutil.copy(CHOICE, tmp_path)
    wanted = tmp_path / "_core.x86-64-v2.so"
    wanted.symlink_to(_core.__file__)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, choice],
        env=os.environ | {"PROOFBASE_LEVEL": "x86-64-v2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["tic-tac-toe", str(wanted), "True"]
