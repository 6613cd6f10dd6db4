"""Analyse a game that was played: what each move gave away, where it was decided, what refutes the mistakes."""

from __future__ import annotations

from typing import Any

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.notation import read_line, read_moves
from proofbase.engine.formats.reading import is_game_record
from proofbase.engine.rules import Game
from proofbase.service.answers import AnalysedMove, Analysis, Cut, Outcome
from proofbase.service.answers.bounds import bounded, cut_text, first_page
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.limits import POSITION_CHARACTERS
from proofbase.service.positions import Where, find_position
from proofbase.service.positions.probe import probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.words.values import outcome_of

__all__ = ["EXCLUDED", "analyse_game"]

LONGEST_GAME = 2_000
REFUTATION_PLIES = 12
ANALYSIS_SECONDS = 20.0
"""Processor time for one analysis."""


def analyse_game(resources: Resources, game_name: str, moves: str, where: Where = None) -> Analysis:
    """What the store and its tables know of every move of a game. It searches nothing.

    The *outcome* for a side is the sign of the result of the game as a whole: its score so far plus the value. A move
    *changes the outcome* when what was known before it and what is known after it exclude each other; the game is
    *decided* by the last such move.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        moves: the moves as people write them, separated by spaces or commas; or the game in PGN or SGF.
        where: the position in which the game starts; None for the initial one. PGN and SGF say it themselves.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: the moves are not legal; the message says which.
        LimitExceededError: more than 2,000 moves, or more than 20 seconds of processor time.
    """
    game = resources.games.open(game_name)
    start = find_position(game, where)
    if len(moves) > 20 * LONGEST_GAME:
        raise InvalidRequestError(f"a text of {len(moves)} characters is no list of moves", field="moves")
    try:
        if is_game_record(game, moves):
            if start != game.initial():
                raise InvalidRequestError("a game in PGN or SGF says itself where it begins", field="position")
            start, numbers, _ = read_line(game, moves)
        else:
            numbers, _ = read_moves(game, start, moves)
    except (InvalidMoveError, InvalidPositionError) as error:
        raise InvalidRequestError(str(error), field="moves") from None
    if len(numbers) > LONGEST_GAME:
        raise LimitExceededError(
            f"a game of {len(numbers)} moves: at most {LONGEST_GAME}",
            limit="analysis_moves",
            largest=LONGEST_GAME,
            field="moves",
        )
    position, processor_limit = start, ProcessorLimit(ANALYSIS_SECONDS)
    analysed = list[AnalysedMove]()
    for number, move in enumerate(numbers):
        if processor_limit.exceeded:
            raise LimitExceededError(
                f"the analysis of {number} of {len(numbers)} moves took {ANALYSIS_SECONDS:.0f} s: send fewer at a time",
                limit="analysis_moves",
                largest=number,
                field="moves",
            )
        analysed.append(_analyse_move(resources, game, position, move))
        position = game.play(position, move)
    changes = [number for number, entry in enumerate(analysed) if entry.changes_outcome]
    for number in changes:
        after = analysed[number].position_after
        line = get_line(resources, game.name, after, max_plies=REFUTATION_PLIES, processor_limit=processor_limit)
        analysed[number] = analysed[number].with_refutation(tuple(step.move for step in line.steps))
    listed, more = first_page([bounded(entry) for entry in analysed])
    cut = None
    if more:
        following = cut_text(analysed[len(listed)].position, POSITION_CHARACTERS)
        message = f"{len(listed)} of {len(analysed)} moves are listed; ask for the others as a game from {following}"
        cut = Cut("bytes", cut_text(message))
    return Analysis(
        game=game.name,
        position=cut_text(game.text(start), POSITION_CHARACTERS),
        moves=tuple(listed),
        decided_by=changes[-1] + 1 if changes else 0,
        last_position=cut_text(game.text(position), POSITION_CHARACTERS),
        cut=cut,
        package=resources.package,
    )


EXCLUDED: dict[Outcome, frozenset[Outcome]] = {
    "win": frozenset(["draw", "loss", "not_win"]),
    "draw": frozenset(["win", "loss"]),
    "loss": frozenset(["win", "draw", "not_loss"]),
    "not_loss": frozenset(["loss"]),
    "not_win": frozenset(["win"]),
    "unknown": frozenset(),
}
"""For each outcome that is known, the outcomes that it excludes."""


def _analyse_move(resources: Resources, game: Game[Any], position: Any, move: int) -> AnalysedMove:
    probe, answers = probe_with_moves(game, position, resources.store, resources.tables.of(game))
    played = next(answer for answer in answers if answer.number == move)
    score = game.score(position)
    before, after = outcome_of(probe.value, score), outcome_of(played.value, score)
    better = tuple(
        answer.move for answer in answers if answer.value.lower > played.value.upper or answer.number == probe.witness
    )
    gives_away = max(0, probe.value.lower - played.value.upper) if probe.value.lower_known else 0
    return AnalysedMove(
        move=played.move,
        number=move,
        side=game.side(position),
        position=game.text(position),
        position_after=played.position,
        score=score,
        value=probe.value,
        value_of_move=played.value,
        outcome=before,
        outcome_of_move=after,
        changes_outcome=after in EXCLUDED[before],
        gives_away=gives_away,
        better_moves=better if gives_away > 0 else (),
    )
