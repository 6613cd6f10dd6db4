"""Moves below a record that rests on forcing lines: nothing is stored there, the moves are those of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from proofbase.engine.checking.checker import line_reaches
from proofbase.engine.rules import Game
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.positions.probe import Probe, Records
from proofbase.storage import Claim, Evidence

__all__ = ["ForcedLine", "ForcedPlay", "answer_that_leads_to", "first_move_of_forcing_line", "lines_of_upper_claim"]


class ForcedPlay(Protocol):
    """The rest of forced play below a record, where nothing is stored.

    A record is about a canonical position, so forced play may be oriented otherwise than the line of best play that
    follows it, and both are played side by side.
    """

    @property
    def ended(self) -> bool:
        """Whether there is no move left."""

    def next_move(
        self, game: Game[Any], position: Any, answers: Sequence[MoveAnswer]
    ) -> tuple[MoveAnswer, ForcedPlay] | None:
        """The next move, one of the answers, and what follows it; None if it does not fit the position."""


def answer_that_leads_to(
    game: Game[Any], position: Any, answers: Sequence[MoveAnswer], key: bytes
) -> MoveAnswer | None:
    """The first move that leads to a position with this key."""
    return next((answer for answer in answers if game.key(game.play(position, answer.number)) == key), None)


class ForcedLine(NamedTuple):
    """The rest of a forcing line, for the side to move: its moves and the replies in turn.

    Attributes:
        position: the position in the orientation of the moves.
        moves: moves of `position` and of the positions after it, in turn.
        value: value of `position` for its side to move.
    """

    position: Any
    moves: tuple[int, ...]
    value: int

    @property
    def ended(self) -> bool:
        return not self.moves

    def next_move(
        self, game: Game[Any], position: Any, answers: Sequence[MoveAnswer]
    ) -> tuple[MoveAnswer, ForcedPlay] | None:
        if not self.moves:
            return None
        move, after = self.moves[0], game.play(self.position, self.moves[0])
        answer = answer_that_leads_to(game, position, answers, game.key(after))
        if answer is None:
            return None
        known = Value.of(self.value)
        rest = ForcedLine(after, self.moves[1:], game.reward(self.position, move) - self.value)
        return replace(answer, value=known, rank=len(self.moves), known=True), rest


def first_move_of_forcing_line(
    game: Game[Any], position: Any, probe: Probe, answers: Sequence[MoveAnswer], store: Records
) -> tuple[MoveAnswer, ForcedPlay] | None:
    """The best move in a position whose exact value rests on lines, and the line behind that move.

    The side that loses by the lines plays the move that holds out longest, by the lines and by the stored records; if
    the position after that move has a record of its own, the line behind the move is empty.

    Returns:
        None if the position's value does not rest on a line, or the lines do not show it.
    """
    record = probe.record_of_value
    if record is None or not probe.value.exact:
        return None
    canonical = game.position(probe.key)
    lower, upper = record.lower, record.upper
    if lower is not None and lower.evidence == Evidence.LINE and lower.bound == probe.value.lower and lower.line:
        return ForcedLine(canonical, lower.line, lower.bound).next_move(game, position, answers)
    if upper is None or upper.evidence != Evidence.LINE or upper.bound != probe.value.upper:
        return None
    lines = sorted(lines_of_upper_claim(upper), key=len)
    children = [game.key(game.play(position, answer.number)) for answer in answers]
    canonical_moves = {game.key(game.play(canonical, move)): move for move in game.moves(canonical)}
    best: tuple[MoveAnswer, ForcedLine] | None = None
    for answer, key, data in zip(answers, children, store.get_many(game.name, children), strict=True):
        if answer.value.upper < upper.bound or answer.terminal:
            continue
        line: tuple[MoveAnswer, ForcedLine] | None = answer, ForcedLine(canonical, (), 0)
        if data is None:
            line = _answered_by_line(game, canonical, canonical_moves[key], answer, upper.bound, lines)
        if line is not None and (best is None or (line[0].rank or 0) > (best[0].rank or 0)):
            best = line
    return best


def _answered_by_line(
    game: Game[Any], canonical: Any, move: int, answer: MoveAnswer, bound: int, lines: Sequence[tuple[int, ...]]
) -> tuple[MoveAnswer, ForcedLine] | None:
    """A move, with its value and rank by the shortest line that answers it; None if no line does."""
    child, value = game.play(canonical, move), game.reward(canonical, move) - bound
    for line in lines:
        if line_reaches(game, child, value, line):
            known = Value.of(bound)
            return replace(answer, value=known, rank=len(line) + 1, known=True), ForcedLine(child, line, value)
    return None


def lines_of_upper_claim(claim: Claim) -> list[tuple[int, ...]]:
    """The lines of an upper claim. In the claim each line follows the number of its moves (docs/record-encoding.md)."""
    moves = claim.line or ()
    lines = []
    while moves:
        size = moves[0]
        lines.append(moves[1 : size + 1])
        moves = moves[size + 1 :]
    return lines
