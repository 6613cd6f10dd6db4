"""The headlines of the papers: printed figures typed a second time, rules that can say no, the table of the page."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from proofbase.engine.papers.reproduce.headlines import CLAIMS, Claim, Verdict, headlines
from proofbase.engine.papers.reproduce.reinfeld import NODES_OF_75

ROOT = Path(__file__).parents[3]

TABLE_1 = (5, 419, 843, 1589, 4271, 5727, 11492, 87967, 90150)
"""pn-search (sum), 55(N) to 51(N)."""
TYPED_AGAIN: list[tuple[str, tuple[float, ...]]] = [
    ("Allis et al. 1994, 7.1", (8, 560)),
    ("Allis et al. 1994, 7.1", (2, 75)),
    ("Allis et al. 1994, 7.1", (2, 75)),
    ("Allis et al. 1994, Table 1", (sum(TABLE_1),)),
    ("Allis et al. 1994, 7.2", (419, 212)),
    ("Allis et al. 1994, 4.1", (2, 4)),
    ("Allis et al. 1994, 7.3", (283000,)),
    ("Allis et al. 1994, 7.3", (150000,)),
    ("Allis 1994, 2.3.1", (3,)),
    ("Allis 1994, 2.3.3, Table 2.8", (8,)),
    ("Allis 1994, 2.3.3", (114, 4)),
    ("Allis 1994, 2.4.8", (2,)),
    ("Allis 1994, 2.4.7, Table 2.12", (128.8, 68.0)),
    ("Allis 1994, 3.6", (1200,)),
    ("Allis 1994, 4.3.2", (1824, 912, 304)),
    ("Allis 1994, 4.5", (195,)),
    (
        "Allis 1994, 4.5.2, Table 4.1",
        (1 + 12 + 195 + 2000 + 1426 + 1074 + 772 + 573 + 345 + 142 + 62 + 36 + 8 + 4 + 4,),
    ),
    ("Allis 1994, 4.5.3, Table 4.2", (3254, 2929)),
    ("Allis 1994, 4.5.3", (5, 40)),
    ("Allis 1994, 4.3.3", (1,)),
    ("Allis 1994, 5.5.3", (5300000, 35)),
    ("Allis 1994, 6.2.4", (5478, 362880)),
    ("Allis 1994, 6.3.1", (30,)),
    ("Allis 1994, 6.3.2", (1,)),
    ("Allis 1994, 6.3.2", (14,)),
    ("Allis 1994, 6.3.5", (12,)),
    ("Allis 1994, 6.3.2, 6.3.3, 6.3.5", (21, 70, 32)),
    ("Schijf 1993, 4.5, Table 4.1", (17086, 3265, 5.23)),
    ("Schijf 1993, 4.5, Table 4.2", (25137, 32922)),
    ("Schijf 1993, 4.6, Table 4.3", (18894, 9816)),
    ("Schijf 1993, A, Table A.1", (17086, 617)),
    ("Schijf 1993, 3.4", (3, 10)),
    ("Schijf 1993, 5.3", (3**12,)),
    ("Schijf 1993, 5.5, Table 5.1", (3, 82)),
    ("Schijf 1993, 3.4", (20,)),
    ("Breuker et al. 2001, 7, Table 1", (107, 103, 0)),
    ("Breuker et al. 2001, 7", (58,)),
    ("Breuker et al. 2001, 7", (11.7,)),
    ("Breuker et al. 2001, 7", (12.7,)),
    ("Breuker et al. 2001, 7, Fig. 1", (482306, 10694, 1)),
    ("Müller 2001, 6.2", (1114, 1237)),
    ("Müller 2001, 6.2", (10,)),
    ("Müller 2001, 6.1, Example 11", (1,)),
    ("Müller 2001, 6.2", (20,)),
]
QUICK = ("Allis 1994, 4.3", "Allis 1994, 6.2.4", "Schijf 1993, 3.4", "Müller 2001, 1", "Müller 2001, 4")
"""Places with samples of less than a second."""


def in_page() -> list[str]:
    """What docs/headlines.md has of each claim, in the command's lines."""
    page = (ROOT / "docs" / "headlines.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    *claims, counts = block.strip().split("\n\n")
    verdicts = Counter(re.split(r",|$", claim.splitlines()[2].strip())[0] for claim in claims)
    assert counts.splitlines()[0] == ", ".join(f"{verdict}: {verdicts[verdict]}" for verdict in Verdict)
    return claims


def test_no_printed_figure_is_wrong() -> None:
    assert [(claim.place, claim.printed) for claim in CLAIMS if claim.printed] == TYPED_AGAIN
    reinfeld = NODES_OF_75
    reasons = [claim.because for claim in CLAIMS if claim.place == "Breuker et al. 2001, 7"]
    shares = (
        reinfeld["BTA"] / reinfeld["Tree"],
        1 - reinfeld["BTA"] / reinfeld["DAG"],
        reinfeld["BTA"] / reinfeld["DCG"] - 1,
    )
    for reason, share in zip(reasons, shares, strict=True):
        assert f"alone give {100 * share:.1f} %" in reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.place)
