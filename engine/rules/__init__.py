"""The games in plain Python: the specification, the rules of the certificate checker, the template for users' games.

Nothing here imports the native core, a search, a store, or anything outside the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidParametersError, UnknownGameError, quoted
from proofbase.engine.rules.awari import Awari
from proofbase.engine.rules.checkers import Checkers
from proofbase.engine.rules.chess import Chess
from proofbase.engine.rules.connect_four import ConnectFour
from proofbase.engine.rules.fifty_moves import FiftyMoveChess
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.giveaway import Giveaway
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.engine.rules.mens_morris import MensMorris
from proofbase.engine.rules.othello import Othello
from proofbase.engine.rules.players_words import PlayersWords
from proofbase.engine.rules.qubic import Qubic
from proofbase.engine.rules.random_graph import RandomGraph
from proofbase.engine.rules.renju import Renju
from proofbase.engine.rules.renju_opening import ProfessionalRenju
from proofbase.engine.rules.tables.enumerated_game import EnumeratedGame
from proofbase.engine.rules.tic_tac_toe import TicTacToe
from proofbase.engine.rules.within import FAMILY as WITHIN
from proofbase.engine.rules.within import Within, split_parameters

__all__ = [
    "FAMILIES",
    "Awari",
    "Checkers",
    "Chess",
    "ConnectFour",
    "EnumeratedGame",
    "FiftyMoveChess",
    "Game",
    "GameFamily",
    "Giveaway",
    "Gomoku",
    "MensMorris",
    "Othello",
    "PlayersWords",
    "ProfessionalRenju",
    "Qubic",
    "RandomGraph",
    "Renju",
    "TicTacToe",
    "Within",
    "is_built_in",
    "open_rules",
]


FromParameters = Callable[[str | None], Game[Any]]


class GameFamily(NamedTuple):
    """A name before the colon, and the games that it stands for."""

    name: str
    examples: tuple[str, ...]
    """Canonical names of some games of the family."""
    description: str
    """What it is, in at most 60 characters; behind `; variants: ` the parameters that may follow its name."""
    make: FromParameters
    """From the text after the colon (None without one) to the game; raises InvalidParametersError."""


def _without_parameters(name: str, game: Callable[[], Game[Any]]) -> FromParameters:
    def make(parameters: str | None) -> Game[Any]:
        if parameters is not None:
            raise InvalidParametersError(f"{name} takes no parameters, not {quoted(parameters)}")
        return game()

    return make


def _connect_four(parameters: str | None) -> ConnectFour:
    if parameters is None:
        return ConnectFour()
    fields = re.fullmatch("score|([0-9]{1,4})x([0-9]{1,4})(,score)?", parameters)
    if not fields or any(number != "0" and number.startswith("0") for number in fields.groups()[:2] if number):
        raise InvalidParametersError(
            f"connect-four: {quoted(parameters)} is not a board size WIDTHxHEIGHT such as 5x4, or WIDTHxHEIGHT,score"
        )
    if not fields[1]:
        return ConnectFour(score=True)
    return ConnectFour(int(fields[1]), int(fields[2]), score=bool(fields[3]))


def _gomoku(parameters: str | None) -> Gomoku:
    if parameters is None:
        return Gomoku()
    size = "(?:([1-9][0-9]{0,3})x([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,2}))?)?"
    fields = re.fullmatch(f"{size}(?:(?:^|(?<=.),)(standard))?(?:(?:^|(?<=.),)(professional))?", parameters)
    if not fields or not parameters:
        raise InvalidParametersError(
            f"gomoku: {quoted(parameters)} is not WIDTHxHEIGHT or WIDTHxHEIGHT-LENGTH, such as 9x9 or 7x7-4, "
            "with ,standard behind it where longer rows do not win, and ,professional for the opening rule"
        )
    return Gomoku(
        int(fields[1] or 15),
        int(fields[2] or 15),
        int(fields[3] or 5),
        standard=bool(fields[4]),
        professional=bool(fields[5]),
    )


def _renju(parameters: str | None) -> Renju | ProfessionalRenju:
    if parameters is None:
        return Renju()
    if parameters == "professional":
        return ProfessionalRenju()
    fields = re.fullmatch("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", parameters)
    if not fields:
        raise InvalidParametersError(f"renju: {quoted(parameters)} is not WIDTHxHEIGHT, such as 9x9, or professional")
    return Renju(int(fields[1]), int(fields[2]))


def _awari(parameters: str | None) -> Awari:
    if parameters not in (None, "oware"):
        raise InvalidParametersError(f"awari: {quoted(str(parameters))} is not oware")
    return Awari(oware=parameters is not None)


def _chess(parameters: str | None) -> Chess:
    if parameters not in (None, "fifty"):
        raise InvalidParametersError(f"chess: {quoted(str(parameters))} is not fifty")
    return Chess() if parameters is None else FiftyMoveChess()


def _giveaway(parameters: str | None) -> Giveaway:
    if parameters not in (None, "antichess"):
        raise InvalidParametersError(f"giveaway: {quoted(str(parameters))} is not antichess")
    return Giveaway(antichess=parameters is not None)


def _within(parameters: str | None) -> Within:
    plies, inner = split_parameters(parameters)
    return Within(plies, open_rules(inner))


FAMILIES: tuple[GameFamily, ...] = (
    GameFamily(
        "tic-tac-toe", ("tic-tac-toe",), "three in a row on 3 x 3 cells", _without_parameters("tic-tac-toe", TicTacToe)
    ),
    GameFamily(
        "connect-four",
        ("connect-four", "connect-four:5x4", "connect-four:9x5", "connect-four:10x6", "connect-four:7x6,score"),
        "four in a row on an upright board; variants: 7x6 (default), WIDTHxHEIGHT, ,score",
        _connect_four,
    ),
    GameFamily(
        "awari",
        ("awari", "awari:oware"),
        "sowing and capturing stones in two rows of six pits; variants: oware",
        _awari,
    ),
    GameFamily(
        "checkers",
        ("checkers",),
        "English draughts on 8x8, endless play is a draw",
        _without_parameters("checkers", Checkers),
    ),
    GameFamily(
        "chess",
        ("chess", "chess:fifty"),
        "chess without the rule of fifty moves; variants: fifty (with it)",
        _chess,
    ),
    GameFamily(
        "giveaway",
        ("giveaway", "giveaway:antichess"),
        "captures are compulsory, and who cannot move wins; variants: antichess",
        _giveaway,
    ),
    GameFamily(
        "gomoku",
        ("gomoku", "gomoku:standard", "gomoku:9x9", "gomoku:6x6-4", "gomoku:professional"),
        "five or more in a row; variants: 15x15 (default), WIDTHxHEIGHT, -LENGTH, ,standard, ,professional",
        _gomoku,
    ),
    GameFamily(
        "mens-morris",
        ("mens-morris:9", "mens-morris:6", "mens-morris:3"),
        "mills of three men take men of the other side; variants: 9 (default), 6 or 3 men, ,flying, ,no-flying",
        MensMorris,
    ),
    GameFamily(
        "othello",
        ("othello", "othello:6x6", "othello:4x4", "othello:4x6", "othello:8x8,discs"),
        "discs between two of the other side are turned; variants: 8x8 (default), 6x6, 4x4, 4x6, 6x4, ,discs",
        Othello,
    ),
    GameFamily("qubic", ("qubic",), "four in a line on a cube of 4 x 4 x 4", _without_parameters("qubic", Qubic)),
    GameFamily(
        "random-graph",
        ("random-graph", "random-graph:nodes=200,ends=20,values=5,rewards=2,group=8,seed=7"),
        "a game graph drawn by a seed; variants: nodes=, degree=, span=, ends=, values=, rewards=, group=, "
        "repetition=, seed=",
        RandomGraph,
    ),
    GameFamily(
        "renju",
        ("renju", "renju:9x9", "renju:7x6"),
        "go-moku with moves forbidden to Black; variants: 15x15 (default), WIDTHxHEIGHT, professional",
        _renju,
    ),
    GameFamily(
        WITHIN,
        ("within:5:tic-tac-toe", "within:9:connect-four:5x4"),
        "another game that ends after N plies; variants: N:GAME",
        _within,
    ),
)
"""One entry a family. The order is the order of every listing."""


@lru_cache(1024)
def is_built_in(name: str) -> bool:
    """Whether the rules of the game of that name are ours: `within:N:GAME` is, if the inner game is."""
    family, _, parameters = name.partition(":")
    if family == WITHIN:
        family = parameters.partition(":")[2].partition(":")[0] or WITHIN
    return any(entry.name == family for entry in FAMILIES)


def open_rules(name: str) -> Game[Any]:
    """The Python rules of a built-in game; the object's `name` is the canonical one.

    Args:
        name: `FAMILY` or `FAMILY:PARAMETERS`.

    Raises:
        UnknownGameError: no such family.
        InvalidParametersError: the family has no game with these parameters.
    """
    family, colon, parameters = name.partition(":")
    for entry in FAMILIES:
        if entry.name == family:
            return entry.make(parameters if colon else None)
    known = ", ".join(entry.name for entry in FAMILIES)
    raise UnknownGameError(f"unknown game {quoted(name)}: known are {known}")
