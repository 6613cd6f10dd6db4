"""Othello against published counts, open_spiel, and itself: both rules, keys, texts, moves, results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofbase.engine import open_rules
from proofbase.engine._core import open_game
from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
)
from proofbase.engine.rules.othello import SIZES, Othello, OthelloPosition

BOARDS = [f"othello:{width}x{height}" for width, height in SIZES]
BOTH = (open_rules, open_game)
PASSING = "-XXXXXXO" + "XXXXXXXX" * 7
"""Black can put a disc nowhere, White on a1."""


def played(game: Any, moves: str) -> Any:
    position = game.initial()
    for move in moves.split():
        position = game.play(position, game.parse_move(position, move))
    return position


def test_perft_is_the_published_one() -> None:
    """Aart Bik, "Perft for Reversi"."""
    game = open_game("othello")
    level = Counter({game.initial(): 1})
    counts = []
    for _ in range(8):
        after: Counter[bytes] = Counter()
        for position, ways in level.items():
            for move in game.moves(position):
                after[game.play(position, move)] += ways
        level = after
        counts.append(sum(level.values()))
    counts.append(sum(ways * len(game.moves(position)) for position, ways in level.items()))
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def test_open_spiel_plays_the_same_rules() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    other, random = pyspiel.load_game("othello"), Random(8)
    passes = 0
    ended: Counter[int] = Counter()
    for number in range(60):
        game: Any = open_rules("othello") if number % 6 == 0 else open_game("othello")
        position, state = game.initial(), other.new_initial_state()
        while (value := game.terminal(position)) is None:
            assert not state.is_terminal() and state.current_player() == game.side(position)
            board = [row.split()[1:9] for row in str(state).splitlines() if row[:1].isdigit()]
            assert "".join("".join(row) for row in board) == game.text(position)[:64].lower()
            assert list(game.moves(position)) == sorted(state.legal_actions())
            move = random.choice(game.moves(position))
            assert game.move_text(position, move) == state.action_to_string(move).partition(" ")[0].lower()
            passes += move == 64
            position = game.play(position, move)
            state.apply_action(move)
        assert state.is_terminal()
        outcome = (value > 0) - (value < 0)
        ended[outcome] += 1
        assert state.returns()[game.side(position)] == outcome
    assert passes > 10 and ended[1] > 10 and ended[-1] > 10


def image(game: Othello, position: OthelloPosition, turn: bool, left_right: bool, up_down: bool) -> OthelloPosition:
    width, height = game.width, game.height
    rows = [position.cells[row * width : (row + 1) * width] for row in range(height)]
    if turn:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    if left_right:
        rows = [row[::-1] for row in rows]
    return OthelloPosition("".join(rows[::-1] if up_down else rows), position.side)


@pytest.mark.parametrize("name", BOARDS)
def test_keys_are_those_of_all_images_and_of_no_other_position(name: str) -> None:
    rules, native, random = Othello(name.partition(":")[2]), open_game(name), Random(name)
    found: dict[bytes, set[OthelloPosition]] = {}
    positions = 0
    for _ in range(6):
        position = rules.initial()
        while moves := rules.moves(position):
            positions += 1
            images = {
                image(rules, position, turn, left_right, up_down)
                for turn in ({False, rules.width == rules.height})
                for left_right in (False, True)
                for up_down in (False, True)
            }
            assert {native.key(native.parse(rules.text(one))) for one in images} == {rules.key(position)}
            assert found.setdefault(rules.key(position), images) == images
            assert rules.position(rules.key(position)) in images
            other = OthelloPosition(position.cells, 1 - position.side)
            assert rules.key(other) != rules.key(position)
            position = rules.play(position, random.choice(moves))
    assert len(found) > positions // 2 > 20


def test_the_key_layout_is_the_documented_one() -> None:
    game = open_rules("othello")
    assert game.key(game.initial()).hex() == "0000000810000000" + "0000001810000000"
    black_to_move = game.parse("-" * 27 + "XX" + "-" * 6 + "XX" + "-" * 27 + " X")
    white_to_move = game.parse("-" * 27 + "XX" + "-" * 6 + "XX" + "-" * 27 + " O")
    assert game.key(black_to_move).hex() == "0000001818000000" + "0000001810000000"
    assert game.key(white_to_move).hex() == "0000001818000000" + "0000001818000000"


def test_who_has_no_move_passes_and_the_game_ends_when_both_have_none() -> None:
    for opened in BOTH:
        game: Any = opened("othello")
        position = game.parse(PASSING + " X")
        assert game.moves(position) == [64] and game.move_text(position, 64) == "pass"
        assert game.parse_move(position, "PASS") == 64
        after = game.play(position, 64)
        assert game.text(after) == PASSING + " O"
        assert [game.move_text(after, move) for move in game.moves(after)] == ["a1"]
        with pytest.raises(InvalidMoveError, match="must not pass"):
            game.parse_move(after, "pass")
        end = game.play(after, 0)
        assert game.terminal(end) == 64 - 2 * 8 and game.side(end) == 0 and list(game.moves(end)) == []
        with pytest.raises(InvalidMoveError, match="the game is over"):
            game.parse_move(end, "pass")


@pytest.mark.parametrize(
    ("cells", "value", "discs"),
    [
        ("X" * 16, 16, 16),
        ("OOOOOOOOOOOO-OOO", -16, -15),
        ("X----XXX-XX-XXXO", 14, 8),
        ("OOO-OOO-OOOO--X-", -14, -9),
        ("XX-XXXOOXXOOO-OO", 0, 0),
        ("OOO-OOOXOOXX-XXX", -4, -2),
        ("OOO-OOXOOXOOXXXO", -6, -5),
    ],
)
def test_empty_squares_count_for_the_winner(cells: str, value: int, discs: int) -> None:
    for opened in BOTH:
        for name, expected in (("othello:4x4", value), ("othello:4x4,discs", discs)):
            game: Any = opened(name)
            assert game.terminal(game.parse(f"{cells} X")) == expected
            assert game.terminal(game.parse(f"{cells} O")) == -expected


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "64"),
        ("-" * 64 + " X", "no disc"),
        ("X" * 64, "X or O"),
        ("X" * 64 + " x", "X or O"),
        ("X" * 64 + "  X", "X or O"),
        ("X" * 64 + "X", "64"),
        ("X" * 63 + "? X", "'X'"),
        ("X" * 63 + "é X", "'X'|64"),
        ("X" * 65 + " X", "64"),
    ],
)
def test_wrong_texts_are_refused_with_the_cause(text: str, cause: str) -> None:
    for opened in BOTH:
        with pytest.raises(InvalidPositionError, match=cause):
            opened("othello").parse(text)


@pytest.mark.parametrize(
    "parameters", ["", "5x5", "8x6", "10x10", "8x8,", ",discs", "discs,8x8", "8x8,discs,discs", "08x8", "8x8x8", "4x8"]
)
def test_wrong_boards_are_refused(parameters: str) -> None:
    for opened in BOTH:
        with pytest.raises(InvalidParametersError):
            opened(f"othello:{parameters}")


def attempt(ask: Callable[..., Any], *arguments: Any) -> Any:
    """The answer, or None where it is refused, with a short message."""
    try:
        return ask(*arguments)
    except (InvalidPositionError, InvalidKeyError, InvalidMoveError) as error:
        message = str(error)
    assert len(message) < 400
    return None


@given(st.sampled_from(BOARDS), st.integers(0, 2**32), st.text(max_size=4))
def test_both_refuse_the_same_keys_texts_and_moves(name: str, seed: int, word: str) -> None:
    native, rules, random = open_game(name), open_rules(name), Random(seed)

    position, expected = native.initial(), rules.initial()
    for _ in range(random.randrange(20)):
        if moves := native.moves(position):
            move = random.choice(moves)
            position, expected = native.play(position, move), rules.play(expected, move)
    square = random.choice("abcdefghiABH") + random.choice("0123456789")
    for text in (word, square, square + " ", "pass", "Pass", "passes"):
        assert attempt(native.parse_move, position, text) == attempt(rules.parse_move, expected, text)
    key = bytearray(native.key(position))
    key[random.randrange(len(key))] ^= 1 << random.randrange(8)
    for changed in (bytes(key), bytes(position), random.randbytes(len(key))):
        found = [attempt(lambda game, key: game.text(game.position(key)), game, changed) for game in (native, rules)]
        assert found[0] == found[1], changed.hex()
    text = rules.text(expected)
    place = random.randrange(len(text))
    text = text[:place] + random.choice("XO- x") + text[place + random.randrange(2) :]
    outcomes = [attempt(lambda game, text: game.key(game.parse(text)), game, text) for game in (native, rules)]
    assert outcomes[0] == outcomes[1], text
