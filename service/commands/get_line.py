"""The line of best play from a position of known value."""

from __future__ import annotations

from typing import Literal

from proofbase.service.answers import Cut, Line, LineStep, MoveAnswer, Value
from proofbase.service.application import Application
from proofbase.service.commands.forcing_lines import Forced, forced_move, into_line
from proofbase.service.commands.small_search import Shown, move_by_search
from proofbase.service.commands.table_progress import TableProgress
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.positions import Where, find_position
from proofbase.service.standing import Standing, stand_with_moves

__all__ = ["get_line"]

Stop = Literal["end_of_game", "not_known", "plies", "repetition", "no_known_move"]
_MESSAGES: dict[Stop, str] = {
    "end_of_game": "the game is over",
    "not_known": "the exact value of this position is not known",
    "plies": "the line was cut: ask for the line of the last position to go on",
    "repetition": "this position has been on the line before",
    "no_known_move": "the value is known, but not by the values of the moves: the record rests on evidence of its own",
}


def get_line(app: Application, game_name: str, where: Where = None, *, max_plies: int | None = None) -> Line:
    """Both sides' best moves from a position, until the game is over or the store does not know how to go on.

    Of equally good moves the quickest gain and the slowest loss is chosen, then the first in the order of the rules.
    Below a record that rests on a small search nothing is stored; there the moves are found by that search. Below one
    that rests on forcing lines they are those of the line, played to its end. Where values come from tables, moves are
    chosen that make progress (`TableProgress`), if not too many positions have to be looked at for that.

    Args:
        app: the service.
        game_name: any name of the game.
        where: the position.
        max_plies: at most so many; None for the service's limit.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        LimitExceededError: more plies than the limits allow.
    """
    largest = app.limits.line_plies
    if max_plies is not None and max_plies < 1:
        raise InvalidRequestError(f"a line of {max_plies} plies: at least 1 is needed", field="max_plies")
    if max_plies is not None and max_plies > largest:
        raise LimitExceededError(
            f"a line of {max_plies} plies: at most {largest}", limit="line_plies", largest=largest, field="max_plies"
        )
    game = app.games.open(game_name)
    start = position = find_position(game, where)
    tables = app.tables.of(game)
    progress = None if tables is None else TableProgress(game, tables)
    here, moves = stand_with_moves(game, position, app.store, tables)
    value = here.value
    steps: list[LineStep] = []
    seen = {position}
    shown: Shown | None = None
    forced: Forced | None = None
    while True:
        stop, choice = _next_move(here, moves)
        in_line = None
        if stop != "end_of_game":
            if forced is not None and forced.moves:
                in_line = forced_move(game, position, moves, forced)
            else:
                in_line = into_line(game, position, here, moves, app.store)
        choice, forced = in_line or (choice, None)
        if progress is not None and choice is not None and here.table is not None and here.value.lower != 0:
            choice = progress.choose(position, moves, here.value.lower) or choice
        if stop == "not_known" and choice is None and shown is not None:
            choice = move_by_search(game, position, moves, shown)
        if choice is None:
            break
        if len(steps) == (max_plies or largest):
            stop = "plies"
            break
        shown = Shown(game.reward(position, choice.number) - choice.value.lower, choice.rank - 1)
        position = game.play(position, choice.number)
        here, moves = stand_with_moves(game, position, app.store, tables)
        known = here.value if here.value.exact else Value(shown.value, shown.value, True, True)
        rank = here.rank if here.value.exact else shown.plies
        steps.append(LineStep(choice.move, choice.number, choice.position, known, rank))
        if position in seen:
            stop = "repetition"
            break
        seen.add(position)
    last = game.text(position)
    return Line(
        game=game.name,
        position=game.text(start),
        value=value,
        steps=tuple(steps),
        stop=stop,
        stop_message=_MESSAGES[stop],
        last_position=last,
        cut=Cut("count", f"{len(steps)} plies: ask for the line of {last}") if stop == "plies" else None,
    )


def _next_move(here: Standing, moves: list[MoveAnswer]) -> tuple[Stop, MoveAnswer | None]:
    if here.terminal:
        return "end_of_game", None
    if not here.value.exact:
        return "not_known", None
    if not moves[0].known or moves[0].value.lower != here.value.lower:
        return "no_known_move", None
    return "plies", moves[0]
