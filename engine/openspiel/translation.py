"""States of OpenSpiel as positions of proofbase, and back; lists of OpenSpiel's actions as moves.

Where proofbase has a game of its own with the same rules, positions are that game's: its searches are native, and its
stores and tables answer. docs/openspiel.md tells where the rules differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.openspiel.catalogue import FAMILY, name_of, open_openspiel, pyspiel
from proofbase.engine.openspiel.checkers_positions import fen_of, jumps_as_moves, state_of_fen
from proofbase.engine.openspiel.rules import PyspielState
from proofbase.engine.openspiel.turns import Turn, TurnGame
from proofbase.engine.rules import Game, open_rules
from proofbase.engine.rules.mens_morris import MensMorris

__all__ = ["PositionOf", "counterpart_of", "move_reader", "native_name", "position_of", "state_of"]

ReadActions = Callable[[Any, Sequence[int]], list[int]]
"""From a position and the actions that follow to the moves."""
SAME_NUMBERS = ("tic-tac-toe", "connect-four", "qubic", "awari", "othello")
"""Families whose moves have the numbers of OpenSpiel's actions."""
SAME_NAMES = {"tic_tac_toe": "tic-tac-toe", "nine_mens_morris": "mens-morris:9", "othello": "othello"}
"""Games without parameters."""
CHESS = {"chess": "chess", "giveaway:antichess": "antichess"}
"""Games whose states are written as FEN, with the names that OpenSpiel gives them."""
CHECKERS = f"{FAMILY}:checkers"
PLACED = ("tic-tac-toe", "connect-four", "gomoku", "qubic")
"""Families whose positions OpenSpiel gets by playing their stones."""
NOWHERE = 31


class PositionOf(NamedTuple):
    """A position, as clients take it: `client.lookup(*position_of(state))`."""

    game: str
    position: str


def native_name(game: Any) -> str | None:
    """The game of proofbase itself that has the rules of a `pyspiel.Game`; None where there is none."""
    kind = game.get_type().short_name
    parameters = {**game.get_type().parameter_specification, **game.get_parameters()}
    if kind in SAME_NAMES:
        return SAME_NAMES[kind]
    if (
        kind == "connect_four"
        and parameters["x_in_row"] == 4
        and (parameters["rows"] + 1) * parameters["columns"] <= 128
    ):
        return _canonical(f"connect-four:{parameters['columns']}x{parameters['rows']}")
    if kind == "gomoku" and not parameters["anti"] and not parameters["wrap"]:
        if (parameters["dims"], parameters["size"], parameters["connect"]) == (3, 4, 4):
            return "qubic"
        return (
            _gomoku(parameters["size"], parameters["size"], parameters["connect"]) if parameters["dims"] == 2 else None
        )
    if kind == "mnk":
        return _gomoku(parameters["m"], parameters["n"], parameters["k"])
    if kind == "oware" and (parameters["num_houses_per_player"], parameters["num_seeds_per_house"]) == (6, 4):
        return "awari:oware"
    if kind == "checkers":
        return kind if (parameters["rows"], parameters["columns"]) == (8, 8) else None
    if kind == "antichess":
        return "giveaway:antichess"
    return "chess" if kind == "chess" and not parameters["chess960"] else None


def _gomoku(width: int, height: int, length: int) -> str | None:
    fits = min(width, height) >= 3 and max(width, height) <= 19 and 3 <= length <= max(width, height)
    return _canonical(f"gomoku:{width}x{height}-{length}") if fits else None


def _canonical(name: str) -> str:
    return open_rules(name).name


def position_of(state: Any) -> PositionOf:
    """The position of a `pyspiel.State`: of proofbase's own game with these rules, else of `openspiel:...`.

    Raises:
        InvalidPositionError: it has none: a man is still to be taken, say, or the state was set up and not played.
        InvalidParametersError: the game is no game of proofbase.
    """
    game = state.get_game()
    name = native_name(game)
    if name is not None and name in CHESS:
        return PositionOf(name, " ".join(str(state).split()[:4]))  # without the counters
    rules: Game[Any] = open_openspiel(name_of(game).partition(":")[2]) if name is None else open_rules(name)
    if state.starting_state_str():
        raise InvalidPositionError(f"{rules.name}: the state was set up, and its moves do not tell the position")
    position = rules.initial()
    reader = move_reader(rules)
    actions = list(state.history())
    for move in actions if reader is None else reader(position, actions):
        position = rules.play(position, move)
    if isinstance(position, Turn) and position.waits and rules.terminal(position) is None:
        position = rules.play(position, cast("TurnGame", rules).wait)  # whoever acts in OpenSpiel is to move
    return PositionOf(rules.name, rules.text(position))


def state_of(game: str, position: str) -> Any:
    """A `pyspiel.State` of a position, with some history that leads to it.

    Args:
        game: a name that `position_of` gives.
        position: the text of a position.

    Raises:
        InvalidPositionError: it is none, or OpenSpiel sets up no positions of the game.
    """
    family = game.partition(":")[0]
    if family == FAMILY:
        state = open_openspiel(game.partition(":")[2]).parse(position).state
        if isinstance(state, PyspielState):
            return state.state.clone()
    elif open_rules(game).name in CHESS:
        rules = open_rules(game)
        fen = rules.text(rules.parse(position))
        named = pyspiel().load_game(CHESS[rules.name])
        return named.new_initial_state(fen if len(fen.split()) == 6 else f"{fen} 0 1")
    elif family in PLACED:
        name, text = _placed(open_rules(game), position)
        return open_openspiel(name).parse(text).state.state.clone()
    raise InvalidPositionError(f"{game}: OpenSpiel cannot set up {quoted(position)}")


