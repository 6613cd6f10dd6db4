"""Tables of men's morris: numbers of positions up to symmetry, moves backwards and values, against brute force."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest
from native_programs import build_program

from proofbase.engine import open_game
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.papers.reference.graph import Edge, Graph, values
from proofbase.engine.rules import MensMorris
from proofbase.engine.tables import PythonTables

MEN = 18
"""Men of both sides, in hand or on the board: tables up to here are those of all positions."""
VALUE_OF_FIRST = {"mens-morris:3": 1, "mens-morris:3,flying": 0, "mens-morris:6": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables of three and six men, and those of nine men in which six men are left."""
    directory = tmp_path_factory.mktemp("morris")
    for name in VALUE_OF_FIRST:
        assert TableWork(open_game(name), str(directory), MEN, threads=2).build()
    assert TableWork(open_game("mens-morris:9"), str(directory), 6, threads=2).build()
    return directory


def entries_of(name: str, size: int = MEN) -> dict[str, tuple[int, int]]:
    """Number of the class and entries by the name of the class."""
    plan = TableWork(open_game(name), "no-such-directory", size).plan()
    start = len(name) + 1
    return {entry.name[start:]: (entry.table_class, entry.entries) for entry in plan}


# --- Numbers ---------------------------------------------------------------------------------------------------------


