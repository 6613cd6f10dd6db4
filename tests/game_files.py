"""The files of the built-in games, as CONTRIBUTING.md asks for them: folders of the build, headers, counts, pages."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NATIVE_GAMES = ROOT / "engine" / "native" / "games"
PYTHON_RULES = ROOT / "engine" / "rules"
PERFT = ROOT / "tests" / "engine" / "data"


def native_games() -> set[str]:
    """Headers (without their suffixes) of the native games that the build has a folder for."""
    return {folder.name for folder in (ROOT / "engine" / "native" / "compiled" / "games").iterdir()}


def perft_rows(header: str = "*") -> dict[str, dict[str, list[int]]]:
    """Counts per ply by game (with its parameters) and quantity, of one perft file or of all."""
    rows: dict[str, dict[str, list[int]]] = {}
    for file in sorted(PERFT.glob(f"{header}.perft")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                game, quantity, counts = line.split("; ")
                rows.setdefault(game, {})[quantity] = [int(count) for count in counts.split()]
    return rows
