"""From a job to the work that it stands for. A new kind of job is one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofbase.service.jobs.control import JobControl, Work
from proofbase.service.jobs.model import SolveSpec, TableSpec
from proofbase.service.jobs.solving import SolveWork
from proofbase.service.jobs.tables import TablesWork
from proofbase.service.jobs.verification import VerificationWork

if TYPE_CHECKING:
    from proofbase.service.application import Application

__all__ = ["make_work"]


def make_work(app: Application, control: JobControl) -> Work:
    """The work of a job, not yet begun."""
    spec = control.job.spec
    if isinstance(spec, SolveSpec):
        return SolveWork(app, control, spec)
    if isinstance(spec, TableSpec):
        return TablesWork(app, control, spec)
    return VerificationWork(app, control, spec)
