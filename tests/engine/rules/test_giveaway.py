"""Giveaway chess: what its rules change, and small endings that others have solved."""

from __future__ import annotations

from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidMoveError, InvalidPositionError

NAMES = ("giveaway", "giveaway:antichess")
GAMES = [opened(name) for name in NAMES for opened in (open_game, open_rules)]
ALL = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name} {type(game).__name__}")


def texts(game: Any, fen: str) -> set[str]:
    position = game.parse(fen)
    return {game.move_text(position, move) for move in game.moves(position)}


@ALL
def test_captures_are_compulsory(game: Any) -> None:
    assert texts(game, "8/8/8/3p4/4P3/8/8/R6K w - -") == {"exd5"}
    assert texts(game, "8/8/8/3p4/4P3/8/8/R2K4 w - -") == {"exd5"}
    assert {"Ra8", "Kd2"} <= texts(game, "3r4/8/8/8/8/8/8/R2K4 w - -")


@ALL
def test_kings_are_men_like_others(game: Any) -> None:
    assert texts(game, "8/8/8/8/8/8/1r6/K7 w - -") == {"Kxb2"}
    assert texts(game, "8/8/8/8/8/8/1r6/KB6 w - -") == {"Kxb2"}
    assert texts(game, "8/8/8/8/8/r7/8/K7 w - -") == {"Kb1", "Ka2", "Kb2"}
    assert texts(game, "8/4P3/8/8/8/8/8/7n w - -") == {"e8=Q", "e8=R", "e8=B", "e8=N", "e8=K"}
    many = game.parse("8/8/8/8/8/8/8/KKKK1kkk w - -")
    assert game.terminal(many) is None
    assert game.terminal(game.parse("8/8/8/8/8/8/8/K7 w - -")) is None


@ALL
def test_nobody_castles(game: Any) -> None:
    position = game.parse("r3k2r/8/8/p7/P7/8/8/4K2R w KQkq -")
    assert "castling" not in game.draw(position) and " - - 0 1" in game.text(position)
    with pytest.raises(InvalidMoveError):
        game.parse_move(position, "O-O")


@ALL
def test_who_cannot_move_wins(game: Any) -> None:
    assert game.terminal(game.parse("8/8/8/8/8/8/8/k7 w - -")) == 1
    assert game.terminal(game.parse("8/8/8/p7/P7/8/8/8 w - -")) == 1
    assert game.terminal(game.parse("8/8/8/p7/P7/8/8/8 b - -")) == 1


def test_only_antichess_captures_in_passing() -> None:
    fen = "8/8/8/8/3pP3/8/8/8 b - e3"
    assert texts(open_game("giveaway"), fen) == texts(open_rules("giveaway"), fen) == {"d3"}
    assert texts(open_game("giveaway:antichess"), fen) == texts(open_rules("giveaway:antichess"), fen) == {"dxe3"}
    for name, rest in (("giveaway", "b - - 0 1"), ("giveaway:antichess", "b - e3 0 1")):
        game = open_game(name)
        assert game.text(game.parse(fen)).endswith(rest)


@ALL
def test_impossible_positions_are_refused(game: Any) -> None:
    for fen, why in (
        ("8/8/8/8/8/8/8/P7 w - -", "first or last rank"),
        ("8/8/8/8/p7/pppppppp/8/8 w - -", "Black has 9 pawns"),
        ("qqqqqqqq/qqqqqqqq/q7/8/8/8/8/7K w - -", "Black has 17 men"),
        ("8/8/8/8/8/8/8/K7 w - e6", "no pawn has just passed e6"),
    ):
        with pytest.raises(InvalidPositionError, match=why):
            game.parse(fen)
