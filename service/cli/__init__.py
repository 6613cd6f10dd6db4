"""The command line: `proofbase COMMAND`, or `python -m proofbase COMMAND`.

Commands import what they need inside their functions, to keep start-up light: `proofbase --help` opens no store, and
`proofbase check` loads no gRPC.
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
    from proofbase.engine.rules.process_end import leave_if_rules_run

    status = run(sys.argv[1:])
    leave_if_rules_run(status)
    sys.exit(status)
