"""What the values of its moves tell of a position whose own value the store does not have."""

from __future__ import annotations

from dataclasses import replace

from proofbase.service.answers import PositionAnswer, Value

__all__ = ["value_from_moves"]


def value_from_moves(answer: PositionAnswer) -> PositionAnswer:
    """The answer with the better ones of its own limits and those that follow from the values of its moves.

    A position is worth at least what its best known move is worth, and no more than all of its moves allow.
    """
    if answer.terminal or answer.value.exact or not answer.moves or answer.cut is not None:
        return answer
    stored, moves = answer.value, [move.value for move in answer.moves]
    lower = max([stored.lower, *(value.lower for value in moves if value.exact or value.lower_known)])
    upper = stored.upper
    if all(value.exact or value.upper_known for value in moves):
        upper = min(upper, max(value.upper for value in moves))
    if (lower, upper) == (stored.lower, stored.upper) or lower > upper:
        return answer
    exact = lower == upper
    value = Value(
        lower,
        upper,
        exact or stored.lower_known or lower > stored.lower,
        exact or stored.upper_known or upper < stored.upper,
    )
    best = [move for move in answer.moves if move.known and move.value.lower == lower] if exact else []
    ranks = [move.rank for move in best if move.rank is not None]
    witness = answer.witness or (best[0].move if best else None)
    rank = (min(ranks) if lower > 0 else max(ranks)) if ranks and len(ranks) == len(best) else None
    return replace(answer, value=value, rank=rank if exact else answer.rank, witness=witness)
