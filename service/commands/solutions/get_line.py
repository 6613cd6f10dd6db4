"""The line of best play from a position of known value."""

from __future__ import annotations

from functools import cache
from typing import Literal

from proofbase.service.answers import Cut, Line, LineStep, MoveAnswer, Value
from proofbase.service.answers.bounds import bounded, cut_text, message_bytes
from proofbase.service.commands.solutions.lines.forcing_lines import ForcedPlay, first_move_of_forcing_line
from proofbase.service.commands.solutions.lines.small_search import Guaranteed, move_by_search
from proofbase.service.commands.solutions.lines.table_line_chooser import TableLineChooser
from proofbase.service.commands.solutions.lines.threat_lines import first_move_of_threats
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit, ProcessorLimitExceededError
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.limits import PAGE_BYTES, POSITION_CHARACTERS
from proofbase.service.positions import Where, find_position
from proofbase.service.positions.distances import ProvedRanks
from proofbase.service.positions.probe import Probe, probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.resources.native import has_short_texts

__all__ = ["get_line"]

Stop = Literal["end_of_game", "not_known", "plies", "repetition", "no_known_move"]
_MESSAGES: dict[Stop, str] = {
    "end_of_game": "the game is over",
    "not_known": "the exact value of this position is not known",
    "plies": "the line was cut: ask for the line of the last position to go on",
    "repetition": "this position has been on the line before",
    "no_known_move": "the value is known, but not by the values of the moves: the record rests on evidence of its own",
}


TOO_LONG = "the small search that the value rests on takes too long here to show the next move"
LINE_SECONDS = 5.0
"""Processor time for the moves of one line."""


def get_line(
    resources: Resources,
    game_name: str,
    where: Where = None,
    *,
    max_plies: int | None = None,
    processor_limit: ProcessorLimit | None = None,
) -> Line:
    """Best moves of both sides from a position, until the game is over or the next best move is not known.

    Of equally good moves the quickest gain and the slowest loss is chosen, then the first in the order of the rules.
    Below a record that rests on a small search nothing is stored: there the moves are found by that search. Below a
    record that rests on forcing lines or on threat trees these are played to their end. Where values come from tables,
    moves are chosen that make progress (`TableLineChooser`), if not too many positions have to be looked at for that.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position.
        max_plies: at most so many; None for the service's limit.
        processor_limit: what the line may cost; None for 5 seconds of processor time. It ends early when that is spent.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        LimitExceededError: more plies than the limits allow.
    """
    largest = resources.limits.line_plies
    if max_plies is not None and max_plies < 1:
        raise InvalidRequestError(f"a line of {max_plies} plies: at least 1 is needed", field="max_plies")
    if max_plies is not None and max_plies > largest:
        raise LimitExceededError(
            f"a line of {max_plies} plies: at most {largest}", limit="line_plies", largest=largest, field="max_plies"
        )
    game = resources.games.open(game_name)
    start = position = find_position(game, where)
    short = has_short_texts(game)
    tables = resources.tables.of(game)
    table_chooser = None if tables is None else TableLineChooser(game, tables)
    probe, moves = probe_with_moves(game, position, resources.store, tables)
    value = probe.value
    proved_ranks = ProvedRanks(resources.store, game)
    open_python = cache(lambda: resources.games.open_python(game.name))
    steps: list[LineStep] = []
    seen = {position}
    room = PAGE_BYTES
    guaranteed: Guaranteed | None = None
    forced: ForcedPlay | None = None
    processor_limit, message = processor_limit or ProcessorLimit(LINE_SECONDS), None
    while True:
        if probe.has_unknown_plies and probe.value.exact:
            moves = proved_ranks.of_moves(position, moves, plies_below=len(steps))
        stop, choice = _next_move(probe, moves)
        in_line: tuple[MoveAnswer, ForcedPlay | None] | None = None
        if stop != "end_of_game":
            if forced is not None and not forced.ended:
                in_line = forced.next_move(game, position, moves)
            else:
                in_line = first_move_of_forcing_line(game, position, probe, moves, resources.store)
                in_line = in_line or first_move_of_threats(game, position, probe, moves, resources.store, open_python)
        choice, forced = in_line or (choice, None)
        from_values = probe.table is not None and probe.table_plies is None and probe.value.lower != 0
        if table_chooser is not None and choice is not None and choice.rank is None and from_values:
            choice = table_chooser.choose(position, moves, probe.value.lower) or choice
        if stop == "not_known" and choice is None and guaranteed is not None:
            try:
                choice = move_by_search(game, position, moves, guaranteed, processor_limit)
            except ProcessorLimitExceededError:
                message = TOO_LONG
        if choice is None:
            break
        tired = bool(steps) and probe.value.exact and processor_limit.exceeded
        if len(steps) == (max_plies or largest) or room < 0 or tired:
            stop = "plies"
            break
        guaranteed = Guaranteed(game.reward(position, choice.number) - choice.value.lower, (choice.rank or 1) - 1)
        position = game.play(position, choice.number)
        probe, moves = probe_with_moves(game, position, resources.store, tables)
        known = probe.value if probe.value.exact else Value.of(guaranteed.value)
        rank = None if choice.rank is None else guaranteed.plies
        if probe.value.exact and not probe.has_unknown_plies:
            rank = probe.rank
        step = LineStep(choice.move, choice.number, choice.position, known, rank)
        steps.append(step if short else bounded(step))
        room -= message_bytes(steps[-1])
        if position in seen:
            stop = "repetition"
            break
        seen.add(position)
    last = cut_text(game.text(position), POSITION_CHARACTERS)
    return Line(
        game=game.name,
        position=cut_text(game.text(start), POSITION_CHARACTERS),
        value=value,
        steps=tuple(steps),
        stop=stop,
        stop_message=message or _MESSAGES[stop],
        last_position=last,
        cut=Cut("bytes" if room < 0 else "count", cut_text(f"{len(steps)} plies: ask for the line of {last}"))
        if stop == "plies"
        else None,
        package=resources.package,
    )


def _next_move(probe: Probe, moves: list[MoveAnswer]) -> tuple[Stop, MoveAnswer | None]:
    if probe.terminal:
        return "end_of_game", None
    if not probe.value.exact:
        return "not_known", None
    if not moves[0].known or moves[0].value.lower != probe.value.lower:
        return "no_known_move", None
    return "plies", moves[0]
