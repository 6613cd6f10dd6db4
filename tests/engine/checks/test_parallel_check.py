"""The check by several processes finds what the check by one finds, and tells how far it is."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from certificates import certificate, with_header

from proofbase.engine.checking import parallel_check
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.parallel_check import CheckProgress, check_with_processes
from proofbase.engine.errors import CheckStoppedError
from proofbase.engine.papers.reference import exact_records
from proofbase.engine.rules import Game, TicTacToe


class Slow(TicTacToe):
    """Tic-tac-toe that takes its time at the places that a test names."""

    stop_at: str = ""
    parent = os.getpid()

    def moves(self, position: str) -> Any:
        if position == self.stop_at and os.getpid() != self.parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().moves(position)


@pytest.fixture
def data(game: Game[str]) -> bytes:
    return certificate(game, game.initial(), exact_records(game))


@pytest.fixture(autouse=True)
def short_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that most records are left for the processes."""
    monkeypatch.setattr(parallel_check, "SAMPLE_SECONDS", 0.001)
    monkeypatch.setattr(parallel_check, "CHUNK_SECONDS", 0.005)


@pytest.mark.parametrize("processes", [1, 2, 3, None])
def test_every_number_of_processes_has_the_same_result(data: bytes, game: Game[str], processes: int | None) -> None:
    assert check_with_processes(data, processes=processes) == check_certificate(data)
    records = exact_records(game)
    for key in list(records)[3::9]:
        del records[key]
    broken = with_header(certificate(game, game.initial(), records), upper=1)
    expected = check_certificate(broken)
    assert len(expected.findings) > 50
    assert check_with_processes(broken, processes=processes) == expected
    assert not check_with_processes(broken[:-1], processes=processes).valid


def test_progress_is_told_up_to_the_last_record(data: bytes) -> None:
    told: list[CheckProgress] = []
    check_with_processes(data, processes=2, on_progress=told.append)
    assert told[0].processes == 2 and told[0].seconds_left > 0
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == told[-1].total == 627
    assert told[-1].seconds_left == 0


def test_a_killed_process_is_an_error_and_no_verdict(data: bytes) -> None:
    rules = Slow()
    rules.stop_at = rules.position(max(exact_records(rules)))
    with pytest.raises(CheckStoppedError, match="was killed"):
        check_with_processes(data, rules, processes=2)


def test_less_than_one_process_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="0 processes"):
        check_with_processes(data, processes=0)


def test_the_checker_is_one_file_that_imports_only_the_rules() -> None:
    source = Path(parallel_check.__file__).with_name("checker.py").read_text()
    imports = [line for line in source.splitlines() if line.startswith(("from proofbase", "import proofbase"))]
    assert imports and all(line.startswith("from proofbase.engine.rules") for line in imports)
