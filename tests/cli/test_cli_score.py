"""`proofbase score`: games of two players, with what they gave away."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from cli_runs import Run, cli

__all__ = ["cli"]


def test_players_are_judged(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"moves": "5 2 1 9", "players": ["Ann", "Ben"]}\n')
    table, picture = tmp_path / "moves.csv", tmp_path / "regret.svg"
    judged = cli("score", "tic-tac-toe", file, "--nodes", "100k", "-o", table, "--plot", picture)
    assert judged.status == 0 and "Ben" in judged.out
    assert "game 1, ply 2: Ben played 2, a draw became a loss; better 1, 3, 7, 9" in judged.out
    assert table.read_text().splitlines()[2] == "1,2,Ben,1,.../.x./...,2,0,-1,1,1 3 7 9"
    assert picture.read_bytes().startswith(b"<?xml")
    unknown = cli("score", "tic-tac-toe", file, "--json")
    document = json.loads(unknown.out)
    assert unknown.status == 1 and document["moves"] == 4
    assert document["players"][0]["known"] == 0 and document["thrown"] == []
    proposed = re.search(
        "`proofbase (.*)` searches for the values that are not known", cli("score", "tic-tac-toe", file).out
    )
    assert proposed is not None
    searched = cli(*shlex.split(proposed[1]))
    assert searched.status == 0 and "searches for" not in searched.out


def test_mistakes_are_told(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("5 5\n")
    wrong = cli("score", "tic-tac-toe", file, "-o", "x.txt")
    assert wrong.status == 2 and "x.txt is neither" in wrong.err
    wrong = cli("score", "tic-tac-toe", file)
    assert wrong.status == 2 and "game 1, from line 1: " in wrong.err and wrong.err.count("\n") == 1
