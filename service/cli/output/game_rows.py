"""The list of games for people: a row for each family, and its variants below it."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from proofbase.service.cli import screen

if TYPE_CHECKING:
    from proofbase.service.answers import GameInfo

__all__ = ["print_games"]

WIDTH_OF_FILES = 100
SHOWN_VARIANTS = 12
"""Games with records that the row of their family names, at most."""


def print_games(games: Sequence[GameInfo]) -> None:
    """Prints name, records and description of each family, what may follow its name, and its games with records."""
    families: dict[str, list[GameInfo]] = {}
    for game in games:
        families.setdefault(game.name.partition(":")[0], []).append(game)
    sums = {name: f"{sum(game.records for game in of_family):,}" for name, of_family in families.items()}
    names, records = max(map(len, families)), max(len("records"), *map(len, sums.values()))
    indent = " " * (names + records + 4)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH_OF_FILES
    screen.say(f"{'game'.ljust(names)}  {'records'.rjust(records)}  what")
    for name, of_family in families.items():
        what, _, variants = of_family[0].description.partition("; variants: ")
        texts = [what, f"variants: {variants}" if variants else "", _stored(name, of_family)]
        lines = [line for text in texts for line in textwrap.wrap(text, max(30, width - len(indent)))]
        screen.say(f"{name.ljust(names)}  {sums[name].rjust(records)}  {lines[0] if lines else ''}".rstrip())
        for line in lines[1:]:
            screen.say(f"{indent}{line}")
    screen.say("\n`proofbase rules GAME` prints the rules of a game.")


def _stored(family: str, games: Sequence[GameInfo]) -> str:
    """The games of a family that have records, where the name of the family does not say it."""
    stored = [game for game in games if game.records]
    if [game.name for game in stored] in ([], [family]):
        return ""
    counts = [f"{game.name.removeprefix(family) or 'default'} {game.records:,}" for game in stored[:SHOWN_VARIANTS]]
    return f"stored: {', '.join(counts)}{', ...' if len(stored) > SHOWN_VARIANTS else ''}"
