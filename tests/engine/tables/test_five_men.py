"""Chess with five men: the smallest class is built, verified and compared with the rules in Python and outside data."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.tables import PythonTables

MEN = 5
TABLE = "chess-krrr-k"
CHESS = open_game("chess")
LEVEL = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rooks, and the three classes below them, compressed as they are built."""
    directory = tmp_path_factory.mktemp("rooks")
    work = TableWork(CHESS, str(directory), MEN, threads=2)
    work.restrict_to(TABLE)
    assert [entry.class_name for entry in work.plan()] == ["k-k", "kr-k", "krr-k", "krrr-k"]
    assert work.build(level=LEVEL)
    return directory


def test_entries_of_long_games_take_two_bytes() -> None:
    """KPP against KP, whose mates take up to 127 moves, and no other class."""
    for entry in TableWork(CHESS, "no-such-directory", MEN).plan():
        of_two = entry.class_name == "kpp-kp"
        assert 0.99 < entry.build_file / (entry.entries * (1 + of_two)) < 1.01 or entry.entries < 1_000_000
        assert entry.build_memory >= entry.entries * (5 if of_two else 3)


@pytest.mark.slow
def test_the_smallest_class_is_valid(folder: Path) -> None:
    """The longest line begins with the capture of a rook. Two of them mate in seven (E. Nalimov's tables)."""
    work = TableWork(CHESS, str(folder), MEN, threads=2)
    work.restrict_to(TABLE)
    entry = work.plan()[-1]
    report = work.verify(entry.table_class)
    assert report is not None
    assert (entry.present, entry.block, report.checked, report.failed) == (True, 8192, 38_497_536, 0)
    assert report.longest == 14


@pytest.mark.slow
def test_numbers_and_plies_are_those_of_the_rules_in_python(folder: Path) -> None:
    rules, random = open_rules("chess"), Random(6)
    tables, python = Tables(CHESS, str(folder)), PythonTables(rules, folder)
    entry = tables.entries()[-1]
    compared = 0
    for number in [random.randrange(entry.entries) for _ in range(400)]:
        native, position = tables.position(entry.table_class, number), rules.table_position(entry.name, number)
        assert (native is None) is (position is None)
        if position is None or rules.terminal(position) is not None:
            continue
        assert rules.table_entry(position) == (TABLE, number)
        compared += 1
        after = []
        for child in [rules.play(position, move) for move in rules.moves(position)]:
            end = rules.terminal(child)
            value, plies = (end, 0) if end is not None else (python.value(child), python.plies(child))
            after.append((value, plies))
        lost = [plies for value, plies in after if value == -1]
        won = [plies for value, plies in after if value == 1]
        quickest = min(lost) + 1 if lost else -max(won) - 1 if len(won) == len(after) else 0
        assert (tables.value(native), tables.plies(native)) == ((quickest > 0) - (quickest < 0), abs(quickest))
    assert compared > 200


@pytest.mark.slow
def test_the_outside_position_of_this_class(folder: Path, shared_data: Path) -> None:
    tables, compared = Tables(CHESS, str(folder)), 0
    for line in (shared_data / "chess_endgame_dm5_gaviota.epd").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        fen, mate_in = line.rstrip(";").split(" dm ")
        position = CHESS.parse(fen + " 0 1")
        value, plies = tables.value(position), tables.plies(position)
        if value is not None and plies is not None:
            compared += 1
            assert value * plies == 2 * int(mate_in) - (int(mate_in) > 0)
    assert compared == 1
