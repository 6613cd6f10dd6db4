"""Users' own games for the command line: a module or a file that registers them, or just defines them."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from proofbase.engine.games import list_games, register
from proofbase.engine.rules import Game
from proofbase.service.cli.exits import UsageError

__all__ = ["load_plugins", "plugin_options"]


def load_plugins(names: Iterable[str] | None) -> None:
    """Imports every plugin. Where a plugin registers no game itself, its Game classes are registered.

    Raises:
        UsageError: a plugin is not there, does not import, or has no game.
    """
    for name in names or ():
        if name not in _loaded:
            _loaded.append(name)
        before = {family.name for family in list_games()}
        module = _import(name)
        if {family.name for family in list_games()} - before:
            continue
        classes = [entry for entry in vars(module).values() if _is_game(entry, module)]
        if not classes and module.__name__ not in _seen:
            raise UsageError(f"plugin {name} defines no game: no class of proofbase.engine.rules.Game is in it")
        for game in classes:
            register(game.name.partition(":")[0], game)
        _seen.add(module.__name__)


def plugin_options() -> list[str]:
    """The options that load the same plugins in another command."""
    return [word for name in _loaded for word in ("--plugin", name)]


_seen: set[str] = set()
_loaded: list[str] = []


def _import(name: str) -> ModuleType:
    path = Path(name)
    is_file = path.suffix == ".py" or "/" in name
    try:
        if not is_file:
            return importlib.import_module(name)
        if not path.is_file():
            raise UsageError(f"plugin {name}: there is no such file")
        known = f"proofbase_plugin_{path.stem}"
        spec = importlib.util.spec_from_file_location(known, path)
        assert spec is not None and spec.loader is not None, "a .py file always has a loader"
        module = importlib.util.module_from_spec(spec)
        sys.modules[known] = module
        spec.loader.exec_module(module)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"plugin {name} cannot be imported: {type(error).__name__}: {error}") from error
    return module


def _is_game(entry: object, module: ModuleType) -> bool:
    return (
        inspect.isclass(entry)
        and issubclass(entry, Game)
        and not inspect.isabstract(entry)
        and entry.__module__ == module.__name__
        and isinstance(getattr(entry, "name", None), str)
    )
