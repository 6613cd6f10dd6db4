"""The table `allis-5`: replies that are proved, boards that are solved, and a search that is given up."""

from __future__ import annotations

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import Search
from proofbase.engine.formats.notation import read_position
from proofbase.engine.papers.reproduce import Options, Report, reproduce
from proofbase.engine.papers.reproduce.gomoku import reply_by_reply, size_rows
from proofbase.engine.papers.reproduce.report import STOPPED, Row
from proofbase.engine.records import decode_record


def figures(rows: list[Row]) -> dict[str, float]:
    return {row.label: row.measured for row in rows}


def proved_replies(report: Report, name: str) -> list[str]:
    end = ": positions looked at"
    return [row.label.removesuffix(end) for row in report.rows if row.label.startswith(name + " h8 ")]


def test_a_first_reply_is_proved() -> None:
    progress: list[tuple[float, str]] = []
    rows, notes = reply_by_reply("gomoku:standard", 240, Options(positions=1), lambda *news: progress.append(news))
    found = figures(rows)
    assert found["gomoku:standard: replies proved"] == 1
    assert any(row.label.startswith("gomoku:standard h8 ") for row in rows)
    assert "gomoku:standard: records in all" not in found
    assert len(notes) == 1 and " of 35 replies were proved" in notes[0]
    assert {share for share, _ in progress} == {0.0}, "what is left is not told by the number of replies"
    assert progress[0][1].startswith("gomoku:standard h8 ") and progress[0][1].endswith(" of 35 replies proved")


def test_one_ctrl_c_ends_both_sets_of_rules() -> None:
    def stop(share: float, what: str) -> None:
        if share < 1:
            raise KeyboardInterrupt

    report = reproduce("allis-5", Options(seconds=240), stop)
    assert STOPPED in report.notes
    assert {row.label.partition(" ")[0].rstrip(":") for row in report.rows} == {"gomoku"}


@pytest.mark.slow
def test_the_first_replies_are_proved_for_both_sets_of_rules() -> None:
    progress: list[tuple[float, str]] = []
    report = reproduce("allis-5", Options(positions=2, seconds=240), lambda share, what: progress.append((share, what)))
    found = figures(list(report.rows))
    assert report.agrees, report.notes
    for name in ("gomoku", "gomoku:standard"):
        assert found[f"{name}: replies proved"] >= 2
        assert proved_replies(report, name)
        assert f"{name}: records in all" not in found
        assert any(note.startswith(f"{name}: ") and "of 35 replies were proved" in note for note in report.notes)
    shares = [share for share, _ in progress]
    assert set(shares[:-1]) == {0.0} and shares[-1] == 1.0, "what is left is not told by the number of replies"
    assert progress[0][1].startswith("gomoku h8 ") and progress[0][1].endswith(" of 35 replies proved")


def test_replies_that_threats_answer_have_no_records_of_their_own() -> None:
    rows, notes = reply_by_reply("gomoku:9x9-4", 120, Options(), lambda share, what: None)
    found = figures(rows)
    assert notes == []
    sizes = [count for label, count in found.items() if label.endswith(": records")]
    assert len(sizes) == 14 + 1, "the classes of squares about the centre of 9x9, and the whole"
    assert found["gomoku:9x9-4: replies proved"] == 14
    assert sizes == [0] * 14 + [2], "the empty board, and a tree for each reply in the record behind it"
    assert found["gomoku:9x9-4: depth"] == 1 and sum(label.endswith(": depth") for label in found) == 1


def test_the_records_of_a_position_are_counted_with_their_depth() -> None:
    game = open_game("gomoku")
    position = read_position(game, "moves:h8 i10 g7 j9")
    search = Search(game, position, 1, algorithm="threats")
    search.run(nodes=30_000_000)
    proof = search.solution()
    found = figures(size_rows(proof, game.key(position), 225, "h8 i10 g7 j9"))
    assert found["h8 i10 g7 j9: records"] == len(proof) > 50
    ranks = [claim.rank for key in proof.below(game.key(position)) for claim in decode_record(proof.get(key)).claims]
    assert found["h8 i10 g7 j9: depth"] == 225 - min(ranks) > 5, "the stones before its last move without a threat"


def test_a_search_that_is_given_up_says_so() -> None:
    rows, notes = reply_by_reply("gomoku", 120, Options(nodes=1000), lambda share, what: None)
    found = figures(rows)
    assert found["gomoku: replies proved"] == 0
    assert notes == ["gomoku: 0 of 35 replies were proved, so nothing is said of the records of the whole."]
    row = next(row for row in rows if row.label == "gomoku: replies proved")
    assert row.printed == 35 and row.off
