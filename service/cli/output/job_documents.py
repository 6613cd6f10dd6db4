"""JSON of jobs and of their results."""

from __future__ import annotations

from typing import Any

from proofbase.service.cli.documents import document
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveResult, SolveSpec
from proofbase.service.jobs.verification import VerificationResult

__all__ = ["job_document", "solve_document", "verification_document"]


def solve_document(job: Job) -> dict[str, Any]:
    """The outcome of a solve."""
    spec, result = job.spec, job.result
    assert isinstance(spec, SolveSpec) and isinstance(result, SolveResult)
    return {
        "game": spec.game,
        "position": spec.position,
        "question": {"exact": True} if spec.at_least is None else {"at_least": spec.at_least},
        "status": result.status,
        "unknown_reason": result.unknown_reason,
        "resumable": result.resumable,
        "value": document(result.value),
        "found_value": document(result.found_value),
        "best_move": result.best_move,
        "rank": result.rank,
        "nodes": result.nodes,
        "peak_nodes": result.peak_nodes,
        "seconds": result.seconds,
        "storing_seconds": result.storing_seconds,
        "nodes_per_second": result.nodes_per_second,
        "records": result.records,
        "algorithm": result.algorithm,
        "algorithm_reason": result.algorithm_reason,
        "tables": list(result.tables),
        "thresholds": spec.thresholds,
        "questions": document(result.questions),
        "job": job.id,
    }


def verification_document(job: Job) -> dict[str, Any]:
    """The outcome of a verification; `game` is null for a whole store."""
    spec, result = job.spec, job.result
    assert isinstance(result, VerificationResult)
    return {**document(spec), **document(result), "job": job.id}


def job_document(job: Job) -> dict[str, Any]:
    """A job as it is now."""
    fields: dict[str, Any] = document(job)
    return fields
