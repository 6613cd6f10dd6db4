"""What `problem` prints: one problem, files of many, what it refuses."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine.problems.report import ProblemReport, Solution
from proofbase.service.cli.output.problem_report import problem_lines

__all__ = ["cli"]

TWO_KEYS = "7k/8/5K2/8/8/8/8/R7 w - -"
ONE_KEY = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"


def test_a_tree_that_is_left_out_is_said_to_be() -> None:
    late = ProblemReport("chess", TWO_KEYS, 2, "cooked", 2, ("Kf7", "Kg6"), solutions=(Solution("Kf7"),))
    [said] = [line for line in problem_lines(late) if line.startswith("open")]
    assert said.endswith(" before all of it was known; the tree of variations is left out")
    whole = replace(late, solutions=(Solution("Kf7"), Solution("Kg6")))
    assert any(line.endswith(" before all of it was known") for line in problem_lines(whole))


def test_the_operations_of_an_epd_say_what_is_asked(cli: Run, tmp_path: Path) -> None:
    sound = cli("problem", f"{ONE_KEY} dm 2;", "--json")
    assert sound.status == 0 and sound.json["verdict"] == "sound" and sound.json["asked_moves"] == 2
    assert sound.json["duals"][0] == {
        "ply": 3,
        "after": ["Qg6", "Bd7"],
        "continuations": ["Nxf7#", "Qh7#"],
        "with_threat": True,
    }
    cooked = cli("problem", f"{TWO_KEYS} bm Kf7; dm 2;")
    assert cooked.status == 1
    assert "cook         1.Kg6  threat: 2.Ra8#\n" in cooked.out and "key          1.Kf7!" in cooked.out
    wrong = cli("problem", f"{ONE_KEY} bm Ng6; dm 2;")
    assert (
        wrong.status == 1 and "cooked: mate in 2 by 1 key\nkey fails    1.Ng6+? fxg6\ncook         1.Qg6" in wrong.out
    )
    assert "verdict      short solution: mate in 2, where 3 were asked for" in cli("problem", f"{TWO_KEYS} dm 3;").out
    assert "verdict      no solution: no mate in 1" in cli("problem", TWO_KEYS, "--moves", 1).out
    longer = cli("problem", "8/8/8/4k3/8/8/8/R3K3 w Q -", "--moves", 2).out
    assert longer.count("refuted      1.") == 5 and "and 11 first moves more" in longer
    late = cli("problem", "8/8/8/4k3/8/8/8/R3K3 w Q -", "--seconds", 0.05)
    assert late.status == 1 and "verdict      open" in late.out and "the time was over" in late.out


def test_a_certificate_proves_the_report(cli: Run, tmp_path: Path) -> None:
    proof = tmp_path / "mate.proof"
    assert cli("problem", ONE_KEY, "--moves", 2, "--certificate", proof).status == 0
    assert "valid: " in cli("check", proof).out
    assert cli("import", proof, "--store", tmp_path / "store").status == 0


def test_tables_settle_the_endings_of_a_problem(cli: Run, tmp_path: Path) -> None:
    store, proof, position = tmp_path / "store", tmp_path / "ending.proof", "8/8/8/8/8/4k3/8/4K2Q w - -"
    tables = store / "tables"
    assert "no such directory" in cli("problem", position, "--tables", tables).err
    assert cli("tables", "build", "chess", "--men", 3, "--store", store).status == 0
    report = cli("problem", position, "--tables", tables, "--certificate", proof)
    assert "verdict      sound: mate in 5, one key\nkey          1.Qd5!\n" in report.out
    assert "tables       chess-k-k, chess-kq-k (the proofs rest on them)\n" in report.out
    assert "valid: " in cli("check", proof, "--tables", tables).out
    assert "NOT valid" in cli("check", proof).out


def test_a_file_has_a_row_for_each_problem_and_a_sum(cli: Run, tmp_path: Path) -> None:
    (epd := tmp_path / "problems.epd").write_text(
        f"{ONE_KEY} dm 2;\n{TWO_KEYS} dm 2;\n{TWO_KEYS} dm 1;\n{TWO_KEYS} dm 3;\n"
    )
    rows = cli("problem", epd)
    assert rows.status == 1 and rows.err.endswith("proofbase: 1 sound, 1 cooked, 1 short, 1 unsolvable\n")
    table = list(csv.DictReader(io.StringIO(rows.out)))
    assert [(row["line"], row["verdict"], row["keys"], row["cooks"]) for row in table] == [
        ("1", "sound", "Qg6", ""),
        ("2", "cooked", "Kg6 Kf7", ""),
        ("3", "unsolvable", "", ""),
        ("4", "short", "Kg6 Kf7", ""),
    ]
    assert table[0]["tries"] == "Ng6+?fxg6! Nxf7+?Bxf7! Qxg7+?Kxg7!" and table[0]["duals"] == "4"
    documents = [json.loads(line) for line in cli("problem", epd, "--json").out.splitlines()]
    assert [one["verdict"] for one in documents] == ["sound", "cooked", "unsolvable", "short"]
    epd.write_text(f"{ONE_KEY} dm 2;\n")
    assert cli("problem", epd).status == 0


def test_the_stipulation_of_popeye_and_olive_is_asked(cli: Run, tmp_path: Path) -> None:
    (popeye := tmp_path / "problems.inp").write_text(
        "BeginProblem\nStipulation #3\nPieces White Kf6 Ra1 Black Kh8\nNextProblem\n"
        "Pieces White Kf6 Ra1 Black Kh8\nStip #2\nEndProblem\n"
    )
    assert [row["verdict"] for row in csv.DictReader(io.StringIO(cli("problem", popeye).out))] == ["short", "cooked"]
    with_counter = cli("problem", "chess:fifty", popeye).out
    assert [row["verdict"] for row in csv.DictReader(io.StringIO(with_counter))] == ["short", "cooked"]
    (olive := tmp_path / "problems.olv").write_text(
        '---\nalgebraic:\n  white: [Kf6, Ra1]\n  black: [Kh8]\nstipulation: "#1"\n'
    )
    assert [row["verdict"] for row in csv.DictReader(io.StringIO(cli("problem", olive).out))] == ["unsolvable"]


OLIVE = """---
algebraic:
  black:
  - Ke8
  - Rh8
  - Sh7
  white:
  - Ke2
  - Qh1
  - Sd5
  - Pe6
