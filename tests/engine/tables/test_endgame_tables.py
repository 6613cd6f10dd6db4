"""Tables of chess and giveaway chess: numbers in both languages, plies by brute force and by outside data."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_files import read_values, rewrite

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.rules import Game
from proofbase.engine.rules.chessboard.position import ChessPosition, mirrored
from proofbase.engine.tables import PythonTables

SIZES = {"chess": 3, "giveaway": 2, "giveaway:antichess": 2}
DRAW, NO_POSITION, FINISHED = 0, 1, 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of chess to three men, of giveaway chess to two."""
    directory = tmp_path_factory.mktemp("endgames")
    for name, size in SIZES.items():
        assert TableWork(open_game(name), str(directory), size, threads=2).build()
    return directory


@cache
def rules_of(name: str) -> Game[ChessPosition]:
    rules: Game[ChessPosition] = open_rules(name)
    return rules


def signed_plies(tables: Any, position: Any) -> int:
    """Plies to the end, negative for a loss; 0 for a draw."""
    value, plies = tables.value(position), tables.plies(position)
    assert value is not None
    assert plies is not None
    return value * plies


# --- Classes and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "men", "classes", "numbers"), [
    ("chess", 4, 36, 158_544_750),
    ("chess", 48, 146, 37_994_820_654),
    ("chess:fifty", 48, 146, 37_994_820_654),
    ("giveaway", 48, 714, 3_238_016_832),
    ("giveaway:antichess", 48, 714, 3_287_187_136),
])  # fmt: skip
def test_python_has_the_same_classes(name: str, men: int, classes: int, numbers: int) -> None:
    plan = TableWork(open_game(name), "no-such-directory", men).plan()
    assert (len(plan), sum(entry.entries for entry in plan)) == (classes, numbers)
    assert len({entry.table_class for entry in plan}) == classes
    rules = rules_of(name)
    for entry in Random(1).sample(plan, 36):
        found = rules.table_class(entry.name)
        assert found is not None
        assert (found.number, found.name, found.entries) == (entry.table_class, entry.class_name, entry.entries)
    prefix = name.replace(":", "_")
    for wrong in ("k", "k-kq", "kq-k-", "qk-k", "x-k", "kqqr-kr", "kkqr-k", "", "-k" if "giveaway" in name else "kk-k"):
        assert rules.table_class(f"{prefix}-{wrong}") is None


@pytest.mark.parametrize("name", SIZES)
def test_native_and_python_numbers_agree(folder: Path, name: str) -> None:
    game, rules, random = open_game(name), rules_of(name), Random(2)
    tables, python = Tables(game, str(folder)), PythonTables(rules, folder)
    compared = 0
    for entry in tables.entries():
        for number in [random.randrange(entry.entries) for _ in range(15)]:
            native, position = tables.position(entry.table_class, number), rules.table_position(entry.name, number)
            assert (native is None) is (position is None)
            if position is None:
                continue
            compared += 1
            assert game.text(native) == rules.text(position)
            assert rules.table_entry(position) == (entry.name, number)
            assert tables.name(native) == entry.name
            assert (tables.value(native), tables.plies(native)) == (python.value(position), python.plies(position))
    assert compared > 60


@pytest.mark.parametrize(("name", "table", "symmetries"), [
    ("chess", "kp-kp", 2), ("chess", "kqq-k", 8), ("chess", "kr-kb", 8),
    ("chess", "kpp-kp", 2), ("chess", "kppp-k", 2), ("chess", "krrr-k", 8), ("chess", "kqr-kb", 8),
    ("giveaway", "pp-p", 2), ("giveaway", "kk-nn", 8), ("giveaway", "qqq-b", 8), ("giveaway", "ppp-p", 2),
    ("giveaway:antichess", "pp-pp", 2), ("giveaway:antichess", "kp-p", 2),
])  # fmt: skip
def test_a_position_and_its_images_have_one_number(name: str, table: str, symmetries: int) -> None:
    rules, random, full = rules_of(name), Random(3), f"{name.replace(':', '_')}-{table}"
    found = rules.table_class(full)
    assert found is not None
    for number in [random.randrange(found.entries) for _ in range(120)]:
        position = rules.table_position(full, number)
        if position is None:
            continue
        assert rules.table_entry(position) == (full, number)
        assert rules.table_entry(mirrored(position)) == (full, number)
        if symmetries == 8:
            board = [position.men[rank : rank + 8] for rank in range(0, 64, 8)]
            turned = "".join("".join(column) for column in zip(*board, strict=True))
            assert rules.table_entry(ChessPosition(turned)) == (full, number)
            assert rules.table_entry(ChessPosition("".join(reversed(board)))) == (full, number)


