"""Users' games on the command line: their check, broken ones, and games whose rules are not loaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import broken_games
import pytest
from cli_runs import Run, cli

from proofbase.engine import games
from proofbase.engine.games import list_games
from proofbase.service.cli import plugins

__all__ = ["cli"]

SOURCE = Path(broken_games.__file__)
RING = SOURCE.with_name("ring_game.py")
PLUGIN = f"""
import sys
sys.path.insert(0, {str(SOURCE.parent)!r})
import ring_game

class Ring(ring_game.Ring):
    name = "ring"
"""


@pytest.fixture(autouse=True)
def forget_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})
    monkeypatch.setattr(plugins, "_seen", set())


def plugin(tmp_path: Path, change: str = "", name: str = "plugin.py") -> str:
    path = tmp_path / name
    path.write_text(PLUGIN + change)
    return str(path)


def test_a_sound_game_is_checked_and_solved(cli: Run, tmp_path: Path) -> None:
    checked = cli("check-game", f"{RING}:Ring", "--seconds", 10)
    assert checked.status == 0 and "ring: no requirement is seen broken: 82 positions, all" in checked.out
    document = cli("check-game", f"{RING}:Ring:8", "--seconds", 10, "--json").json
    assert document["game"] == "ring:8" and document["passed"] and document["violations"] == []
    solved = cli("solve", "ring", "--plugin", plugin(tmp_path), "--store", tmp_path / "store")
    assert solved.status == 0, solved.err


def test_broken_games_are_named_with_their_requirement(cli: Run, tmp_path: Path) -> None:
    wrong = plugin(tmp_path, "    def repetition(self, position): return 1\n")
    checked = cli("check-game", f"{wrong}:Ring")
    assert checked.status == 1
    assert checked.out.startswith(
        "repetition: in 1-4-2-0: repetition() after move 1, which has no reward, is 1, and not -1"
    )
    assert "ring: BROKEN, 1 requirement" in checked.out
    document = cli("check-game", f"{wrong}:Ring", "--json")
    assert document.status == 1 and document.json["violations"][0]["requirement"] == "repetition"
    solved = cli("solve", "ring", "--plugin", wrong, "--store", tmp_path / "store")
    assert solved.status == 3 and "ring breaks a requirement of Game: repetition: in" in solved.err
    assert "Traceback" not in solved.err and solved.err.count("\n") <= 3
    assert "ring" not in {
        entry["game"] for entry in cli("stats", "--store", tmp_path / "store", "--json").json["games"]
    }


@pytest.mark.parametrize("wrong", ["no_such_module:A", f"{SOURCE}:NoClass", "/no/file.py:A", "trials"])
def test_what_is_no_game_is_usage(cli: Run, wrong: str) -> None:
    refused = cli("check-game", wrong)
    assert refused.status == 2 and refused.err.count("\n") == 1


@pytest.mark.parametrize(
    "change",
    [
        "    def moves(self, position): raise SystemExit(5)\n",
        "    def moves(self, position): raise KeyboardInterrupt\n",
        "    def moves(self, position): raise RuntimeError('\\udcff' * 10_000_000)\n",
        "    def moves(self, position): return self.moves(position)\n",
        "    def parse(self, text): return 1 // 0\n",
        "    def __init__(self): raise SystemExit(4)\n",
    ],
)
def test_what_a_game_raises_is_one_message_with_its_own_line(cli: Run, tmp_path: Path, change: str) -> None:
    wrong = plugin(tmp_path, change, f"plugin{abs(hash(change))}.py")
    failed = cli("solve", "ring", "1-4-2-0", "--plugin", wrong, "--store", tmp_path / "store")
    assert failed.status == 3, failed
    assert "raised" in failed.err and Path(wrong).name in failed.err and "proofbase/" not in failed.err
    assert len(failed.err) < 2500 and failed.err.count("\n") <= 3


@pytest.fixture
def stored(cli: Run, tmp_path: Path) -> Any:
    """A store and a certificate of a game, whose rules are then forgotten."""
    code, store, file = plugin(tmp_path), tmp_path / "store", tmp_path / "ring.proof"
    assert cli("solve", "ring", "--plugin", code, "--store", store).status == 0
    assert cli("export", "ring", "-", "-o", file, "--plugin", code, "--store", store).status == 0
    assert cli("solve", "tic-tac-toe", "--store", store).status == 0
    assert cli("check", file, "--plugin", code).status == 0
    games._registered.clear()
    plugins._seen.clear()
    return code, store, file


def test_a_game_that_is_not_loaded_neither_passes_nor_fails(cli: Run, stored: Any, tmp_path: Path) -> None:
    code, store, file = stored
    verified = cli("verify", "--store", store)
    assert verified.status == 3 and "all pass" in verified.out
    assert (
        "NOT checked" in verified.out
        and "unknown game 'ring'" in verified.out
        and "--plugin" in verified.out
        and " fail" not in verified.out
    )
    document = cli("verify", "--store", store, "--json").json
    assert document["failed"] == 0 and document["checked"] > 0 and document["unchecked"][0]["game"] == "ring"
    for arguments in (
        ("verify", "ring", "--store", store),
        ("check", file),
        ("check", file, "--json"),
        ("import", file, "--store", tmp_path / "other"),
        ("export", "ring", "-", "-o", tmp_path / "out", "--store", store),
        ("lookup", "ring", "--store", store),
        ("moves", "ring", "--store", store),
        ("line", "ring", "--store", store),
    ):
        refused = cli(*arguments)
        assert refused.status == 3, (arguments, refused)
        assert "--plugin" in refused.err and "unknown game 'ring'" in refused.err, arguments
        assert "NOT valid" not in refused.out and "fail" not in refused.out
    assert cli("stats", "ring", "--store", store).status == 0
    assert cli("verify", "--store", store, "--plugin", code).status == 0
    assert cli("lookup", "no-such-game", "--store", store).status == 2


def test_a_damaged_certificate_of_another_game_is_not_valid(cli: Run, stored: Any) -> None:
    _, _, file = stored
    data = file.read_bytes()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert cli("check", file).status == 1


@pytest.mark.parametrize("columns", [80, 100])
def test_the_list_of_games_has_one_row_a_family(columns: int, cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    families = list_games()
    lines = cli("games", "--store", "memory:").out.splitlines()
    rows = [line.split()[0] for line in lines[1:-2] if not line.startswith(" ")]
    assert rows == [family.name for family in families]
    assert max(map(len, lines)) <= columns
    for family in families:
        assert len(family.description.partition("; variants: ")[0]) <= 60, family
    text = " ".join(" ".join(lines).split())
    assert "connect-four 0 four in a row on an upright board variants: 7x6 (default), WIDTHxHEIGHT, ,score" in text


def test_the_list_of_games_names_what_is_stored(cli: Run, tmp_path: Path) -> None:
    assert cli("solve", "connect-four:4x4", "--store", tmp_path / "s").status == 0
    found = " ".join(cli("games", "--store", tmp_path / "s").out.split())
    records = re.search(r"connect-four ([1-9]\d*) four in a row", found)
    assert records and f"stored: :4x4 {records[1]}" in found
