"""`reproduce allis-8`: random trees, from uniform ones to those whose widths differ."""

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
