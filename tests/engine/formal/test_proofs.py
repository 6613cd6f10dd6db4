"""No proof of engine/formal is left open or left out (docs/formal.md). test_verified_checker.py runs Coq."""

from __future__ import annotations

import re
from pathlib import Path

# What a proof could be left out with, or rest on without proof.
LEFT_OPEN = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset\s+Guard)\b")


def without_comments(text: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def test_nothing_is_left_open(repository: Path) -> None:
    files = sorted((repository / "engine" / "formal").glob("*.v"))
    assert len(files) >= 9
    for file in files:
        assert LEFT_OPEN.search(without_comments(file.read_text(encoding="utf-8"))) is None, file.name


def test_every_file_is_proved(repository: Path) -> None:
    folder = repository / "engine" / "formal"
    listed = re.findall(r"^(\w+\.v)$", (folder / "_CoqProject").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(file.name for file in folder.glob("*.v"))
