"""The command line: `proofbase COMMAND`, or `python -m proofbase COMMAND`. A command is imported when it is called."""

from __future__ import annotations

import sys
from typing import NoReturn

from proofbase.service.cli.program import run

__all__ = ["main", "run"]


def main() -> NoReturn:
    """Runs the command of this process."""
    status = run(sys.argv[1:])
    # Threads that run rules come with this module: a command that has not loaded it has none.
    process_end = sys.modules.get("proofbase.engine.rules.process_end")
    if process_end is not None:
        process_end.leave_if_rules_run(status)
    sys.exit(status)
