"""`reproduce allis-8` and `allis-8-endings`: trees whose widths differ, and endings of games that have such trees."""

from __future__ import annotations

import pytest

from proofbase.engine.papers.reproduce import Options, reproduce
from proofbase.engine.papers.reproduce.random_trees import _share_of_losses


def test_pn_search_catches_up_as_the_widths_differ_more() -> None:
    pytest.importorskip("matplotlib")
    report = reproduce("allis-8", Options(orders=4, plot=True))
    ratios = [row.measured for row in report.rows if row.label.endswith("over alpha-beta")]
    assert ratios[0] > 2 > 1 > ratios[-2]
    assert 0.5 < report.rows[-1].measured < 4, "the variance where they cross"
    assert report.plot is not None and b"variance of the number of moves" in report.plot


def test_levels_have_equal_chances() -> None:
    assert _share_of_losses((2,)) == pytest.approx((3 - 5**0.5) / 2)
    assert _share_of_losses((1,)) == pytest.approx(0.5)


def test_endings_by_initial_numbers() -> None:
    found = {row.label: row.measured for row in reproduce("allis-8-endings", Options(positions=2, nodes=2_000)).rows}
    names = {label.partition(":")[0] if not label.startswith("mens") else "morris" for label in found}
    assert {"othello, pn-dag+mobility", "checkers, pn-base-twin+effort", "morris"} <= names
    assert sum(count for label, count in found.items() if label.endswith("solved of 2")) > 0
