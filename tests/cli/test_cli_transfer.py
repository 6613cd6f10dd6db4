"""Commands around files: export, import, check, migrate, and games of plugins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Run, cli, store

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


def test_plugin_game(cli: Run, tmp_path: Path) -> None:
    plugin, url = tmp_path / "heap.py", str(tmp_path / "store")
    plugin.write_text(NIM, encoding="utf-8")
    solved = cli("solve", "heap", "--plugin", plugin, "--store", url, "--json")
    assert (solved.status, solved.json["value"]) == (0, {"lower": 1, "upper": 1})
    file = tmp_path / "heap.proof"
    assert cli("export", "heap", "-", "-o", file, "--plugin", plugin, "--store", url).status == 0
    assert cli("check", file, "--plugin", plugin).status == 0
    assert cli("verify", "heap", "--rules", "python", "--plugin", plugin, "--store", url).status == 0
