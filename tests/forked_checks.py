"""Checks of certificates by several processes, each in a program of its own: processes of pytest have threads.

    python tests/forked_checks.py NAME

NAME is that of a function below; it fails by its assertion. `run_forked` is what tests call.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from certificates import certificate, with_header
from reference_records import exact_records

from proofbase.engine.checking import parallel_check
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.parallel_check import CheckProgress, check_with_processes
from proofbase.engine.errors import CheckStoppedError
from proofbase.engine.rules import TicTacToe

__all__ = ["run_forked"]


def run_forked(name: str) -> None:
    """Runs one of the functions of this file in a process without threads.

    Raises:
        AssertionError: with what the process printed, if the function fails.
    """
    done = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


class KilledTicTacToe(TicTacToe):
    """Tic-tac-toe whose moves, in one position, end any process but the first one."""

    killed_at: str = ""
    parent = os.getpid()

    def moves(self, position: str) -> Any:
        if position == self.killed_at and os.getpid() != self.parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().moves(position)


def same_result() -> None:
    game = TicTacToe()
    data = certificate(game, game.initial(), exact_records(game))
    records = exact_records(game)
    for key in list(records)[3::9]:
        del records[key]
    broken = with_header(certificate(game, game.initial(), records), upper=1)
    expected = check_certificate(broken)
    assert len(expected.findings) > 50
    for processes in 1, 2, 3, None:
        assert check_with_processes(data, processes=processes) == check_certificate(data)
        assert check_with_processes(broken, processes=processes) == expected
        assert not check_with_processes(broken[:-1], processes=processes).valid


def progress() -> None:
    game = TicTacToe()
    told: list[CheckProgress] = []
    check_with_processes(certificate(game, game.initial(), exact_records(game)), processes=2, on_progress=told.append)
    assert told[0].processes == 2 and told[0].seconds_left > 0
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == told[-1].total == 627
    assert told[-1].seconds_left == 0


def killed() -> None:
    rules = KilledTicTacToe()
    records = exact_records(rules)
    rules.killed_at = rules.position(max(records))
    with pytest.raises(CheckStoppedError, match="was killed"):
        check_with_processes(certificate(rules, rules.initial(), records), rules, processes=2)


if __name__ == "__main__":
    # So that most records are left for the processes.
    parallel_check.SAMPLE_SECONDS, parallel_check.CHUNK_SECONDS = 0.001, 0.005
    {"same_result": same_result, "progress": progress, "killed": killed}[sys.argv[1]]()
