"""The same solve again: it takes no longer than the first one, and goes on from there or says that it begins anew."""

from __future__ import annotations

import time

import pytest
from services import Service

from proofbase.service.client import Budget, SolveResult
from proofbase.service.jobs.solve.work import BEGUN_ANEW

CHECKERS = "B:W26,17,13,11:B27,10,6,2"
OVERDUE = 2.0
"""Seconds that a solve may take beyond its own."""
FAMILIES = {
    "pn-tree": "connect-four",
    "pn-dag": "connect-four",
    "pss": "connect-four",
    "df-pn": "connect-four",
    "alpha-beta": "connect-four",
    "null-window": "othello",
    "pn2": "connect-four",
    "threats": "gomoku",
    "pn-cyclic": "checkers",
    "pn-base-twin": "checkers",
    "pn-fixpoint": "checkers",
}


@pytest.mark.slow(*(family for family in FAMILIES if family not in ("pn-base-twin", "null-window")))
@pytest.mark.parametrize(
    ("make_service", "family"),
    [("over gRPC", "pn-dag"), *(("in process", family) for family in FAMILIES)],
    indirect=["make_service"],
)
def test_no_solve_of_any_family_runs_longer_than_its_seconds(service: Service, family: str) -> None:
    game = FAMILIES[family]
    position = CHECKERS if game == "checkers" else None
    for seconds in (0.6, 0.6, 1.2):
        began = time.monotonic()
        job = service.client.solve(game, position, algorithm=family, budget=Budget(seconds=seconds))
        assert time.monotonic() - began < seconds + OVERDUE
        result = job.result
        assert isinstance(result, SolveResult) and result.seconds < seconds + OVERDUE
        assert result.status == "unknown" and result.nodes > 0, "it has searched"


@pytest.mark.parametrize(("algorithm", "begins_anew"), [("auto", True), ("df-pn", False)])
def test_a_search_that_takes_too_long_to_take_up_begins_anew_and_says_so(
    service: Service, algorithm: str, begins_anew: bool
) -> None:
    """The checkpoint of df-pn is read in no time."""
    first, again = (
        service.client.solve("checkers", CHECKERS, at_least=1, algorithm=algorithm, budget=Budget(seconds=1.5)).result
        for _ in range(2)
    )
    assert isinstance(first, SolveResult) and isinstance(again, SolveResult)
    assert BEGUN_ANEW not in (first.algorithm_reason or "")
    assert (BEGUN_ANEW in (again.algorithm_reason or "")) == begins_anew
    assert again.nodes > first.nodes / 4
