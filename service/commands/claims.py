"""Stored claims as answers: what they say, in the orientation of the position that was asked for."""

from __future__ import annotations

from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Claim, EvidenceName
from proofbase.service.positions import oriented_move
from proofbase.service.probe import Probe, move_name
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Side

__all__ = ["claim_answer", "claim_answers"]


def claim_answers(game: Game[Any], position: Any, probe: Probe) -> tuple[Claim, ...]:
    """The claims that a value rests on: those of the table that it is from, or else those of the record."""
    if probe.table is not None:
        value, witness = probe.value.lower, probe.witness
        named = None if witness is None else move_name(game, position, witness)
        return (
            Claim("lower", value, 0, "table", witness=named, table=probe.table),
            Claim("upper", value, 0, "table", table=probe.table),
        )
    if probe.record is None:
        return ()
    return tuple(claim_answer(game, position, probe.key, claim) for claim in probe.record.claims)


def claim_answer(game: Game[Any], position: Any, key: bytes, claim: StoredClaim) -> Claim:
    """One stored claim as an answer."""
    witness = None
    if claim.witness is not None:
        witness = move_name(game, position, oriented_move(game, position, key, claim.witness))
    return Claim(
        side="lower" if claim.side == Side.LOWER else "upper",
        bound=claim.bound,
        rank=claim.rank,
        evidence=_EVIDENCE[claim.evidence],
        witness=witness,
        table=claim.table,
        line=claim.line or (),
        search_nodes=claim.nodes or 0,
        sources=() if claim.source is None else (claim.source,),
    )


_EVIDENCE: dict[Evidence, EvidenceName] = {
    Evidence.CHILDREN: "children",
    Evidence.TABLE: "table",
    Evidence.LINE: "line",
    Evidence.SEARCH: "search",
}
