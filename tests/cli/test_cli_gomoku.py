"""Go-moku on the command line: SGF in and out, boards, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine import open_rules, read_position

__all__ = ["cli"]

THREE = "h8 a1 i8 a15 j8 o1"
"""Black has three in a row and wins by an open four."""
SGF = "(;GM[4]SZ[15];B[hh];W[ao];B[ih];W[aa];B[jh];W[oo])"


@pytest.fixture
def solved(cli: Run, tmp_path: Path) -> str:
    url = str(tmp_path / "store")
    outcome = cli("solve", "gomoku", THREE, "--at-least", "1", "--store", url)
    assert outcome.status == 0 and " 8 . . . . . . . x x x . . . . .\n" in outcome.out
    return url


def test_a_position_has_one_answer_in_all_of_its_forms(cli: Run, solved: str) -> None:
    rules = open_rules("gomoku")
    position = read_position(rules, THREE)
    forms = (THREE, THREE.replace(" ", ""), f"moves:{THREE}", SGF, rules.text(position), rules.draw(position))
    found = [cli("lookup", "gomoku", form, "--store", solved, "--json") for form in forms]
    assert all(outcome.status == 0 and outcome.json["value"]["lower"] == 1 for outcome in found)
    assert len({outcome.out for outcome in found}) == 1


def test_many_moves_of_which_nothing_is_known_are_one_list(cli: Run, solved: str) -> None:
    heading, *rows, nothing, count, listed = cli("moves", "gomoku", THREE, "--store", solved).out.splitlines()
    listed_wins = [row.split()[0] for row in rows]
    assert heading.split() == ["move", "value", "plies"] and nothing == ""
    assert listed_wins and all(row.split()[1] == "win" for row in rows)
    assert count == f"unknown ({219 - len(listed_wins)})"
    rules = open_rules("gomoku")
    position = read_position(rules, THREE)
    assert {*listed_wins, *listed.split()} == {rules.move_text(position, move) for move in rules.moves(position)}


def test_the_line_of_best_play_is_written_as_sgf(cli: Run, solved: str) -> None:
    line = cli("line", "gomoku", THREE, "--store", solved, "--json").json
    moves = [step["move"] for step in line["steps"]]
    assert len(moves) == 3
    rules = open_rules("gomoku")
    for given in (SGF, THREE):
        written = cli("line", "gomoku", given, "--sgf", "--store", solved)
        assert written.status == 0 and written.out.startswith("(;FF[4]GM[4]") and ";B[hh];W[ao]" in written.out
        assert read_position(rules, written.out) == read_position(rules, f"{THREE} {' '.join(moves)}")
    board = rules.text(read_position(rules, THREE))
    written = cli("line", "gomoku", board, "--sgf", "--plies", "1", "--store", solved)
    assert "AB[hh][ih][jh]AW[aa][ao][oo]PL[B]C[first player to move: win within 3 plies];B[" in written.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("line", "gomoku", "--sgf", "--json"), "--sgf and --json exclude each other"),
        (
            ("line", "tic-tac-toe", "--sgf"),
            "--sgf is for gomoku and renju: games of tic-tac-toe are not written as SGF",
        ),
        (("lookup", "gomoku", "(;GM[4];B[hh];W[hh])"), "gomoku: SGF: move 2: the square h8 is taken"),
        (("lookup", "gomoku", "h8i9h8"), "move 3 of 'h8i9h8': gomoku: move 'h8': the square is taken"),
        (("lookup", "gomoku:3x3", "-"), "the length of a winning row is 3 to 3, not 5"),
    ],
)
def test_wrong_requests_end_in_one_message(cli: Run, solved: str, arguments: tuple[str, ...], message: str) -> None:
    outcome = cli(*arguments, "--store", solved)
    assert outcome.status == 2 and outcome.out == ""
    assert message in outcome.err and len(outcome.err.splitlines()) == 1
