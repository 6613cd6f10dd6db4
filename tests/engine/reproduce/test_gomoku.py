"""The table `allis-5`: replies that are proved, a small board that is solved, and a search that is given up."""

from __future__ import annotations

from proofbase.engine.reproduce import Options, Report, reproduce
from proofbase.engine.reproduce.gomoku import reply_by_reply
from proofbase.engine.reproduce.report import Row


def figures(rows: list[Row]) -> dict[str, float]:
    return {row.label: row.measured for row in rows}


def proved_replies(report: Report, name: str) -> list[str]:
    end = ": positions looked at"
    return [row.label.removesuffix(end) for row in report.rows if row.label.startswith(name + " h8 ")]


def test_the_first_replies_are_proved_for_both_sets_of_rules() -> None:
    told: list[tuple[float, str]] = []
    report = reproduce("allis-5", Options(positions=2, seconds=240), lambda share, what: told.append((share, what)))
    found = figures(list(report.rows))
    assert report.agrees, report.notes
    for name in ("gomoku", "gomoku:standard"):
        assert found[f"{name}: replies proved"] >= 2
        assert proved_replies(report, name)
        assert f"{name}: records in all" not in found
        assert any(note.startswith(f"{name}: ") and "of 35 replies were proved" in note for note in report.notes)
    shares = [share for share, _ in told]
    assert set(shares[:-1]) == {0.0} and shares[-1] == 1.0, "what is left is not told by the number of replies"
    assert told[0][1].startswith("gomoku h8 ") and told[0][1].endswith(" of 35 replies proved")


def test_a_board_that_is_solved_has_the_records_of_every_reply() -> None:
    rows, notes = reply_by_reply("gomoku:9x9-4", 120, Options(), lambda share, what: None)
    found = figures(rows)
    assert notes == []
    sizes = [count for label, count in found.items() if label.endswith(": records")]
    assert len(sizes) == 14 + 1, "the classes of squares about the centre of 9x9, and the whole"
    whole = found["gomoku:9x9-4: records"]
    assert found["gomoku:9x9-4: replies proved"] == 14 and sum(sizes) > 2 * whole - 14
    for label, count in found.items():
        if label.endswith(": records"):
            assert 1 <= count <= whole
        if label.endswith(": depth"):
            assert 2 <= count <= found["gomoku:9x9-4: depth"] <= 81


def test_a_search_that_is_given_up_says_so() -> None:
    rows, notes = reply_by_reply("gomoku", 120, Options(nodes=1000), lambda share, what: None)
    found = figures(rows)
    assert found["gomoku: replies proved"] == 0
    assert notes == ["gomoku: 0 of 35 replies were proved, so nothing is said of the records of the whole."]
    row = next(row for row in rows if row.label == "gomoku: replies proved")
    assert row.printed == 35 and row.off
