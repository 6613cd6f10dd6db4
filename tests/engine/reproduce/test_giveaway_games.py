"""`reproduce allis-2.8`: random games of giveaway chess, searched by two initialisations of pn-search."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine.papers.reproduce import Options, Report, giveaway, reproduce
from proofbase.engine.papers.reproduce.giveaway import ALGORITHMS, PRINTED


def figures(report: Report) -> dict[str, float]:
    return {row.label: row.measured for row in report.rows}


def test_the_printed_improvements_fit_the_printed_figures() -> None:
    for figure, (first, second, improvement) in PRINTED.items():
        ratio = second / first if figure == "nodes a second" else first / second
        assert ratio == pytest.approx(improvement, abs=0.05)
    for column in range(len(ALGORITHMS)):
        nodes, developments = PRINTED["nodes"][column], PRINTED["developments"][column]
        assert nodes / developments == pytest.approx(PRINTED["branching factor"][column], abs=0.06)


def test_a_few_positions_have_figures_that_fit_each_other() -> None:
    shares: list[float] = []
    report = reproduce("allis-2.8", Options(positions=4, nodes=5_000), lambda share, what: shares.append(share))
    found = figures(report)
    assert shares[-1] == 1.0 and shares == sorted(shares) and report.agrees
    for name in ALGORITHMS:
        nodes, developments = found[f"nodes, {name}"], found[f"developments, {name}"]
        assert nodes / developments == pytest.approx(found[f"branching factor, {name}"])
        assert developments >= 1
    assert found["nodes, improvement"] > 1, "the number of moves is the better initialisation"
    assert found["positions with two different answers"] == 0
    again = figures(reproduce("allis-2.8", Options(positions=4, nodes=5_000)))
    assert {name: count for name, count in again.items() if "a second" not in name} == {
        name: count for name, count in found.items() if "a second" not in name
    }, "games depend on their numbers alone"


def test_a_position_in_which_two_games_end_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giveaway, "Random", lambda number: Random(number // 2))
    report = reproduce("allis-2.8", Options(positions=3, nodes=5_000))
    [note] = [note for note in report.notes if "random games of" in note]
    assert "4 random games" in note and "3 different positions" in note and "; 1 games ended where" in note
