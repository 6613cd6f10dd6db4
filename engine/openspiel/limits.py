"""Which games of OpenSpiel are opened, and with which parameters: a name may come from a stranger.

OpenSpiel takes any parameters. For some it ends the process (`hanabi(players=0)`), takes all memory
(`hex(board_size=9999)`), or does not return. So it gets no game and no number that is not in this table. Each limit is
beyond the games whose positions have keys, and the largest game within them is made in less than 0.1 s.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from proofbase.engine.errors import InvalidParametersError, quoted

__all__ = ["FAMILY", "GAMES", "ONE_SIZE", "SHARED_TABLE", "larger_size", "name_like", "read_parameters"]

FAMILY = "openspiel"
LONGEST_TEXT = 200
_FORM = re.compile(r"[a-z][a-z0-9_]*(\(.*\))?")
_PAIR = re.compile(r"([a-z0-9_]+)=(.*)")
_SIDE = range(1, 241)
"""The side of a board with a byte of the key for each cell."""
_KOMI = r"-?[0-9]{1,3}(\.[0-9]{1,3})?"
GAMES: dict[str, dict[str, range | str]] = {
    "amazons": {"board_size": range(6, 11)},
    "antichess": {},
    "breakthrough": {"columns": range(2, 121), "rows": range(2, 121)},
    "checkers": {"columns": range(1, 61), "rows": range(1, 61)},
    "chess": {},
    "chinese_checkers": {"max_moves": range(1, 1001), "players": range(2, 3)},
    "clobber": {"columns": range(2, 27), "rows": range(2, 100)},
    "connect_four": {"columns": _SIDE, "rows": range(1, 121), "x_in_row": _SIDE},
    "crazyhouse": {},
    "cursor_go": {
        "board_size": range(2, 20),
        "handicap": range(10),
        "komi": _KOMI,
        "max_cursor_moves": range(1, 1001),
    },
    "dots_and_boxes": {"num_cols": range(1, 21), "num_rows": range(1, 21)},
    "go": {"board_size": range(2, 20), "handicap": range(10), "komi": _KOMI, "max_game_length": range(1001)},
    "gomoku": {"connect": _SIDE, "dims": range(1, 5), "size": range(1, 16)},
    "havannah": {"board_size": range(2, 20)},
    "hex": {"board_size": _SIDE, "num_cols": _SIDE, "num_rows": _SIDE, "string_rep": "standard|explicit"},
    "hive": {"board_size": range(8, 9)},
    "lines_of_action": {"max_game_length": range(1, 1001)},
    "mancala": {},
    "misere": {"game": "(?!misere|twixt).*"},
    "mnk": {"k": _SIDE, "m": _SIDE, "n": _SIDE},
    "nim": {"pile_sizes": "[0-9]{1,3}(;[0-9]{1,3})*"},
    "nine_mens_morris": {},
    "othello": {},
    "oware": {"num_houses_per_player": range(1, 13), "num_seeds_per_house": range(1, 49)},
    "pentago": {},
    "quoridor": {"board_size": range(3, 10), "players": range(2, 3), "wall_count": range(21)},
    "shogi": {},
    "tic_tac_toe": {},
    "twixt": {"board_size": range(5, 16)},
    "ultimate_tic_tac_toe": {},
    "xiangqi": {},
    "y": {"board_size": range(2, 20)},
}
"""The parameters of each game with their numbers, or what their texts match. Those that are true or false are free."""
SHARED_TABLE = {name: GAMES[name]["board_size"] for name in ("havannah", "y")}
"""Sizes of the games whose states refer to a table of OpenSpiel for all sizes. It moves when a larger size is made, and
all states are garbage then: so the largest size is made before any other."""
ONE_SIZE = frozenset(("twixt",))
"""Games whose states share a table of the size that was made last: states of other sizes follow wrong rules."""


def name_like(family: str) -> str | None:
    """The game of OpenSpiel that an unknown family is, such as `openspiel:hex` for `Hex`; None if there is none."""
    name = re.sub("[- ]", "_", family.lower())
    return f"{FAMILY}:{name}" if name in GAMES else None


def read_parameters(module: Any, text: str) -> tuple[str, dict[str, Any]]:
    """The game that a text names: its short name and its parameters, as `pyspiel.load_game` takes them.

    Args:
        module: `pyspiel`.
        text: `NAME` or `NAME(PARAMETER=VALUE,...)`.

    Raises:
        InvalidParametersError: OpenSpiel has no such game, or it is not in the table; the message says why.
    """
    if not text:
        known = " ".join(name for name in GAMES if name not in ("misere", "cursor_go"))
        raise InvalidParametersError(f"{FAMILY}:NAME is a game: {known}")
    if len(text) > LONGEST_TEXT or not _FORM.fullmatch(text):
        example = "openspiel:tic_tac_toe or openspiel:connect_four(rows=4,columns=4)"
        raise InvalidParametersError(f"{FAMILY}: {quoted(text)} is no name of a game of OpenSpiel, such as {example}")
    short_name, _, inside = text.partition("(")
    inside = inside.removesuffix(")")
    kind = _kind_of(module, short_name)
    limits, defaults = GAMES[short_name], kind.parameter_specification
    words = _split(inside) if inside else []
    pairs = [pair.groups() for word in words if (pair := _PAIR.fullmatch(word))]
    if len(pairs) != len(words):
        raise InvalidParametersError(f"{FAMILY}: {quoted(inside)} is not a list such as rows=4,columns=4")
    allowed = sorted({*limits, *(name for name, default in defaults.items() if isinstance(default, bool))})
    names = [name for name, _ in pairs]
    for name in names:
        if name not in allowed:
            has = f"it has {', '.join(allowed)}" if allowed else "it has none"
            raise InvalidParametersError(f"{FAMILY}: {short_name} has no parameter {quoted(name)}; {has}")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidParametersError(f"{FAMILY}: {', '.join(sorted(twice))} is given twice")
    return short_name, {name: _value(module, name, value, defaults[name], limits.get(name)) for name, value in pairs}


def larger_size(short_name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a game with each size one larger, where that is within its limits."""
    sizes = {name: limit for name, limit in GAMES[short_name].items() if isinstance(limit, range)}
    return {name: min(given[name] + 1, limit[-1]) for name, limit in sizes.items()}


