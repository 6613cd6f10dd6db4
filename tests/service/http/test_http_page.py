"""The commands of docs/http.md print what the page shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from asking import post
from conftest import Both

PAGE = Path(__file__).parents[3] / "docs" / "http.md"
BLOCKS = re.findall(r"^```shell-session\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) >= 7


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][-60:])
def test_examples_print_what_the_page_shows(block: str, both: Both, tmp_path: Path) -> None:
    if not _has_curl():
        pytest.skip("curl is not installed")
    job = post(both.http, "Jobs/StartSolve", {"game": "tic-tac-toe"}).json["id"]
    names = {"JOB": job, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        command = command.replace("127.0.0.1:8080", both.http).replace("proofbase ", f"{sys.executable} -m proofbase ")
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env={**os.environ, **names},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        pattern = ".*".join(re.escape(shown) for shown in _tight(expected).split("..."))
        # A line that the page breaks off ends with `...`, or within a list.
        assert re.match(pattern, _tight(done.stdout), re.DOTALL), (command, done.stdout)


def _tight(text: str) -> str:
    """JSON without spaces between its parts, so that both ways to write it are the same."""
    return re.sub(r'(?<=[,:]) (?=["\[{\d])', "", text.strip())


def _has_curl() -> bool:
    return subprocess.run(["sh", "-c", "command -v curl"], capture_output=True, check=False).returncode == 0


def test_json_on_the_page_is_not_misspelt() -> None:
    """The complete objects in the text of the page are JSON."""
    for block in BLOCKS:
        for body in re.findall(r"-d '(\{.*?\})'$", block, re.MULTILINE):
            json.loads(body)
