"""Exported records of chess pass the local check by the rules of python-chess, and changed ones do not."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from proofbase.service.client import connect

ENDINGS = ["8/8/p7/P7/k7/8/8/K7 w - - 0 1", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"]
"""A draw and a win."""
H8_TO_H8 = 63 | 63 << 6


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench" / "chess"))
    return importlib.import_module("trial_pawn_endings")


@pytest.mark.parametrize("ending", ENDINGS)
def test_records_pass_by_the_rules_of_python_chess_and_changed_ones_do_not(trial: Any, ending: str) -> None:
    with connect("memory:") as client:
        value = client.solve("chess", ending).result.value.lower  # type: ignore[union-attr]
        rows = trial.exported(client, ending)
    check = trial.OtherCheck(rows)
    assert check.failing() == [] and check.bounds(ending) == (value, value)
    for row in rows[:100]:
        for claim in row["claims"]:
            changes = [{"rank": 0 if claim["rank"] else 2}, {"evidence": "threats"}]
            changes += [{"witness": H8_TO_H8}] if "witness" in claim else []
            for change in changes:
                before = dict(claim)
                claim.update(change)
                assert check.failing_of(row) == [claim], "the other claims pass"
                claim.update(before)
        assert trial.OtherCheck([row]).failing() or all(claim["rank"] == 1 for claim in row["claims"])
