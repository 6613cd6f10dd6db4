"""`reproduce schijf-b`: the problems of Reinfeld in a tree and in a graph with cycles, a few of them."""

from __future__ import annotations

from proofbase.engine.papers.reproduce import Options, reproduce
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS


def test_every_problem_has_its_printed_counts() -> None:
    assert [problem.number for problem in PROBLEMS if None in problem.schijf] == [105]
    assert all(problem.number == 105 or min(problem.schijf) > 50 for problem in PROBLEMS)  # type: ignore[type-var]


def test_the_first_problems_by_both_searches() -> None:
    report = reproduce("schijf-b", Options(positions=3))
    found = {row.label: row for row in report.rows}
    for column in ("tree", "DCG"):
        assert [found[f"{number} {column}"].ratio for number in ("004", "005")] == [1.0, 1.0]
        assert (found[f"solved: {column}"].printed, found[f"solved: {column}"].measured) == (3, 3)
        assert found[f"the 3 that both solve: {column}"].measured > 139
    assert found["records of proofs that fail the local check"].measured == 0
    assert any("3 of the 82 problems were asked" in note for note in report.notes)


def test_with_fewer_nodes_only_what_both_solve_is_compared() -> None:
    report = reproduce("schijf-b", Options(positions=3, nodes=100))
    found = {row.label: row for row in report.rows}
    assert report.agrees
    assert "001 tree, not solved" in found and "001 DCG, not solved" in found
    assert found["solved: tree"].printed is None and found["solved: tree"].measured == 2
    assert found["the 2 that both solve: DCG"].ratio == 1.0
