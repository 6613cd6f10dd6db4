"""Packages with many games that are not known here: none takes longer because there are others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    for command in (["games", "--store", tmp_path], ["check", tmp_path], ["check", tmp_path, "--sample", "1"]):
        listed.clear()
        found = cli(*command)
        assert f"unheard-of-{GAMES - 1}: " in found.out or "the store has records of it" in found.out
        assert len(listed) < 10, "not once for each game"