authors:
- White, Alain
comments:
- The condition of this twin is none.
solution: "1...Sg5 2.Qxh8#\\n  1.Qh1-a1 ! threat:\\n  2.Qa1-a8 #"
source:
  name: Black Pawn e4
stipulation: '#2'
---
algebraic:
  white: [Kf6, Ra1]
  black: [Kh8]
stipulation: "#2"
solution: |
  "1.Kf6-f7 !"
---
algebraic:
  white: [Kf6, Ra1]
  black: [Kh8]
stipulation: "#2"
twins:
  b: Move f6 f7
"""
GERMAN = """anfangproblem
autor B. Schwarz
quelle Stein der Weisen
forderung #2
option varianten
steine
weiss ke1 da7 th1
schw kc1

weiter
ford #2
opti vari enpassant g7g6g5
stei weis kf5 th8 be5f6h5
schw kh6 bg5h7
weiter
ford #2
opti keinerochade e1h1
stei weis ke1 da7 th1
schw kc1
weiter
ford #2
bedi circe
stei weis ke1 da7 th1
schw kc1
endeproblem
"""
TWO_LISTS = "beginproblem\nstip #2\npieces white kf6 ra1\nblack kh8\nwhite alice bb1\nendproblem\n"


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        (
            "olive.olv",
            OLIVE,
            [("sound", "Qa1", "", ""), ("cooked", "Kg6 Kf7", "Kg6", ""), ("", "", "", "twins makes another")],
        ),
        (
            "german.inp",
            GERMAN,
            [
                ("sound", "Qf2", "", ""),  # castling mates
                ("sound", "hxg6", "", ""),
                ("unsolvable", "", "", ""),
                ("", "", "", "bedi makes another"),
            ],
        ),
        ("of-popeye.txt", GERMAN.partition("weiter")[0], [("sound", "Qf2", "", "")]),
        (
            "of-olive.txt",
            OLIVE[: OLIVE.index("twins")],
            [("sound", "Qa1", "", ""), ("cooked", "Kg6 Kf7", "Kg6", ""), ("cooked", "Kg6 Kf7", "", "")],
        ),
        ("fairy.inp", TWO_LISTS, [("", "", "", "alice bb1 is no piece of chess")]),
    ],
)
def test_files_of_composers(
    cli: Run, tmp_path: Path, name: str, text: str, rows: list[tuple[str, str, str, str]]
) -> None:
    (file := tmp_path / name).write_text(text)
    for row, (verdict, keys, cooks, error) in zip(
        csv.DictReader(io.StringIO(cli("problem", file).out)), rows, strict=True
    ):
        assert (row["verdict"], row["keys"], row["cooks"]) == (verdict, keys, cooks), row
        assert error in row["error"] and bool(error) == bool(row["error"])


PGN = """[Event "Two problems"]
[SetUp "1"]
[FEN "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]

1. Kf7 {the key} Kh7 2. Rh1# 1-0

[Event "Another"]
[FEN "4k2r/7n/4P3/3N4/8/8/4K3/7Q w k - 0 1"]

1. Qa1 (1. Qh5+ Kd8) 1... Kf8 2. Qxh8# 1-0
"""
SGF = """(;GM[4]SZ[7]AB[cc][dc][ec]AW[ag][fg][gg]PL[B]LB[bc:A][fc:B]C[Black wins];B[bc];W[ac];B[fc])
(;GM[4]SZ[7]AB[cc][dc][ec]AW[gg][fg]PL[B]LB[bc:1])
(;GM[4]SZ[7];B[cc];W[ag];B[dc];W[fg];B[ec];W[gg])
"""


@pytest.mark.parametrize(
    ("name", "text", "game", "rows"),
    [
        ("two.pgn", PGN, "chess", [("cooked", "Kg6 Kf7", "Kg6"), ("sound", "Qa1", "")]),
        # The second diagram has a white stone too few for Black's move: it is set up.
        ("three.sgf", SGF, "gomoku:7x7", [("cooked", "b5 f5", "f5"), ("cooked", "b5 f5", ""), ("cooked", "b5 f5", "")]),
    ],
)
def test_records_that_begin_with_a_diagram_are_problems_with_their_solution(
    cli: Run, tmp_path: Path, name: str, text: str, game: str, rows: list[tuple[str, str, str]]
) -> None:
    (file := tmp_path / name).write_text(text)
    table = csv.DictReader(io.StringIO(cli("problem", file, "--game", game, "--moves", 2).out))
    assert [(row["verdict"], row["keys"], row["cooks"]) for row in table] == rows


def test_the_key_of_the_author_may_be_said(cli: Run) -> None:
    unknown = cli("problem", TWO_KEYS, "--moves", 2, "--json").json
    assert (unknown["verdict"], unknown["keys"], unknown["cooks"]) == ("cooked", ["Kg6", "Kf7"], [])
    known = cli("problem", TWO_KEYS, "--moves", 2, "--key", "Kf6-f7", "--json").json
    assert known["cooks"] == ["Kg6"]
    illegal = cli("problem", TWO_KEYS, "--key", "Qa1")
    assert (illegal.status, illegal.out) == (2, "")
    assert "move 'Qa1': it is not legal" in illegal.err


def test_the_game_stands_before_the_problem_or_is_an_option(cli: Run) -> None:
    position = "......./......./..xxx../......./......./......./o....oo"
    before = cli("problem", "gomoku:7x7", position, "--moves", 2).out
    assert "1.b5!" in before and cli("problem", position, "--game", "gomoku:7x7", "--moves", 2).out == before
    assert cli("problem", "chess", TWO_KEYS, "--moves", 2).out == cli("problem", TWO_KEYS, "--moves", 2).out
    twice = cli("problem", "chess", TWO_KEYS, "--game", "giveaway")
    assert (twice.status, twice.out) == (2, "") and "the game is chess or giveaway: name one" in twice.err
    unquoted = cli("problem", *TWO_KEYS.split())
    assert (unquoted.status, unquoted.out) == (2, "") and "put it in quotes" in unquoted.err


def test_a_problem_that_cannot_be_read_has_its_row(cli: Run, tmp_path: Path) -> None:
    (popeye := tmp_path / "problems.inp").write_text(
        "BeginProblem\nPieces White Kf6 Ra1 Black Kh8\nStip #2\nNextProblem\nPieces White Kf6 Gd1 Black Kh8\nStip #2\n"
        "NextProblem\nPieces White Kf6 Ra1 Black Kh8\nStip h#2\nNextProblem\nPieces Black Kh8\nStip #2\nEndProblem\n"
    )
    rows = cli("problem", popeye)
    assert rows.status == 1 and rows.err.endswith("proofbase: 1 cooked, 3 not read\n")
    errors = [row["error"] for row in csv.DictReader(io.StringIO(rows.out))]
    assert errors[0] == "" and "Gd1 is no piece of chess" in errors[1] and "h#2 is no direct mate" in errors[2]
    assert errors[3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("white Kf4 Gd4 Qa1 black Kh8",), "Gd4 is no piece of chess"),
        (("white: [Kf4, Gd4] black: [Kh8]",), "Gd4 is no piece of chess"),
        (("white Kf6 Ra1 black Kh8 stipulation =2",), "=2 is no direct mate"),
        (("r#2 white Kf6 Ra1 black Kh8",), "r#2 is another game"),
        (("white Kf6 Ra1 black Kh8 condition Circe",), "condition makes another problem"),
        (("a" * 300,), "a move is written like"),
        (("7k/6Q1/6K1/8/8/8/8/8 b - -",), "the game is over"),
        (("8/8/8/8/8/8/8/8 w - -",), "king"),
        ((f"{TWO_KEYS} dm -2;",), "is no direct mate"),
        (("-", "--game", "awari"), "awari has scores"),
        (("-", "--game", "within:3:chess"), "within:3:chess has a limit of plies already"),
        (("-", "--game", "openspiel:tic_tac_toe"), "of built-in games"),
        (("-", "--game", "nothing"), "nothing"),
    ],
)
def test_what_is_no_problem_is_refused_in_one_line(cli: Run, given: tuple[str, ...], message: str) -> None:
    outcome = cli("problem", *given)
    assert outcome.status == 2 and message in outcome.err and outcome.err.count("\n") <= 2 and not outcome.out
