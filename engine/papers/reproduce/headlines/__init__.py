"""The headlines of the five papers, each with its verdict, from samples that take two minutes together.

To add one, add a claim to the file of its paper. Samples that several claims share are measured once in a process.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.papers.reproduce.headlines import allis_1994, breuker, mueller, pn_search, related, schijf
from proofbase.engine.papers.reproduce.headlines.claim import Claim, Headline, Verdict
from proofbase.engine.papers.reproduce.report import Progress

__all__ = ["CLAIMS", "Claim", "Headline", "Verdict", "headlines"]

CLAIMS: tuple[Claim, ...] = (
    *pn_search.CLAIMS,
    *allis_1994.CLAIMS,
    *related.CLAIMS,
    *schijf.CLAIMS,
    *breuker.CLAIMS,
    *mueller.CLAIMS,
)


def headlines(progress: Progress) -> Sequence[Headline]:
    """Measures every claim and judges it."""
    judged = list[Headline]()
    for number, claim in enumerate(CLAIMS):
        progress(number / len(CLAIMS), claim.place)
        judged.append(claim.judged())
    progress(1.0, "done")
    return judged