def test_en_passant_is_not_lost(folder: Path) -> None:
    """With and without the capture these are two positions with two numbers; in `giveaway` there is one."""
    for name, texts in {
        "chess": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
        "giveaway:antichess": ("8/8/8/3pP3/8/8/8/8 w - d6 0 1", "8/8/8/3pP3/8/8/8/8 w - - 0 1"),
    }.items():
        passed, plain = (rules_of(name).table_entry(rules_of(name).parse(text)) for text in texts)
        assert passed is not None
        assert plain is not None
        assert passed[0] == plain[0]
        assert passed[1] != plain[1]
    game = open_game("giveaway:antichess")
    tables = Tables(game, str(folder))
    entry = next(entry for entry in tables.entries() if entry.class_name == "p-p")
    all_positions = [rules_of(game.name).table_position(entry.name, number) for number in range(entry.entries)]
    # Two pawns side by side on the fifth rank, in seven ways up to symmetry.
    assert sum(position is not None and position.en_passant != 0 for position in all_positions) == 7
    capture, quiet = (game.parse(f"8/8/8/3pP3/8/8/8/8 w - {square} 0 1") for square in ("d6", "-"))
    assert signed_plies(tables, capture) == -1  # the only man of the other side has to be taken, which loses
    assert signed_plies(tables, quiet) != -1


