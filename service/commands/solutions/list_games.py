"""List the games of the store and those that can be opened."""

from __future__ import annotations

from proofbase.engine.errors import EngineError
from proofbase.engine.games import list_games as list_families
from proofbase.service.answers import GameInfo
from proofbase.service.resources import Resources
from proofbase.service.resources.native import key_size

__all__ = ["list_games"]


def list_games(resources: Resources) -> list[GameInfo]:
    """Games with records first, then examples of every family, by name; each game once."""
    families = list_families()
    descriptions = {family.name: family.description for family in families}
    stored = {entry.name: entry for entry in resources.store.games()}
    examples = [name for family in families for name in family.examples]
    infos = []
    for name in [*stored, *(name for name in examples if name not in stored)]:
        entry = stored.get(name)
        records = 0 if entry is None else entry.records
        try:
            game = resources.games.open(name)
        except EngineError as error:
            version = 0 if entry is None else entry.rules_version
            infos.append(GameInfo(name, f"cannot be opened here: {error}", records, version, 0, 0, "", False))
            continue
        infos.append(
            GameInfo(
                name=game.name,
                description=descriptions.get(name.partition(":")[0], ""),
                records=records,
                rules_version=game.rules_version,
                highest_value=game.highest_value,
                key_size=key_size(game),
                initial=game.text(game.initial()),
                available=True,
            )
        )
    return infos
