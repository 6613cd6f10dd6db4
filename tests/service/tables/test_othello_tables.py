"""Tables of Othello at the command line: built without a size, asked, and as the evidence of claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli

__all__ = ["cli"]

GAME = "othello:4x4"


@pytest.fixture
def store(cli: Run, tmp_path: Path) -> Path:
    """A store with the tables of 4x4."""
    built = cli("tables", "build", GAME, "--store", tmp_path / "store")
    assert "built 13 tables" in built.out and ": -10 by table othello_4x4-4, best move b1" in built.out
    return tmp_path / "store"


def test_tables_are_verified_and_counted(cli: Run, store: Path) -> None:
    there = ("--store", store, "--json")
    assert "longest" not in cli("tables", "verify", GAME, *there[:2]).out  # they have no layers
    verified = cli("tables", "verify", GAME, *there).json
    assert verified["failed"] == 0 and len(verified["tables"]) == 13
    counted = {row["table"]: row for row in cli("tables", "stats", GAME, *there).json["tables"]}
    assert counted["othello_4x4-4"]["values"] == {"-10": 1}
    for row in verified["tables"]:
        of_table = counted[row["table"]]
        assert row["entries"] == sum(of_table["values"].values()) == sum(of_table[k] for k in ("win", "draw", "loss"))
        assert row["entries"] <= of_table["entries"]


def test_claims_rest_on_tables_in_both_languages(cli: Run, store: Path, tmp_path: Path) -> None:
    assert cli("lookup", GAME, "moves:b1", "--store", store, "--json").json["value"] == {"lower": 10, "upper": 10}
    for discs in range(4, 10):  # a search ends where tables begin
        (store / "tables" / f"othello_4x4-{discs}.table").unlink()
    stored = ("--store", tmp_path / "records")
    with_tables = (*stored, "--tables", store / "tables")
    assert cli("solve", GAME, "moves:b1", *with_tables).status == 0
    for rules in ("native", "python"):
        assert cli("verify", GAME, "--rules", rules, *with_tables).status == 0
        assert cli("verify", GAME, "--rules", rules, *stored).status == 1
    file = tmp_path / "claims.pbcert"
    assert cli("export", GAME, "moves:b1", "-o", file, *with_tables).status == 0
    assert cli("check", file, "--tables", store / "tables").status == 0
    assert cli("check", file).status == 1


def test_large_boards_are_refused(cli: Run, tmp_path: Path) -> None:
    for name in ("othello", "othello:6x6"):
        refused = cli("tables", "build", name, "--store", tmp_path / "store")
        assert refused.status == 2 and refused.err == f"proofbase: {name} has no tables\n"


@pytest.mark.slow
def test_a_package_has_them_and_its_check_compares_entries(cli: Run, store: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    assert cli("publish", GAME, package, "--store", store, "--licence", "CC0-1.0", "--author", "Ada").status == 0
    checked = cli("check-package", package, "--sample", 100, "--json").json
    assert checked["found"]["failed"] == 0 and checked["found"]["checked"]["entries of tables"] > 60
    whole = cli("check-package", package, "--json").json
    assert whole["valid"] and whole["checks"][0]["table_entries"] == 1_288_784
    value = cli("lookup", GAME, "--store", package.as_uri(), "--json").json["value"]
    assert value == {"lower": -10, "upper": -10}
