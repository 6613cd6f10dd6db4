"""A short piece of each trial of the server (tests/bench/trial_*.py), with fixed seeds."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("many_calls")
BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def trial(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH / "http"))
    monkeypatch.syspath_prepend(str(BENCH / "access"))
    module = importlib.import_module(request.param)
    yield module
    sys.modules.pop(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("trial", ["trial_hostile_connections"], indirect=True)
def test_hostile_connections(trial: Any, tmp_path: Path) -> None:
    polite, outcomes = trial.run(tmp_path, connections=4 * len(trial.KINDS), at_a_time=20, seed=3, rate=50)
    assert outcomes.total() == 4 * len(trial.KINDS)
    assert not polite.errors and polite.calls > 10 and polite.worst[0] < 5


@pytest.mark.parametrize("trial", ["trial_fuzzed_messages"], indirect=True)
def test_fuzzed_messages(trial: Any, tmp_path: Path) -> None:
    polite, outcomes = trial.run(tmp_path, messages=1500, at_a_time=16, seed=3)
    assert not trial.bad(outcomes)
    names = {what.split()[0] for what in outcomes}
    assert names == {path.rpartition("/")[2] for path, _, _ in trial.methods()}
    assert not polite.errors and polite.worst[0] < 5


@pytest.mark.parametrize("trial", ["trial_mixed_load"], indirect=True)
def test_mixed_load(trial: Any, tmp_path: Path) -> None:
    load, samples = trial.run(tmp_path / "store", requests=400, seconds=4.0, clients=4)
    assert not load.failed and load.done.total() > 100
    assert trial.growth(samples, 2.0) < trial.BAR_MIB


@pytest.mark.slow
@pytest.mark.parametrize("trial", ["trial_greedy_clients"], indirect=True)
def test_greedy_clients(trial: Any, tmp_path: Path) -> None:
    polite, done = trial.run(tmp_path / "store", jobs=2000, clients=4, seconds=2.0)
    assert not polite.errors and polite.worst[0] < 5
    assert not [name for name in done if ":" in name]


@pytest.mark.parametrize("trial", ["trial_fuzzed_http"], indirect=True)
def test_fuzzed_http(trial: Any, tmp_path: Path) -> None:
    seen, memory = trial.run(tmp_path, requests=1500, at_a_time=8, seed=3)
    assert not seen.faults and not seen.broken and seen.longest[0] < 5
    assert seen.outcomes.total() == 1500 and memory[2] - memory[1] < trial.GROWTH_MIB
    assert {what.partition(":")[0] for what in seen.outcomes} == {"url", "call json", "call proto", "stream", "raw"}


@pytest.mark.parametrize("trial", ["bench_http"], indirect=True)
def test_gets_a_second(trial: Any, tmp_path: Path) -> None:
    found = trial.run(tmp_path, connections=4, seconds=0.5)
    assert all(one.rate > 10 for one in found.values())


@pytest.mark.slow
@pytest.mark.parametrize("trial", ["trial_strangers"], indirect=True)
def test_strangers_against_known_clients(trial: Any, tmp_path: Path) -> None:
    seen = trial.run(tmp_path, seconds=2.0)
    assert len(seen.waits) == 4 and not seen.errors
    assert {name: waits.errors for name, waits in seen.waits.items() if waits.errors} == {}
    assert seen.turns <= trial.BAR_TURNS
