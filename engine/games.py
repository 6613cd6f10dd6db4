"""Opening games by name: built-in ones natively or from the Python rules, and users' own games.

A user's game is made known by `register`, or by an installed package with an entry point of the group `proofbase.games`
(name = the game's name, value = `module:factory`). The native core wraps the game, so that every search runs on it.
Games of OpenSpiel are users' games whose package is found where it is installed.
"""

from __future__ import annotations

import importlib
import inspect
import re
import threading
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast

from proofbase.engine.errors import (
    BrokenGameError,
    InvalidParametersError,
    NativeCoreMissingError,
    UnknownGameError,
    quoted,
)
from proofbase.engine.rules import FAMILIES, Game, GameFamily, ProfessionalRenju, is_built_in, open_rules
from proofbase.engine.rules.failures import failure_of
from proofbase.engine.rules.names import alias_of, nearest_name
from proofbase.engine.rules.within import FAMILY as WITHIN
from proofbase.engine.rules.within import Within, split_parameters

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "ENTRY_POINT_GROUP",
    "HOW_TO_LOAD",
    "OPENSPIEL",
    "canonical_alias",
    "default_rules",
    "list_games",
    "open_game",
    "register",
]

ENTRY_POINT_GROUP = "proofbase.games"
HOW_TO_LOAD = (
    "a game of your own is loaded by --plugin MODULE|FILE (of `serve` where a server is asked), or by register()"
)
"""For messages about games that are not known."""
LONGEST_INNER_KEY = 46
"""Bytes of a key of a game inside the compiled `within` (engine/native/games/within.hpp)."""
Factory = Callable[..., Game[Any]]
"""Makes a game: called without arguments, or with the text after the colon when the name has one."""

OPENSPIEL = GameFamily(
    "openspiel",
    ("openspiel:tic_tac_toe", "openspiel:hex(board_size=4)", "openspiel:breakthrough(columns=4,rows=4)"),
    "a game of OpenSpiel for two, without chance and secrets; variants: NAME, NAME(PARAMETER=VALUE,...)",
    lambda parameters: open_game("openspiel" if parameters is None else f"openspiel:{parameters}", "python"),
)
"""Not built in: the rules are those of the package `pyspiel`, which is imported when a game is opened."""

_registered: dict[str, Factory] = {}
_installed: dict[str, EntryPoint] | None = None
_lock = threading.Lock()


def open_game(name: str, rules: Literal["native", "python"] = "native") -> Game[Any]:
    """The game of that name; its `name` is the canonical one (`connect-four` for `connect-four:7x6`).

    Args:
        name: `FAMILY` or `FAMILY:PARAMETERS`; where no game has that name, an alias such as `connect4`.
        rules: `native` for the compiled rules (a user's game is wrapped), whose positions are bytes;
            `python` for the rules in plain Python, which need no compiled code.

    Raises:
        UnknownGameError: no such game.
        InvalidParametersError: the parameters make no game.
        GameFailedError, BrokenGameError: a user's class raises an exception, or makes no game of that name.
        NativeCoreMissingError: native rules were asked for, and the core is not installed or built without the game.
    """
    if rules not in ("native", "python"):
        raise ValueError(f"rules are 'native' or 'python', not {rules!r}")
    name = canonical_alias(name)
    family, colon, parameters = name.partition(":")
    if is_built_in(name):
        game = open_rules(name)  # bad parameters raise the errors of the Python rules
        return game if rules == "python" else _native(game)
    if family == WITHIN:
        plies, inner = split_parameters(parameters)
        game = Within(plies, open_game(inner, "python"))
    else:
        factory = _user_factory(family)
        if factory is None:
            known = [entry.name for entry in list_games()]
            nearest = _openspiel().name_like(family) or nearest_name(name, known)
            meant = f"did you mean {nearest}? " if nearest else ""
            raise UnknownGameError(f"unknown game {quoted(name)}: {meant}known are {', '.join(known)}; {HOW_TO_LOAD}")
        game = _make(family, factory, parameters if colon else None)
    return game if rules == "python" else cast("Game[Any]", _core().python_game(game))


def canonical_alias(name: str) -> str:
    """The built-in game that an alias such as `connect4` or `Nine_Mens_Morris` stands for; other names as they are.

    Names in files and stores are no aliases: what has another name there is of another game.
    """
    if is_built_in(name):
        return name
    family = name.partition(":")[0]
    with _lock:
        if family in _registered or family in _entry_points():
            return name
    return alias_of(name) or name