def _kind_of(module: Any, short_name: str) -> Any:
    """The `pyspiel.GameType` of a game of the table.

    Raises:
        InvalidParametersError: it is none.
    """
    kinds = {kind.short_name: kind for kind in module.registered_games()}
    if short_name not in kinds:
        near = difflib.get_close_matches(short_name, kinds, n=3, cutoff=0.6)
        meant = f": did you mean {' or '.join(near)}?" if near else f"; it has {len(kinds)}, such as hex and clobber"
        raise InvalidParametersError(f"{FAMILY}: OpenSpiel has no game {quoted(short_name)}{meant}")
    kind = kinds[short_name]
    if short_name not in GAMES:
        # What a game around another one is like depends on that one.
        reasons = _reasons(module, kind) if kind.default_loadable else []
        why = " and ".join(reasons) or "is not among the games that are opened here"
        raise InvalidParametersError(f"{FAMILY}: {short_name} {why}: {_WANTED}")
    return kind


_WANTED = "games here are for two players who take turns, zero-sum, without chance and with nothing hidden"


def _reasons(module: Any, kind: Any) -> list[str]:
    """Why a game is none for proofbase; nothing where it is one."""
    reasons = []
    if not kind.min_num_players <= 2 <= kind.max_num_players:
        players = kind.min_num_players
        reasons.append(f"is for {players} player{'s' * (players != 1)}")
    if kind.dynamics != module.GameType.Dynamics.SEQUENTIAL:
        reasons.append("has moves at the same time")
    if kind.chance_mode != module.GameType.ChanceMode.DETERMINISTIC:
        reasons.append("has chance")
    if kind.information != module.GameType.Information.PERFECT_INFORMATION:
        reasons.append("hides something from the players (imperfect information)")
    if kind.utility != module.GameType.Utility.ZERO_SUM:
        reasons.append("is not zero-sum")
    return reasons


def _value(module: Any, name: str, value: str, default: Any, limit: range | str | None) -> Any:
    """A value within its limit, in the type of the default."""
    if isinstance(default, bool):
        if value.lower() not in ("true", "false"):
            raise InvalidParametersError(f"{FAMILY}: {name} is true or false, not {quoted(value)}")
        return value.lower() == "true"
    if isinstance(limit, range):
        if not re.fullmatch("-?[0-9]{1,6}", value):
            raise InvalidParametersError(f"{FAMILY}: {name} is a whole number, not {quoted(value)}")
        if int(value) not in limit:
            raise InvalidParametersError(f"{FAMILY}: {name} is {limit[0]} to {limit[-1]} here, not {value}")
        return int(value)
    if not re.fullmatch(limit or "", value, re.ASCII):
        raise InvalidParametersError(f"{FAMILY}: {name} cannot be {quoted(value)} here")
    if isinstance(default, Mapping):
        inner, parameters = read_parameters(module, value)
        return {"name": inner, **parameters}
    return float(value) if isinstance(default, float) else value


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
