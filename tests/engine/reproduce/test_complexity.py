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
    assert measured["tic-tac-toe: leaves of the solution search tree"] == 255_168
    assert 11.9 < measured["awari: positions"] < 12.0
    assert 12.6 < measured["connect-four: positions"] < 12.7
    assert 105 < measured["gomoku: positions"] < 105.5
    assert 20.8 < measured["checkers: positions"] < 21.2
    assert measured["chess: leaves, random games"] > 123
    assert measured["gomoku: leaves, good games"] < measured["gomoku: leaves, random games"] - 50
    assert abs(measured["connect-four: length of good games"] - 36) < 4
    (awari,) = [row for row in report.rows if row.label == "awari: positions"]
    assert awari.ratio == pytest.approx(10 ** (awari.measured - 12)) and 0.8 < awari.ratio < 1
    assert report.plot is not None and report.plot.count(b"othello") == 1
