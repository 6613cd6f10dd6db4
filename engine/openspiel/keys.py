"""The games whose positions have a key of their own. All others are trees: the key is the list of moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofbase.engine.openspiel.breakthrough import Breakthrough
from proofbase.engine.openspiel.checkers import Checkers
from proofbase.engine.openspiel.clobber import Clobber
from proofbase.engine.openspiel.dots_and_boxes import DotsAndBoxes
from proofbase.engine.openspiel.mancala import Mancala
from proofbase.engine.openspiel.nim import Nim
from proofbase.engine.openspiel.nine_mens_morris import NineMensMorris
from proofbase.engine.openspiel.oware import Oware, why_oware_is_too_large
from proofbase.engine.openspiel.placement import FallingStones, PlacedStones
from proofbase.engine.openspiel.rules import Rules
from proofbase.engine.openspiel.trees import LONGEST_KEY, TreeRules, tree_key_bytes

__all__ = ["KEYED", "RefusedError", "has_key", "rules_of"]

Parameters = Mapping[str, Any]


class RefusedError(ValueError):
    """The reason why a game of OpenSpiel is no game of proofbase."""


def _square(size: str) -> Callable[[Any, Parameters], Rules[Any]]:
    return lambda game, given: PlacedStones(game, given[size], given[size] ** 2)


def _hex(game: Any, given: Parameters) -> Rules[Any]:
    if given["swap"]:
        return TreeRules(game)  # a stone changes its colour and its place
    width = game.num_distinct_actions() // (given.get("num_rows") or given["board_size"])
    return PlacedStones(game, width, game.num_distinct_actions())


def _havannah(game: Any, given: Parameters) -> Rules[Any]:
    if given["swap"]:
        return TreeRules(game)
    width = 2 * given["board_size"] - 1
    return PlacedStones(game, width, width**2)


def _connect_four(game: Any, given: Parameters) -> Rules[Any]:
    return FallingStones(game, given["columns"], given["rows"] * given["columns"])


def _checkers(game: Any, given: Parameters) -> Rules[Any]:
    if given["columns"] > given["rows"]:
        raise RefusedError("with more columns than rows OpenSpiel loses the man that goes on taking")
    return Checkers(game, given["rows"], given["columns"])


def _dots_and_boxes(game: Any, given: Parameters) -> Rules[Any]:
    return DotsAndBoxes(game, given["num_rows"], given["num_cols"], margin=given["utility_margin"])


def _oware(game: Any, given: Parameters) -> Rules[Any]:
    houses, seeds = given["num_houses_per_player"], given["num_seeds_per_house"]
    reason = why_oware_is_too_large(houses, seeds)
    if reason:
        raise RefusedError(reason)
    return Oware(game, houses, seeds)


KEYED: dict[str, Callable[[Any, Parameters], Rules[Any]]] = {
    "breakthrough": lambda game, given: Breakthrough(game, given["rows"], given["columns"]),
    "checkers": _checkers,
    "clobber": lambda game, given: Clobber(game),
    "connect_four": _connect_four,
    "dots_and_boxes": _dots_and_boxes,
    "gomoku": lambda game, given: PlacedStones(game, given["size"], given["size"] ** given["dims"]),
    "havannah": _havannah,
    "hex": _hex,
    "mancala": lambda game, given: Mancala(game),
    "mnk": lambda game, given: PlacedStones(game, given["m"], given["m"] * given["n"]),
    "nim": lambda game, given: Nim(game),
    "nine_mens_morris": lambda game, given: NineMensMorris(game),
    "oware": _oware,
    "tic_tac_toe": lambda game, given: PlacedStones(game, 3, 9),
    "y": _square("board_size"),
}
"""By the short names of OpenSpiel. A function makes the rules of a `pyspiel.Game` with its parameters."""


def has_key(rules: Rules[Any]) -> bool:
    """Whether equal positions have one key, however they arose."""
    return not isinstance(rules, TreeRules)


def rules_of(short_name: str, game: Any, given: Parameters) -> Rules[Any]:
    """The rules of a game.

    Args:
        short_name: of the game.
        game: the `pyspiel.Game`.
        given: its parameters, those that were left out included.

    Raises:
        RefusedError: its positions have no keys that fit.
    """
    rules = KEYED[short_name](game, given) if short_name in KEYED else TreeRules(game)
    if has_key(rules):
        longest = len(rules.key(rules.initial()))
        if longest > LONGEST_KEY:
            raise RefusedError(f"its positions take {longest} bytes, and a key has at most {LONGEST_KEY}")
    elif tree_key_bytes(game) > LONGEST_KEY:
        raise RefusedError(
            "its positions are known by their moves only, and a list of up to "
            f"{game.max_game_length():,} moves is longer than the {LONGEST_KEY} bytes of a key"
        )
    return rules