@pytest.mark.parametrize("text", ["start", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"])
def test_positions_in_no_table(folder: Path, text: str) -> None:
    game, rules = open_game("chess"), rules_of("chess")
    tables, python = Tables(game, str(folder)), PythonTables(rules, folder)
    position, same = (each.initial() if text == "start" else each.parse(text) for each in (game, rules))
    assert tables.name(position) is python.name(same) is None
    assert tables.value(position) is python.value(same) is None
    assert tables.plies(position) is python.plies(same) is None


# --- Plies -----------------------------------------------------------------------------------------------------------


def left_after(child: tuple[str, int] | int | None, known: dict[int, int]) -> int | None:
    """Plies to the end after a move, as far as they are known; None also for draws."""
    if not isinstance(child, tuple):
        return child
    entry = known.get(child[1], DRAW)
    return None if entry == DRAW else entry - FINISHED


def plies_by_brute_force(rules: Game[ChessPosition], table: str, smaller: PythonTables) -> dict[int, int]:
    """What the numbers of a class should hold, by passes over all its positions; other classes by their tables."""
    found = rules.table_class(table)
    assert found is not None
    known = dict[int, int]()
    below = dict[int, list[tuple[str, int] | int | None]]()
    for number in range(found.entries):
        position = rules.table_position(table, number)
        if position is None:
            known[number] = NO_POSITION
        elif (end := rules.terminal(position)) is not None:
            known[number] = FINISHED if end else DRAW
        else:
            below[number] = []
            for child in [rules.play(position, move) for move in rules.moves(position)]:
                entry = rules.table_entry(child)
                if entry is not None and entry[0] == table:
                    below[number].append(entry)
                elif entry is None:  # a side without men
                    below[number].append(0)
                else:
                    below[number].append(smaller.plies(child) if smaller.value(child) else None)
    end_value = rules.table_end_value
    assert end_value is not None
    for plies in range(120):
        for number, children in below.items():
            if number in known:
                continue
            won_by, lost_by = list[int](), list[int]()
            for left in (left_after(child, known) for child in children):
                if left is not None:
                    (lost_by if (end_value > 0) is (left % 2 == 0) else won_by).append(left)
            if won_by and min(won_by) < plies:
                known[number] = FINISHED + min(won_by) + 1
            elif len(lost_by) == len(children) and max(lost_by) < plies:
                known[number] = FINISHED + max(lost_by) + 1
    return {number: known.get(number, DRAW) for number in range(found.entries)}


@pytest.mark.parametrize(("name", "table"), [
    ("giveaway", "k-n"), ("giveaway:antichess", "p-p"), ("giveaway", "p-p"), ("giveaway", "b-b"),
])  # fmt: skip
def test_plies_are_those_of_brute_force(folder: Path, name: str, table: str) -> None:
    full = f"{name.replace(':', '_')}-{table}"
    expected = plies_by_brute_force(rules_of(name), full, PythonTables(rules_of(name), folder))
    assert dict(enumerate(read_values(folder / f"{full}.table"))) == expected
    assert len(set(expected.values())) > 3


@pytest.mark.parametrize("name", SIZES)
def test_plies_follow_from_the_moves_of_the_python_rules(folder: Path, name: str) -> None:
    rules, random = rules_of(name), Random(4)
    tables = PythonTables(rules, folder)
    for entry in Tables(open_game(name), str(folder)).entries():
        for number in [random.randrange(entry.entries) for _ in range(12)]:
            position = rules.table_position(entry.name, number)
            if position is None or rules.terminal(position) is not None:
                continue
            after = []
            for child in [rules.play(position, move) for move in rules.moves(position)]:
                end = rules.terminal(child)
                after.append((signed_plies(tables, child), tables.value(child)) if end is None else (0, end))
            lost = [abs(plies) for plies, value in after if value == -1]
            won = [plies for plies, value in after if value == 1]
            quickest = min(lost) + 1 if lost else -max(won) - 1 if len(won) == len(after) else 0
            assert signed_plies(tables, position) == quickest


def test_every_table_is_valid_and_as_long_as_known(folder: Path) -> None:
    """Mates in 10, 16 and 28 moves (Nalimov's tables): the loser moves first in the longest lines."""
    longest = {"kq-k": 20, "kr-k": 32, "kp-k": 56, "kb-k": 0, "kn-k": 0, "k-k": 0}
    for name, size in SIZES.items():
        work = TableWork(open_game(name), str(folder), size, threads=2)
        for entry in work.plan():
            report = work.verify(entry.table_class)
            assert report is not None
            assert (report.checked, report.failed) == (entry.entries, 0)
            if name == "chess":
                assert report.longest == longest[entry.class_name]


def test_one_thread_writes_the_same_files(folder: Path, tmp_path: Path) -> None:
    assert TableWork(open_game("giveaway:antichess"), str(tmp_path), 2, threads=1).build()
    files = sorted(tmp_path.glob("*.table"))
    assert len(files) == 21
    assert all(file.read_bytes() == (folder / file.name).read_bytes() for file in files)


@pytest.mark.parametrize(("old", "new"), [
    (DRAW, FINISHED + 5), (FINISHED + 5, DRAW), (FINISHED + 5, FINISHED + 7), (FINISHED + 4, FINISHED + 6),
    (FINISHED, DRAW), (NO_POSITION, DRAW), (DRAW, NO_POSITION),
])  # fmt: skip
def test_a_wrong_entry_is_found(folder: Path, tmp_path: Path, old: int, new: int) -> None:
    for file in folder.glob("chess-*.table"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "chess-kr-k.table"
    entries = read_values(path)
    place = Random(5).choice([number for number, entry in enumerate(entries) if entry == old])
    entries[place] = new
    rewrite(path, entries)
    game = open_game("chess")
    number = next(entry.table_class for entry in Tables(game, str(tmp_path)).entries() if entry.class_name == "kr-k")
    report = TableWork(game, str(tmp_path), 3).verify(number)
    assert report is not None
    assert place in [finding.entry for finding in report.findings]


@pytest.mark.parametrize(("name", "table"), [("giveaway:antichess", "p-p"), ("giveaway", "q-q"), ("chess", "k-k")])
def test_predecessors_invert_moves(folder: Path, name: str, table: str) -> None:
    """Pairs of numbers, once a move up to symmetry, as the builder counts them."""
    game, rules = open_game(name), rules_of(name)
    tables = Tables(game, str(folder))
    entry = next(entry for entry in tables.entries() if entry.class_name == table)
    forwards, backwards = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for number in range(entry.entries):
        position = rules.table_position(entry.name, number)
        if position is None:
            continue
        for child in [rules.play(position, move) for move in rules.moves(position)]:
            after = rules.table_entry(child)
            if after is not None and after[0] == entry.name:
                forwards[number, after[1]] += 1
        backwards.update((before, number) for before in tables.predecessors(entry.table_class, number))
    assert backwards == forwards


# --- Outside data ----------------------------------------------------------------------------------------------------


def test_mates_of_king_and_rook(folder: Path, shared_data: Path) -> None:
    game = open_game("chess")
    tables, compared = Tables(game, str(folder)), 0
    for line in (shared_data / "chess_KRvK1000.epd").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        text, moves = line.rstrip(";").split(" bm #")
        compared += 1
        assert signed_plies(tables, game.parse(text)) == 2 * int(moves) - (int(moves) > 0)
    assert compared == 1000


def test_giveaway_endings(folder: Path, shared_data: Path) -> None:
    game = open_game("giveaway")
    tables, compared = Tables(game, str(folder)), 0
    for line in (shared_data / "giveaway_endings_bruteforce.txt").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        fields = line.split()
        position = game.parse(" ".join(fields[:4]))
        if tables.value(position) is None:
            continue
        compared += 1
        assert signed_plies(tables, position) == int(fields[5]) * {"win": 1, "loss": -1}[fields[4]]
    assert compared == 9
