"""Many positions with one command: all moves of one, and files of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, store

from proofbase.service.cli.output.position_files import answer_rows
from proofbase.service.client import connect

__all__ = ["cli", "store"]

POSITIONS = """# openings
moves:5
5 1    # a corner

xx./oo./...
moves:99
x../.o./...
"""


def _file(folder: Path, text: str = POSITIONS) -> Path:
    path = folder / "positions.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_moves_get_their_exact_values_stored(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "new")
    solved = cli("solve", GAME, "moves:1", "--all-moves", "--store", url, "--json")
    assert solved.status == 0
    assert solved.json["status"] == "exact"
    assert len(solved.json["moves"]) == 4
    assert all(move["known"] for move in solved.json["moves"])
    assert len(solved.json["jobs"]) > 1  # one solve alone does not settle the moves that it does not need
    with connect(url, read_only=True) as client:
        for move in client.lookup(GAME, "moves:1").moves:
            assert move.known
            assert client.lookup(GAME, move.position).stored
    again = cli("solve", GAME, "moves:1", "--all-moves", "--store", url)
    assert again.status == 0
    assert "0 nodes" in again.out
    assert "open" not in again.out


def test_a_budget_holds_for_all_moves_together(cli: Run, tmp_path: Path) -> None:
    cut = cli("solve", "connect-four:5x5", "--all-moves", "--nodes", "2k", "--store", tmp_path / "s", "--json")
    assert cut.status == 1
    assert cut.json["status"] == "unknown"
    assert cut.json["unknown_reason"] == "nodes"
    assert 2_000 <= cut.json["nodes"] < 3_000
    assert len(cut.json["jobs"]) == 1
    shown = cli("solve", "connect-four:5x5", "--all-moves", "--nodes", "2k", "--store", tmp_path / "s")
    assert "open    1, 2, 3, 4, 5 (stopped by: nodes)" in shown.out


def test_a_file_is_looked_up_line_by_line(cli: Run, store: str, tmp_path: Path) -> None:
    file = _file(tmp_path)
    found = cli("lookup", "tic-tac-toe", "--file", file, "--store", store)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert found.status == 2  # one position makes no sense
    assert [row["line"] for row in rows] == ["2", "3", "5", "6", "7"]
    assert [row["position"] for row in rows] == ["moves:5", "5 1", "xx./oo./...", "moves:99", "x../.o./..."]
    assert rows[3]["error"] == "move 2 of '99': tic-tac-toe: move '9': the cell is taken"
    assert "line 6: move 2 of '99'" in found.err
    assert rows[3]["known"] == ""
    one = cli("lookup", "tic-tac-toe", "moves:5", "--store", store, "--json").json
    assert rows[0]["known"] == str(one["known"]).lower()
    lines = cli("lookup", "tic-tac-toe", "--file", file, "--store", store, "--json")
    documents = [json.loads(line) for line in lines.out.splitlines()]
    assert [document["line"] for document in documents] == [2, 3, 5, 6, 7]
    assert {**one, "line": 2, "error": None} == documents[0]


def test_a_file_is_solved_line_by_line(cli: Run, tmp_path: Path) -> None:
    url = tmp_path / "new"
    solved = cli("solve", "tic-tac-toe", "--file", _file(tmp_path), "--store", url)
    rows = {row["position"]: row for row in csv.DictReader(io.StringIO(solved.out))}
    assert solved.status == 2
    values = {position: (row["lower"], row["upper"]) for position, row in rows.items() if row["status"] == "exact"}
    assert values == {"moves:5": ("0", "0"), "5 1": ("0", "0"), "xx./oo./...": ("1", "1"), "x../.o./...": ("0", "0")}
    assert rows["xx./oo./..."]["best_move"] == "3"
    wins = cli("solve", "tic-tac-toe", "--win", "--file", _file(tmp_path, "xx./oo./...\n-\n"), "--store", url, "--json")
    documents = [json.loads(line) for line in wins.out.splitlines()]
    assert wins.status == 1
    assert [document["status"] for document in documents] == ["proved", "disproved"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tic-tac-toe", "moves:5", "--file", "{file}"),
        ("solve", "tic-tac-toe", "--all-moves", "--file", "{file}"),
        ("solve", "tic-tac-toe", "--all-moves", "--win"),
        ("lookup", "tic-tac-toe", "moves:5", "--file", "{file}"),
        ("lookup", "tic-tac-toe", "--file", "{empty}"),
        ("lookup", "tic-tac-toe", "--file", "{binary}"),
    ],
)
def test_arguments_that_make_no_sense_together(
    cli: Run, store: str, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "empty").write_text("# nothing\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    names = {"file": _file(tmp_path), "empty": tmp_path / "empty", "binary": tmp_path / "binary"}
    refused = cli(*(argument.format_map(names) for argument in arguments), "--store", store)
    assert refused.status == 2
    assert refused.out == "" or refused.out.count("\n") == 1  # at most the headings
    assert refused.err.count("\n") == 1


def test_a_file_that_is_not_there_fails(cli: Run, store: str, tmp_path: Path) -> None:
    missing = cli("lookup", "tic-tac-toe", "--file", tmp_path / "none", "--store", store)
    assert missing.status == 3
    assert "No such file" in missing.err


def test_other_errors_end_the_file(tmp_path: Path) -> None:
    def fail(position: str) -> tuple[dict[str, object], bool]:
        raise PermissionError(13, "Permission denied", "store")

    with pytest.raises(PermissionError):
        answer_rows(_file(tmp_path), "lookup", (), fail, json=True)


def test_the_search_of_a_lookup_has_a_time(cli: Run, store: str, tmp_path: Path) -> None:
    found = cli("lookup", "connect-four", "--search", "1M", "--seconds", "0.05", "--store", store, "--json")
    assert found.status == 1 and found.json["searched"]["unknown_reason"] == "seconds"
    path = _file(tmp_path, "4\n44\n")
    rows = cli(
        "lookup", "connect-four", "--file", path, "--search", "200", "--seconds", "5", "--store", store, "--json"
    )
    documents = [json.loads(line) for line in rows.out.splitlines()]
    assert [document["searched"]["unknown_reason"] for document in documents] == ["nodes", "nodes"]
    alone = cli("moves", "connect-four", "--seconds", "1", "--store", store)
    assert alone.status == 2 and "--seconds without --search" in alone.err
    none = cli("lookup", "connect-four", "--search", "10", "--seconds", "0", "--store", store)
    assert none.status == 2 and "more than 0" in none.err
