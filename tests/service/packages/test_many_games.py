"""Packages with many games that are not known here: none takes longer because there are others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import heap_game
import pytest
from cli_runs import Run, cli

from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record
from proofbase.storage.entries import GameEntry
from proofbase.storage.package import PackageStore
from proofbase.storage.package.writing import write_manifest, write_solution

__all__ = ["cli"]

GAMES = 300


def test_games_that_are_not_known_here_are_listed_once(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 0, Evidence.CHILDREN)]))
    solutions, common = list[dict[str, Any]](), {"root": None, "value": {"lower": None, "upper": 0}, "rules_version": 1}
    for number in range(GAMES):
        name, file = f"unheard-of-{number}", f"{number}.blocks"
        about, _ = write_solution(tmp_path / file, name, [(b"\0", record)], [])
        entry = {"game": name, "file": file, "records": about, "tables": [], "certificate": None, "checks": []}
        solutions.append({**entry, **common})
    write_manifest(tmp_path, {"licence": "CC0-1.0"}, solutions, [], [entry["file"] for entry in solutions])
    listed, games = list[None](), PackageStore.games

    def counted(self: PackageStore) -> list[GameEntry]:
        listed.append(None)
        return games(self)

    monkeypatch.setattr(PackageStore, "games", counted)
    for command in (
        ["games", "--store", tmp_path],
        ["check-package", tmp_path],
        ["check-package", tmp_path, "--sample", "1"],
    ):
        listed.clear()
        found = cli(*command)
        if command[0] == "games":
            assert "the store has records of it" in found.out
        else:  # a line for each game would bury what else was found
            lines = found.out.splitlines()
            assert lines[19].startswith("not checked: 1 record of unheard-of-") and len(lines) == 22
            assert re.fullmatch(r"\.\.\. and 28[01] more \(--json lists them\)", lines[20])
        assert len(listed) < 10, "not once for each game"


PLUGIN = f"""
import sys
sys.path.insert(0, {str(Path(heap_game.__file__).parent)!r})
import heap_game

class Piles(heap_game.Heap):
    name = "piles"

    def __init__(self, parameters="=pile"):
        super().__init__({{"=": "4", ",": "5", "/": "6"}}[parameters[0]])
        self.name = f"piles:{{parameters}}"
"""
ALIKE = ("piles:=pile", "piles:,pile", "piles:/pile")


def test_games_whose_names_of_files_would_be_the_same_have_files_of_their_own(cli: Run, tmp_path: Path) -> None:
    plugin, store, package = tmp_path / "piles.py", tmp_path / "store", tmp_path / "package"
    plugin.write_text(PLUGIN, encoding="utf-8")
    for game in ALIKE:
        assert cli("solve", game, "--plugin", plugin, "--store", store).status == 0

    def publish(game: str) -> None:
        assert cli("publish", game, package, "--licence", "CC0-1.0", "--plugin", plugin, "--store", store).status == 0

    for game in ALIKE:
        publish(game)
    files = {path.name: path.read_bytes() for path in package.iterdir()}
    assert len([name for name in files if name.endswith((".blocks", ".certificate"))]) == 2 * len(ALIKE)
    for game in ALIKE:
        publish(game)
    assert files == {path.name: path.read_bytes() for path in package.iterdir()}
    assert cli("check-package", package, "--plugin", plugin).status == 0
    for game, value in zip(ALIKE, ("loss", "win", "win"), strict=True):
        answer = cli("lookup", game, "--plugin", plugin, "--store", package)
        assert answer.status == 0 and f"value  {value}" in answer.out, answer.out
