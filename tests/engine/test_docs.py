"""The Python of the engine's documents runs, block after block, as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofbase.engine import games

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / name).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("name", "count"), [("certificate.md", 2), ("your-own-game.md", 5)])
def test_the_examples_of_a_document_run(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})
    found = blocks(name)
    assert len(found) == count
    if name == "your-own-game.md":
        pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    namespace: dict[str, object] = {"__name__": "document"}
    for number, block in enumerate(found, start=1):
        exec(compile(block, f"{name}, block {number}", "exec", dont_inherit=True), namespace)
    namespace.clear()  # functions hold it, and it holds native objects that cannot be traversed


def test_the_users_game_is_about_thirty_lines() -> None:
    lines = blocks("your-own-game.md")[0].split("class Chomp")[1].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 36
