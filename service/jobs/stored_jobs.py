"""Conversion between the jobs of the service, which are typed, and those of the store, which are JSON."""

from __future__ import annotations

from typing import Any

from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.json_values import from_json, to_json
from proofbase.service.jobs.kinds import KINDS
from proofbase.service.jobs.model import Job, JobServer
from proofbase.storage.entries import Job as StoredJob

__all__ = ["from_stored", "to_stored"]


def to_stored(job: Job, private: dict[str, Any] | None = None) -> StoredJob:
    """A job as the store keeps it; `private` is what the job's work needs after a restart."""
    progress: dict[str, Any] = {"report": to_json(job.progress), "private": private or {}}
    if job.error_reason is not None:
        progress["error_reason"] = job.error_reason
    if job.started_by is not None:
        progress["started_by"] = job.started_by
    if job.call is not None:
        progress["call"] = job.call
    if job.server is not None and not job.resting:
        progress["server"] = to_json(job.server)
    return StoredJob(
        id=job.id,
        kind=job.kind,
        state=job.state,
        created=job.created,
        updated=job.updated,
        spec=to_json(job.spec),
        progress=progress,
        result=to_json(job.result),
        error=job.error,
    )


def from_stored(stored: StoredJob) -> Job:
    """Inverse of `to_stored`.

    Raises:
        InvalidRequestError: the job is of a kind that this release does not run.
    """
    if stored.kind not in KINDS:
        raise InvalidRequestError(
            f"job {stored.id} is of the kind {stored.kind}: this release has no such jobs", field="id"
        )
    kind, report, server = KINDS[stored.kind], stored.progress.get("report"), stored.progress.get("server")
    return Job(
        id=stored.id,
        kind=stored.kind,
        state=stored.state,  # type: ignore[arg-type]  # the store's own check admits exactly these names
        created=stored.created,
        updated=stored.updated,
        spec=from_json(kind.spec, stored.spec),
        progress=None if report is None else from_json(kind.progress, report),
        result=None if stored.result is None else from_json(kind.result, stored.result),
        error=stored.error,
        error_reason=stored.progress.get("error_reason"),
        server=None if server is None else from_json(JobServer, server),
        started_by=stored.progress.get("started_by"),
        call=stored.progress.get("call"),
    )
