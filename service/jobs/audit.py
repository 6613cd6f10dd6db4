"""Whether a store holds the records that were written to it."""

from __future__ import annotations

from proofbase.service.jobs.local_checks import Finding
from proofbase.storage import Audit

__all__ = ["audit_finding"]


def audit_finding(game: str, audit: Audit) -> Finding | None:
    """What is wrong with the records of a game as a whole; None where the store holds what it should."""
    if audit.complete:
        return None
    if audit.records != audit.stored_records:
        missing = audit.stored_records - audit.records
        what = f"{missing:,} lost" if missing > 0 else f"{-missing:,} too many"
        detail = f"the store counts {audit.stored_records:,} records and holds {audit.records:,}: {what}"
        return Finding(game, b"", None, None, "count", detail)
    detail = (
        f"the records have the fingerprint {audit.fingerprint:016x}, those that were written have "
        f"{audit.stored_fingerprint or 0:016x}: a record was changed, or lost while another one was added"
    )
    return Finding(game, b"", None, None, "fingerprint", detail)
