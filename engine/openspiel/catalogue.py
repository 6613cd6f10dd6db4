"""Opening games of OpenSpiel by name: `openspiel:NAME` and `openspiel:NAME(PARAMETER=VALUE,...)`.

The package `pyspiel` is imported when such a name is asked for.
"""

from __future__ import annotations

import difflib
import inspect
import re
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from proofbase.engine.errors import InvalidParametersError, quoted
from proofbase.engine.openspiel.keys import RefusedError, has_key, rules_of
from proofbase.engine.openspiel.rules import Rules
from proofbase.engine.openspiel.turns import TurnGame

__all__ = ["FAMILY", "is_installed", "name_of", "open_openspiel", "pyspiel", "rules_version"]

FAMILY = "openspiel"
KEYS_VERSION = 1
"""Grows when keys or rules written here change."""
LONGEST_PARAMETERS = 59
_FORM = re.compile(r"[a-z][a-z0-9_]*(\(.*\))?")
_PAIR = re.compile(r"([a-z0-9_]+)=(.*)")
_NO_RULES = frozenset(("ansi_color_output", "egocentric", "egocentric_obs_tensor", "plain_obs_tensor", "string_rep"))
"""Parameters that change how a state is shown, not the game."""
_NATIVE = {"chess": "chess", "antichess": "giveaway:antichess", "oware": "awari:oware"}
"""Games of proofbase with nearly the same rules as games that are refused."""


def is_installed() -> bool:
    """Whether OpenSpiel is there."""
    return find_spec("pyspiel") is not None


def pyspiel() -> Any:
    """The module of OpenSpiel.

    Raises:
        InvalidParametersError: it is not installed.
    """
    try:
        return import_module("pyspiel")
    except ModuleNotFoundError:
        raise InvalidParametersError("OpenSpiel is not installed: pip install 'proofbase[openspiel]'") from None


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
    if not _FORM.fullmatch(text):
        example = "openspiel:tic_tac_toe or openspiel:connect_four(rows=4,columns=4)"
        raise InvalidParametersError(f"{FAMILY}: {quoted(text)} is no name of a game of OpenSpiel, such as {example}")
    short_name = text.partition("(")[0]
    known = module.registered_names()
    if short_name not in known:
        near = difflib.get_close_matches(short_name, known, n=3, cutoff=0.6)
        meant = f": did you mean {' or '.join(near)}?" if near else f"; it has {len(known)}, such as hex and clobber"
        raise InvalidParametersError(f"{FAMILY}: OpenSpiel has no game {quoted(short_name)}{meant}")
    game = _loaded(module, short_name, text)
    reasons = _reasons(module, game)
    if reasons:
        raise InvalidParametersError(f"{FAMILY}: {short_name} {' and '.join(reasons)}: {_WANTED}")
    name = name_of(game)
    try:
        if game.new_initial_state().is_terminal():
            raise RefusedError("it is over before the first move")
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
    told = [f"{game.get_type().long_name}, as OpenSpiel {version('open_spiel')} plays it."]
    if not has_key(rules):
        told.append("Its positions are lists of moves: what arises by two orders of moves is solved twice.")
    modules = [sys.modules[module].__doc__ or "" for module in (kind.__module__, TurnGame.__module__)]
    told += [modules[0], (kind.__doc__ or "").partition("Args:")[0], modules[1]]
    return "\n\n".join(inspect.cleandoc(part) for part in told)


_WANTED = "games here are for two players who take turns, zero-sum, without chance and with nothing hidden"


def _loaded(module: Any, short_name: str, text: str) -> Any:
    """The `pyspiel.Game` of a text."""
    kind = next(kind for kind in module.registered_games() if kind.short_name == short_name)
    if "(" in text:
        inside = text.partition("(")[2].removesuffix(")")
        names = [pair[1] for word in _split(inside) if (pair := _PAIR.fullmatch(word))]
        if inside and len(names) != len(_split(inside)):
            raise InvalidParametersError(f"{FAMILY}: {quoted(inside)} is not a list such as rows=4,columns=4")
        allowed = sorted(kind.parameter_specification)
        for name in names:
            if name not in allowed:
                has = f"it has {', '.join(allowed)}" if allowed else "it has none"
                raise InvalidParametersError(f"{FAMILY}: {short_name} has no parameter {quoted(name)}; {has}")
        words = [_checked_value(kind.parameter_specification, word) for word in _split(inside)] if inside else []
        text = f"{short_name}({','.join(words)})"
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise InvalidParametersError(f"{FAMILY}: {', '.join(sorted(twice))} is given twice")
    try:
        return module.load_game(text)
    except Exception as error:  # a SpielError, or what the constructor of a game in Python raises
        told = (str(error).splitlines() or [type(error).__name__])[0]
        raise InvalidParametersError(f"{FAMILY}: OpenSpiel refuses {quoted(text)}: {told[:200]}") from None


def _checked_value(defaults: Any, word: str) -> str:
    """`NAME=VALUE` as OpenSpiel reads it; it prints what it refuses, so the usual mistakes are found before."""
    name, _, value = word.partition("=")
    default = defaults.get(name)
    if isinstance(default, bool):
        if value.lower() not in ("true", "false"):
            raise InvalidParametersError(f"{FAMILY}: {name} is true or false, not {quoted(value)}")
        return f"{name}={value.lower()}"
    if isinstance(default, int) and not re.fullmatch("-?[0-9]{1,6}", value):
        raise InvalidParametersError(f"{FAMILY}: {name} is a whole number, not {quoted(value)}")
    return word


def _split(inside: str) -> list[str]:
    """Words between commas that are in no brackets."""
    words, depth = [""], 0
    for character in inside:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            words.append("")
        else:
            words[-1] += character
    return words


def _reasons(module: Any, game: Any) -> list[str]:
    """Why a game is none for proofbase; nothing where it is one."""
    kind = game.get_type()
    players = game.num_players()
    found = []
    if players != 2:
        found.append(f"is for {players} player{'s' * (players != 1)}")
    if kind.dynamics != module.GameType.Dynamics.SEQUENTIAL:
        found.append("has moves at the same time")
    if kind.chance_mode != module.GameType.ChanceMode.DETERMINISTIC:
        found.append("has chance")
    if kind.information != module.GameType.Information.PERFECT_INFORMATION:
        found.append("hides something from the players (imperfect information)")
    if kind.utility != module.GameType.Utility.ZERO_SUM:
        found.append("is not zero-sum")
    if not float(game.max_utility()).is_integer():
        found.append("has returns that are no whole numbers")
    return found


def _parameters(game: Any) -> dict[str, Any]:
    """All parameters of a game, those with their defaults included."""
    return {**game.get_type().parameter_specification, **game.get_parameters()}


def name_of(game: Any) -> str:
    """The canonical name of a `pyspiel.Game`: parameters in alphabetical order, without those that follow from others.

    Raises:
        InvalidParametersError: names of games cannot hold the parameters.
    """
    kind = game.get_type()
    parsed = sorted(pyspiel().game_parameters_from_string(str(game)).items())
    given = {name: value for name, value in parsed if name != "name" and name not in _NO_RULES}
    plain = all(isinstance(value, bool | int | float | str) for value in given.values())
    if plain:
        for name in list(given):
            fewer = {other: value for other, value in given.items() if other != name}
            if _same_game(fewer, game):
                given = fewer
    inside = ",".join(f"{name}={_shown(value)}" for name, value in given.items())
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
