"""`proofbase store`: info, copy, compact, check, fingerprint."""

from __future__ import annotations

import json
from pathlib import Path

import lmdb
import pytest
from cli_runs import Run, cli

from proofbase.storage import open_store

__all__ = ["cli"]


@pytest.fixture
def solved(cli: Run, tmp_path: Path) -> Path:
    assert cli("solve", "tic-tac-toe", "--store", tmp_path / "a").status == 0
    return tmp_path / "a"


def damage(store: Path, database: bytes) -> None:
    """Changes a bit at the end of the first row of a database."""
    with lmdb.open(str(store), max_dbs=16) as env:
        rows = env.open_db(database)
        with env.begin(write=True) as txn, txn.cursor(rows) as cursor:
            cursor.first()
            key, row = cursor.item()
            txn.put(key, row[:-1] + bytes([row[-1] ^ 1]), db=rows)


def test_info_shows_games_jobs_tokens_and_sizes(cli: Run, solved: Path) -> None:
    assert cli("tokens", "create", "alice", "--store", solved).status == 0
    shown = cli("store", "info", "--store", solved)
    assert shown.status == 0 and shown.err == ""
    for part in ("format 2", "tic-tac-toe", "jobs: 1 done; tokens: 1 valid", "map: 256.0 GiB", "readers: 1 process"):
        assert part in shown.out
    document = json.loads(cli("store", "info", "--json", "--store", solved).out)
    assert document["games"][0]["records"] > 100 and document["tokens"] == {"valid": 1}
    assert document["sizes"]["used_bytes"] <= document["sizes"]["total_bytes"]


def test_a_copy_is_equal_until_one_changes(cli: Run, solved: Path, tmp_path: Path) -> None:
    copied = cli("store", "copy", solved, tmp_path / "b", "--json")
    assert copied.status == 0
    document = json.loads(copied.out)
    assert document["tables"] and document["games"][0]["game"] == "tic-tac-toe"
    kept = json.loads(cli("store", "fingerprint", "--json", "--store", solved).out)["games"]
    assert kept == document["games"]
    assert cli("store", "fingerprint", "--store", solved, "--compare", tmp_path / "b").status == 0
    assert cli("solve", "connect-four:3x3", "--store", tmp_path / "b").status == 0
    different = cli("store", "fingerprint", "--store", solved, "--compare", tmp_path / "b")
    assert different.status == 1 and "connect-four:3x3" in different.out and "DIFFERENT" in different.out
    only = cli("store", "fingerprint", "tic-tac-toe", "--recount", "--store", solved, "--compare", tmp_path / "b")
    assert only.status == 0 and "equal" in only.out
    again = cli("store", "copy", solved, tmp_path / "b")
    assert again.status == 3 and again.err.count("\n") == 1 and "is not empty" in again.err


def test_a_sound_store_is_said_to_be_sound(cli: Run, solved: Path) -> None:
    checked = cli("store", "check", "--store", solved)
    assert checked.status == 0 and checked.out.startswith("sound (")
    document = json.loads(cli("store", "check", "--store", solved, "--json").out)
    assert document["sound"] and document["checked"]["jobs"] == 1 and document["passed_over"] == []
    with open_store(str(solved)):
        beside = cli("store", "check", "--store", solved, "--json")
        assert json.loads(beside.out)["passed_over"]


@pytest.mark.parametrize(
    ("database", "part"),
    [(b"records", "records"), (b"jobs", "jobs"), (b"sources", "sources"), (b"games", "files")],
)
def test_a_damaged_row_is_named(cli: Run, solved: Path, database: bytes, part: str) -> None:
    damage(solved, database)
    checked = cli("store", "check", "--store", solved, "--json")
    assert checked.status == 1, checked
    document = json.loads(checked.out)
    assert not document["sound"] and {finding["part"] for finding in document["findings"]} == {part}
    shown = cli("store", "check", "--store", solved)
    assert shown.status == 1 and "DAMAGED" in shown.out


def test_damaged_pages_tokens_and_tables_are_found(cli: Run, solved: Path) -> None:
    assert cli("tokens", "create", "alice", "--store", solved).status == 0
    with lmdb.open(str(solved / "access")) as env, env.begin(write=True) as txn, txn.cursor() as cursor:
        cursor.first()
        key, row = cursor.item()
        txn.put(key, row[:-1] + b"x")
    (solved / "tables").mkdir(exist_ok=True)
    (solved / "tables" / "awari-1.table").write_bytes(b"no table")
    checked = cli("store", "check", "--store", solved, "--json")
    assert checked.status == 1
    assert {finding["part"] for finding in json.loads(checked.out)["findings"]} == {"tokens", "tables"}
    with (solved / "data.mdb").open("r+b") as file:
        file.seek(3 * 4096)
        file.write(bytes(4096))
    checked = cli("store", "check", "--store", solved, "--json")
    assert checked.status == 1 and json.loads(checked.out)["findings"][0]["part"] == "files"


def test_compacting_says_what_it_brought(cli: Run, solved: Path) -> None:
    before = json.loads(cli("store", "fingerprint", "--json", "--store", solved).out)
    compacted = cli("store", "compact", "--store", solved, "--json")
    assert compacted.status == 0
    sizes = json.loads(compacted.out)
    assert sizes["after"] <= sizes["before"]
    assert json.loads(cli("store", "fingerprint", "--json", "--store", solved).out) == before


def test_what_is_no_store_is_told_in_one_line(cli: Run, tmp_path: Path) -> None:
    for arguments in (
        ("info", "--store", tmp_path / "none"),
        ("copy", tmp_path / "none", tmp_path / "b"),
        ("copy", "memory:", tmp_path / "b"),
        ("compact", "--store", tmp_path / "none"),
        ("compact", "--store", "memory:"),
        ("check", "--store", tmp_path / "none"),
        ("fingerprint", "--store", tmp_path / "none"),
        ("copy", "gopher://x", tmp_path / "b"),
    ):
        outcome = cli("store", *arguments)
        assert outcome.status in (2, 3) and outcome.err.count("\n") == 1, (arguments, outcome)
    assert not list(tmp_path.iterdir())
