"""List the games of the store and those that can be opened."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from proofbase.engine.errors import EngineError
from proofbase.engine.games import default_rules, open_game
from proofbase.engine.games import list_games as list_families
from proofbase.engine.rules import Game, is_built_in
from proofbase.service.answers import Cut, GameInfo
from proofbase.service.answers.bounds import bounded, cut_text, message_bytes
from proofbase.service.errors import StaleContinuationError
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.resources import Resources
from proofbase.service.resources.native import key_size
from proofbase.service.resources.own_tables import LARGEST_SIZE

__all__ = ["get_game", "list_games"]


def list_games(resources: Resources, continuation: str | None = None) -> tuple[list[GameInfo], Cut | None]:
    """A page of the games: those with records first, then examples of every family, by name; each game once.

    Args:
        resources: the store and what belongs to it.
        continuation: from the cut of the page before.

    Returns:
        The games, and how to go on when they are more than a message holds.

    Raises:
        StaleContinuationError: the list has no such game any more.
    """
    families = list_families()
    descriptions = {family.name: family.description for family in families}
    stored = {entry.name: entry for entry in resources.store.games()}
    examples = [name for family in families for name in family.examples]
    names = [*stored, *(name for name in examples if name not in stored)]
    if continuation:
        if continuation not in names:
            raise StaleContinuationError("that is no continuation of the list of games", field="continuation")
        names = names[names.index(continuation) + 1 :]
    infos: list[GameInfo] = []
    room = PAGE_BYTES
    for number, name in enumerate(names):
        if room < 0:
            message = f"{len(infos)} games and more to come: go on with the continuation"
            return infos, Cut("bytes", message, names[number - 1])
        entry = stored.get(name)
        records = 0 if entry is None else entry.records
        description = descriptions.get(name.partition(":")[0], "")
        try:
            if resources.games.is_users_own(name):
                info = _about(resources.games.open(name), resources.games.open_python(name), description, records)
                size = message_bytes(info)
            else:
                info, size = _built_in(name, description)
                info = replace(info, records=records) if records else info
        except EngineError as error:
            version = 0 if entry is None else entry.rules_version
            why = cut_text(f"cannot be opened here: {error}")
            infos.append(GameInfo(name, why, records, version, 0, 0, "", available=False))
            room -= message_bytes(infos[-1])
            continue
        infos.append(info)
        room -= size
    return infos, None


def get_game(resources: Resources, game_name: str) -> GameInfo:
    """One game, whether the store has records of it or not.

    Raises:
        UnknownGameError, InvalidParametersError: there is none of that name.
        RulesNotLoadedError: the store has records of it, but its rules are not loaded here.
    """
    game = resources.games.open(game_name)
    family = game.name.partition(":")[0]
    description = next((found.description for found in list_families() if found.name == family), "")
    return _about(game, resources.games.open_python(game_name), description, resources.store.count(game.name))


@lru_cache(maxsize=10_000)
def _built_in(name: str, description: str) -> tuple[GameInfo, int]:
    """A built-in game without records, and the bytes of its message: a store may have records of thousands of games."""
    info = _about(open_game(name, default_rules()), open_game(name, "python"), description, 0)
    return info, message_bytes(info)


def _about(game: Game[Any], rules: Game[Any], description: str, records: int) -> GameInfo:
    return bounded(
        GameInfo(
            name=game.name,
            description=description,
            records=records,
            rules_version=game.rules_version,
            highest_value=game.highest_value,
            key_size=key_size(game),
            initial=game.text(game.initial()),
            available=True,
            metrics=_metrics(rules),
        )
    )


def _metrics(rules: Game[Any]) -> tuple[str, ...]:
    """What is told of the positions of a game, by its rules in plain Python."""
    inner = rules.table_game
    is_users = not is_built_in(inner.name)
    tables = bool(inner.table_names(LARGEST_SIZE)) if is_users else type(inner).table_class is not Game.table_class
    plies = inner is not rules or inner.table_end_value is not None or inner.plies_end_value is not None
    has_metric = {"value": True, "score": rules.highest_value > 1, "plies": plies, "tables": tables}
    return tuple(name for name, has in has_metric.items() if has)
