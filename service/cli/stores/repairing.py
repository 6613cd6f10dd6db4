"""Mends a store whose records do not all pass their check."""

from __future__ import annotations

from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import Json, OptionalGame, Plugins, Store
from proofbase.service.cli.output.verification import print_verification
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.session import opened
from proofbase.service.jobs.verification import VerificationResult

__all__ = ["repair"]


def repair(game: OptionalGame = None, store: Store = None, plugin: Plugins = None, json: Json = False) -> int:
    """Check all records by the rules, prove anew what failing ones rest on, and set aside what still fails.

    The same as `proofbase verify --repair --quarantine`. For stores that an earlier release has left with claims whose
    support is missing. Damaged records are set aside. Exit status: 0 when all records that are left pass.
    """
    with opened(store, None, plugin, create=False) as client:
        job = run_job(client, client.start_verification(game, repair=True, quarantine=True))
        status = print_verification(job, "native", json=json)
        if status != ExitStatus.NEGATIVE:
            return status
        result = run_job(client, client.start_verification(game)).result
    assert isinstance(result, VerificationResult)
    return ExitStatus.NEGATIVE if result.failed else ExitStatus.POSITIVE