def test_a_verdict_follows_the_figures(claim: Claim) -> None:
    count = claim.template.count("{}")
    assert claim.printed == () or len(claim.printed) == count
    if claim.holds is None or claim.measure is None:
        assert claim.because
        return
    if claim.printed:
        assert claim.holds(claim.printed)
    others = [(figure,) * count for figure in (-1e9, 1e-9, 1e9)]
    answers = {claim.holds(figures) for figures in (*others, (1, 2, 3)[:count], (2, 1, 0)[:count])}
    assert False in answers


def test_a_claim_is_judged_by_its_rule() -> None:
    seven = Claim("here", "x is at least 7.", "{7} or {0.25}", "a sample", lambda: (8, 1 / 3), lambda x: x[0] > 7)
    assert seven.judged().text() == (
        "here: x is at least 7.\n  printed: 7 or 0.25; ours 8 or 0.3333 (a sample)\n  holds\n"
    )
    less = Claim("here", "x.", "{7}", "", lambda: (6,), lambda x: x[0] > 7)
    assert (less.judged().verdict, less.judged().because) == (Verdict.DOES_NOT_HOLD, "ours is 6")
    assert Claim("", "", "{7}", "", lambda: (6,), lambda x: False, "why").judged().because == "why"
    for unmeasured in (
        Claim("", "", "{}", because="lost"),
        Claim("", "", "{}", "", lambda: (1,), because="lost"),
    ):
        assert (unmeasured.judged().verdict, unmeasured.judged().because) == (Verdict.NOT_MEASURED, "lost")


def test_the_page_has_every_claim() -> None:
    for claim, text in zip(CLAIMS, in_page(), strict=True):
        first, figures, verdict = text.splitlines()
        assert first == f"{claim.place}: {claim.sentence}"
        printed, _, ours = figures.partition("; ours ")
        assert printed == f"  printed: {claim.text(claim.printed)}"
        assert bool(ours) == (claim.measure is not None)
        assert verdict.strip().split(", because ")[0] in set(Verdict)
        if "because" in verdict and claim.because:
            assert verdict.endswith(f", because {claim.because}")


def test_quick_claims_have_the_verdicts_of_the_page() -> None:
    page = dict(zip(CLAIMS, in_page(), strict=True))
    for claim in CLAIMS:
        if claim.place.startswith(QUICK):
            assert page[claim].splitlines()[2].strip().startswith(claim.judged().verdict), claim.sentence


@pytest.mark.slow
def test_all_claims_have_the_verdicts_of_the_page_in_three_minutes() -> None:
    started = time.process_time()
    steps = list[str]()
    judged = headlines(lambda share, what: steps.append(what))
    assert time.process_time() - started < 180
    assert len(steps) == len(CLAIMS) + 1
    for headline, text in zip(judged, in_page(), strict=True):
        assert text.splitlines()[2].strip().startswith(headline.verdict), headline.text()
