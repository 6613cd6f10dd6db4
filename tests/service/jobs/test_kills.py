"""A few rounds of the trial that kills servers and databases while jobs run (tests/bench/kills/trial_job_kills.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from trials import load_trial

trial = load_trial("bench/kills/trial_job_kills")
WRITE_KILLS = Path(__file__).parents[2] / "bench" / "kills" / "trial_write_kills.py"


@pytest.mark.slow("servers", "database")
@pytest.mark.parametrize(("kind", "kills"), [("lmdb", 3), ("servers", 3), ("database", 3)])
def test_kills_lose_nothing_and_fail_no_job(kind: str, kills: int, thorough: bool) -> None:
    try:
        outcome = trial.run(kind, kills=kills if thorough else 2, seed=20)
    except trial.PostgresUnavailableError as error:
        pytest.skip(f"no PostgreSQL: {error}")
    assert outcome["states"] == {"done": outcome["started"]}
    assert outcome["started"] >= 3 and outcome["records"] > 0
    assert outcome["lists"] >= 1 and outcome["outcomes"] == outcome["lists"] * trial.LISTED


@pytest.mark.slow("postgres")
@pytest.mark.parametrize("kind", ["lmdb", "postgres"])
def test_after_a_kill_every_claim_passes(kind: str, thorough: bool) -> None:
    """The trial forks, so it runs in a process of its own."""
    kills = 4 if thorough else 2
    command = [sys.executable, str(WRITE_KILLS), kind, "--kills", str(kills), "--seed", "5", "--small"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    if "FAILED: " in done.stdout and "PostgreSQL binaries" in done.stdout:
        pytest.skip(f"no PostgreSQL: {done.stdout}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["kills"] == kills
