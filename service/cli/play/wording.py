"""What is known of a position of a game that is played, in words, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import MoveAnswer, PositionAnswer, Value
from proofbase.service.cli.play.played_game import Ending
from proofbase.service.words.amounts import amount
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import margin_text, result_text, value_text

__all__ = ["Players", "ending_text", "knowledge_text", "move_value_text"]

Players = Sequence[str]
"""What the two players are called."""


def knowledge_text(answer: PositionAnswer, rules: Game[Any], player: int, players: Players, *, nodes: int) -> str:
    """Whether the value of a position is proved, found by a search just now, or unknown, and what it is.

    Args:
        answer: what is known.
        rules: of the game.
        player: whose move it is.
        players: what the players are called.
        nodes: budget of searches; 0 where nothing is searched.
    """
    words = _value_text(answer.value, answer, rules, player, players)
    searched = answer.searched
    if answer.known:
        plies = _within(answer.value, answer.rank, rules) if answer.value.lower + answer.score else ""
        if searched is None:
            table = next((f" (table {claim.table})" for claim in answer.claims if claim.table), "")
            return f"proved: {words}{plies}{table}"
        return f"searched: {words}{plies} (proved by a search of {amount(searched.nodes, 'node')}, not stored)"
    effort = (
        f"a search of {amount(searched.nodes, 'node')} has not settled it"
        if searched is not None and nodes
        else "not stored, and nothing is searched (--search)"
    )
    if answer.value.anything_known:
        return f"unknown: {effort}; proved is only: {words}"
    return f"unknown: {effort}"


def _value_text(value: Value, answer: PositionAnswer, rules: Game[Any], player: int, players: Players) -> str:
    mover, other = players[player], players[1 - player]
    if rules.highest_value > 1:
        text = f"value {value_text(value, rules.highest_value)} for {mover}"
        return f"{text}, the game {result_text(value, answer)}" if value.exact else text
    if value.exact:
        return {1: f"{mover} wins", 0: "a draw", -1: f"{other} wins"}[value.lower]
    return f"{value_text(value, 1)} for {mover}"


def move_value_text(move: MoveAnswer, rules: Game[Any]) -> str:
    """What a move is known to be worth to the side that makes it."""
    text = value_text(move.value, rules.highest_value)
    return text + (_within(move.value, move.rank, rules) if move.known and move.value.lower else "")


def _within(value: Value, rank: int | None, rules: Game[Any]) -> str:
    """Within how many plies a known value is realised, in the words of the game's players; empty if nobody knows."""
    if not rank:
        return ""
    words = GameWords.of(rules.name)
    if words.players is not None and rules.highest_value == 1:
        return f" ({words.distance(rank, won=value.lower > 0, exact=False)})"
    return f" within {rank:,} {'ply' if rank == 1 else 'plies'}"


def ending_text(ending: Ending, rules: Game[Any], position: Any, player: int, players: Players) -> str:
    """How a game ended in a position, where `player` is to move."""
    if ending.result:
        winner = players[player if ending.result > 0 else 1 - player]
        margin = f" {margin_text(rules.name, ending.result, rules.side(position))}" if rules.highest_value > 1 else ""
        result = f"{winner} has won{margin}"
    else:
        result = "a draw"
    reason = "this position is on the board for the third time" if ending.by_repetition else "the game is over"
    return f"{reason}: {result}"
