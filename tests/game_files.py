"""The files of the built-in games, as CONTRIBUTING.md asks for them: list of the build, headers, perft files, pages."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NATIVE_GAMES = ROOT / "engine" / "native" / "games"
PYTHON_RULES = ROOT / "engine" / "rules"
PERFT = ROOT / "tests" / "engine" / "data"


def native_games() -> set[str]:
    """Headers (without their suffixes) of the native games that the build lists (engine/CMakeLists.txt)."""
    text = (ROOT / "engine" / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.search(r"^set\(games\n(.*?)^\)$", text, re.MULTILINE | re.DOTALL)
    assert listed, "engine/CMakeLists.txt has no list of games"
    return {line.strip().partition(":")[0] for line in listed[1].splitlines()}


def perft_rows(header: str = "*") -> dict[str, dict[str, list[int]]]:
    """Counts per ply by game (with its parameters) and quantity, of one perft file or of all."""
    rows: dict[str, dict[str, list[int]]] = {}
    for file in sorted(PERFT.glob(f"{header}.perft")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                game, quantity, counts = line.split("; ")
                rows.setdefault(game, {})[quantity] = [int(count) for count in counts.split()]
    return rows
