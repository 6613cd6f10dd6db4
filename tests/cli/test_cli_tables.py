"""What `tables build` and `stats` say of tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.service.words.game_words import tables_to_size

__all__ = ["cli"]


@pytest.mark.parametrize(
    ("game", "size", "said", "value"),
    [
        ("mens-morris:3", 6, "first position .../.../...:x:3,3: win by table", {"lower": 1, "upper": 1}),
        ("awari", 2, "the first position of awari is in none of them", None),
    ],
)
def test_a_build_says_what_the_first_position_is_worth(
    cli: Run, tmp_path: Path, game: str, size: int, said: str, value: object
) -> None:
    where = ("--store", tmp_path / "store")
    assert said in cli("tables", "build", game, "--size", size, *where).out
    assert cli("tables", "build", game, "--size", size, *where, "--json").json["value"] == value


def test_statistics_have_a_row_for_each_game_with_tables_and_name_damaged_ones(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    assert cli("solve", "tic-tac-toe", *where).status == 0
    for game, size in (("awari", 3), ("mens-morris:3", 6)):
        assert cli("tables", "build", game, "--size", size, *where).status == 0
    rows = [line.split()[:3] for line in cli("stats", *where).out.splitlines()]
    assert ["awari", "4", "455"] in rows and ["mens-morris:3", "8", "565"] in rows
    (damaged,) = (tmp_path / "store").glob("**/awari-3*")
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert "damaged: awari-3: " in cli("stats", *where).out


def test_a_game_says_what_its_sizes_count(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    for game, unit in (("awari", "stones"), ("chess", "men"), ("checkers", "men"), ("mens-morris:6", "men")):
        assert f"--{unit} N is missing: all classes of so many {unit}" in cli("tables", "build", game, *where).err
    assert cli("tables", "build", "tic-tac-toe", *where).err == "proofbase: tic-tac-toe has no tables\n"
    for command in ("build", "verify", "stats", "compress"):
        refused = cli("tables", command, "othello:4x4", "--men", 8, *where)
        assert refused.status == 2 and "othello:4x4 has one set of tables: leave out --stones" in refused.err
    assert [tables_to_size(game, 4) for game in ("othello:4x4", "awari:oware", "giveaway", "nobody's")] == [
        "othello:4x4",
        "awari:oware to 4 stones",
        "giveaway to 4 men",
        "nobody's to size 4",
    ]


def test_statistics_of_tables_keep_to_a_size(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    assert cli("tables", "build", "awari", "--stones", 4, *where).status == 0
    counted = cli("tables", "stats", "awari", "--stones", 2, *where, "--json").json["tables"]
    assert [row["table"] for row in counted] == ["awari-0", "awari-1", "awari-2"]
    assert "1,365" in cli("tables", "stats", "awari", *where).out


def test_a_solve_names_the_tables_that_its_proof_rests_on(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    position = "0,2,0,1,0,1/0,1,0,2,0,1"
    assert cli("tables", "build", "awari", "--stones", 5, *where).status == 0
    solved = cli("solve", "awari", position, *where, "--seconds", 20, "--json").json
    assert solved["tables"] == ["awari-4"]
    other = ("--store", tmp_path / "other")
    assert cli("tables", "build", "awari", "--stones", 5, *other).status == 0
    shown = cli("solve", "awari", position, *other, "--seconds", 20).out
    assert "tables       awari-4 (what is stored rests on them)\n" in shown
    assert cli("solve", "awari", position, "--store", tmp_path / "none", "--seconds", 20, "--json").json["tables"] == []


def test_one_table_comes_with_those_that_it_needs_and_with_no_others(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    needed = {f"chess-k{man}-k" for man in ("", "b", "n", "p", "q", "r")}
    built = cli("tables", "build", "chess", "--table", "chess-kp-k", *where, "--json").json["built"]
    assert set(built) == needed and len(built) == 6
    listed = cli("tables", "list", "chess", *where, "--json").json["tables"]
    assert {row["table"] for row in listed} == needed
    verified = cli("tables", "verify", "chess", "--table", "chess-kr-k", *where, "--json").json
    assert [row["table"] for row in verified["tables"]] == ["chess-k-k", "chess-kr-k"]
    for given, message in (
        (("chess", "--table", "chess-kx-k"), "there is no table chess-kx-k to be built alone"),
        (("othello:4x4", "--table", "othello_4x4-12"), "there is no table othello_4x4-12 to be built alone"),
    ):
        refused = cli("tables", "build", *given, *where)
        assert refused.status == 2 and message in refused.err


def test_a_certificate_says_which_tables_it_rests_on(cli: Run, tmp_path: Path) -> None:
    where, file = ("--store", tmp_path / "store"), tmp_path / "tables.proof"
    assert cli("tables", "build", "chess", "--table", "chess-kr-k", *where).status == 0
    fen = "4k3/8/8/8/8/8/4p3/1R2K3 w - - 0 1"
    assert cli("solve", "chess", fen, *where).status == 0
    assert cli("export", "chess", fen, "-o", file, *where).status == 0
    command = ("check", file, "--tables", tmp_path / "store" / "tables")
    assert "\nrests on the tables chess-kr-k, which `proofbase tables verify` verifies\nvalid" in cli(*command).out
    assert cli(*command, "--json").json["tables"] == ["chess-kr-k"]
