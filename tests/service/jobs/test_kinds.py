"""The table of the kinds of jobs: each kind is known to the store and to the protocol, and survives both unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from proofbase.service.answers import Cut, Value
from proofbase.service.client import (
    Budget,
    Finding,
    Job,
    PositionsProgress,
    PositionsResult,
    PositionsSpec,
    Question,
    SolveProgress,
    SolveResult,
    SolveSpec,
    TableFinding,
    TableOutcome,
    TableProgress,
    TableResult,
    TableSpec,
    VerificationProgress,
    VerificationResult,
    VerificationSpec,
)
from proofbase.service.convert import job_from_message, job_to_message
from proofbase.service.jobs.kinds import KINDS, kind_of
from proofbase.service.jobs.stored_jobs import from_stored, to_stored
from proofbase.storage import JOB_KINDS
from proofbase.v1 import jobs_pb2

VALUE = Value(-1, 1, True, False)
CUT = Cut("count", "there are more", "go-on")
EXAMPLES: dict[str, tuple[Any, Any, Any]] = {
    "solve": (
        SolveSpec("awari", "-", 3, "pn-dag", Budget(10, 1.5, 100), "both"),
        SolveProgress(3, 1, 10, 1.5, 7.0, -1, 5, 100, ("A1", "B2"), VALUE, "pn-dag", "it was named"),
        SolveResult(
            "unknown", VALUE, "A1", 4, 10, 1.5, 7.0, 3, "pn-dag", "nodes", "it was named",
            (Question(3, "unknown", VALUE, 10, 1.5),),
        ),
    ),
    "verification": (
        VerificationSpec("awari", "-", 5, 7, "python", True),
        VerificationProgress("awari", 3, 5, 1, 1.5, 2.0),
        VerificationResult(3, 1, 1.5, 2.0, (Finding("awari", b"\0k", "-", "lower 1", "child", "it fails"),), 1, CUT),
    ),
    "table": (
        TableSpec("awari", 4, "verify", 2),
        TableProgress("awari-3", "checking", 5, 364, 91, 455, 1, 1.5),
        TableResult(
            (TableOutcome("awari-3", 364, 1, 29, 0.5),), 364, 1, 1.5,
            (TableFinding("awari-3", 17, -2, "value", "it is 0"),), CUT,
        ),
    ),
    "positions": (
        PositionsSpec("awari", 500, None, 1, "pn-dag", Budget(10, 1.5, 100), "both", "openings.txt"),
        PositionsProgress(3, 500, 1, 1_000, 1.5, 2.0, 248.5, 7, "-"),
        PositionsResult(500, 300, 100, 50, 50, 1_000, 250.0, 2.0, 77),
    ),
}  # fmt: skip


def test_every_kind_has_an_example() -> None:
    assert set(EXAMPLES) == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_known_to_the_store_and_to_the_protocol(name: str) -> None:
    assert name in JOB_KINDS, "storage/entries.py lists the kinds that a store takes"
    assert f"JOB_KIND_{name.upper()}" in jobs_pb2.JobKind.DESCRIPTOR.values_by_name
    assert {name, f"{name}_progress", f"{name}_result"} <= set(jobs_pb2.Job.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize("name", KINDS)
def test_a_job_goes_through_the_store_and_over_the_wire_unchanged(name: str) -> None:
    spec, progress, result = EXAMPLES[name]
    assert KINDS[name][:3] == (type(spec), type(progress), type(result))
    job = Job("1", kind_of(spec), "done", 1.5, 2.5, spec, progress, result, "why", "WHY")
    assert job.kind == name
    assert from_stored(to_stored(job)) == job
    assert job_from_message(job_to_message(job)) == job
    bare = Job("1", name, "queued", 1.5, 2.5, spec)
    assert from_stored(to_stored(bare)) == bare
    assert job_from_message(job_to_message(bare)) == bare


@pytest.mark.parametrize("name", KINDS)
def test_a_job_says_what_it_does_and_how_far_it_is(name: str) -> None:
    spec, progress, _ = EXAMPLES[name]
    assert spec.action in ("solve", "verify", "build")
    assert "awari" in spec.subject
    assert progress.text
    assert type(progress)().text is None and type(progress)().share is None
    if name != "solve":
        assert progress.share is not None and progress.share[0] < progress.share[1]
