"""What games of lines offer to the check of pairings follows from their rules (docs/strategies.md)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from open_lines import open_lines

from proofbase.engine import open_rules
from proofbase.engine.rules import Game
from proofbase.engine.rules.lines import LineRules

GAMES = ("tic-tac-toe", "gomoku:4x3-3", "gomoku:6x5-4", "gomoku:5x5-3,standard", "gomoku:7x3-3,standard", "qubic")


@pytest.mark.parametrize("name", GAMES)
def test_lines_follow_the_rules(name: str) -> None:
    game, random = open_rules(name), Random(name)
    rules = game.line_rules()
    assert rules is not None
    wins = 0
    for _ in range(3 if name == "qubic" else 10):
        position, empty = game.initial(), len(list(game.moves(game.initial())))
        while game.terminal(position) is None:
            own, other = rules.stones(position)
            move = random.choice(list(game.moves(position)))
            assert list(game.moves(position)) == [s for s in range(empty) if not (own | other) >> s & 1]
            child = game.play(position, move)
            assert rules.stones(child) == (other, own | 1 << move)
            won = any(line & ~(own | 1 << move) == 0 for line in open_lines(rules, own | 1 << move, other))
            assert won == (game.terminal(child) == -1)
            wins += won
            check_text(game, rules, position, empty)
            position = child
    assert wins > 0


def check_text(game: Game[Any], rules: LineRules, position: Any, squares: int) -> None:
    """`place` finds the squares in the text, and `oriented` those of the canonical position on the board."""
    text, canonical = game.text(position), game.position(game.key(position))
    turned = rules.oriented(position, canonical)
    assert sorted(turned) == list(range(squares))
    own, other = rules.stones(position)
    for square in range(squares):
        mover = "xo"[game.side(position)]
        sign = mover if own >> square & 1 else "xo"["ox".index(mover)] if other >> square & 1 else "."
        assert text[rules.place(square)] == sign
        assert text[rules.place(turned[square])] == game.text(canonical)[rules.place(square)]


def test_games_without_lines_have_none() -> None:
    """In connect-four, in the opening of professional go-moku and in renju not every empty square may be taken."""
    names = ("connect-four", "awari", "gomoku:professional", "renju", "within:3:tic-tac-toe")
    assert [open_rules(name).line_rules() for name in names] == [None] * 5
