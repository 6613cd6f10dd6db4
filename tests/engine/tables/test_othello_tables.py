"""Tables of Othello: numbers in both languages, the positions that can arise, values by brute force, wrong tables."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_files import killed_build, read_values, rewrite, same_tables

from proofbase.engine import open_game
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.errors import DamagedTableError, NoTablesError
from proofbase.engine.rules.othello import Othello, OthelloPosition
from proofbase.engine.tables import PythonTables
from proofbase.engine.tables.counting import table_counts

NAME = "othello:4x4"
LOWEST_DISCS, MOST_DISCS = 4, 16
UNREACHED = 17
"""What tables of 4x4 hold where no position arises."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables of 4x4."""
    directory = tmp_path_factory.mktemp("othello")
    assert TableWork(open_game(NAME), str(directory), 0, threads=2).build()
    return directory


@pytest.fixture(scope="module")
def values() -> dict[bytes, int]:
    """The values of all positions of 4x4 that arise, by key, from the rules alone."""
    game, found = open_game(NAME), dict[bytes, int]()

    def value(position: Any) -> int:
        key = game.key(position)
        if key not in found:
            end = game.terminal(position)
            children = [] if end is not None else [game.play(position, move) for move in game.moves(position)]
            found[key] = end if end is not None else max(-value(child) for child in children)
        return found[key]

    value(game.initial())
    return found


def random_positions(rules: Othello, seed: str, games: int) -> list[OthelloPosition]:
    random, out = Random(seed), list[OthelloPosition]()
    for _ in range(games):
        position = rules.initial()
        while moves := rules.moves(position):
            out.append(position)
            position = rules.play(position, random.choice(moves))
        out.append(position)
    return out


# --- Numbers ---------------------------------------------------------------------------------------------------------


def test_python_has_the_same_classes() -> None:
    for name, discs in ((NAME, range(4, 17)), ("othello:6x4", (4, 5, 9, 23, 24)), ("othello:4x4,discs", (4, 12))):
        rules, prefix = Othello(name.partition(":")[2]), name.replace(":", "_")
        plan = {entry.name: entry for entry in TableWork(open_game(name), "no-such-directory", 0).plan()}
        assert len(plan) == rules.squares_of_board - 3
        for number in discs:
            entry, found = plan[f"{prefix}-{number}"], rules.table_class(f"{prefix}-{number}")
            assert found is not None
            assert (found.number, found.name, found.entries) == (entry.table_class, entry.class_name, entry.entries)
        for wrong in ("3", "04", "25", "", "4-4", "all"):
            assert rules.table_class(f"{prefix}-{wrong}") is None


def test_numbering_is_inverted_and_the_same_in_both_languages(folder: Path) -> None:
    rules, tables = Othello("4x4"), Tables(open_game(NAME), str(folder))
    random, without = Random(1), 0
    for discs in range(LOWEST_DISCS, MOST_DISCS + 1):
        table = f"othello_4x4-{discs}"
        found = rules.table_class(table)
        assert found is not None
        for entry in {0, found.entries - 1, *(random.randrange(found.entries) for _ in range(60))}:
            position, native = rules.table_position(table, entry), tables.position(discs, entry)
            if position is None:
                assert native is None
                without += 1
                continue
            assert rules.table_entry(position) == (table, entry)
            assert open_game(NAME).text(native) == rules.text(position)
    assert without > 10  # some numbers are those of an image that is not the smallest


@pytest.mark.parametrize("size", ["4x4", pytest.param("4x6", marks=pytest.mark.slow)])
def test_images_and_colours_have_one_number(size: str) -> None:
    rules = Othello(size)
    for position in random_positions(rules, size, 6):
        entry = rules.table_entry(position)
        cells = position.cells
        turned = cells[::-1]
        mirrored = "".join(cells[row : row + rules.width][::-1] for row in range(0, len(cells), rules.width))
        for image in (turned, mirrored):
            assert rules.table_entry(position._replace(cells=image)) == entry
        swapped = OthelloPosition(cells.translate(str.maketrans("XO", "OX")), 1 - position.side)
        assert rules.table_entry(swapped) == entry


# --- Values ----------------------------------------------------------------------------------------------------------


def test_tables_have_all_positions_that_arise_and_their_values(folder: Path, values: dict[bytes, int]) -> None:
    game, rules = open_game(NAME), Othello("4x4")
    tables = Tables(game, str(folder))
    assert len(values) == 14_401  # tests/bench/othello/count_positions.cpp
    assert values[game.key(game.initial())] == -10
    assert all(tables.value(game.position(key)) == value for key, value in values.items())
    assert tables.values(b"".join(values))[0] == bytes([1]) * len(values)
    entries = {rules.table_entry(rules.position(key)) for key in values}
    stored = sum(sum(tables.histogram(discs).values()) for discs in range(LOWEST_DISCS, MOST_DISCS + 1))
    assert stored == len(entries) == 12_351  # and no others


