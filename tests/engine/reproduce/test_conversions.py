"""`reproduce conversions`: three ways to merge positions of games with cycles."""

from __future__ import annotations

from proofbase.engine.papers.reproduce import Options, reproduce


def test_three_ways_to_merge_positions() -> None:
    report = reproduce("conversions", Options(positions=3, nodes=5_000))
    assert report.agrees, [row for row in report.rows if row.off]
    found = {row.label: row.measured for row in report.rows}
    for label in ("awari, 5 stones", "chess"):
        assert found[f"{label}, base-twin: solved"] >= found[f"{label}, conversions merged: solved"] >= 2
        assert found[f"{label}, conversions merged: ends unknown"] == 0
        assert found[f"{label}: answers that differ"] == found[f"{label}: records that fail the local check"] == 0