def _native(rules: Game[Any]) -> Game[Any]:
    """The compiled rules of a built-in game.

    A game whose keys are too long for the compiled rules of `within`, and the opening of professional renju, whose
    moves are many, are wrapped like a user's.
    """
    if isinstance(rules, ProfessionalRenju):
        return cast("Game[Any]", _core().python_game(rules))
    if isinstance(rules, Within) and len(rules.inner.key(rules.inner.initial())) > LONGEST_INNER_KEY:
        return cast("Game[Any]", _core().python_game(rules))
    return cast("Game[Any]", _core().open_game(rules.name))


def default_rules() -> Literal["native", "python"]:
    """The rules to open games by: those of the native core, or those in plain Python where the core is left out."""
    try:
        importlib.import_module("proofbase.engine._core")
    except NativeCoreMissingError:
        return "python"
    except ImportError:
        pass  # the core is there and broken: opening a game says why
    return "native"


def register(name: str, factory: Factory) -> None:
    """Makes a user's own game known under a name in this process; registering again replaces the factory.

    Args:
        name: the name, or the part of it before the colon; lower-case letters, digits and `-`.
        factory: a class or function that makes the game; called without arguments for `name`, and with the text
            after the colon for `name:...`.

    Raises:
        ValueError: a name that is not allowed or belongs to a built-in game.
    """
    if not re.fullmatch("[a-z][a-z0-9-]{0,39}", name):
        raise ValueError(f"{quoted(name)} is not a name for a game: lower-case letters, digits and '-', at most 40")
    if any(entry.name == name for entry in FAMILIES):
        raise ValueError(f"{name} is a built-in game")
    with _lock:
        _registered[name] = factory


def list_games() -> list[GameFamily]:
    """All games that `open_game` knows: the built-in ones, OpenSpiel's, then registered and installed ones by name."""
    with _lock:
        names = sorted({*_registered, *_entry_points()})
    openspiel = [OPENSPIEL] if find_spec("pyspiel") and OPENSPIEL.name not in names else []
    return [*FAMILIES, *openspiel, *(_family(name) for name in names)]


def _family(name: str) -> GameFamily:
    def make(parameters: str | None) -> Game[Any]:
        factory = _user_factory(name)
        if factory is None:
            raise UnknownGameError(f"{name} is no longer registered")
        return _make(name, factory, parameters)

    return GameFamily(name, (name,), "a user's game in Python", make)


def _user_factory(family: str) -> Factory | None:
    with _lock:
        factory = _registered.get(family)
        point = None if factory else _entry_points().get(family)
    if factory is None and point is None and family == OPENSPIEL.name:
        return cast("Factory", _openspiel().open_openspiel)
    if point is None:
        return factory
    return cast("Factory", point.load())


def _openspiel() -> ModuleType:
    """Its names and its games: imported where they are asked for only."""
    return importlib.import_module("proofbase.engine.openspiel")


def _entry_points() -> dict[str, EntryPoint]:
    """Games of installed packages, read once: a scan of the installed packages takes some milliseconds.

    So does the import of what scans them, which no command about a built-in game needs.
    """
    global _installed
    if _installed is None:
        metadata = importlib.import_module("importlib.metadata")
        _installed = {point.name: point for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    return _installed


def _make(family: str, factory: Factory, parameters: str | None) -> Game[Any]:
    arguments = () if parameters is None else (parameters,)
    try:
        inspect.signature(factory).bind(*arguments)
    except TypeError:
        form = (
            "needs parameters after a colon" if parameters is None else f"takes no parameters, not {quoted(parameters)}"
        )
        raise InvalidParametersError(f"{family} {form}") from None
    try:
        game = factory(*arguments)
    except BaseException as error:
        failure = failure_of(family, "__init__", error)
        raise failure from failure.__cause__
    if not isinstance(game, Game):
        raise BrokenGameError(
            f"the factory of {family} gave {type(game).__name__}, which is no proofbase.engine.rules.Game"
        )
    if not isinstance(game.name, str) or game.name.partition(":")[0] != family:
        raise BrokenGameError(f"the game calls itself {quoted(str(game.name))}, but is registered as {family}")
    return game


def _core() -> Any:
    """The compiled core, imported at the first use: `import proofbase.engine` stays free of it."""
    try:
        core = importlib.import_module("proofbase.engine._core")
    except NativeCoreMissingError:
        raise
    except ImportError as error:
        raise NativeCoreMissingError(f"the native core of proofbase cannot be imported: {error}") from error
    Game.register(core.Game)  # so that isinstance(game, Game) holds for native games too
    return core
