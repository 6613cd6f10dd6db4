"""A few rounds of the trial that kills servers and databases while jobs run (tests/bench/kills/trial_job_kills.py)."""

from __future__ import annotations

import pytest
from trials import load_trial

trial = load_trial("bench/kills/trial_job_kills")


@pytest.mark.parametrize("kind", ["lmdb", "servers", "database"])
def test_kills_lose_nothing_and_fail_no_job(kind: str) -> None:
    try:
        outcome = trial.run(kind, kills=3, seed=20)
    except trial.PostgresUnavailableError as error:
        pytest.skip(f"no PostgreSQL: {error}")
    assert outcome["states"] == {"done": outcome["started"]}
    assert outcome["started"] >= 3 and outcome["records"] > 0
    assert outcome["lists"] >= 1 and outcome["outcomes"] == outcome["lists"] * trial.LISTED
