"""A program around the native headers that answers questions about threats of go-moku."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from gomoku_threats.threat_questions import Ask


@pytest.fixture(scope="session")
def ask(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Answers to questions, by a small program around the native headers."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler to build the questions' program with")
    program = tmp_path_factory.mktemp("threats") / "threats_of_gomoku"
    source = repository / "tests" / "engine" / "threats" / "threats_of_gomoku.cpp"
    include = repository / "engine" / "native"
    subprocess.run([compiler, "-std=c++20", "-O1", "-w", f"-I{include}", str(source), "-o", str(program)], check=True)

    def answers(questions: Sequence[str]) -> list[list[str]]:
        done = subprocess.run([program], input="\n".join(questions) + "\n", capture_output=True, text=True, check=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        assert len(lines) == len(questions)
        return lines

    return answers
