"""What a verification has found, as text or JSON."""

from __future__ import annotations

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.output.job_documents import verification_document
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.verification import VerificationResult
from proofbase.service.words.amounts import amount

__all__ = ["print_verification"]


def print_verification(job: Job, rules: str, *, json: bool) -> int:
    """Prints the result of a verification by some rules; gives the exit status.

    1: records fail. 3: none fails, but some could not be checked, because the rules of their game are not loaded.
    """
    result = job.result
    assert isinstance(result, VerificationResult)
    if json:
        documents.print_document(verification_document(job))
    else:
        for finding in result.findings:
            where = finding.position or finding.key.hex()
            what = f"{where}: {finding.claim or 'record'}" if where else "as a whole"
            screen.say(f"{finding.game} {what}: {finding.rule}: {finding.detail}")
        if result.cut is not None:
            screen.say(f"cut: {result.cut.message}")
        verdict = "all pass" if not result.failed else f"{result.failed:,} fail"
        if result.repaired:
            verdict += f", {result.repaired:,} repaired"
        if result.quarantined:
            verdict += f", {result.quarantined:,} moved to quarantine"
        checked = amount(result.checked, "record")
        if result.checked or not result.unchecked:
            screen.say(f"{checked} checked by the {rules} rules in {result.seconds:.2f} s: {verdict}")
        for game in result.unchecked:
            screen.say(f"{game.game}: {amount(game.records, 'record')} NOT checked: {game.reason}")
    if result.failed:
        return ExitStatus.NEGATIVE
    return ExitStatus.FAILED if result.unchecked else ExitStatus.POSITIVE
