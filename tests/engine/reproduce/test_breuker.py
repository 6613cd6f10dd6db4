"""`reproduce breuker-1`: the problems of Reinfeld by four searches, a few of them and with few nodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce import Options, Report, breuker, chess_mates, ghi_awari, reproduce
from proofbase.engine.papers.reproduce.answer import Answer
from proofbase.engine.papers.reproduce.reinfeld import COLUMNS, NODES_OF_75, PROBLEMS, UNSOLVED


def figures(report: Report) -> dict[str, float]:
    return {row.label: row.measured for row in report.rows}


def test_the_positions_are_those_of_the_paper() -> None:
    chess = open_game("chess")
    assert len({problem.number for problem in PROBLEMS}) == 82
    assert [problem.number for problem in PROBLEMS] == sorted(problem.number for problem in PROBLEMS)
    for problem in PROBLEMS:
        position = chess.parse(problem.fen)
        assert chess.text(position).split()[:2] == problem.fen.split()[:2], problem.name


def test_the_positions_are_those_of_the_outside_data(shared_data: Path) -> None:
    found = json.loads((shared_data / "chess_reinfeld82.json").read_text(encoding="utf-8"))["positions"]
    assert [(problem.name, problem.fen) for problem in PROBLEMS] == [(entry["id"], entry["fen"]) for entry in found]


def test_the_printed_counts_fit_the_printed_totals() -> None:
    solved = {column: len(PROBLEMS) - len(UNSOLVED[column]) for column in COLUMNS}
    assert solved == {"Tree": 76, "DAG": 78, "DCG": 78, "BTA": 79}
    by_all = [problem for problem in PROBLEMS if not any(problem.number in UNSOLVED[column] for column in COLUMNS)]
    assert len(by_all) == 75
    for column in COLUMNS:
        assert all(problem.printed(column) is None for problem in PROBLEMS if problem.number in UNSOLVED[column])
        legible = [problem.printed(column) for problem in by_all]
        assert sum(count for count in legible if count is not None) < NODES_OF_75[column]
        assert all(count is None or 50 < count < 500_000 for count in legible)


def test_the_first_problems_by_all_four_searches() -> None:
    shares: list[float] = []
    report = reproduce("breuker-1", Options(positions=3), lambda share, what: shares.append(share))
    found = figures(report)
    assert report.agrees, report.notes
    for column in COLUMNS:
        assert found[f"solved: {column}"] == 3
        assert (found[f"r4 {column}"], found[f"r5 {column}"]) == (82, 57), "the counts that the paper prints"
        assert found[f"the 3 that all of theirs solve: {column}"] == sum(found[f"r{n} {column}"] for n in (1, 4, 5))
    assert found["r1 BTA"] <= found["r1 Tree"]
    assert found["records of proofs that fail the local check"] == 0
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert "Answers that differ: none." in report.notes[-1]


def test_a_search_that_is_given_up_is_named_and_not_compared() -> None:
    report = reproduce("breuker-1", Options(positions=2, nodes=100))
    found = figures(report)
    for column in COLUMNS:
        assert found[f"r4 {column}"] == 82 and found[f"solved: {column}"] == 1
        assert found[f"r1 {column}, not solved"] >= 100
        assert f"{column}, not solved: r1; in the paper: none." in report.notes
        assert f"the 2 that all of theirs solve: {column}" not in found
        assert found[f"the 1 that all of ours solve: {column}"] == 82
    assert report.agrees


def test_an_answer_by_repetition_that_others_contradict_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(game: str, fen: str, algorithm: str, most: int, *, check: bool) -> Answer:
        wrong = algorithm.startswith("pn-cyclic") and fen == PROBLEMS[1].fen
        return Answer("unknown" if wrong else "proved", "repetition" if wrong else None, 10)

    monkeypatch.setattr(chess_mates, "ask", search)
    report = reproduce("breuker-1")
    assert "r4 DCG, no win, it says" in figures(report)
    assert "DCG takes r4 for no win, and Tree and DAG and BTA prove it" in report.notes[-1]
    total = {row.label: row.printed for row in report.rows}
    assert total["the 75 that all of theirs solve: BTA"] == NODES_OF_75["BTA"]
    assert total["the 81 that all of ours solve: BTA"] is None and total["solved: BTA"] == 79


def test_a_proof_that_fails_the_check_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chess_mates, "ask", lambda *of, check: Answer("proved", None, 10, failed=1))
    report = reproduce("breuker-1", Options(positions=2))
    assert [row.label for row in report.rows if row.off] == ["records of proofs that fail the local check"]
    assert not report.agrees


def test_repetitions_that_are_none_on_another_path(monkeypatch: pytest.MonkeyPatch) -> None:
    report = reproduce("breuker-7", Options(nodes=10_000))
    found = figures(report)
    ending = ghi_awari.ENDING
    assert report.agrees
    assert f"{ending}, tree: given up" in found and f"{ending}, path ignored: no win" in found
    assert found[f"{ending}, base-twin: a win"] < 10_000
    assert found["5 stones, path ignored: wins denied"] > 0
    assert found["5 stones, base-twin: given up"] < found["5 stones, tree: given up"]
    monkeypatch.setitem(ghi_awari.ALGORITHMS, "base-twin", ghi_awari.ALGORITHMS["path ignored"])
    wrong = reproduce("breuker-7", Options(nodes=10_000))
    assert next(row.label for row in wrong.rows if row.off) == "5 stones, base-twin: wins denied"


def test_shares_of_nodes_are_of_what_all_solve() -> None:
    of = {"Tree": (100, 50, None), "DAG": (80, 50, 9), "DCG": (40, None, 9), "BTA": (60, 50, 9)}
    answers: chess_mates.Answers = {
        column: {
            problem: Answer("unknown" if nodes is None else "proved", None, nodes or 500)
            for problem, nodes in zip(PROBLEMS, counts, strict=False)
        }
        for column, counts in of.items()
    }
    assert [breuker.percent_of(column, answers) for column in ("Tree", "DAG", "DCG")] == [60, 75, 150]