def test_positions_that_cannot_arise_have_no_value(folder: Path) -> None:
    rules = Othello("4x4")
    lonely = rules.parse("X---XXX-XXX----- O")  # Black has never been turned
    tables = Tables(open_game(NAME), str(folder))
    assert tables.name(open_game(NAME).parse(rules.text(lonely))) == "othello_4x4-7"
    assert tables.value(open_game(NAME).parse(rules.text(lonely))) is None
    assert PythonTables(rules, folder).value(lonely) is None


def test_python_reads_and_counts_the_same(folder: Path) -> None:
    rules, game = Othello("4x4"), open_game(NAME)
    native, tables = Tables(game, str(folder)), PythonTables(rules, folder)
    for position in random_positions(rules, "values", 4):
        assert tables.value(position) == native.value(game.parse(rules.text(position)))
    for discs in (10, 16):
        counts = table_counts(rules, folder / f"othello_4x4-{discs}.table")
        assert {value: count for (value, _), count in counts.items()} == native.histogram(discs)


def test_the_tables_do_not_depend_on_threads(folder: Path, tmp_path: Path) -> None:
    assert TableWork(open_game(NAME), str(tmp_path), 48, threads=1).build()
    for path in folder.glob("*.table"):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


def test_missing_tables_are_built_again(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    lost = tmp_path / "othello_4x4-9.table"
    lost.unlink()
    assert TableWork(open_game(NAME), str(tmp_path), 0).build()
    assert lost.read_bytes() == (folder / lost.name).read_bytes()


# --- Stopping and going on -------------------------------------------------------------------------------------------

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("othello:4x4"), sys.argv[1], 0, threads=2).build(checkpoint_seconds=0)
"""
CLASSES = MOST_DISCS - LOWEST_DISCS + 1


def killed(directory: Path, listed: int = 1) -> Path:
    """The checkpoint of a build that was killed when it had listed so many classes, or more."""
    return killed_build(directory, "othello_4x4", BUILD, listed, numbers_before=0)


def build(directory: Path) -> None:
    assert TableWork(open_game(NAME), str(directory), 0, threads=2).build()


@pytest.mark.parametrize("listed", [1, 7, CLASSES])
def test_a_killed_build_goes_on(folder: Path, tmp_path: Path, listed: int) -> None:
    checkpoint = killed(tmp_path, listed)
    build(tmp_path)
    assert same_tables(tmp_path, folder) and not checkpoint.exists()
    assert len(list(tmp_path.glob("*.table"))) == CLASSES


def test_a_killed_build_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """One whose checksum is right is believed: where it says that all is listed, and it is not, this is found."""
    checkpoint = tmp_path / "othello_4x4.checkpoint"
    for listed in range(1, CLASSES):  # until a kill comes between two classes
        data = bytearray(killed(tmp_path, listed).read_bytes()[:-4])
        start = 8 + int.from_bytes(data[:8], "little")
        if data[start] < CLASSES:
            break
        checkpoint.unlink()
    data[start] = CLASSES
    checkpoint.write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    with pytest.raises(DamagedTableError, match="a position that can arise has no entry"):
        build(tmp_path)


@pytest.mark.parametrize("damage", ["a byte", "cut off", "of another game"])
def test_a_damaged_checkpoint_costs_only_work(folder: Path, tmp_path: Path, damage: str) -> None:
    checkpoint = killed(tmp_path)
    data = bytearray(checkpoint.read_bytes())
    if damage == "a byte":
        data[-30] ^= 1
    elif damage == "cut off":
        del data[len(data) // 2 :]
    else:
        data = data.replace(b"othello:4x4", b"othello:6x4", 1)
        data[-4:] = zlib.crc32(data[:-4]).to_bytes(4, "little")
    checkpoint.write_bytes(data)
    build(tmp_path)
    assert same_tables(tmp_path, folder) and not checkpoint.exists()


def test_tables_that_are_there_are_not_solved_again(folder: Path, plain: Path) -> None:
    values = read_values(plain / "othello_4x4-10.table")
    change(plain, 10, entry := next(k for k, value in enumerate(values) if value < 0), 16)
    for discs in range(LOWEST_DISCS, 10):
        (plain / f"othello_4x4-{discs}.table").unlink()
    build(plain)
    assert findings(plain, 10) == [(entry, "value")] and not findings(plain, 9)
    assert (plain / "othello_4x4-9.table").read_bytes() != (folder / "othello_4x4-9.table").read_bytes()


def test_a_table_that_lacks_an_entry_is_named(plain: Path) -> None:
    values = read_values(plain / "othello_4x4-10.table")
    change(plain, 10, next(entry for entry, value in enumerate(values) if value != UNREACHED), UNREACHED)
    (plain / "othello_4x4-9.table").unlink()
    with pytest.raises(DamagedTableError, match=r"othello_4x4-10\.table: a position that can arise has no entry"):
        build(plain)


def test_a_checkpoint_is_forgotten_when_the_tables_are_there(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (checkpoint := tmp_path / "othello_4x4.checkpoint").touch()
    (unfinished := tmp_path / "othello_4x4.checkpoint.new").touch()
    build(tmp_path)
    assert not checkpoint.exists() and not unfinished.exists()


def test_large_boards_have_no_tables(tmp_path: Path) -> None:
    for name in ("othello", "othello:6x6"):
        with pytest.raises(NoTablesError, match=f"^{name} has no tables$"):
            TableWork(open_game(name), str(tmp_path), 0)
        rules = Othello("6x6")
        assert rules.table_entry(rules.initial()) is None and rules.table_class("othello_6x6-8") is None


# --- Verification ----------------------------------------------------------------------------------------------------


@pytest.fixture
def plain(folder: Path, tmp_path: Path) -> Path:
    """The tables in the plain form, to be changed."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    assert TableWork(open_game(NAME), str(tmp_path), 0).rewrite(level=None)
    return tmp_path


