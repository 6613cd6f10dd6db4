"""The value of a move from that of the position after it."""

from __future__ import annotations

from dataclasses import replace

from proofbase.service.answers import MoveAnswer, Value

__all__ = ["with_value_after"]


def with_value_after(move: MoveAnswer, after: Value | None, rank: int | None, reward: int) -> MoveAnswer:
    """A move with the better ones of its own bounds and those of the position after it.

    Args:
        move: the move with what is known of it.
        after: the value of the position after it, for the side that moves there; None where nothing is known.
        rank: plies within which that value is realised; None where they are not known.
        reward: of the move.
    """
    if after is None:
        return move
    lower, upper = max(move.value.lower, reward - after.upper), min(move.value.upper, reward - after.lower)
    if lower > upper:  # stored records contradict each other, which a verification finds: show what is stored
        return move
    exact = lower == upper
    value = Value(
        lower,
        upper,
        exact or move.value.lower_known or after.upper_known,
        exact or move.value.upper_known or after.lower_known,
    )
    plies = None if rank is None else rank + 1
    return replace(move, value=value, known=exact, rank=plies if exact and after.exact else move.rank)
