"""A program around the native headers that answers questions about threats of go-moku."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from gomoku_threats.threat_questions import Ask
from native_programs import shared_program


@pytest.fixture(scope="session")
def ask(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Answers to questions, by a small program around the native headers."""
    source = repository / "tests" / "engine" / "threats" / "threats_of_gomoku.cpp"
    program = shared_program(source, tmp_path_factory, "-O1")
    if program is None:
        pytest.skip("no C++ compiler to build the questions' program with")

    def answers(questions: Sequence[str]) -> list[list[str]]:
        done = subprocess.run([program], input="\n".join(questions) + "\n", capture_output=True, text=True, check=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        assert len(lines) == len(questions)
        return lines

    return answers
