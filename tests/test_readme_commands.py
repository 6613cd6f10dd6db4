"""The commands of README that take longer than those of the other pages: each does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("\n## Larger things to try\n")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^(proofbase .*?) +# (.*)$", SECTION, re.MULTILINE)
SAID = {
    "the first player wins": "value at least 1? proved",
    "a draw": "value        draw",
    "against that solution": "proved: a draw",
    "all positions of six men's morris": "",
    "all endgames with four men": "",
    "a table of a paper": "",
}
"""What a command prints that README promises."""


def test_the_commands_are_found() -> None:
    assert len(COMMANDS) == 7
    for _, remark in COMMANDS:
        assert any(remark.startswith(promise) for promise in SAID), remark


@pytest.mark.slow
def test_larger_things_do_what_readme_says(tmp_path: Path) -> None:
    """In one folder, in their order: the game is played against the solution before it."""
    for command, remark in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            cwd=tmp_path,
            input="quit\n",
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode in (0, 1), (command, done.stderr)
        promise = next(said for start, said in SAID.items() if remark.startswith(start))
        assert promise in done.stdout, (command, done.stdout)
