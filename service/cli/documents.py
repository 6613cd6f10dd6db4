"""JSON for programs: answers of the service as documents with the field names of the protocol."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from proofbase.service.answers import PositionAnswer, Value
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.report import SolveResult, SolveSpec
from proofbase.service.jobs.verification import VerificationResult
from proofbase.service.words.visible import visible_json

__all__ = ["document", "job_document", "lookup_document", "print_document", "solve_document", "verification_document"]


def print_document(data: Any) -> None:
    """Writes one JSON document on one line of standard output."""
    sys.stdout.write(visible_json(json.dumps(document(data), ensure_ascii=False)) + "\n")
    sys.stdout.flush()


def document(data: Any) -> Any:
    """Plain JSON values: a value becomes {lower, upper}, bytes hexadecimal text, other answers their fields."""
    if isinstance(data, Value):
        return {"lower": data.lower, "upper": data.upper}
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {field.name: document(getattr(data, field.name)) for field in dataclasses.fields(data)}
    if isinstance(data, bytes):
        return data.hex()
    if isinstance(data, dict):
        return {str(name): document(entry) for name, entry in data.items()}
    if isinstance(data, list | tuple):
        return [document(entry) for entry in data]
    return data


def lookup_document(answer: PositionAnswer) -> dict[str, Any]:
    """What is known of a position; the moves are best first, those of unknown value (known false) last."""
    return {
        "game": answer.game,
        "position": answer.position,
        "key": answer.key.hex(),
        "side": answer.side,
        "score": answer.score,
        "stored": answer.stored,
        "terminal": answer.terminal,
        "known": answer.known,
        "value": document(answer.value),
        "rank": answer.rank,
        "no_win_within": answer.no_win_within,
        "no_loss_within": answer.no_loss_within,
        "best_move": answer.witness,
        "moves": document(answer.moves),
        "claims": document(answer.claims),
        "sources": document(answer.sources),
        "searched": document(answer.searched),
        "verification": document(answer.verification),
        "package": answer.package,
    }


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
