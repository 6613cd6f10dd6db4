"""Moves below a record that rests on forcing lines: nothing is stored there, the lines tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from proofbase.engine.evidence import line_reaches
from proofbase.engine.rules import Game
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.standing import Records, Standing
from proofbase.storage import Claim, Evidence

__all__ = ["Forced", "forced_move", "into_line"]


class Forced(NamedTuple):
    """What is left of a forcing line for the side to move: its moves and the replies in turn.

    The line was stored for a canonical position, so it is played beside the line of best play, in its own orientation.

    Attributes:
        twin: the position in the orientation of the moves.
        moves: of `twin` and the positions after it.
        value: of the position, for its side to move.
    """

    twin: Any
    moves: tuple[int, ...]
    value: int


def forced_move(
    game: Game[Any], position: Any, answers: Sequence[MoveAnswer], forced: Forced
) -> tuple[MoveAnswer, Forced] | None:
    """The next move of a line, and what is left behind it; None if the line does not fit the position."""
    if not forced.moves:
        return None
    move, after = forced.moves[0], game.play(forced.twin, forced.moves[0])
    value = game.reward(forced.twin, move) - forced.value
    wanted = game.key(after)
    for answer in answers:
        if game.key(game.play(position, answer.number)) == wanted:
            known = Value(forced.value, forced.value, True, True)
            played = replace(answer, value=known, rank=len(forced.moves), known=True)
            return played, Forced(after, forced.moves[1:], value)
    return None


def into_line(
    game: Game[Any], position: Any, here: Standing, answers: Sequence[MoveAnswer], store: Records
) -> tuple[MoveAnswer, Forced] | None:
    """The best move in a position whose exact value rests on lines, and what is left of its line behind it.

    The side that loses by them plays what holds out longest, by the lines and by what is stored; if that is a move
    with a record of its own, no line is left to follow.

    Returns:
        None if the position's value does not rest on a line, or the lines do not show it.
    """
    record = here.record
    if record is None or not here.value.exact:
        return None
    twin = game.position(here.key)
    lower, upper = record.lower, record.upper
    if lower is not None and lower.evidence == Evidence.LINE and lower.bound == here.value.lower and lower.line:
        return forced_move(game, position, answers, Forced(twin, lower.line, lower.bound))
    if upper is None or upper.evidence != Evidence.LINE or upper.bound != here.value.upper:
        return None
    lines = sorted(_lines(upper), key=len)
    children = [game.key(game.play(position, answer.number)) for answer in answers]
    twins = {game.key(game.play(twin, move)): move for move in game.moves(twin)}
    best: tuple[MoveAnswer, Forced] | None = None
    for answer, key, data in zip(answers, children, store.get_many(game.name, children), strict=True):
        if answer.value.upper < upper.bound or answer.terminal:
            continue
        found: tuple[MoveAnswer, Forced] | None = answer, Forced(twin, (), 0)
        if data is None:
            found = _answered(game, twin, twins[key], answer, upper.bound, lines)
        if found is not None and (best is None or found[0].rank > best[0].rank):
            best = found
    return best


def _answered(
    game: Game[Any], twin: Any, move: int, answer: MoveAnswer, bound: int, lines: Sequence[tuple[int, ...]]
) -> tuple[MoveAnswer, Forced] | None:
    """A move with the shortest line that answers it."""
    child, value = game.play(twin, move), game.reward(twin, move) - bound
    for line in lines:
        if line_reaches(game, child, value, line):
            known = Value(bound, bound, True, True)
            return replace(answer, value=known, rank=len(line) + 1, known=True), Forced(child, line, value)
    return None


def _lines(claim: Claim) -> list[tuple[int, ...]]:
    """The lines of an upper claim, each behind the number of its moves (docs/record-encoding.md)."""
    moves = claim.line or ()
    lines = []
    while moves:
        size = moves[0]
        lines.append(moves[1 : size + 1])
        moves = moves[size + 1 :]
    return lines
