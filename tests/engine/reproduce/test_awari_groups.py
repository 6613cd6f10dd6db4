"""Tables 2.9 to 2.14: the printed counts fit together, and positions are counted as the thesis counts them."""

from __future__ import annotations

from math import log2

import pytest

from proofbase.engine.papers.reproduce.awari_comparison import Effort
from proofbase.engine.papers.reproduce.awari_groups import (
    BEATEN,
    BEST,
    GROUPS,
    POSITIONS,
    SIZES,
    comparison_rows,
    figure_rows,
    figures,
)

NAMES = ("alpha-beta", "with table", "pn-search", "stones pn")


def efforts(*positions: tuple[int, int, int, int]) -> list[dict[str, Effort]]:
    return [
        {name: Effort(True, 1, nodes, nodes, nodes // 2) for name, nodes in zip(NAMES, counts, strict=True)}
        for counts in positions
    ]


def test_printed_counts_add_up() -> None:
    assert sum(SIZES.values()) == POSITIONS
    for half, size in SIZES.items():
        assert sum(BEST[half].values()) == size
        assert all(0 <= points <= size for points in BEATEN[half])
        assert len(BEATEN[half]) == 6
    assert all(sum(groups) == POSITIONS for groups in GROUPS.values())


def test_places_pairs_and_groups() -> None:
    given = efforts((10, 10, 100, 1_000), (20_000, 9_000, 4_000, 4_000), (200, 100, 50, 25))
    rows = {row.label: row for row in comparison_rows(given)}
    assert all(row.tolerance is None and not row.off for row in rows.values())
    assert rows["stones pn, most nodes in memory, average"].measured == pytest.approx((500 + 2_000 + 12) / 3)
    assert rows["easy: alpha-beta is the best"].measured == 25, "half a place in one of two positions"
    assert rows["easy: stones pn is the best"].measured == 50
    assert rows["hard: pn-search is the best"].measured == rows["hard: stones pn is the best"].measured == 50
    assert rows["easy: alpha-beta before with table"].measured == 25
    assert rows["hard: with table before pn-search"].measured == 0
    assert rows["up to 10^1 nodes by alpha-beta"].measured == pytest.approx(100 / 3), "10 is not above 10^1"
    assert rows["up to 10^5 nodes by alpha-beta"].measured == pytest.approx(100 / 3)
    assert rows["up to 10^4 nodes by all four"].measured == pytest.approx(100 / 3)
    for grouping in GROUPS:
        of = [row.measured for label, row in rows.items() if label.endswith(f"nodes by {grouping}")]
        assert sum(of) == pytest.approx(100)


def test_a_half_without_positions_has_no_rows() -> None:
    labels = [row.label for row in comparison_rows(efforts((20_000, 9_000, 4_000, 4_000)))]
    assert not any(label.startswith("easy:") for label in labels)
    assert sum(label.startswith("hard:") for label in labels) == 10


def test_figures_compare_the_averages_of_groups() -> None:
    given = efforts((10, 10, 100, 1_000), (20_000, 9_000, 4_000, 4_000), (12_000, 100, 50, 25))
    rows = {row.label: row.measured for row in figure_rows(given)}
    assert rows["Fig. 2.9, up to 10^1 nodes by alpha-beta: alpha-beta"] == pytest.approx(log2(10 / 100))
    assert rows["Fig. 2.9, up to 10^5 nodes by alpha-beta: alpha-beta"] == pytest.approx(log2(32_000 / 4_050))
    assert rows["Fig. 2.12, up to 10^2 nodes by stones pn: stones pn"] == -1
    assert {label[:9] for label in rows} == {"Fig. 2.9,", "Fig. 2.10", "Fig. 2.11", "Fig. 2.12", "Fig. 2.13"}


def test_the_figures_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    images = figures(efforts((10, 10, 100, 1_000), (20_000, 9_000, 4_000, 4_000)))
    assert list(images) == ["2.9", "2.10", "2.11", "2.12", "2.13"]
    assert all(f"Figure {number}".encode() in image and b"stones pn" in image for number, image in images.items())
