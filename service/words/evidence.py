"""What a claim rests on, in words."""

from __future__ import annotations

from proofbase.service.answers import Claim, Threats

__all__ = ["evidence_text"]

MOST_NAMED = 12
"""Replies that are told by name."""


def evidence_text(claim: Claim) -> str:
    """The evidence of a claim, as lookups and trees show it."""
    if claim.table:
        return f"table {claim.table}"
    return claim.evidence if claim.threats is None else _threats_text(claim.threats)


def _threats_text(threats: Threats) -> str:
    parts = [f"{_count(threats.trees, 'threat tree')} of {_count(threats.nodes, 'node')}"]
    if threats.against_pass:
        parts.append("one against a pass")
    if threats.first_moves:
        parts.append(f"first threats {' '.join(threats.first_moves)}")
    if threats.named:
        more = len(threats.named) - MOST_NAMED
        names = " ".join(threats.named[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        parts.append(f"replies with records: {names}")
    return "; ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
