"""Reproductions of papers' tables: the framework, and the tables themselves over a few move orders."""

from __future__ import annotations

import importlib

import pytest

from proofbase.engine.papers.reproduce import TABLES, Options, Report, Row, reproduce
from proofbase.engine.papers.reproduce.report import TOLERANCE


def test_a_row_is_off_beyond_the_tolerance() -> None:
    assert TOLERANCE == 0.05
    for measured, off in ((94.9, True), (95.1, False), (100, False), (104.9, False), (105.1, True)):
        assert Row("nodes", 100, measured).off is off
    assert Row("nodes", 200, 150).ratio == 0.75
    assert Row("lost", 0, 0).ratio == 1.0
    assert Row("lost", 0, 1).off


def test_what_the_paper_does_not_print_is_not_compared() -> None:
    row = Row("nodes", None, 7)
    assert row.ratio is None
    assert not row.off
    assert Report("s", [row, Row("nodes", 10, 10)]).agrees
    assert not Report("s", [row, Row("nodes", 10, 11)]).agrees


def test_every_table_of_the_registry_is_there() -> None:
    assert TABLES
    for name, table in TABLES.items():
        module, _, function = table.function.partition(":")
        assert name == name.lower()
        assert callable(getattr(importlib.import_module(f"proofbase.engine.papers.reproduce.{module}"), function)), name


def test_an_unknown_table_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        reproduce("schijf-9.9")


def test_exact_numbers_of_schijf() -> None:
    report = reproduce("schijf-exact", Options(seconds=0.1))
    assert report.agrees
    of = {row.label.partition(",")[0]: row.measured for row in report.rows}
    assert of["positions with seven empty squares"] == 24
    by_normal_forms, answered = (row.measured for row in report.rows if row.label.startswith("answered"))
    assert 5 <= by_normal_forms <= 24 and 10 <= answered <= 24
    assert of["proof-set search"] <= of["practical DAG algorithm"] and of["exact numbers"] > 20 * answered
    printed = [row for row in report.rows if row.printed is not None]
    assert [row.measured for row in printed] == [3**12, 3610, 3]


def test_the_two_tests_of_sequences_of_threats() -> None:
    of = {row.label: row.measured for row in reproduce("allis-5.3.3", Options(positions=100)).rows}
    for name in ("gomoku", "gomoku:standard"):
        replayed, searched = of[f"{name}, replay: won"], of[f"{name}, the thesis's test: won"]
        assert 20 < of[f"{name}: won by both"] == searched < replayed < 100, "the thesis's test is the stricter one"
        assert of[f"{name}: accepted by the thesis's test, and refuted by a reply"] == 0


def test_open_questions_of_mueller(thorough: bool) -> None:
    report = reproduce("mueller-6.3", Options(positions=30 if thorough else 10))
    of = [(row.label, row.measured) for row in report.rows]
    assert of[0] == ("tic-tac-toe, pn-search: expansions", 1237), "the figure of 6.2"
    assert ("of these again, both searches", 0) in of
    assert all(count == 0 for label, count in of if label.endswith("topological order: again"))
    counts = dict(of)
    assert counts["most nodes held"] < counts["nodes of one level"] / 2


@pytest.mark.parametrize("name", ["schijf-4.1", "schijf-4.2", "schijf-4.3", "schijf-a.1"])
def test_averages_of_schijf_over_a_few_orders(name: str) -> None:
    orders, progress = 12, []
    report = reproduce(name, Options(orders), lambda share, what: progress.append((share, what)))
    assert report.name == name
    compared = [row for row in report.rows if row.printed is not None]
    assert compared
    for row in compared:
        # A dozen orders: the averages lie within a few standard errors of what a hundred would give.
        assert row.printed is not None and row.ratio is not None
        spread = 4 * (row.error or 0) / row.printed
        assert spread < 0.25, "the tolerance would hide a wrong figure"
        assert abs(row.ratio - 1) <= TOLERANCE + spread, (name, row)
    shares = [share for share, _ in progress]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] == 1.0


def test_equal_options_give_equal_reports() -> None:
    assert reproduce("schijf-a.1", Options(2)) == reproduce("schijf-a.1", Options(2))
    assert reproduce("schijf-a.1", Options(2)) != reproduce("schijf-a.1", Options(3))


def test_mueller_s_two_figures_are_met_exactly() -> None:
    report = reproduce("mueller-6.2", Options(orders=2))
    compared = {row.printed: row.measured for row in report.rows if row.printed is not None}
    assert compared == {1237: 1237, 1114: 1114}
    assert sum(row.printed is None for row in report.rows) == 12


@pytest.mark.parametrize(
    ("name", "options", "calls", "measured"),
    [
        ("breuker-1", Options(positions=4, nodes=500), 10, "of 2"),
        ("schijf-b", Options(positions=4, nodes=500), 5, "of 2"),
        ("mueller-6.1", Options(positions=4, nodes=500), 3, "of 2"),
        ("allis-1", Options(nodes=300), 7, "55(N) alpha-beta"),
        ("allis-5.4", Options(positions=2, nodes=5, seconds=1), 2, "median of Victoria's nodes"),
        ("allis-4.1", Options(), 3, "nodes, median"),
        ("allis-2.8", Options(positions=3, nodes=2_000), 2, "nodes, standard"),
        pytest.param("allis-6.1", Options(positions=1), 4, "qubic: length of good games", marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_ends_a_table_with_what_there_is(name: str, options: Options, calls: int, measured: str) -> None:
    """`calls`: so often progress is told before somebody stops; by then at least one position is measured."""
    steps = list[str]()

    def stop(share: float, what: str) -> None:
        steps.append(what)
        if len(steps) == calls:
            raise KeyboardInterrupt

    report = reproduce(name, options, stop)
    assert [note for note in report.notes if note.startswith("Stopped before the end")]
    assert any(measured in (row.label, row.unit) for row in report.rows), [(row.label, row.unit) for row in report.rows]
    steps[:] = ["before"] * (calls - 1)
    with pytest.raises(KeyboardInterrupt):
        reproduce(name, options, stop)  # nothing is measured yet
