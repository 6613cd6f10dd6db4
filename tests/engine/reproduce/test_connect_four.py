"""The table `connect-four`: its rows, its check of every answer, and data that makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofbase.engine.papers.reproduce import Options, Report, reproduce
from proofbase.engine.papers.reproduce import connect_four as table
from proofbase.engine.papers.reproduce.connect_four_sets import EMPTY_BOARDS, SETS, Question, read_set

POSITIONS = """# SOURCE made here
2252576253462244111563365343671351441 -1

23163416124767223154467471272416755633 0
"""


@pytest.fixture
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the boards that take no time."""
    boards = [board for board in EMPTY_BOARDS if board.board in ((4, 4), (5, 4))]
    monkeypatch.setattr(table, "EMPTY_BOARDS", boards)


def figure(report: Report, label: str) -> float:
    return next(row.measured for row in report.rows if row.label == label)


@pytest.mark.usefixtures("small_boards")
def test_without_data_the_empty_boards_are_solved_and_checked() -> None:
    shares: list[float] = []
    report = reproduce("connect-four", Options(seconds=30), lambda share, what: shares.append(share))
    assert report.agrees
    assert [row.label for row in report.rows] == [
        "empty 4x4, outcome", "empty 5x4, outcome", "wrong answers", "answers checked",
    ]  # fmt: skip
    assert figure(report, "answers checked") == 2 and figure(report, "wrong answers") == 0
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert any("--data" in note for note in report.notes)


@pytest.mark.usefixtures("small_boards")
def test_sets_of_a_directory_are_measured_beside_the_printed_times(tmp_path: Path) -> None:
    (tmp_path / "c4_pons_Test_L3_R1.txt").write_text(POSITIONS)
    (tmp_path / "c4_uci_8ply.txt").write_text("2252576253462244111563365343671351441 loss -1 b,b\n")
    report = reproduce("connect-four", Options(data=tmp_path, seconds=30))
    assert report.agrees, "times of other machines are never off"
    row = next(row for row in report.rows if row.label == "Pons L3_R1, mean")
    assert (row.printed, row.unit, row.off) == (6.7, "us", False) and row.ratio is not None
    first = reproduce("connect-four", Options(data=tmp_path, positions=1, seconds=30))
    assert figure(first, "answers checked") < figure(report, "answers checked")


@pytest.mark.usefixtures("small_boards")
def test_a_wrong_answer_is_counted_and_named(tmp_path: Path) -> None:
    (tmp_path / "c4_pons_Test_L3_R1.txt").write_text(POSITIONS.replace(" -1", " 2"))
    report = reproduce("connect-four", Options(data=tmp_path, seconds=30))
    assert not report.agrees
    assert figure(report, "wrong answers") >= 1
    assert any("WRONG: Pons L3_R1, 2252576" in note and "-1 and not 2" in note for note in report.notes)


@pytest.mark.usefixtures("small_boards")
def test_other_boards_count_columns_from_zero(tmp_path: Path) -> None:
    (tmp_path / "c4_9x5_endgame_L1.txt").write_text("553243364186610205447041178651502267778 -1\n")
    assert reproduce("connect-four", Options(data=tmp_path, seconds=30)).agrees


@pytest.mark.usefixtures("small_boards")
def test_what_takes_too_long_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = Question("hard", (7, 6), True, [()], [1])
    monkeypatch.setattr(table, "EMPTY_BOARDS", [hard])
    report = reproduce("connect-four", Options(seconds=0.05))
    assert any("hard: not solved within 0.05 s" in note for note in report.notes)
    assert [row.label for row in report.rows] == ["wrong answers", "answers checked"]


def test_data_that_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none of the sets"):
        reproduce("connect-four", Options(data=tmp_path))
    with pytest.raises(NotADirectoryError, match="no directory"):
        reproduce("connect-four", Options(data=tmp_path / "nowhere"))
    for text in ("12a 3\n", "12\n", "12 three\n"):
        (tmp_path / SETS[0].file).write_text("# remark\n" + text)
        with pytest.raises(ValueError, match="line 2: not the moves and the value"):
            read_set(SETS[0], tmp_path / SETS[0].file)


def test_the_files_of_the_table_are_those_of_the_outside_data(shared_data: Path) -> None:
    for entry in SETS:
        question = read_set(entry, shared_data / entry.file)
        assert len(question.positions) >= 500
        width, _ = entry.question.board
        assert all(0 <= column < width for moves in question.positions for column in moves)
