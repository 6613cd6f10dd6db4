"""Which state of a game's records and tables an answer is from, so that clients need not fetch it again."""

from __future__ import annotations

from proofbase.service.resources import Resources

__all__ = ["records_version"]


def records_version(resources: Resources, game_name: str) -> str:
    """A text that changes whenever an answer about the game may change.

    It has the game's name, the generation of its records and their fingerprint, and the state of its tables. The
    generation alone may be that of another store, which was made anew at the same place.

    Raises:
        UnknownGameError, InvalidParametersError, RulesNotLoadedError: there is no such game here.
    """
    game, store = resources.games.open(game_name), resources.store
    generation, fingerprint = store.generation(game.name), store.fingerprint(game.name)
    return f"{game.name}|{game.rules_version}|{generation}|{fingerprint}|{resources.tables.version(game)}"
