"""A short form of the trial of zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trials import load_trial

trial: Any = load_trial("threats/trial_zones")


@pytest.mark.slow
def test_a_stone_outside_a_zone_changes_nothing(tmp_path: Path) -> None:
    program = trial.build(tmp_path, "-O1")
    if program is None:
        pytest.skip("no C++ compiler to build the trial's program with")
    for exact in (False, True):
        found = trial.run(program, 5, 60, exact, 100)
        assert (found.failures, found.plain_failures) == (0, 0)
        assert found.squares > 10_000 and found.plain_replays > 50
