"""Opening games of OpenSpiel by name: `openspiel:NAME` and `openspiel:NAME(PARAMETER=VALUE,...)`.

The package `pyspiel` is imported when such a name is asked for.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from proofbase.engine.errors import InvalidParametersError, quoted
from proofbase.engine.openspiel.keys import RefusedError, has_key, rules_of
from proofbase.engine.openspiel.limits import FAMILY, ONE_SIZE, SHARED_TABLE, read_parameters
from proofbase.engine.openspiel.rules import Rules
from proofbase.engine.openspiel.turns import TurnGame

__all__ = ["FAMILY", "is_installed", "name_of", "open_openspiel", "pyspiel", "rules_version"]

KEYS_VERSION = 1
"""Grows when keys or rules written here change."""
LONGEST_PARAMETERS = 59
_NO_RULES = frozenset(("ansi_color_output", "egocentric", "egocentric_obs_tensor", "plain_obs_tensor", "string_rep"))
"""Parameters that change how a state is shown, not the game."""
_NATIVE = {"chess": "chess", "antichess": "giveaway:antichess", "oware": "awari:oware"}
"""Games of proofbase with nearly the same rules as games that are refused."""
_only_size: dict[str, str] = {}
"""The games of `ONE_SIZE` that this process has opened, by their short names."""


def is_installed() -> bool:
    """Whether OpenSpiel is there."""
    return find_spec("pyspiel") is not None


def pyspiel() -> Any:
    """The module of OpenSpiel.

    Raises:
        InvalidParametersError: it is not installed.
    """
    try:
        module = import_module("pyspiel")
    except ModuleNotFoundError:
        raise InvalidParametersError("OpenSpiel is not installed: pip install 'proofbase[openspiel]'") from None
    for name, sizes in SHARED_TABLE.items():
        module.load_game(name, {"board_size": sizes[-1]}).new_initial_state()
    return module


def rules_version() -> int:
    """The version of OpenSpiel and of the keys in one number: 2000201 for OpenSpiel 2.0.2 and keys of version 1."""
    numbers = [int(number) for number in re.findall(r"\d+", version("open_spiel"))[:3]]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    return major * 1_000_000 + minor * 10_000 + patch * 100 + KEYS_VERSION


def open_openspiel(parameters: str | None = None) -> TurnGame:
    """The game of a name of OpenSpiel, with its parameters.

    Args:
        parameters: what stands after `openspiel:`, such as `connect_four(rows=4,columns=4)`.

    Raises:
        InvalidParametersError: OpenSpiel is not installed, there is no such game, or it is no game for proofbase; the
            message says why.
    """
    module = pyspiel()
    text = (parameters or "").replace(" ", "")
    short_name, values = read_parameters(module, text)
    try:
        game = module.load_game(short_name, values)
        name = name_of(game)
        first = _only_size.setdefault(short_name, name) if short_name in ONE_SIZE else name
        start = game.new_initial_state() if first == name else None
    except module.SpielError as error:
        reason = quoted((str(error).splitlines() or [""])[0], 200)
        raise InvalidParametersError(f"{FAMILY}: OpenSpiel refuses {quoted(text)}: {reason}") from None
    try:
        if start is None:
            raise RefusedError(f"this process plays {first}, and OpenSpiel has one table for all sizes: use another")
        if start.is_terminal():
            raise RefusedError("it is over before the first move")
        if not float(game.max_utility()).is_integer():
            raise RefusedError("it has returns that are no whole numbers")
        rules = rules_of(short_name, game, _parameters(game))
    except RefusedError as error:
        native = _NATIVE.get(short_name)
        hint = f". Nearly the same game here is {native}" if native else ""
        raise InvalidParametersError(f"{name} cannot be played here: {error}{hint}") from None
    made = TurnGame(name, rules, rules_version(), int(game.max_utility()))
    made.rules_text = _about(game, rules)
    return made


def _about(game: Any, rules: Rules[Any]) -> str:
    """What `proofbase rules` shows."""
    kind = type(rules)
    paragraphs = [f"{game.get_type().long_name}, as OpenSpiel {version('open_spiel')} plays it."]
    if not has_key(rules):
        paragraphs.append("Its positions are lists of moves: what arises by two orders of moves is solved twice.")
    modules = [sys.modules[module].__doc__ or "" for module in (kind.__module__, TurnGame.__module__)]
    paragraphs += [modules[0], (kind.__doc__ or "").partition("Args:")[0], modules[1]]
    return "\n\n".join(inspect.cleandoc(part) for part in paragraphs)


def _parameters(game: Any) -> dict[str, Any]:
    """All parameters of a game, those with their defaults included."""
    return {**game.get_type().parameter_specification, **game.get_parameters()}


def name_of(game: Any) -> str:
    """The canonical name of a `pyspiel.Game`: parameters in alphabetical order, without those that follow from others.

    Raises:
        InvalidParametersError: names of games cannot hold the parameters.
    """
    kind = game.get_type()
    parsed, values = pyspiel().game_parameters_from_string(str(game)), game.get_parameters()  # 5 may be the text "5"
    kept = {name: values[name] for name in sorted(parsed) if name != "name" and name not in _NO_RULES}
    plain = all(isinstance(value, bool | int | float | str) for value in kept.values())
    if plain:
        for name in list(kept):
            fewer = {other: value for other, value in kept.items() if other != name}
            if _same_game(fewer, game):
                kept = fewer
    inside = ",".join(f"{name}={_shown(value)}" for name, value in kept.items())
    name = str(game).lower() if not plain else f"{kind.short_name}({inside})" if inside else str(kind.short_name)
    if len(name) > LONGEST_PARAMETERS or not re.fullmatch(r"[!-@\[-~]+", name):
        raise InvalidParametersError(
            f"{FAMILY}: {quoted(name, 100)} is no name for a game here: at most {LONGEST_PARAMETERS} characters, no "
            "spaces, no capitals"
        )
    return f"{FAMILY}:{name}"


def _same_game(parameters: dict[str, Any], game: Any) -> bool:
    """Whether these parameters alone make the game."""
    made = pyspiel().load_game(game.get_type().short_name, parameters).get_parameters()
    return all(made.get(name) == value for name, value in game.get_parameters().items() if name not in _NO_RULES)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
