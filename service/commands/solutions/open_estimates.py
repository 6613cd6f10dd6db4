"""What searches believe of the questions about a position that are still open."""

from __future__ import annotations

from proofbase.service.answers import Estimate, Value
from proofbase.storage import Capability, SolutionStore

__all__ = ["open_estimates"]


def open_estimates(store: SolutionStore, game: str, key: bytes, value: Value) -> tuple[Estimate, ...]:
    """The estimates of a position's open questions, by ascending thresholds; those of settled ones are left out.

    Args:
        store: has the estimates.
        game: canonical name.
        key: of the position.
        value: what is known of it.
    """
    if Capability.ESTIMATES not in store.capabilities:
        return ()
    return tuple(
        Estimate(
            at_least=found.bound,
            proof=found.proof,
            disproof=found.disproof,
            nodes=found.work,
            updated=found.updated,
            algorithm=found.algorithm or None,
            job=found.job or None,
        )
        for found in store.estimates().of_position(game, key)
        if value.lower < found.bound <= value.upper
    )