def findings(directory: Path, discs: int) -> list[tuple[int, str]]:
    report = TableWork(open_game(NAME), str(directory), 0, threads=2).verify(discs)
    assert report is not None and report.failed == len(report.findings)
    return [(found.entry, found.rule) for found in report.findings]


def test_right_tables_pass_in_both_forms(folder: Path, plain: Path) -> None:
    for directory in (folder, plain):
        work = TableWork(open_game(NAME), str(directory), 0)
        reports = [work.verify(discs) for discs in range(LOWEST_DISCS, MOST_DISCS + 1)]
        assert all(report is not None and report.failed == 0 and report.checked > 0 for report in reports)


def change(directory: Path, discs: int, entry: int, value: int) -> None:
    path = directory / f"othello_4x4-{discs}.table"
    values = read_values(path)
    values[entry] = value
    rewrite(path, values)


@pytest.mark.parametrize("discs", [4, 9, 16])
def test_a_changed_value_is_found(plain: Path, discs: int) -> None:
    values = read_values(plain / f"othello_4x4-{discs}.table")
    entry = max(entry for entry, value in enumerate(values) if value != UNREACHED)
    change(plain, discs, entry, values[entry] + (1 if values[entry] < 16 else -1))
    assert findings(plain, discs)[-1] == (entry, "value")


def test_an_entry_that_was_taken_out_is_found(plain: Path) -> None:
    """A reachable position has a parent, which names it; the initial position is asked for."""
    values = read_values(plain / "othello_4x4-10.table")
    change(plain, 10, next(entry for entry, value in enumerate(values) if value != UNREACHED), UNREACHED)
    assert {rule for discs in (9, 10) for _, rule in findings(plain, discs)} == {"moves"}
    (first,) = (e for e, value in enumerate(read_values(plain / "othello_4x4-4.table")) if value != UNREACHED)
    change(plain, 4, 15, 16)  # one side has all discs: a sound entry, which cannot arise
    change(plain, 4, first, UNREACHED)
    assert findings(plain, 4) == [(first, "moves")]


def test_an_entry_of_no_position_is_found(plain: Path) -> None:
    rules = Othello("4x4")
    table = "othello_4x4-8"
    found = rules.table_class(table)
    assert found is not None
    number = next(entry for entry in range(found.entries) if rules.table_position(table, entry) is None)
    change(plain, 8, number, 0)
    assert findings(plain, 8) == [(number, "moves")]


@pytest.mark.parametrize("same", [True, False])
def test_a_verification_goes_on_from_its_checkpoint(folder: Path, tmp_path: Path, same: bool) -> None:
    """One of these very tables is believed: it has failures that none of the entries has."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    plan = {entry.table_class: entry.checksum for entry in TableWork(open_game(NAME), str(tmp_path), 0).plan()}
    text = f"proofbase: a verification of tables, 1\nby reach\n{plan[13]}\n{plan[12] + (not same)}\n"
    numbers = (len(text), 0, 5, 0)  # groups of entries that are checked; failures; findings
    length, *rest = (number.to_bytes(8, "little") for number in numbers)
    data = length + text.encode() + b"".join(rest)
    checkpoint = tmp_path / "othello_4x4-12.verification"
    checkpoint.write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    report = TableWork(open_game(NAME), str(tmp_path), 0).verify(12)
    assert report is not None and report.failed == (5 if same else 0) and report.checked > 0
    assert not checkpoint.exists()


def test_a_damaged_block_is_found(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "othello_4x4-12.table"
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    assert [rule for _, rule in findings(tmp_path, 12)] == ["damaged"]
    assert [rule for _, rule in findings(tmp_path, 11)] == ["damaged"]
    with pytest.raises(DamagedTableError):
        Tables(open_game(NAME), str(tmp_path), tolerant=False).histogram(12)
