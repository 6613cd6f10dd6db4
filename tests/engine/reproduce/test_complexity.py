"""Allis's Figure 6.1 and the numbers of his section 6.2.4, measured again."""

from __future__ import annotations

import pytest

from proofbase.engine.papers.reproduce import Options, reproduce


@pytest.mark.slow
def test_tic_tac_toe_has_the_numbers_of_the_text_and_games_those_of_the_figure() -> None:
    report = reproduce("allis-6.1", Options(positions=20, plot=True))
    assert report.agrees
    measured = {row.label: row.measured for row in report.rows}
    assert measured["tic-tac-toe: positions"] == 5_478
    assert 11.9 < measured["awari: log10 of positions"] < 12.0
    assert 12.6 < measured["connect-four: log10 of positions"] < 12.7
    assert 105 < measured["gomoku: log10 of positions"] < 105.5
    assert measured["chess: log10 of leaves"] > 123
    assert report.plot is not None and report.plot.count(b"othello") == 1