def counterpart_of(game: str, position: str) -> PositionOf:
    """The same position in the other game with these rules: of `openspiel:...` in proofbase's own, and the reverse.

    Counters that only one of the games has are dropped, or begin at 0 (docs/openspiel.md).

    Args:
        game: a name that `position_of` gives, or that of OpenSpiel's game behind `openspiel:`.
        position: the text of a position.

    Raises:
        InvalidPositionError: there is no such game, or the position has no text in it.
    """
    is_proofbase_game = game.partition(":")[0] != FAMILY
    rules: Game[Any] = open_rules(game) if is_proofbase_game else open_openspiel(game.partition(":")[2])
    place = rules.parse(position)
    if is_proofbase_game and rules.name == "checkers":
        other = open_openspiel("checkers")
        return PositionOf(CHECKERS, other.text(Turn(state_of_fen(rules.text(place)), waits=False)))
    if is_proofbase_game and rules.name.partition(":")[0] in PLACED:
        name, text = _placed(rules, position)
        return PositionOf(open_openspiel(name).name, text)
    if not is_proofbase_game and rules.name == CHECKERS:
        try:
            text = fen_of(place.state)
        except ValueError as error:
            raise InvalidPositionError(f"{game}: {quoted(position)}: {error}") from None
        native = open_rules("checkers")
        return PositionOf(native.name, native.text(native.parse(text)))
    if not is_proofbase_game and isinstance(place.state, PyspielState):
        translated = position_of(place.state.state)
        if translated.game != rules.name:
            return translated
    raise InvalidPositionError(f"{game}: {quoted(position)} is a position of no other game")


def _placed(rules: Any, text: str) -> tuple[str, str]:
    """The parameters of `openspiel:...` and the text in it."""
    position = rules.parse(text)
    side = "xo"[rules.side(position)]
    board = rules.text(position)
    if rules.name == "tic-tac-toe":
        name = "tic_tac_toe"
    elif rules.name == "qubic":
        name, board = "gomoku(size=4,connect=4,dims=3)", board.replace("//", "/")
    elif rules.name.startswith("connect-four"):
        name = f"connect_four(rows={rules.height},columns={rules.width})"
    else:
        name = f"mnk(m={rules.width},n={rules.height},k={rules.length})"
        board = "/".join(reversed(board.split("/")))
    return name, f"{board} {side}"


def move_reader(game: Game[Any]) -> ReadActions | None:
    """How lists of OpenSpiel's actions are read in a game; None where they are the numbers of its moves."""
    family = game.name.partition(":")[0]
    if isinstance(game, TurnGame):
        return lambda position, actions: _with_waits(game, position, actions)
    if family == "mens-morris":
        rules = open_rules(game.name)
        assert isinstance(rules, MensMorris)
        points = [point for row in rules.board.rows for point in row]
        return lambda position, actions: _with_taken_men(game, points, position, actions)
    if family == "gomoku":
        return _squares_reader(game)
    if family == "checkers":
        return lambda position, actions: jumps_as_moves(game, position, actions)
    if family in SAME_NUMBERS:
        return None

    def refuse(position: Any, actions: Sequence[int]) -> list[int]:
        raise InvalidMoveError(f"numbers of OpenSpiel's actions cannot be read in {game.name}: write its moves")

    return refuse


def _with_waits(game: TurnGame, position: Turn, actions: Sequence[int]) -> list[int]:
    moves = list[int]()
    for action in actions:
        if position.waits:
            moves.append(game.wait)
            position = game.play(position, game.wait)
        moves.append(action)
        position = game.play(position, action)
    return moves


def _squares_reader(game: Game[Any]) -> ReadActions:
    """OpenSpiel numbers squares row by row from row 1."""
    initial = game.initial()
    width = len(game.text(initial).partition("/")[0])
    texts = {game.move_text(initial, move): move for move in game.moves(initial)}
    moves = [texts[f"{chr(ord('a') + cell % width)}{cell // width + 1}"] for cell in range(len(texts))]

    def read(position: Any, actions: Sequence[int]) -> list[int]:
        if actions and max(actions) >= len(moves):
            raise InvalidMoveError(f"{max(actions)} is no square of {game.name}: they are 0 to {len(moves) - 1}")
        return [moves[action] for action in actions]

    return read


def _with_taken_men(game: Game[Any], points: Sequence[int], position: Any, actions: Sequence[int]) -> list[int]:
    """In OpenSpiel a mill is an action, and taking a man another one."""
    moves, actions_left = list[int](), list(reversed(actions))
    while actions_left:
        action = actions_left.pop()
        origin, end = (NOWHERE, action) if action < 24 else ((action - 24) // 24, (action - 24) % 24)
        step = (points[origin] if origin != NOWHERE else NOWHERE) << 5 | points[end]
        candidates = [move for move in game.moves(position) if move >> 5 == step]
        if candidates and candidates[0] & 31 != NOWHERE:
            if not actions_left:
                raise InvalidPositionError(f"{game.name}: a mill was made, and no man is taken yet")
            taken = points[actions_left.pop() % 24]
            candidates = [move for move in candidates if move & 31 == taken]
        if len(candidates) != 1:
            raise InvalidMoveError(f"action {action} is not legal in {quoted(game.text(position), 100)}")
        moves.append(candidates[0])
        position = game.play(position, candidates[0])
    return moves
