"""Verifications in words."""

from __future__ import annotations

from datetime import UTC, datetime

from proofbase.service.answers.verifications import Verification
from proofbase.service.words.amounts import amount

__all__ = ["package_text", "verification_text"]


def _moment_text(seconds: float) -> str:
    """A time in seconds since the epoch as `2026-11-26 05:40 UTC`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def package_text(url: str) -> str:
    """What of a package was checked, beside an answer from it."""
    return f"{url}: each record was checked here by those after its moves; what these rest on, and tables, were not"


def verification_text(verification: Verification) -> str:
    """`2026-11-26 05:40 UTC by proofbase 0.2.0, python rules version 1: all 5,478 records pass`."""
    client = "" if verification.by is None else f", asked for by {verification.by}"
    below = "" if verification.position is None else f" below {verification.position}"
    outcome = f"{verification.failed:,} of {amount(verification.checked, 'record')}{below} fail"
    if not verification.failed:
        outcome = f"{amount(verification.checked, 'record')}{below}, all pass"
    rules = f"{verification.rules} rules version {verification.rules_version}"
    whose = "" if verification.package is None else "the package says: "
    return f"{whose}{_moment_text(verification.finished)} by {verification.program}, {rules}{client}: {outcome}"
