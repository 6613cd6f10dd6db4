"""The command line: `proofbase COMMAND`, or `python -m proofbase COMMAND`.

A command is imported when it is called. Commands import what is heavy inside their functions: `proofbase check` loads
no gRPC.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main", "run"]


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status.

    0 done and positive, 1 done and negative (disproved, unknown, not valid), 2 usage, 3 failed.
    """
    from proofbase.service.cli.program import run_program

    return run_program(arguments)


def main() -> NoReturn:
    """Runs the command of this process."""
    status = run(sys.argv[1:])
    # Threads that run rules come with this module: a command that has not loaded it has none.
    process_end = sys.modules.get("proofbase.engine.rules.process_end")
    if process_end is not None:
        process_end.leave_if_rules_run(status)
    sys.exit(status)
