"""The table `allis-5`: the classes of first replies, a reply that is proved, and one that is given up."""

from __future__ import annotations

from proofbase.engine import open_game
from proofbase.engine.reproduce import Options, Report, reproduce
from proofbase.engine.reproduce.gomoku import first_replies


def figures(report: Report) -> dict[str, float]:
    return {row.label: row.measured for row in report.rows}


def test_the_first_replies_are_one_of_each_class_of_symmetric_squares() -> None:
    game = open_game("gomoku")
    replies = first_replies(game)
    assert len(replies) == 35, "eight symmetries of the board about its centre"
    classes = {tuple(sorted((abs(ord(text[0]) - ord("h")), abs(int(text[1:]) - 8)))) for text in replies}
    assert classes == {(small, large) for large in range(1, 8) for small in range(large + 1)}
    far = max(abs(ord(replies[0][0]) - ord("h")), abs(int(replies[0][1:]) - 8))
    assert far == 7 and classes >= {(0, 1), (1, 1)}


def test_a_far_reply_is_proved_for_both_sets_of_rules() -> None:
    told: list[float] = []
    report = reproduce("allis-5", Options(positions=1, seconds=120), lambda share, what: told.append(share))
    found = figures(report)
    assert report.agrees, report.notes
    for name in ("gomoku", "gomoku:standard"):
        reply = first_replies(open_game(name))[0]
        assert found[f"{name} h8 {reply}: records"] == found[f"{name}: records in all"] > 100
        assert 9 <= found[f"{name}: depth"] <= 60
    assert told[-1] == 1.0 and told == sorted(told)
    assert any("1 of 35 replies were asked" in note for note in report.notes)


def test_a_reply_that_is_given_up_is_named() -> None:
    report = reproduce("allis-5", Options(positions=1, nodes=1000))
    found = figures(report)
    assert not report.agrees and found["gomoku: replies proved"] == found["gomoku: records in all"] == 0
    assert any(note.startswith("gomoku: open are ") for note in report.notes)
