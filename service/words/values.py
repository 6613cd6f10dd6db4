"""Values and outcomes in words."""

from __future__ import annotations

from typing import Any

from proofbase.engine.games import open_game
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.service.answers import Outcome, PositionAnswer, Value

__all__ = [
    "OUTCOMES",
    "game_name",
    "highest_value",
    "is_built_in",
    "margin_text",
    "outcome_of",
    "result_text",
    "rules_of",
    "value_text",
]

_WORDS = {1: "win", 0: "draw", -1: "loss"}
OUTCOMES: dict[Outcome, str] = {
    "unknown": "unknown",
    "win": "a win",
    "draw": "a draw",
    "loss": "a loss",
    "not_loss": "at least a draw",
    "not_win": "at most a draw",
}


def highest_value(game: str) -> int:
    """Limit of the game's values; 0 when this process does not know the game."""
    rules = rules_of(game)
    return rules.highest_value if rules else 0


def game_name(game: str) -> str:
    """The canonical name of a game; the name as it is when this process does not know the game."""
    rules = rules_of(game)
    return rules.name if rules else game


def rules_of(game: str) -> Game[Any] | None:
    """The Python rules of a game, behind a guard if they are a user's; None when this process does not know it."""
    try:
        return GuardedGame(open_game(game, "python"))
    except ValueError:
        return None


def value_text(value: Value, highest: int) -> str:
    """A value in words where the game has only three of them, otherwise as a number."""

    def one(number: int) -> str:
        return _WORDS[number] if highest == 1 else f"{number:+d}" if number else "0"

    if value.exact:
        return one(value.lower)
    if value.lower_known and value.upper_known:
        return f"{one(value.lower)} to {one(value.upper)}"
    if value.lower_known:
        return f"at least {one(value.lower)}"
    if value.upper_known:
        return f"at most {one(value.upper)}"
    return "unknown"


def outcome_of(value: Value, score: int) -> Outcome:
    """Win, draw or loss of the whole game for the side that is `score` ahead, as far as the interval tells."""
    lowest, highest = value.lower + score, value.upper + score
    if lowest > 0:
        return "win"
    if highest < 0:
        return "loss"
    if lowest == highest == 0:
        return "draw"
    return "not_loss" if lowest == 0 else "not_win" if highest == 0 else "unknown"


def result_text(value: Value, answer: PositionAnswer) -> str:
    """The result of the game as a whole for the side to move: its score so far plus the value."""
    lowest, highest = answer.score + value.lower, answer.score + value.upper
    if lowest == highest == 0:
        return "a draw"
    if lowest > 0 or highest < 0:
        result = lowest if lowest > 0 else highest
        margin = margin_text(answer.game, result, answer.side, or_more=lowest != highest)
        return f"{'won' if result > 0 else 'lost'} {margin}"
    return {(True, False): "at least a draw", (False, True): "at most a draw"}.get((lowest == 0, highest == 0), "open")


def margin_text(game: str, result: int, side: int, *, or_more: bool = False) -> str:
    """How clearly a game is won or lost (`Game.margin_text`); only for games that this process knows."""
    rules = rules_of(game)
    assert rules is not None  # asked only where the game's highest value is known
    return rules.margin_text(result, side, or_more=or_more)
