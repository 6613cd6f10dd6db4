"""The kinds of jobs. A new kind is one file with its spec, progress, result and work, and one line here.

Names are those of the fields in protos/proofbase/v1/jobs.proto: the messages of the kind `solve` are in the fields
`solve`, `solve_progress` and `solve_result`, and their fields have the names of the dataclasses' fields. So neither the
store nor the wire needs code for a single kind. The store takes the kinds in `JOB_KINDS` of storage/entries.py, where a
new one comes last. A test says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from proofbase.service.jobs.control import JobControl, Work
from proofbase.service.jobs.model import Spec
from proofbase.service.jobs.positions.model import PositionsProgress, PositionsResult, PositionsSpec
from proofbase.service.jobs.positions.work import PositionsWork
from proofbase.service.jobs.solve.model import SolveProgress, SolveResult, SolveSpec
from proofbase.service.jobs.solve.work import SolveWork
from proofbase.service.jobs.table import TableProgress, TableResult, TableSpec
from proofbase.service.jobs.table_work import TableJobWork
from proofbase.service.jobs.verification import (
    VerificationProgress,
    VerificationResult,
    VerificationSpec,
    VerificationWork,
)
from proofbase.service.resources import Resources

__all__ = ["KINDS", "JobKind", "kind_of"]


def _solve_work(resources: Resources, control: JobControl, spec: SolveSpec) -> SolveWork:
    """One search at a time, or a manager with workers, whose modules no other solve has to import."""
    if not spec.workers:
        return SolveWork(resources, control, spec)
    from proofbase.service.jobs.proof_manager.managed_searches import ManagedSearches  # noqa: PLC0415

    return SolveWork(resources, control, spec, searches=ManagedSearches)


def _always(spec: Any) -> bool:
    return True


def _never(spec: Any) -> bool:
    return False


class JobKind(NamedTuple):
    """One kind of jobs.

    Attributes:
        spec, progress, result: its dataclasses.
        work: makes the work of a job that is about to begin.
        keeps_checkpoint: whether the checkpoint of a job that has ended is a part of what it has found.
        gives_way_soon: whether a job of that spec can give its slot to another client's as soon as its turn is over. A
            list of positions loses the search for one answer, so its turns get longer where one search is long; a table
            is stored now and then only, and a stop would lose minutes; a repair searches for many claims.
    """

    spec: type[Any]
    progress: type[Any]
    result: type[Any]
    work: Callable[[Resources, JobControl, Any], Work]
    keeps_checkpoint: bool = False
    gives_way_soon: Callable[[Any], bool] = _always


KINDS: dict[str, JobKind] = {
    "solve": JobKind(SolveSpec, SolveProgress, SolveResult, _solve_work),
    "verification": JobKind(
        VerificationSpec,
        VerificationProgress,
        VerificationResult,
        VerificationWork,
        gives_way_soon=lambda spec: not spec.repair,
    ),
    "table": JobKind(TableSpec, TableProgress, TableResult, TableJobWork, gives_way_soon=_never),
    "positions": JobKind(
        PositionsSpec, PositionsProgress, PositionsResult, PositionsWork, keeps_checkpoint=True, gives_way_soon=_never
    ),
}
_NAMES = {kind.spec: name for name, kind in KINDS.items()}


def kind_of(spec: Spec) -> str:
    """The kind of the job that has this specification."""
    return _NAMES[type(spec)]
