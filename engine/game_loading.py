"""A game by where its class is: FILE.py or MODULE, a class after a colon, and parameters after another."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from proofbase.engine.errors import UnknownGameError
from proofbase.engine.games import OPENSPIEL, open_game
from proofbase.engine.rules import FAMILIES, open_rules
from proofbase.engine.rules.failures import failure_of
from proofbase.engine.rules.game import Game

__all__ = ["games_of_module", "import_module", "load_game"]


def load_game(where: str) -> Game[Any]:
    """The game of `MODULE[:CLASS[:PARAMETERS]]`, such as `chomp.py:Chomp:4x3`.

    Args:
        where: a module or a file; without a class, the only game in it; or the name of a built-in game, or of one of
            OpenSpiel.

    Raises:
        UnknownGameError: there is no such module or class, or it makes no game.
        GameFailedError: its constructor raises an exception.
    """
    place, _, rest = where.partition(":")
    if place == OPENSPIEL.name:
        return open_game(where, "python")
    if "/" in where:  # a colon may stand in the name of a folder
        folder, _, name = where.rpartition("/")
        if ".py" in name:
            file, _, rest = name.partition(":")
            place = f"{folder}/{file}"
    if any(family.name == place for family in FAMILIES):
        return open_rules(where)
    name, colon, parameters = rest.partition(":")
    module = import_module(place)
    factory: Any = getattr(module, name, None) if name else None
    if not name:
        classes = games_of_module(module)
        if len(classes) != 1:
            names = ", ".join(game.__name__ for game in classes) or "none"
            raise UnknownGameError(f"{place} has {len(classes)} games ({names}): name the class, {place}:CLASS")
        factory = classes[0]
    if not callable(factory):
        raise UnknownGameError(f"{place} has no class {name!r}")
    try:
        game = factory(*([parameters] if colon else []))
    except BaseException as error:
        raise failure_of(where, "__init__", error) from None
    if not isinstance(game, Game):
        raise UnknownGameError(f"{place}:{name} makes {type(game).__name__}, which is no proofbase.engine.rules.Game")
    return game


def import_module(place: str) -> ModuleType:
    """A module by its name, or by its file.

    Raises:
        UnknownGameError: it is not there, or cannot be imported.
    """
    path = Path(place)
    try:
        if path.suffix != ".py" and "/" not in place:
            return importlib.import_module(place)
        if not path.is_file():
            raise UnknownGameError(f"{place}: there is no such file")
        name = f"proofbase_plugin_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None, "a .py file always has a loader"
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    except UnknownGameError:
        raise
    except BaseException as error:
        failure = failure_of(place, "import", error)
        if failure is error:
            raise
        raise UnknownGameError(f"{place} cannot be imported: {failure}") from None
    return module


def games_of_module(module: ModuleType) -> list[type[Game[Any]]]:
    """The classes of games that a module defines itself."""
    return [
        entry
        for entry in vars(module).values()
        if inspect.isclass(entry)
        and issubclass(entry, Game)
        and not inspect.isabstract(entry)
        and entry.__module__ == module.__name__
        and isinstance(getattr(entry, "name", None), str)
    ]
