"""Tables of plies beside those of values: men's morris, entry by entry against brute force by the rules in Python."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_files import read_values, rewrite

from proofbase.engine import open_game
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.errors import DamagedTableError, NoTablesError
from proofbase.engine.rules import MensMorris
from proofbase.engine.tables import PythonTables

MEN = 18
SIX = 7
"""Of six men a side only the tables with seven men in all, which are small."""


def work_on(name: str, directory: Path, *, plies: bool = True) -> TableWork:
    return TableWork(open_game(name), str(directory), MEN if ":3" in name else SIX, threads=2, plies=plies)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("morris")
    for name in ("mens-morris:3", "mens-morris:3,flying", "mens-morris:6"):
        assert work_on(name, directory).build()
    return directory


def in_both(game: Any, rules: MensMorris, place: tuple[str, int]) -> tuple[Any, Any]:
    """A position of a place for the native game, and for the rules in Python."""
    position = rules.table_position(*place)
    return game.parse(rules.text(position)), position


def all_places(name: str, directory: Path) -> list[tuple[str, int]]:
    plan = work_on(name, directory).plan()
    return [(entry.name, i) for entry in plan if not entry.plies for i in range(entry.entries)]


def plies_by_brute_force(game: MensMorris, places: list[tuple[str, int]]) -> dict[tuple[str, int], tuple[int, int]]:
    """Value and plies of each place: those that are decided within n plies, for n = 0, 1, ... until none is added."""
    children = dict[tuple[str, int], list[tuple[str, int]]]()
    known = dict[tuple[str, int], tuple[int, int]]()
    for place in places:
        position = game.table_position(*place)
        if (value := game.terminal(position)) is not None:
            known[place] = value, 0
        else:
            children[place] = [game.table_entry(game.play(position, move)) for move in game.moves(position)]
    for plies in range(1, 1000):
        new = dict[tuple[str, int], tuple[int, int]]()
        for place in children.keys() - known.keys():
            after = [known.get(child) for child in children[place]]
            if any(one is not None and one[0] < 0 for one in after):
                new[place] = 1, plies
            elif all(one is not None and one[0] > 0 for one in after):
                new[place] = -1, plies
        if not new:
            break
        known |= new
    return {place: known.get(place, (0, 0)) for place in places}


@pytest.mark.parametrize("name", ["mens-morris:3", "mens-morris:3,flying"])
def test_every_entry_is_that_of_brute_force(name: str, folder: Path) -> None:
    game = MensMorris(name.partition(":")[2])
    native, python = Tables(open_game(name), str(folder)), PythonTables(game, folder)
    expected = plies_by_brute_force(game, all_places(name, folder))
    for place, (value, plies) in expected.items():
        compiled, position = in_both(open_game(name), game, place)
        assert (native.value(compiled), native.plies(compiled)) == (value, plies)
        assert (python.value(position), python.plies(position)) == (value, plies)
    assert max(plies for _, plies in expected.values()) > 4


@pytest.mark.slow
def test_entries_of_six_men_follow_from_those_after_their_moves(folder: Path) -> None:
    game, random = MensMorris("6"), Random(3)
    python, native = PythonTables(game, folder), Tables(open_game("mens-morris:6"), str(folder))

    def of(position: Any) -> tuple[int, int]:
        value, plies = python.value(position), python.plies(position)
        assert value is not None and plies is not None
        return value, plies

    places = [place for place in all_places("mens-morris:6", folder) if "hand" not in place[0]]
    # As many of each table: nearly all places are of the larger one, and nearly all of those are draws.
    of_each = [[place for place in places if place[0] == name] for name in sorted({name for name, _ in places})]
    chosen = [place for own in of_each for place in random.sample(own, min(250, len(own)))]
    seen = set()
    for place in chosen:
        compiled, position = in_both(open_game("mens-morris:6"), game, place)
        assert (native.value(compiled), native.plies(compiled)) == of(position)
        seen.add(of(position))
        if game.terminal(position) is not None:
            assert of(position) == (-1, 0)
            continue
        after = [of(game.play(position, move)) for move in game.moves(position)]
        wins = [plies for value, plies in after if value < 0]
        if wins:
            assert of(position) == (1, min(wins) + 1)
        elif any(value == 0 for value, _ in after):
            assert of(position) == (0, 0)
        else:
            assert of(position) == (-1, max(plies for _, plies in after) + 1)
    assert {(-1, 0), (-1, 4), (0, 0), (1, 1), (1, 5)} <= seen


def test_files_do_not_depend_on_threads_and_verify(folder: Path, tmp_path: Path) -> None:
    game = open_game("mens-morris:6")
    assert TableWork(game, str(tmp_path), SIX, threads=1, plies=True).build()
    files = sorted(folder.glob("mens-morris_6-*.table"))
    assert [file.name for file in files] == sorted(file.name for file in tmp_path.glob("*.table"))
    assert all(file.read_bytes() == (tmp_path / file.name).read_bytes() for file in files)
    work = work_on("mens-morris:6", folder, plies=False)
    plan = [entry for entry in work.plan() if entry.plies]
    assert len(plan) * 2 == len(work.plan()) and plan[-1].name.endswith("-plies")
    for entry in plan:
        report = work.verify(entry.table_class)
        assert report is not None and report.failed == 0 and report.checked == entry.entries
        assert 1 <= entry.bits <= 8 and entry.table_class >= 1 << 16
    tables = Tables(game, str(folder))
    for entry in plan:  # the values that follow from the plies are those of the other tables
        counts = tables.histogram(entry.table_class)
        assert counts == tables.histogram(entry.table_class & 0xFFFF)
        assert tables.plies_histogram(entry.table_class & 0xFFFF) == [], "it holds values"
        found = tables.plies_histogram(entry.table_class)
        for value in (-1, 1):
            assert sum(count for of, _, count, _ in found if of == value) == counts.get(value, 0)
        assert [plies for _, plies, _, _ in found] == sorted(plies for _, plies, _, _ in found)
        for value, plies, count, first in found:
            position = tables.position(entry.table_class, first)
            assert count >= 1 and (tables.value(position), tables.plies(position)) == (value, plies)


def test_wrong_plies_are_found(folder: Path, tmp_path: Path) -> None:
    for file in folder.glob("mens-morris_3-*.table"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    work, random = work_on("mens-morris:3", tmp_path), Random(4)
    (entry,) = (entry for entry in work.plan() if entry.name == "mens-morris_3-3-3-plies")
    path = tmp_path / f"{entry.name}.table"
    right = read_values(path)
    for _ in range(20):
        wrong, number = list(right), random.randrange(len(right))
        wrong[number] = random.choice([plies for plies in {*right, 300} if plies != right[number]])
        rewrite(path, wrong)
        report = work.verify(entry.table_class)
        assert report is not None and report.failed > 0
        assert number in {found.entry for found in report.findings}


def test_entries_of_nine_bits_are_read_in_both_forms(folder: Path, tmp_path: Path) -> None:
    """No table that is small has lines of more than 252 plies: a wrong one has."""
    for file in folder.glob("mens-morris_3-*.table"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "mens-morris_3-3-3-plies.table"
    values = [0] + [2 + (370 * i) % 60_000 for i in range(1, len(read_values(path)))]
    rewrite(path, values)
    game, rules = open_game("mens-morris:3"), MensMorris("3")
    positions = [in_both(game, rules, ("mens-morris_3-3-3", i)) for i in range(len(values))]
    expected = [max(value - 2, 0) for value in values]
    for level in (None, 12, None):
        if level is not None or path.read_bytes()[8] == 2:
            assert work_on("mens-morris:3", tmp_path).rewrite(level=level, block=1024)
        native, python = Tables(game, str(tmp_path)), PythonTables(rules, tmp_path)
        assert [native.plies(compiled) for compiled, _ in positions] == expected
        assert [python.plies(position) for _, position in positions] == expected
    assert read_values(path) == values


def test_a_damaged_table_of_plies_leaves_the_values(folder: Path, tmp_path: Path) -> None:
    for file in folder.glob("mens-morris_3-*.table"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "mens-morris_3-3-3-plies.table"
    data = bytearray(path.read_bytes())
    data[400] ^= 1
    path.write_bytes(data)
    game, rules = open_game("mens-morris:3"), MensMorris("3")
    compiled, position = in_both(game, rules, ("mens-morris_3-3-3", 5))
    whole = Tables(game, str(folder)).value(compiled)
    native, python = Tables(game, str(tmp_path), tolerant=True), PythonTables(rules, tmp_path, tolerant=True)
    assert (native.value(compiled), native.plies(compiled)) == (whole, None)
    assert (python.value(position), python.plies(position)) == (whole, None)
    for tables in (native, python):
        assert [name for name, _ in tables.damaged()] == ["mens-morris_3-3-3-plies"]
    with pytest.raises(DamagedTableError):
        PythonTables(rules, tmp_path).plies(position)
    path.write_bytes((folder / "mens-morris_3-3-3.table").read_bytes())  # the table of values under that name
    assert Tables(game, str(tmp_path), tolerant=True).plies(compiled) is None


def test_games_without_such_tables_say_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="hold plies anyway"):
        TableWork(open_game("chess"), str(tmp_path), 3, plies=True)
    with pytest.raises(ValueError, match="cannot hold plies"):
        TableWork(open_game("awari"), str(tmp_path), 3, plies=True)
    with pytest.raises(NoTablesError):
        TableWork(open_game("tic-tac-toe"), str(tmp_path), 3, plies=True)


def test_a_plan_says_what_plies_need(tmp_path: Path) -> None:
    work = work_on("mens-morris:6", tmp_path)
    plan = work.plan()
    assert work.build()
    files = {entry.name: entry.bytes for entry in work.plan()}
    assert all(entry.build_file >= files[entry.name] for entry in plan)
    assert all(entry.build_memory >= 5 * entry.entries for entry in plan if entry.plies)
    assert work_on("mens-morris:6", tmp_path).plan()[-1].build_memory == 0
