"""Users' own games for the command line: a module or a file that registers them, or just defines them."""

from __future__ import annotations

from collections.abc import Iterable

from proofbase.engine.errors import UnknownGameError
from proofbase.engine.game_loading import games_of_module, import_module
from proofbase.engine.games import list_games, register
from proofbase.service.cli.exit_status import UsageError

__all__ = ["load_plugins", "plugin_options"]


def load_plugins(names: Iterable[str] | None) -> None:
    """Imports every plugin. Where a plugin registers no game itself, its Game classes are registered.

    Raises:
        UsageError: a plugin is not there, does not import, or has no game.
    """
    _loaded[:] = names or ()
    for name in _loaded:
        before = {family.name for family in list_games()}
        try:
            module = import_module(name)
        except UnknownGameError as error:
            raise UsageError(f"plugin {error}") from None
        if {family.name for family in list_games()} - before:
            continue
        classes = games_of_module(module)
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
"""What the command of this process was given."""
