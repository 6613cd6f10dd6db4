"""The check by several processes finds what the check by one finds, and tells how far it is."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from certificates import certificate
from forked_checks import run_forked
from reference_records import exact_records

from proofbase.engine.checking import parallel_check
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.parallel_check import CheckProgress, check_with_processes
from proofbase.engine.rules import Game


@pytest.fixture
def data(game: Game[str]) -> bytes:
    return certificate(game, game.initial(), exact_records(game))


def test_every_number_of_processes_has_the_same_result() -> None:
    run_forked("same_result")


def test_progress_is_told_up_to_the_last_record() -> None:
    run_forked("progress")


def test_a_killed_process_is_an_error_and_no_verdict() -> None:
    run_forked("killed")


def test_a_program_with_threads_checks_in_one_process(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forked process would wait for ever for a lock that a thread of gRPC held at the fork."""
    monkeypatch.setattr(parallel_check, "SAMPLE_SECONDS", 0.001)
    reports: list[CheckProgress] = []
    ended = threading.Event()
    waiting = threading.Thread(target=ended.wait)
    waiting.start()
    try:
        assert check_with_processes(data, processes=2, on_progress=reports.append) == check_certificate(data)
    finally:
        ended.set()
        waiting.join()
    assert {progress.processes for progress in reports} == {1}


def test_less_than_one_process_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="0 processes"):
        check_with_processes(data, processes=0)


def test_the_checker_is_one_file_that_imports_only_the_rules() -> None:
    source = Path(parallel_check.__file__).with_name("checker.py").read_text()
    imports = [line for line in source.splitlines() if line.startswith(("from proofbase", "import proofbase"))]
    assert imports and all(line.startswith("from proofbase.engine.rules") for line in imports)
