"""Connect-four with scores, and on boards of up to 128 bits: values by definition, by brute force and from outside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.rules import ConnectFour

DATA = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[4] / "shared")) / "data"

BOARDS = ("7x6", "5x4", "5x5", "4x4", "9x5", "3x7", "7x1", "2x6", "10x6", "8x8", "13x8", "16x7", "4x31", "32x3", "64x1")


def played_out(game: Any, random: Random) -> Iterator[tuple[Any, list[int]]]:
    """A random game that makes a line where it can: every position, and the moves to it."""
    position, moves = game.initial(), list[int]()
    while True:
        yield position, moves
        legal = list(game.moves(position))
        if not legal:
            return
        winning = [move for move in legal if game.terminal(game.play(position, move))]
        moves = [*moves, random.choice(winning or legal)]
        position = game.play(position, moves[-1])


def ending(game: Any, random: Random, empty: int) -> Any:
    """A position of the running game with so many empty squares."""
    while True:
        position = game.initial()
        while game.text(position).count(".") > empty:
            children = [game.play(position, move) for move in game.moves(position)]
            children = [child for child in children if game.terminal(child) is None]
            if not children:
                break
            position = random.choice(children)
        else:
            return position


def exact_value(game: Any, position: Any, algorithm: str = "auto") -> int:
    """By as many questions as it takes."""
    if (value := game.terminal(position)) is not None:
        return int(value)
    lower, upper = -game.limit(position), game.limit(position)
    while lower < upper:
        middle = (lower + upper + 1) // 2
        search = Search(game, position, middle, algorithm=algorithm)
        if search.run().status == "proved":
            lower = middle
        else:
            assert search.status == "disproved"
            upper = middle - 1
    return lower


def minimax(game: ConnectFour, position: Any, known: dict[Any, int]) -> int:
    if position not in known:
        value = game.terminal(position)
        if value is None:
            value = max(-minimax(game, game.play(position, move), known) for move in game.moves(position))
        known[position] = value
    return known[position]


@pytest.mark.parametrize("board", BOARDS)
def test_a_win_is_worth_the_stones_left_plus_one(board: str) -> None:
    """Counted with stones in hand, one for every square, the odd one for the first player."""
    game, plain = open_game(f"connect-four:{board},score"), open_game(f"connect-four:{board}")
    width, height = map(int, board.split("x"))
    random = Random(board)
    wins = 0
    for _ in range(200):
        *_, (end, moves) = played_out(game, random)
        hands = [(width * height + 1) // 2, width * height // 2]
        for ply in range(len(moves)):
            hands[ply % 2] -= 1
        value = game.terminal(end)
        outcome = plain.terminal(end)
        assert value == (0 if outcome == 0 else -(hands[(len(moves) - 1) % 2] + 1))
        assert -game.highest_value <= value <= 0
        wins += value < 0
    assert wins or width * height < 7 or board in ("7x1", "3x3")


def test_the_scores_of_7x6_are_those_of_pons() -> None:
    game = open_game("connect-four:7x6,score")
    assert game.highest_value == 18 == open_rules("connect-four:7x6,score").highest_value
    position = game.initial()
    for ply, column in enumerate((0, 1, 0, 1, 0, 1, 0)):
        assert game.limit(position) == min(18, (42 + 1 - ply) // 2)
        position = game.play(position, column)
    assert game.terminal(position) == -18 and game.limit(position) == 18


@pytest.mark.parametrize("board", BOARDS)
def test_limits_hold_and_are_reached_by_a_win_with_the_next_stone(board: str) -> None:
    game = open_game(f"connect-four:{board},score")
    random = Random(board)
    for _ in range(30):
        for position, _ in played_out(game, random):
            limit = game.limit(position)
            assert 0 <= limit <= game.highest_value
            if (value := game.terminal(position)) is not None:
                assert value in (0, -limit)
                continue
            for move in game.moves(position):
                if (child := game.terminal(game.play(position, move))) is not None:
                    assert -child in (0, limit)


@pytest.mark.slow("7x2", "5x3")
@pytest.mark.parametrize("board", ["4x4", "5x3", "3x5", "2x7", "7x2", "8x1", "9x1", "3x4"])
def test_values_of_small_boards_are_those_of_plain_minimax(board: str) -> None:
    """At all positions of random games. What is won, drawn or lost is so in the plain game, too."""
    name = f"connect-four:{board},score"
    rules, game, plain = open_rules(name), open_game(name), open_game(f"connect-four:{board}")
    assert isinstance(rules, ConnectFour)
    known: dict[Any, int] = {}
    random = Random(board)
    asked = set[bytes]()
    for _ in range(4):
        for position, _ in played_out(rules, random):
            native = game.parse(rules.text(position))
            if native in asked:
                continue
            asked.add(native)
            exact = minimax(rules, position, known)
            assert abs(exact) <= rules.limit(position)
            assert exact_value(game, native) == exact, rules.text(position)
            assert exact_value(plain, native) == (exact > 0) - (exact < 0)


@pytest.mark.parametrize("algorithm", ["pn-tree+effort", "pn-dag+effort", "df-pn+effort", "pn2+effort", "alpha-beta"])
def test_every_family_of_searches_agrees_on_scores(algorithm: str) -> None:
    game = open_game("connect-four:5x4,score")
    rules = open_rules("connect-four:5x4,score")
    assert isinstance(rules, ConnectFour)
    known: dict[Any, int] = {}
    random = Random(algorithm)
    values = set()
    for _ in range(10):
        line = list(played_out(rules, random))
        position, _ = line[min(len(line) - 1, 11)]
        exact = minimax(rules, position, known)
        values.add(exact)
        native = game.parse(rules.text(position))
        if rules.terminal(position) is not None:
            continue
        for at_least in range(1 - rules.limit(position), rules.limit(position) + 1):
            search = Search(game, native, at_least, algorithm=algorithm)
            assert search.run().status == ("proved" if exact >= at_least else "disproved"), (position, at_least)
            assert search.solution().check().failed == 0
    assert len(values) > 3


@pytest.mark.parametrize(
    "name", ["connect-four:5x4,score", "connect-four:16x7,score", "connect-four:9x8", "connect-four:10x6"]
)
def test_certificates_pass_the_plain_checker(name: str) -> None:
    """Endings with eight empty squares: the solutions of the questions for all thresholds."""
    game, rules = open_game(name), open_rules(name)
    random = Random(name)
    for _ in range(3):
        position = ending(game, random, 8)
        for at_least in range(1 - game.limit(position), game.limit(position) + 1):
            search = Search(game, position, at_least)
            search.run()
            items = [item for chunk in search.solution().chunks(1000) for item in chunk]
            data = b"".join(certificate_chunks(rules, rules.parse(game.text(position)), items))
            result = check_certificate(data)
            assert result.valid, result.findings[:3]


FILES = {
    "c4_pons_Test_L3_R1.txt": ("7x6", 1, 500),
    "c4_pons_Test_L2_R1.txt": ("7x6", 1, 25),
    "c4_9x5_endgame_L1.txt": ("9x5", 0, 500),
    "c4_9x5_midgame_L1.txt": ("9x5", 0, 10),
    "c4_10x6_endgame_L1.txt": ("10x6", 0, 500),
    "c4_10x6_midgame_L1.txt": ("10x6", 0, 5),
}
"""Board, number of the first column, and how many positions are tried."""


@pytest.mark.parametrize("file", FILES)
def test_scores_are_those_of_the_shared_sets(file: str) -> None:
    if not (DATA / file).exists():
        pytest.skip(f"no shared test data at {DATA}")
    board, first, most = FILES[file]
    game = open_game(f"connect-four:{board},score")
    rows = [line.split() for line in (DATA / file).read_text().splitlines() if line and not line.startswith("#")]
    for moves, score in Random(file).sample(rows, min(most, len(rows))):
        position = game.initial()
        for column in moves:
            position = game.play(position, int(column) - first)
        assert exact_value(game, position) == int(score), moves


def test_both_halves_of_a_wide_word_are_used() -> None:
    """Lines in all four directions across bit 64, on a board whose columns lie on both sides of it."""
    game = open_game("connect-four:10x6")  # bit 64 is the second square of column 10
    rules = open_rules("connect-four:10x6")
    for moves in (
        [7, 7, 8, 8, 9, 9, 10],  # a row: columns 7 to 10
        [10, 1, 10, 1, 10, 1, 10],  # a column, across bit 64
        [7, 8, 8, 9, 9, 10, 9, 10, 10, 1, 10],  # rising to column 10
        [10, 9, 9, 8, 8, 7, 8, 7, 7, 1, 7],  # falling to column 10
    ):
        position, expected = game.initial(), rules.initial()
        for move in moves:
            assert game.terminal(position) is None
            position, expected = game.play(position, move - 1), rules.play(expected, move - 1)
        assert game.terminal(position) == rules.terminal(expected) == -1
