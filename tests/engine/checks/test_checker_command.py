"""The command of the certificate checker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from certificates import certificate, with_header
from reference_records import exact_records

from proofbase.engine.checking import checker

NIM = """
from proofbase.engine.rules import Game

class Nim(Game[int]):
    name = "one-heap"
    def initial(self): return 5
    def terminal(self, position): return -1 if position == 0 else None
    def moves(self, position): return range(1, min(position, 3) + 1)
    def play(self, position, move): return position - move
    def key(self, position): return bytes([position])
    def position(self, key): return key[0]
    def text(self, position): return f"{position}"
    def parse(self, text): return int(text)
"""


def test_the_command_answers_by_exit_status(ending: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.pbc", tmp_path / "bad.pbc"
    good.write_bytes(ending)
    bad.write_bytes(with_header(ending, upper=0))
    assert checker.main([str(good)]) == 0
    assert "valid: " in capsys.readouterr().out
    assert checker.main([str(bad)]) == 1
    assert "not valid: " in capsys.readouterr().out
    assert checker.main([str(good), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["valid"] is True
    assert document["header"]["root"] == "xo./.x./..o"
    assert document["findings"] == []
    assert checker.main([str(bad), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["findings"][0]["claim"] == "upper 0"
    assert checker.main([str(tmp_path / "none.pbc")]) == 3
    assert "FileNotFoundError" in capsys.readouterr().err
    with pytest.raises(SystemExit) as exit_:
        checker.main([])
    assert exit_.value.code == 2


def test_the_command_checks_users_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nim.py").write_text(NIM)
    game = checker.load_rules(f"{tmp_path / 'nim.py'}:Nim")
    file = tmp_path / "nim.pbc"
    file.write_bytes(certificate(game, 5, exact_records(game)))
    monkeypatch.chdir(tmp_path)
    for arguments, status in (
        (["--rules", "nim.py:Nim"], 0),
        (["--rules", "nim:Nim"], 0),
        ([], 1),
        (["--rules", "proofbase.engine.rules:TicTacToe"], 1),
        (["--rules", "nim.py:Chess"], 3),
        (["--rules", "nothing:Nim"], 3),
    ):
        command = [sys.executable, "-m", "proofbase.engine.checker", "nim.pbc", *arguments]
        assert subprocess.run(command, capture_output=True, check=False).returncode == status, arguments
