"""A program around the native headers that answers questions about threats of go-moku."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from gomoku_threats.threat_questions import Ask
from native_programs import build_program


@pytest.fixture(scope="session")
def ask(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Answers to questions, by a small program around the native headers."""
    program = tmp_path_factory.mktemp("threats") / "threats_of_gomoku"
    source = repository / "tests" / "engine" / "threats" / "threats_of_gomoku.cpp"
    if not build_program(source, program, "-O1"):
        pytest.skip("no C++ compiler to build the questions' program with")

    def answers(questions: Sequence[str]) -> list[list[str]]:
        done = subprocess.run([program], input="\n".join(questions) + "\n", capture_output=True, text=True, check=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        assert len(lines) == len(questions)
        return lines

    return answers
