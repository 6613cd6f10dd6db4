"""What games on squares offer to the check of strategies follows from their rules (docs/strategies.md)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine.rules import Game

GAMES = ("tic-tac-toe", "connect-four:4x4", "connect-four:5x4,score", "connect-four:3x9", "connect-four")


def separate(squares: int) -> list[int]:
    return [1 << s for s in range(squares.bit_length()) if squares >> s & 1]


@pytest.mark.parametrize("name", GAMES)
def test_squares_follow_the_rules(name: str) -> None:
    game, random = open_rules(name), Random(name)
    rules = game.square_rules()
    assert rules is not None
    ends = wins = 0
    for _ in range(40):
        position = game.initial()
        while game.terminal(position) is None:
            own, other = rules.stones(position)
            taken = own | other
            moves = list(game.moves(position))
            squares = [rules.square(move, taken) for move in moves]
            assert sorted(squares) == separate(rules.open_squares(taken))
            completing = rules.completing(own, taken)
            assert completing & ~(rules.board & ~taken) == 0
            assert completing == rules.completing(own, own) & ~taken
            for move, square in zip(moves, squares, strict=True):
                child = game.play(position, move)
                assert rules.stones(child) == (other, own | square)
                value = game.terminal(child)
                if completing & square:
                    assert value == -rules.win(taken.bit_count() + 1)
                    wins += 1
                else:
                    assert value == (0 if taken | square == rules.board else None)
                ends += value is not None
            check_text(game, rules, position)
            position = game.play(position, random.choice(moves))
    assert ends >= wins > 10


def check_text(game: Game[Any], rules: Any, position: Any) -> None:
    """`place` finds the squares in the text, and `oriented` those of the canonical position on the board."""
    text, (own, other) = game.text(position), rules.stones(position)
    mover = "xo"[(own | other).bit_count() % 2]
    canonical = game.position(game.key(position))
    turned = rules.oriented(position, canonical)
    for square in separate(rules.board):
        sign = text[rules.place(square.bit_length() - 1)]
        assert sign == ("." if not square & (own | other) else mover if square & own else "xo"["ox".index(mover)])
        there = turned[square.bit_length() - 1]
        assert text[rules.place(there)] == game.text(canonical)[rules.place(square.bit_length() - 1)]


def test_a_later_win_is_worth_no_more() -> None:
    rules = open_rules("connect-four:5x4,score").square_rules()
    assert rules is not None
    worth = [rules.win(stones) for stones in range(7, 21)]
    assert worth == sorted(worth, reverse=True) and worth[-1] == 1
