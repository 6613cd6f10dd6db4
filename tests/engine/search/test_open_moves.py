"""What games tell the search null-window about moves and values is right: compared with minimax."""

from __future__ import annotations

import random
from typing import Any

import pytest
from values_by_definition import minimax

from proofbase.engine._core import open_game

BOARDS = [
    "connect-four:1x4", "connect-four:3x5,score", "connect-four:4x4", "connect-four:4x5,score", "connect-four:5x4",
    "connect-four:5x5", "connect-four:5x5,score", "connect-four:6x4,score", "connect-four:7x5", "connect-four",
    "connect-four:7x6,score", "connect-four:6x7,score", "connect-four:9x7,score",
]  # fmt: skip


def play_to_the_last(game: Any, squares: int, left: int, draw: random.Random) -> Any:
    """A position with so many empty squares, all of them if the board is small; None where no move goes on."""
    position = game.initial()
    for _ in range(max(0, squares - left)):
        moves = game.moves(position)
        after = [game.play(position, move) for move in draw.sample(moves, len(moves))]
        on = [one for one in after if game.terminal(one) is None]
        if not on:
            return None
        position = on[0]
    return position


OTHELLO = ["othello:6x6", "othello:8x8,discs"]


def known_positions(name: str, most: int = 3000) -> tuple[Any, dict[bytes, int]]:
    """A game, and the values of many of its late positions."""
    game = open_game(name)
    draw = random.Random(name)
    squares = len([square for square in game.text(game.initial()) if square in ".-"])
    left = 7 if name in OTHELLO else 10
    known: dict[bytes, int] = {}
    for _ in range(200):
        position = play_to_the_last(game, squares, left, draw)
        if position is not None:
            minimax(game, position, known)
        if len(known) > most:
            break
    return game, known


def value(game: Any, position: Any, known: dict[bytes, int]) -> int:
    end = game.terminal(position)
    return known[game.key(position)] if end is None else int(end)


@pytest.mark.parametrize("name", BOARDS)
def test_static_bounds_contain_the_value(name: str) -> None:
    game, known = known_positions(name)
    checked = exact = 0
    for key, worth in known.items():
        position = game.position(key)
        if game.terminal(position) is not None:
            continue
        lower, upper = game.static_bounds(position)
        assert lower <= worth <= upper, game.text(position)
        checked += 1
        exact += lower == upper
    assert exact * 3 >= checked, "of late positions a good part is settled"


@pytest.mark.parametrize("name", [*BOARDS, *OTHELLO])
def test_moves_left_out_are_worth_no_more_than_is_said(name: str) -> None:
    game, known = known_positions(name)
    draw = random.Random(1)
    settled = 0
    for key, worth in known.items():
        position = game.position(key)
        if game.terminal(position) is not None:
            continue
        limit = game.limit(position)
        bound = draw.choice([draw.randint(1 - limit, limit), min(worth + 1, limit), max(worth, 1 - limit)])
        worths = {
            move: game.reward(position, move) - value(game, game.play(position, move), known)
            for move in game.moves(position)
        }
        to_try, best, best_move = game.open_moves(position, bound)
        tried = [move for move, _, _ in to_try]
        assert len(set(tried)) == len(tried) and set(tried) <= worths.keys()
        left_out = [worths[move] for move in worths if move not in tried]
        assert (best is None) == (best_move is None)
        if best is not None and best >= bound:
            assert worths[best_move] >= best, game.text(position)
            settled += 1
        elif best is not None:
            assert worth <= best if not tried else max(left_out) <= best, game.text(position)
            settled += not tried
        else:
            assert tried and not left_out, game.text(position)
    assert settled


@pytest.mark.parametrize("name", ["connect-four", "connect-four:9x7,score"])
def test_after_a_forced_reply_one_move_is_open(name: str) -> None:
    game, known = known_positions(name, 2000)
    forced = 0
    for key in known:
        position = game.position(key)
        if game.terminal(position) is not None or game.limit(position) < 1:
            continue
        to_try, best, _ = game.open_moves(position, 1)
        if best is not None and best >= 1:
            continue
        for move, _, one_reply in to_try:
            after = game.play(position, move)
            replies, _, _ = game.open_moves(after, 0)
            if one_reply:
                assert len(replies) <= 1, game.text(after)
                forced += 1
    assert forced


def test_finished_games_bounds_beyond_the_limit_and_other_games_are_refused() -> None:
    game = open_game("connect-four:4x4,score")
    limit = game.limit(game.initial())
    for bound in (-limit, limit + 1, 2**40):
        with pytest.raises(ValueError, match="limits of the value"):
            game.open_moves(game.initial(), bound)
    over = game.parse("x.../x.../xo../xoo.")
    with pytest.raises(ValueError, match="over"):
        game.open_moves(over, 1)
    with pytest.raises(ValueError, match="over"):
        game.static_bounds(over)
    with pytest.raises(ValueError, match="does not tell"):
        open_game("random-graph").open_moves(open_game("random-graph").initial(), 1)
    with pytest.raises(ValueError, match="no static bounds"):
        open_game("random-graph").static_bounds(open_game("random-graph").initial())
