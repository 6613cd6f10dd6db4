"""Other names of the built-in games: aliases that people use, and the nearest name to one that is mistyped."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

__all__ = ["alias_of", "nearest_name"]

_ALIASES = {
    "connect-four": ("connect4", "c4", "four-in-a-row", "4-in-a-row", "four-in-a-line", "vier-gewinnt"),
    "tic-tac-toe": ("ttt", "noughts-and-crosses", "naughts-and-crosses", "oxo"),
    "gomoku": ("go-moku", "gobang", "five-in-a-row", "5-in-a-row", "wuziqi", "omok", "freestyle-gomoku"),
    "gomoku:standard": ("standard-gomoku", "gomoku-standard"),
    "mens-morris:9": ("nine-mens-morris", "9-mens-morris", "morris", "merels", "mill", "mills", "muehle"),
    "mens-morris:6": ("six-mens-morris", "6-mens-morris"),
    "mens-morris:3": ("three-mens-morris", "3-mens-morris"),
    "giveaway": ("giveaway-chess",),
    "giveaway:antichess": ("antichess", "anti-chess", "losing-chess"),
    "chess": ("standard-chess", "western-chess"),
    "checkers": ("english-draughts", "draughts", "american-checkers", "straight-checkers"),
    "awari:oware": ("oware", "wari", "warri", "ayo", "modern-oware"),
    "othello": ("reversi",),
    "renju:professional": ("professional-renju",),
    "gomoku:professional": ("professional-gomoku", "gomoku-pro"),
    "qubic": ("3d-tic-tac-toe", "tic-tac-toe-3d", "4x4x4"),
}
"""Games by the names that people give them. Signs other than letters and digits do not count."""
_FAMILIES = ("awari", "random-graph", "renju")
"""Families without aliases."""
_OTHER_GAMES = ("chess960", "fischerandom", "caro", "suicide")
"""Games that are near by name only."""


def _letters(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


_NAMES = {_letters(alias): name for name, aliases in _ALIASES.items() for alias in (name, *aliases)}
_NAMES |= {_letters(family): family for family in (*_FAMILIES, "mens-morris")}


def alias_of(name: str) -> str | None:
    """The name of the built-in game that people call so: `connect-four:5x4` for `Connect4:5x4`; None for others."""
    if name.lower().startswith("within:") and name.count(":") > 1:
        _, plies, inner = name.split(":", 2)
        built_in = alias_of(inner)
        return built_in and f"within:{plies}:{built_in}"
    family, _, parameters = name.partition(":")
    built_in = _NAMES.get(_letters(family))
    if built_in is None or not parameters:
        return built_in
    return f"{built_in}{',' if ':' in built_in else ':'}{parameters.lower()}"


def nearest_name(name: str, known: Iterable[str] = ()) -> str | None:
    """The game whose name, or one of whose names, is nearest to a name that is unknown; None if none is near.

    Args:
        name: of a family, perhaps with parameters behind it.
        known: further names of games.
    """
    if _letters(name) in _OTHER_GAMES:
        return None
    names = _NAMES | {_letters(other): other for other in known}
    nearest = difflib.get_close_matches(_letters(name.partition(":")[0])[:60], names, n=1, cutoff=0.65)
    return names[nearest[0]] if nearest else None
