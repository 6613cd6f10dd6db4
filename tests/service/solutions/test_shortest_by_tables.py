"""`proofbase solve --shortest` beside endgame tables: their answers, their positions as leaves, words that are true."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from cli_runs import Run, cli

from proofbase.engine._core import TableWork, open_game

__all__ = ["cli"]

LONGEST_ROOK = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
TAKES_A_KNIGHT = "5k2/8/8/8/n6R/8/8/K7 w - - 0 1"
TAKES_AND_MATES_SOON = "8/8/k7/2K5/8/8/8/1n1R4 w - - 0 1"
LOST = "8/8/8/8/8/1K6/7R/k7 b - - 0 1"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(open_game("chess"), str(directory), 3).build()
    return directory


def test_a_table_that_has_the_position_is_the_answer(cli: Run, tmp_path: Path, tables: Path) -> None:
    beside = ("--store", tmp_path / "store", "--tables", tables)
    shown = cli("solve", "chess", LONGEST_ROOK, "--shortest", *beside)
    assert shown.status == 0
    assert "shortest     mate in 16, proved shortest by the table chess-kr-k\n" in shown.out
    assert "search       0 nodes in 0.00 s, 0 questions" in shown.out
    found = cli("solve", "chess", LONGEST_ROOK, "--shortest", *beside, "--json").json
    assert (found["plies"], found["no_win_within"], found["table"], found["jobs"]) == (31, 30, "chess-kr-k", [])
    board = chess.Board(LONGEST_ROOK)
    for move in found["line"]:
        board.push_san(move)
    assert board.is_checkmate() and len(found["line"]) == 31
    lost = cli("solve", "chess", LOST, "--shortest", *beside)
    assert lost.status == 0 and ", 0 questions" in lost.out
    assert "mated in " in lost.out and "proved by the table chess-kr-k\n" in lost.out
    early = cli("solve", "chess", LONGEST_ROOK, "--shortest", "--most-plies", 9, *beside, "--json").json
    assert (early["plies"], early["no_win_within"], early["table"], early["reason"]) == (None, 9, None, "plies")


def test_searches_have_the_same_distances_with_tables_and_without(cli: Run, tmp_path: Path, tables: Path) -> None:
    """A short mate behind a capture: positions of the table are leaves, and the proof is the shorter for it."""
    found = [
        cli("solve", "chess", TAKES_AND_MATES_SOON, "--shortest", "--store", tmp_path / name, *options, "--json").json
        for name, options in (("with", ["--tables", tables]), ("without", []))
    ]
    assert found[0]["plies"] is not None
    assert [found[0][name] for name in ("plies", "no_win_within")] == [
        found[1][name] for name in ("plies", "no_win_within")
    ]
    assert found[0]["nodes"] < found[1]["nodes"]
    board = chess.Board(TAKES_AND_MATES_SOON)
    for move in found[0]["line"]:
        board.push_san(move)
    assert board.is_checkmate() and len(found[0]["line"]) == found[0]["plies"]
    beside = ("--store", tmp_path / "with", "--tables", tables)
    for rules in ("native", "python"):
        assert cli("verify", "--rules", rules, *beside).status == 0
    file = tmp_path / "within.cert"
    game, position = f"within:{found[0]['plies']}:chess", f"{TAKES_AND_MATES_SOON} plies={found[0]['plies']}"
    assert cli("export", game, position, "--format", "certificate", "-o", file, *beside).status == 0
    assert cli("check", file, "--tables", tables).status == 0
    assert cli("check", file).status == 1
    known = cli("lookup", "chess", TAKES_AND_MATES_SOON, *beside).out
    assert f"mate in {(found[0]['plies'] + 1) // 2} (proved shortest)" in known


def test_a_capture_into_a_table_is_no_mate_in_one(cli: Run, tmp_path: Path, tables: Path) -> None:
    """The rank of a claim above a table counts plies to the mate, so the words do."""
    beside = ("--store", tmp_path / "store", "--tables", tables)
    assert cli("solve", "chess", TAKES_A_KNIGHT, "--win", *beside).status == 0
    after = cli("lookup", "chess", "5k2/8/8/8/R7/8/8/K7 b - - 0 1", *beside, "--json").json
    found = cli("lookup", "chess", TAKES_A_KNIGHT, *beside, "--json").json
    assert after["rank"] > 10 and found["rank"] == after["rank"] + 1
    said = cli("lookup", "chess", TAKES_A_KNIGHT, *beside).out
    assert f"value  mate within {(found['rank'] + 1) // 2}, best move Rxa4" in said
    line = cli("line", "chess", TAKES_A_KNIGHT, *beside, "--json").json
    assert len(line["steps"]) == found["rank"] and line["stop"] == "end_of_game"


def test_the_longest_win_of_four_men_of_checkers_comes_by_a_table_that_is_built_meanwhile(
    cli: Run, tmp_path: Path
) -> None:
    """109 plies, as docs/endgame-tables.md has it: searches end behind 20."""
    won = cli("solve", "checkers", "B:W30,32:B6,18", "--shortest", "--store", tmp_path / "store", "--json").json
    assert (won["plies"], won["no_win_within"], won["table"]) == (109, 108, "checkers-mm-mm")
    assert len(won["line"]) == 109 and won["jobs"]