def test_counts_of_positions_are_those_of_outside_data(shared_data: Path) -> None:
    """Column 3 of the file: all placements up to symmetry. With three men each the 48 maps that keep mills count."""
    entries, compared = entries_of("mens-morris:9"), 0
    for line in (shared_data / "nine_mens_morris_counts.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        own, other, count = map(int, line.split()[:3])
        if own < other:
            continue
        compared += 1
        expected = 56_922 if own == other == 3 else count * (1 if own == other else 2)
        assert entries[f"{own}-{other}"][1] == expected
    assert compared == 28


def test_python_has_the_same_classes() -> None:
    for name in (*VALUE_OF_FIRST, "mens-morris:6,no-flying", "mens-morris:9"):
        rules = MensMorris(name.partition(":")[2])
        for class_name, (number, entries) in entries_of(name).items():
            if name == "mens-morris:9" and number % 7:
                continue  # one in seven of 334
            found = rules.table_class(f"{name.replace(':', '_')}-{class_name}")
            assert found is not None and (found.number, found.name, found.entries) == (number, class_name, entries)
        for wrong in ("2-2", "3-4", "3-3-hand-0", "3-3-hand-19", "10-3", "3-3-", "Lost", "", "0-0-hand-4"):
            assert rules.table_class(f"{name.replace(':', '_')}-{wrong}") is None


@pytest.mark.slow("classes5")
@pytest.mark.parametrize(
    ("name", "classes", "step"),
    [
        ("mens-morris:3", None, 1),
        ("mens-morris:3,flying", None, 1),
        ("mens-morris:6", ("3-3", "1-1-hand-10", "1-2-hand-9", "2-2-hand-8", "lost"), 7),
        pytest.param("mens-morris:6", ("3-3", "1-2-hand-9", "2-2-hand-8", "lost"), 1, marks=pytest.mark.slow),
        ("mens-morris:6", ("3-2-hand-6", "3-3-hand-6", "6-4", "6-6"), 997),
        ("mens-morris:9", ("3-3", "2-3-hand-1"), 97),
    ],
)
def test_numbering_is_a_bijection_in_both_languages(
    folder: Path, name: str, classes: tuple[str, ...] | None, step: int
) -> None:
    rules, game = MensMorris(name.partition(":")[2]), open_game(name)
    tables = Tables(game, str(folder))
    known = entries_of(name)
    for class_name in classes or known:
        number, entries = known[class_name]
        table = f"{name.replace(':', '_')}-{class_name}"
        keys = set()
        chosen = {*range(0, entries, step), entries - 1}
        for entry in chosen:
            position = rules.table_position(table, entry)
            assert rules.table_entry(position) == (table, entry)
            assert game.text(tables.position(number, entry)) == rules.text(position)
            keys.add(rules.key(position))
        assert len(keys) == len(chosen)


def test_every_image_of_a_position_has_its_number() -> None:
    for name in VALUE_OF_FIRST:
        rules, random = MensMorris(name.partition(":")[2]), Random(name)
        for _ in range(6):
            position = rules.initial()
            for _ in range(30):
                matters = rules.board.mill_maps if rules._only_mills_matter(position) else rules.board.board_maps
                image = random.choice(matters)
                other = position._replace(own=image(position.own), other=image(position.other))
                assert rules.table_entry(other) == rules.table_entry(position)
                moves = rules.moves(position)
                if not moves:
                    break
                position = rules.play(position, random.choice(moves))


@pytest.mark.parametrize(
    ("name", "class_name"),
    [("mens-morris:3", "3-3"), pytest.param("mens-morris:6", "3-3", marks=pytest.mark.slow)],
)
def test_predecessors_invert_moves(folder: Path, name: str, class_name: str) -> None:
    """Also where a map keeps a position in place: what a verification finds out by fingerprints, one by one."""
    rules, tables = MensMorris(name.partition(":")[2]), Tables(open_game(name), str(folder))
    number, entries = entries_of(name)[class_name]
    table = f"{name.replace(':', '_')}-{class_name}"
    forwards, backwards = list[tuple[int, int]](), list[tuple[int, int]]()
    for entry in range(entries):
        position = rules.table_position(table, entry)
        for move in rules.moves(position):
            child_table, child = rules.table_entry(rules.play(position, move))
            if child_table == table:
                forwards.append((entry, child))
        backwards += [(before, entry) for before in tables.predecessors(number, entry)]
    assert sorted(forwards) == sorted(backwards)


# --- Values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VALUE_OF_FIRST)
def test_all_entries_are_valid_and_the_first_position_has_its_value(folder: Path, name: str) -> None:
    game = open_game(name)
    work = TableWork(game, str(folder), MEN, threads=2)
    reports = [work.verify(entry.table_class) for entry in work.plan()]
    assert all(report.failed == 0 for report in reports)
    assert sum(report.checked for report in reports) == (3_108_870 if name == "mens-morris:6" else 565)
    assert Tables(game, str(folder)).value(game.initial()) == VALUE_OF_FIRST[name]


@pytest.mark.parametrize("name", ["mens-morris:3", "mens-morris:3,flying"])
def test_three_men_have_the_values_of_brute_force(folder: Path, name: str) -> None:
    """Every entry of every table, reachable or not, and the reader in Python as well."""
    rules, game = MensMorris(name.partition(":")[2]), open_game(name)
    start = name.replace(":", "_")
    names = [f"{start}-{class_name}" for class_name in entries_of(name)]
    places = [(table, entry) for table in names for entry in range(rules.table_class(table).entries)]  # type: ignore[union-attr]
    positions = [rules.table_position(*place) for place in places]
    numbers = {place: number for number, place in enumerate(places)}
    graph = Graph(
        [[Edge(m, numbers[rules.table_entry(rules.play(p, m))]) for m in rules.moves(p)] for p in positions],
        [rules.terminal(p) for p in positions],
        [0] * len(positions),
        [rules.key(p) for p in positions],
    )
    expected = values(graph)
    tables, python = Tables(game, str(folder)), PythonTables(rules, folder)
    for position, value in zip(positions, expected, strict=True):
        assert tables.value(rules.key(position)) == python.value(position) == value
    assert len(expected) == 565 and {-1, 0, 1} == set(expected)


@pytest.mark.slow
def test_six_men_have_the_values_of_brute_force(folder: Path, tmp_path: Path) -> None:
    """Every position that play can reach, by a program that knows the rules and nothing of tables but their values."""
    program, source = tmp_path / "brute_force", Path(__file__).with_name("brute_force_of_mens_morris.cpp")
    read = [f"tables/files/{name}.cpp" for name in ("table_file", "block_cache", "zstd")]
    if not build_program(source, program, "-O2", parts=["errors.cpp", *read]):
        pytest.skip("no C++ compiler to build the program with")
    done = subprocess.run([program, "6", folder], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("the first is 0\n"), done.stdout


def test_three_men_against_three_are_won_by_the_side_to_move_in_five_of_six_positions(folder: Path) -> None:
    """Gasser (1996) has 83 per cent."""
    assert Tables(open_game("mens-morris:9"), str(folder)).histogram(33) == {-1: 9_659, 0: 96, 1: 47_167}


def test_python_reads_the_tables_of_six_men(folder: Path) -> None:
    rules, game = MensMorris("6"), open_game("mens-morris:6")
    python, native, random = PythonTables(rules, folder), Tables(game, str(folder)), Random(6)
    compared: dict[int | None, int] = {}
    for _ in range(3):
        position = rules.initial()
        while moves := rules.moves(position):
            value = python.value(position)
            assert native.value(rules.key(position)) == value
            compared[value] = compared.get(value, 0) + 1
            position = rules.play(position, random.choice(moves))
            if sum(compared.values()) > 60:
                break
    assert sum(compared.values()) > 50 and None not in compared
