"""Endings of Othello by null-window: right by minimax and by independent data, with solutions that pass every check."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from values_by_definition import minimax

from proofbase.engine import open_rules, solve_positions
from proofbase.engine._core import RecordTable, Search, open_game
from proofbase.engine.checking.local_check import LocalCheck

SHARED = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[4] / "shared")) / "data"
BOARDS = ("othello", "othello:8x8,discs", "othello:6x6", "othello:6x6,discs", "othello:4x6", "othello:6x4,discs")


def late_position(game: Any, empty: int, random: Random) -> Any:
    """A position of a random game with so many empty squares that is not over; None where the game ended before."""
    position = game.initial()
    while game.text(position).count("-") > empty:
        moves = game.moves(position)
        if not moves:
            return None
        position = game.play(position, random.choice(moves))
    return None if game.terminal(position) is not None else position


def late_positions(game: Any, empty: int, count: int) -> Iterator[Any]:
    random = Random(game.name)
    while count:
        if (position := late_position(game, empty, random)) is not None:
            yield position
            count -= 1


@pytest.mark.parametrize("name", BOARDS)
def test_endings_have_the_value_of_minimax_and_a_best_move(name: str) -> None:
    game = open_game(name)
    positions = [position for empty in range(1, 8) for position in late_positions(game, empty, 6)]
    known: dict[bytes, int] = {}
    values = [minimax(game, position, known) for position in positions]
    found = solve_positions(game, positions)
    assert list(found.lower) == list(found.upper) == values
    for position, value, move in zip(positions, values, found.best_move, strict=True):
        assert -minimax(game, game.play(position, move), known) == value
    for threshold in (-9, 0, 1, 12):
        asked = solve_positions(game, positions, at_least=threshold)
        assert all(
            lower <= value <= upper and (lower >= threshold) == (value >= threshold)
            for lower, upper, value in zip(asked.lower, asked.upper, values, strict=True)
        )


@pytest.mark.parametrize("name", ["othello:8x8,discs", "othello:6x6"])
def test_stable_discs_bound_the_value(name: str) -> None:
    game, narrow = open_game(name), 0
    known: dict[bytes, int] = {}
    for position in late_positions(game, 6, 25):
        minimax(game, position, known)
    for key, value in known.items():
        if game.terminal(position := game.position(key)) is None:
            lower, upper = game.static_bounds(position)
            assert lower <= value <= upper, game.text(position)
            narrow += upper - lower < game.highest_value
    assert narrow > 100


@pytest.mark.parametrize(("name", "first"), [("othello:4x4", -10), ("othello:4x4,discs", -8)])
def test_all_positions_of_the_small_board_are_solved(name: str, first: int) -> None:
    """Black loses 3 to 11 with two empty squares, by any exhaustive search."""
    game = open_game(name)
    known: dict[bytes, int] = {}
    assert minimax(game, game.initial(), known) == first
    assert len(known) == 13_162
    found = solve_positions(game, list(known))
    assert list(found.lower) == list(found.upper) == list(known.values())


def problems(file: str, most: int) -> Iterator[tuple[str, int]]:
    """Position and value of the first problems of a file."""
    path = SHARED / f"othello_{file}"
    if not path.exists():
        pytest.skip(f"no shared test data at {SHARED}")
    rows = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for row in rows[:most]:
        if path.suffix == ".obf":
            position, *values = row.rstrip(";").split(";")
            yield position.strip(), max(int(value.split(":")[1]) for value in values if ":" in value)
        else:
            cells, side, _, score = row.split()
            yield f"{cells} {'X' if side == 'Black' else 'O'}", int(score) * (1 if side == "Black" else -1)


@pytest.mark.parametrize(
    ("game", "file", "most"),
    [("othello", "fforum-1-19.obf", 4), ("othello:8x8,discs", "eg_13_14.txt", 30), ("othello", "fforum-40-59.obf", 1)],
)
def test_endings_have_the_values_of_independent_data(game: str, file: str, most: int) -> None:
    positions, values = zip(*problems(file, most), strict=True)
    found = solve_positions(game, positions, table_mib=64)
    assert list(found.lower) == list(found.upper) == list(values)


@pytest.mark.parametrize("bound", ["value", "above"])
def test_a_solution_of_an_ending_passes_every_check(bound: str) -> None:
    native, rules = open_game("othello"), open_rules("othello")
    [position] = late_positions(native, 10, 1)
    [value] = solve_positions(native, [position]).lower
    search = Search(native, position, int(value) + (bound == "above"), algorithm="auto")
    assert search.algorithm.startswith("null-window")
    search.run()
    assert search.status == ("disproved" if bound == "above" else "proved")
    for visits in (0, 2000):
        table: RecordTable = search.solution(small_search_nodes=visits)
        assert table.missing() == [] and table.check().failed == 0
        items = [item for chunk in table.chunks(1000) for item in chunk]
        if visits:
            assert list(LocalCheck(rules).findings(items, lambda keys, found=dict(items): map(found.get, keys))) == []


def test_an_ending_takes_few_nodes_beyond_a_limit() -> None:
    game = open_game("othello")
    [position] = late_positions(game, 18, 1)
    found = solve_positions(game, [position], nodes=50_000)
    assert 50_000 <= found.nodes[0] < 1_000_000 or found.lower[0] == found.upper[0]
