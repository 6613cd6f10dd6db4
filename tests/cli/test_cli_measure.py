"""`proofbase measure`: how large a game is, and how far the store solves it."""

from __future__ import annotations

from math import factorial, log10
from pathlib import Path

import pytest
from cli_runs import Run, cli
from heap_game import heap_plugin

__all__ = ["cli", "heap_plugin"]


def test_a_store_that_holds_the_first_position_gives_best_play(cli: Run, tmp_path: Path) -> None:
    store = f"--store={tmp_path / 'store'}"
    assert cli("measure", "tic-tac-toe", "--games", "20", "--json", "--store=memory:").json["solved"] == "not"
    cli("solve", "tic-tac-toe", store)
    found = cli("measure", "tic-tac-toe", "--games", "20", "--json", store).json
    assert found["supersets"][1]["size"] == 6_046
    assert {name: found["counted"][name] for name in ("positions", "keys", "finished")} == {
        "positions": 5_478,
        "keys": 765,
        "finished": 958,
    }
    assert found["estimated"] is None
    assert (found["solved"], found["value"], found["convergence"]) == ("weakly", {"lower": 0, "upper": 0}, "diverging")
    assert found["best_play"]["lengths"] == {"9": 20}
    assert found["best_play"]["log10_leaves"] == pytest.approx(log10(factorial(9)))
    shown = cli("measure", "tic-tac-toe", "--games", "20", store)
    assert shown.status == 0
    assert "5,478 positions, counted; 765 but for symmetries" in shown.out
    assert "20 games of best play: 9.0 ± 0.0 plies (9 to 9, median 9), 5.0 moves a position, 0% won" in shown.out


def test_a_game_whose_tables_are_there_is_strongly_solved(cli: Run, tmp_path: Path) -> None:
    tables = f"--tables={tmp_path / 'tables'}"
    assert cli("tables", "build", "mens-morris:3", "--men", "6", tables).status == 0
    found = cli("measure", "mens-morris:3", "--games", "5", "--json", tables, "--store=memory:").json
    assert (found["solved"], found["counted"]["positions"]) == ("strongly", 5_262)


def test_a_large_game_is_estimated_beside_the_printed_figures(cli: Run) -> None:
    shown = cli("measure", "connect-four", "--games", "10", "--samples", "1", "--store=memory:")
    assert "Allis (1994)" in shown.out and "10^14" in shown.out and "sudden death" in shown.out
    assert "of 43 samples can arise" in shown.out, "every number of stones has a sample at least"
    chess = cli("measure", "chess", "--games", "1", "--positions", "100", "--store=memory:")
    assert "The positions are too many to be counted, and no superset of known size is stated." in chess.out


def test_numbers_have_to_be_positive(cli: Run) -> None:
    assert cli("measure", "tic-tac-toe", "--games", "0").status == 2


def test_good_games_and_those_of_a_file_are_measured(cli: Run, tmp_path: Path, heap_plugin: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("1 2 1 2 1 2 1\n4 4 4 4 4 4 3\n")
    few = ("measure", "connect-four", "--games", "5", "--samples", "1", "--store=memory:")
    found = cli(*few, "--play", "2", "--games-file", games, "--json").json
    assert found["games_of_the_file"]["lengths"] == {"7": 2}
    assert found["good_play"]["games"] == 2 and found["good_play"]["length"] > found["random_play"]["length"]
    assert "2 games of the file: 7.0 ± 0.0 plies" in cli(*few, "--games-file", games).out
    games.write_text("1 1 1\n")
    heap = ("measure", "heap:3", "--plugin", heap_plugin, "--games", "5", "--store=memory:")
    assert "of the file: 3.0 " in cli(*heap, "--games-file", games).out
    small = cli("measure", "tic-tac-toe", "--games", "5", "--store=memory:")
    assert "solved by a search of 9 plies of all moves: 255,168 leaves" in small.out
    for text, message in (("1 2 9", "the game from line 1: move 3"), ("# none", "has no game")):
        games.write_text(text + "\n")
        refused = cli(*few, "--games-file", games)
        assert refused.status == 2 and message in refused.err
