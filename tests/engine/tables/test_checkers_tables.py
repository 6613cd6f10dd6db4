"""Tables of checkers: published numbers of positions, numbers in both languages, plies by brute force in Python."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_files import read_values

from proofbase.engine import open_game
from proofbase.engine._core import Tables, TableWork
from proofbase.engine.rules.checkers import Checkers, CheckersPosition
from proofbase.engine.tables import PythonTables

DRAW, FINISHED = 0, 2
RULES = Checkers()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to three men."""
    directory = tmp_path_factory.mktemp("checkers")
    assert TableWork(open_game("checkers"), str(directory), 3, threads=2).build()
    return directory


def plan(men: int) -> list[Any]:
    return list(TableWork(open_game("checkers"), "no-such-directory", men).plan())


# --- Classes and numbers ---------------------------------------------------------------------------------------------


def men_of(class_name: str) -> int:
    return len(class_name) - 1


def test_numbers_of_positions_are_the_published_ones(shared_data: Path) -> None:
    """The Chinook project's, without the side to move; there a side may be empty.

    Ours are with the side to move, up to the change of colours, which comes to the same.
    """
    published = {}
    for line in (shared_data / "checkers_counts.txt").read_text().splitlines():
        if line[:1].isdigit():
            men, count = map(int, line.split())
            published[men] = count
    entries = Counter[int]()
    for entry in plan(6):
        entries[men_of(entry.class_name)] += entry.entries
    for men in range(2, 7):
        one_side = sum(comb(28, kings) * comb(32 - kings, men - kings) for kings in range(men + 1))
        assert entries[men] + 2 * one_side == published[men]
    assert len(published) == 6


def test_python_has_the_same_classes() -> None:
    for entry in plan(6):
        found = RULES.table_class(entry.name)
        assert found is not None
        assert (found.number, found.name, found.entries) == (entry.table_class, entry.class_name, entry.entries)
    for wrong in ("k", "k-kk", "km-mk", "mk-k", "", "-", "k-k-", "kkkk-kkk", "kkkkkk-k", "K-k", "kkk-", "x-k"):
        assert RULES.table_class(f"checkers-{wrong}") is None
    assert RULES.table_class("k-k") is RULES.table_class("chess-k-k") is None


def test_a_class_comes_after_those_that_its_moves_lead_to() -> None:
    before = set[str]()
    for entry in plan(4):
        before.add(entry.name)
        for number in {0, 1, entry.entries // 3, entry.entries // 2, entry.entries - 1}:
            position = RULES.table_position(entry.name, number)
            children = [RULES.play(position, move) for move in RULES.moves(position)]
            assert {found[0] for child in children if (found := RULES.table_entry(child))} <= before


def test_numbers_are_those_of_all_positions_in_both_languages(folder: Path) -> None:
    game, random = open_game("checkers"), Random(2)
    tables, python = Tables(game, str(folder)), PythonTables(RULES, folder)
    for entry in plan(6):
        some = 30 if men_of(entry.class_name) < 4 else 4
        every = range(entry.entries) if entry.entries < 800 else [random.randrange(entry.entries) for _ in range(some)]
        keys = set[bytes]()
        for number in {*every, 0, entry.entries - 1}:
            position = RULES.table_position(entry.name, number)
            keys.add(RULES.key(position))
            assert RULES.position(RULES.key(position)) == position
            assert RULES.table_entry(position) == (entry.name, number)
            native = game.parse(RULES.text(position))
            assert tables.name(native) == (entry.name if men_of(entry.class_name) <= 6 else None)
            if men_of(entry.class_name) <= 3:
                assert game.text(tables.position(entry.table_class, number)) == RULES.text(position)
                assert (tables.value(native), tables.plies(native)) == (python.value(position), python.plies(position))
        assert len(keys) == len({*every, 0, entry.entries - 1})


def test_positions_in_no_table(folder: Path) -> None:
    game = open_game("checkers")
    tables = Tables(game, str(folder))
    for text in ("B:W21-32:B1-12", "B:WK1,K2,K3,K4:BK29,K30,K31", "B:WK1:B"):
        position = game.initial() if "-" in text else game.parse(text)
        assert tables.name(position) is tables.value(position) is tables.plies(position) is None
        python = RULES.initial() if "-" in text else RULES.parse(text)
        assert RULES.table_entry(python) is None


# --- Plies -----------------------------------------------------------------------------------------------------------


def plies_by_brute_force(men: int) -> dict[tuple[str, int], int]:
    """The entries of all positions with so many men or fewer, by the rules in Python alone."""
    below = dict[tuple[str, int], list[tuple[str, int] | None]]()
    above = dict[tuple[str, int], list[tuple[str, int]]]()
    open_moves, entries = dict[tuple[str, int], int](), dict[tuple[str, int], int]()
    layer, entry_of = list[tuple[str, int]](), cache(RULES.table_entry)
    for entry in plan(men):
        for number in range(entry.entries):
            position = RULES.table_position(entry.name, number)
            children = [entry_of(RULES.play(position, move)) for move in RULES.moves(position)]
            here = (entry.name, number)
            below[here] = children
            open_moves[here] = len(children)
            for child in children:
                if child is not None:
                    above.setdefault(child, []).append(here)
            if not children:
                layer.append(here)
    plies = 0
    won_next = [here for here, children in below.items() if None in children]  # the last man is taken
    while layer or won_next:
        for here in layer:
            entries[here] = FINISHED + plies
        following = list[tuple[str, int]]()
        for here in layer:
            for before in above.get(here, ()):
                if before in entries:
                    continue
                if plies % 2 == 0:
                    following.append(before)
                else:
                    open_moves[before] -= 1
                    if open_moves[before] == 0:
                        following.append(before)
        following += [here for here in won_next if here not in entries]
        layer, won_next, plies = list(dict.fromkeys(following)), [], plies + 1
    return {here: entries.get(here, DRAW) for here in below}


@pytest.mark.parametrize("men", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_all_plies_are_those_of_brute_force(folder: Path, men: int) -> None:
    expected = plies_by_brute_force(men)
    compared = 0
    for entry in plan(men):
        values = read_values(folder / f"{entry.name}.table")
        compared += len(values)
        assert [expected[entry.name, number] for number in range(entry.entries)] == list(values), entry.name
    assert compared == len(expected) == {2: 3_488, 3: 199_520}[men]


def test_every_entry_is_valid(folder: Path) -> None:
    work = TableWork(open_game("checkers"), str(folder), 3, threads=2)
    reports = [work.verify(entry.table_class) for entry in work.plan()]
    assert [report.failed for report in reports] == [0] * 9
    assert sum(report.checked for report in reports) == sum(entry.entries for entry in plan(3))


def test_king_against_king_is_as_published(folder: Path) -> None:
    """E. Trice, damforum.nl, viewtopic.php?t=2603: 230 wins, 654 draws, 108 losses, the longest win in 11 plies."""
    values = read_values(folder / "checkers-k-k.table")
    counts = Counter("draw" if entry == DRAW else "loss" if entry % 2 == 0 else "win" for entry in values)
    assert (counts, max(values) - FINISHED) == (Counter(win=230, draw=654, loss=108), 11)


def mirrored(position: CheckersPosition) -> CheckersPosition:
    return position._replace(side=1 - position.side)


def test_the_side_to_move_does_not_matter_to_the_number() -> None:
    random = Random(9)
    for entry in plan(5):
        position = RULES.table_position(entry.name, random.randrange(entry.entries))
        assert RULES.table_entry(mirrored(position)) == RULES.table_entry(position)
