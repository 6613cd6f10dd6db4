"""Native rules against the Python rules: the same games, positions, keys, texts and refusals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from count_positions import levels
from game_files import perft_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import open_rules
from proofbase.engine._core import game_families, open_game
from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    UnknownGameError,
)

BOARDS = sorted(perft_rows())
"""All boards with counts on file, among them the examples of every game (test_game_recipe.py)."""


def attempt(ask: Callable[..., Any], *arguments: Any) -> Any:
    """The answer, or None where it is refused; refusals stay short however long the input."""
    try:
        return ask(*arguments)
    except (InvalidPositionError, InvalidMoveError, InvalidKeyError) as error:
        message = str(error)
    if len(message) > 400:
        raise AssertionError(message)
    return None


def text_of_key(game: Any, key: bytes) -> Any:
    return game.text(game.position(key))


def key_of_text(game: Any, text: str) -> Any:
    return game.key(game.parse(text))


@pytest.mark.parametrize("name", BOARDS)
def test_perft_is_that_on_file(name: str, thorough: bool) -> None:
    game = open_game(name)
    counts = perft_rows()[name]
    few = list(takewhile(lambda positions: thorough or positions <= 2000, counts["positions"]))
    assert few
    for level, ways, ended in zip(levels(game, len(few) - 1), counts["paths"], counts["games"], strict=thorough):
        assert sum(level.values()) == ways
        assert sum(count for position, count in level.items() if game.terminal(position) is not None) == ended


ENOUGH = 60_000
"""Moves of positions of random games: some ten games of chess, four of gomoku. A tenth of them in the short run."""


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_are_the_same_in_both(name: str, thorough: bool) -> None:
    native, rules = open_game(name), open_rules(name)
    assert (native.name, native.rules_version) == (rules.name, rules.rules_version)
    assert (native.highest_value, native.acyclic) == (rules.highest_value, rules.acyclic)
    random = Random(name)
    compared = 0
    moves_compared = 0
    for _ in range(60):
        if compared >= 120 and moves_compared > (ENOUGH if thorough else ENOUGH // 10):
            break
        position, expected = native.initial(), rules.initial()
        for _ in range(300):  # where positions may come back, so may all of them
            compared += 1
            text = rules.text(expected)
            assert native.text(position) == text
            assert native.draw(position) == rules.draw(expected)
            assert native.parse(text) == position
            assert native.side(position) == rules.side(expected)
            assert native.terminal(position) == rules.terminal(expected)
            assert native.repetition(position) == rules.repetition(expected)
            assert native.limit(position) == rules.limit(expected)
            key = native.key(position)
            assert key == rules.key(expected) == native.key(native.position(key)) and len(key) == native.key_size
            assert native.text(native.position(key)) == rules.text(rules.position(key))
            moves = native.moves(position)
            assert moves == list(rules.moves(expected))
            if not moves:
                break
            moves_compared += len(moves)
            for move in moves:
                name_of_move = rules.move_text(expected, move)
                assert native.move_text(position, move) == name_of_move
                assert native.parse_move(position, name_of_move) == move
                assert native.reward(position, move) == rules.reward(expected, move)
            move = random.choice(moves)
            position, expected = native.play(position, move), rules.play(expected, move)
    assert compared >= (120 if rules.terminal(rules.initial()) is None else 60)


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "connect-four:3x3",
        "connect-four:2x4",
        "connect-four:3x3,score",
        "gomoku:3x3-3",
        "random-graph:nodes=65535",
    ],
)
def test_the_same_keys_are_refused(name: str, thorough: bool) -> None:
    native, rules = open_game(name), open_rules(name)
    accepted = 0
    for number in range(0, min(1 << 8 * native.key_size, 70_000), 1 if thorough else 5):
        key = number.to_bytes(native.key_size, "big")
        outcomes = [attempt(text_of_key, game, key) for game in (native, rules)]
        assert outcomes[0] == outcomes[1], key.hex()
        accepted += outcomes[0] is not None
    assert accepted > (100 if thorough else 50)
    for key in (b"", b"\0" * (native.key_size + 1), b"\0" * 300):
        with pytest.raises(InvalidKeyError, match=f"{native.key_size} bytes"):
            native.position(key)


@settings(max_examples=3 * settings().max_examples)
@given(
    st.sampled_from(["tic-tac-toe", "connect-four:3x3", "connect-four", "connect-four:10x6,score", "gomoku:4x3-3"]),
    st.data(),
)
def test_the_same_texts_are_refused(name: str, data: st.DataObject) -> None:
    native, rules = open_game(name), open_rules(name)
    sizes = {
        "tic-tac-toe": (3, 3),
        "connect-four:3x3": (3, 3),
        "connect-four": (7, 6),
        "connect-four:10x6,score": (10, 6),
        "gomoku:4x3-3": (4, 3),
    }
    width, height = sizes[name]
    row = st.text("..xo", min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=height, max_size=height) | st.lists(st.text("xo./ a\x00é", max_size=8)))
    text = "/".join(rows)
    outcomes = [attempt(key_of_text, game, text) for game in (native, rules)]
    assert outcomes[0] == outcomes[1], text


def test_nothing_may_follow_the_last_row() -> None:
    for game in (open_game("connect-four:3x3"), open_rules("connect-four:3x3")):
        for end in ("/", "/...", "//", "/%"):
            with pytest.raises(InvalidPositionError):
                game.parse(".../.../..." + end)


@settings(max_examples=2 * settings().max_examples)
@given(
    st.sampled_from(["tic-tac-toe", "connect-four:5x4", "connect-four:64x1", "gomoku:12x5"]),
    st.integers(0, 2**32),
    st.text(max_size=4),
)
def test_the_same_moves_are_refused(name: str, seed: int, text: str) -> None:
    native, rules = open_game(name), open_rules(name)
    random = Random(seed)
    position, expected = native.initial(), rules.initial()
    for _ in range(random.randrange(25)):
        if not (moves := native.moves(position)):
            break
        move = random.choice(moves)
        position, expected = native.play(position, move), rules.play(expected, move)
    for word in (
        text,
        str(random.randrange(-1, 12)),
        str(random.randrange(12, 70)),
        "01",
        "1 ",
        "\N{ARABIC-INDIC DIGIT THREE}",
        "9" * 30,
        random.choice("abelmzBLé") + random.choice(["", "0", "1", "3", "5", "6", "12", "03"]),
    ):
        found = attempt(native.parse_move, position, word)
        assert found == attempt(rules.parse_move, expected, word), word
    for move in (-1, 64, 255, 2**40, -(2**40)):
        with pytest.raises(InvalidMoveError):
            native.play(position, move)
        with pytest.raises(InvalidMoveError):
            native.reward(position, move)


def test_positions_are_checked_bytes() -> None:
    game = open_game("connect-four")
    with pytest.raises(InvalidPositionError, match="encodes no position"):
        game.terminal(b"\0" * 7)
    with pytest.raises(InvalidPositionError):
        game.moves(b"")
    with pytest.raises(TypeError, match="is bytes, not str"):
        game.key("4455")


def test_positions_keep_their_orientation() -> None:
    game = open_game("connect-four")
    left = game.play(game.initial(), 0)
    right = game.play(game.initial(), 6)
    assert left != right and game.key(left) == game.key(right) in (left, right)
    assert game.text(right).endswith("/......x")


@pytest.mark.parametrize(
    "name", ["connect-four:0x4", "connect-four:11x11", "connect-four:", "connect-four:07x6", "connect-four:7x6x",
             "connect-four:axb", "connect-four:99999999999x1", "connect-four:65x1", "connect-four:1x128",
             "connect-four:7x6,", "connect-four:,score", "connect-four:7x6,scores", "connect-four:7x6,score,score",
             "connect-four:score,7x6", "connect-four:7x6score", "connect-four:07x6,score",
             "gomoku:", "gomoku:5", "gomoku:2x9", "gomoku:9x2", "gomoku:20x5", "gomoku:5x20", "gomoku:4x4",
             "gomoku:7x7-2", "gomoku:7x7-8", "gomoku:7x7-", "gomoku:7x7-05", "gomoku:07x7", "gomoku:7x7,",
             "gomoku:7x7,free",
             "gomoku:standard,7x7", "gomoku:7x7standard", "gomoku:7x7,standard,standard", "gomoku:,standard",
             "gomoku:7x7-9999", "gomoku:8x9,professional", "gomoku:5x5,professional", "gomoku:,professional",
             "gomoku:professional,standard", "gomoku:9x9-4,professional", "gomoku:9x9professional",
             "gomoku:7x7-4-4", "gomoku:-4", "gomoku:7x7,standard-4", "gomoku:99999999999x5",
             "tic-tac-toe:3", "random-graph:", "random-graph:nodes",
             "random-graph:nodes=1", "random-graph:nodes=010", "random-graph:edges=3", "random-graph:nodes=5,nodes=5",
             "random-graph:nodes=5,", "random-graph:seed=9223372036854775808", "random-graph:repetition=1"]
)  # fmt: skip
def test_wrong_parameters_are_refused(name: str) -> None:
    for opened in (open_game, open_rules):
        with pytest.raises(InvalidParametersError):
            opened(name)


@pytest.mark.parametrize("name", ["", "backgammon", "connect-fou", "Connect-four", "x" * 1000])
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(UnknownGameError) as caught:
        open_game(name)
    assert len(str(caught.value)) < 200 and not isinstance(caught.value, InvalidParametersError)


def test_examples_of_native_families_are_canonical_names() -> None:
    for _, examples, _ in game_families():
        assert examples and set(examples) <= set(BOARDS)
        for example in examples:
            assert open_game(example).name == example
