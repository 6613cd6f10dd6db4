"""Commands around files: export, import, check, migrate, and games of plugins."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import Run, cli, store

from proofbase.engine import games

__all__ = ["cli", "store"]

NIM = '''
from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.rules import Game


class Nim(Game[int]):
    """One heap of seven; take one or two; who takes the last one wins."""

    name = "heap"

    def initial(self):
        return 7

    def terminal(self, position):
        return None if position else -1

    def moves(self, position):
        return [take for take in (1, 2) if take <= position]

    def play(self, position, move):
        return position - move

    def key(self, position):
        return bytes([position])

    def position(self, key):
        if len(key) != 1 or key[0] > 7:
            raise InvalidKeyError("a heap is one byte, at most 7")
        return key[0]

    def parse(self, text):
        if text not in "01234567" or len(text) != 1:
            raise InvalidPositionError("a heap is a number up to 7")
        return int(text)

    def text(self, position):
        return str(position)
'''


def test_certificate_out_check_and_in(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "ttt.proof"
    written = cli("export", "tic-tac-toe", "-", "--format", "certificate", "-o", file, "--store", store, "--json")
    assert written.status == 0
    assert written.json["bytes"] == file.stat().st_size
    valid = cli("check", file, "--json")
    assert (valid.status, valid.json["valid"]) == (0, True)
    assert valid.json["records"] == written.json["records"]
    assert "valid" in cli("check", file).out
    target = str(tmp_path / "other")
    first = cli("import", file, "--store", target, "--json")
    assert first.status == 0
    assert first.json["added"] == written.json["records"]
    again = cli("import", file, "--store", target)
    assert "0 added" in again.out
    assert cli("lookup", "tic-tac-toe", "--store", target, "--json").json["known"] is True


def test_changed_certificate_is_not_valid_and_not_imported(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "ttt.proof"
    cli("export", "tic-tac-toe", "-", "-o", file, "--store", store)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    outcome = cli("check", file, "--json")
    assert (outcome.status, outcome.json["valid"]) == (1, False)
    assert outcome.json["findings"]
    refused = cli("import", file, "--store", tmp_path / "other", "--json")
    assert (refused.status, refused.out) == (3, "")
    assert refused.err.startswith("proofbase: ")


@pytest.mark.parametrize("form", ["jsonl", "csv", "dot"])
def test_export_to_standard_output(cli: Run, store: str, form: str) -> None:
    outcome = cli("export", "tic-tac-toe", "-", "--format", form, "--store", store)
    assert outcome.status == 0
    assert outcome.out
    assert "written to standard output" in outcome.err
    if form == "jsonl":
        assert all(json.loads(line)["key"] for line in outcome.out.splitlines() if '"key"' in line)


def test_json_lines_out_and_in(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    written = cli("export", "tic-tac-toe", "--format", "jsonl", "-o", file, "--store", store, "--json").json
    read = cli("import", file, "--store", tmp_path / "other", "--json")
    assert read.status == 0
    assert read.json["added"] == written["records"]


def test_migrate_lmdb(cli: Run, store: str) -> None:
    assert cli("migrate", "--store", store, "--json").json == {"from": "2", "to": "2", "changed": False}


def test_plugin_game(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})  # what the plugin registers is forgotten after the test
    plugin, url = tmp_path / "heap.py", str(tmp_path / "store")
    plugin.write_text(NIM, encoding="utf-8")
    solved = cli("solve", "heap", "--plugin", plugin, "--store", url, "--json")
    assert (solved.status, solved.json["value"]) == (0, {"lower": 1, "upper": 1})
    file = tmp_path / "heap.proof"
    assert cli("export", "heap", "-", "-o", file, "--plugin", plugin, "--store", url).status == 0
    assert cli("check", file, "--plugin", plugin).status == 0
    assert cli("verify", "heap", "--rules", "python", "--plugin", plugin, "--store", url).status == 0


@pytest.mark.parametrize(
    "command",
    ["lookup", "moves", "line", "tree", "stats", "analyse", "solve", "verify", "export", "import", "check", "serve"],
)
def test_tables_are_known_to_every_command(cli: Run, command: str, tmp_path: Path) -> None:
    assert "--tables" in cli(command, "--help").out
    file = tmp_path / "file"
    file.write_bytes(b"")
    arguments = {"analyse": ["tic-tac-toe", "a1"], "import": [file], "check": [file], "serve": [], "stats": []}
    asked = cli(command, *arguments.get(command, ["tic-tac-toe", "-"]), "--tables", tmp_path / "nowhere")
    assert asked.status == 2
    assert f"{tmp_path / 'nowhere'}: there is no such directory" in asked.err
    if command not in ("check", "serve"):
        there = ("--server", "127.0.0.1:1", "--tables", tmp_path)
        asked = cli(command, *arguments.get(command, ["tic-tac-toe", "-"]), *there)
        assert asked.status == 2
        assert "--tables and --server exclude each other" in asked.err


def test_a_certificate_by_tables_is_checked_and_imported_with_them(cli: Run, tmp_path: Path) -> None:
    tables, file, position = tmp_path / "tables", tmp_path / "proof", "0,0,0,0,1,1/0,2,0,0,1,0/S"
    assert cli("tables", "build", "awari", "--stones", 5, "--tables", tables).status == 0
    with_tables = ("--store", tmp_path / "one", "--tables", tables)
    assert cli("solve", "awari", position, *with_tables).status == 0
    assert cli("export", "awari", position, "-o", file, *with_tables).status == 0
    assert cli("check", file).status == 1
    assert cli("check", file, "--tables", tables).status == 0
    assert cli("import", file, "--store", tmp_path / "two").status != 0
    assert cli("import", file, "--store", tmp_path / "two", "--tables", tables).status == 0
    assert cli("verify", "--store", tmp_path / "two").status == 1
    for rules in ("native", "python"):
        assert cli("verify", "--rules", rules, "--store", tmp_path / "two", "--tables", tables).status == 0


def test_a_long_check_says_so_beforehand_and_shows_how_far_it_is(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "solution.pbc"
    assert cli("export", "tic-tac-toe", "-", "-o", file, "--store", store).status == 0
    # In a process of its own: a check by several processes begins in one that has no threads yet.
    short = (
        "import sys\n"
        "from proofbase.engine.checking import parallel_check\n"
        "from proofbase.service.cli import run, transfer\n"
        "from proofbase.service.cli.output import progress\n"
        "parallel_check.SAMPLE_SECONDS, parallel_check.CHUNK_SECONDS = 0.001, 0.002\n"
        "transfer.LONG_CHECK_SECONDS = progress.FIRST_LINE_SECONDS = progress.LINE_SECONDS = 0.0\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    for processes, words in (("1", "in one process"), ("2", "in 2 processes")):
        command = [sys.executable, "-c", short, "check", str(file), "--processes", processes]
        checked = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "valid" in checked.stdout
        first, *lines = checked.stderr.splitlines()
        assert f"by the rules in Python, {words}: about " in first
        assert lines and all(line.startswith("proofbase: check: ") and "/s (" in line for line in lines)
        assert " left)" in lines[0]
        assert cli("check", file, "--processes", processes, "--json").json["valid"] is True
    assert cli("check", file, "--processes", 0).status == 2


def test_the_smallest_certificate(cli: Run, store: str, tmp_path: Path) -> None:
    """It rests on strategies, which a lookup tells in words once it is imported."""
    file, plain, other = tmp_path / "small.pbc", tmp_path / "plain.pbc", tmp_path / "other"
    cli("solve", "connect-four:5x4", "--exact", "--store", store)
    small = cli(
        "export", "connect-four:5x4", "-", "--smallest", "--seconds", "20", "-o", file, "--store", store, "--json"
    )
    cli("export", "connect-four:5x4", "-", "-o", plain, "--store", store)
    assert small.json["bytes"] == file.stat().st_size < plain.stat().st_size / 3
    assert cli("check", file).status == 0
    assert cli("import", file, "--store", other).status == 0
    assert "answers above the other side's stones" in cli("tree", "connect-four:5x4", "-", "--store", other).out
