"""Some rounds of the trial that kills the processes of proof managers (bench/managers/trial_manager_kills.py)."""

from __future__ import annotations

import pytest
from trials import load_trial


@pytest.mark.slow
def test_killed_managers_lose_nothing_and_end() -> None:
    outcome = load_trial("bench/managers/trial_manager_kills").run(kills=3, seed=5)
    assert outcome.kills == 3 and outcome.jobs >= 1 and outcome.checked > 0
