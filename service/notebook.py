"""Jobs in a notebook: `client.solve(game, on_progress=live())` shows the search while it runs. Needs IPython."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveProgress
from proofbase.service.pictures.curves import Sample
from proofbase.service.pictures.notebook import job_picture

__all__ = ["live"]

MOST_SAMPLES = 400
"""Points of the curve; with more of them every second one is left out."""


def live() -> Callable[[Job], None]:
    """What to give as `on_progress` of `solve`, `verify` and `wait`: one output cell follows the job.

    Raises:
        ModuleNotFoundError: IPython is not installed.
    """
    try:
        display = import_module("IPython.display")
    except ModuleNotFoundError:
        raise ModuleNotFoundError("progress in a notebook needs IPython: pip install ipython") from None
    samples = list[Sample]()
    handle = display.DisplayHandle()
    is_displayed = False

    def show(job: Job) -> None:
        nonlocal is_displayed
        progress = job.progress
        if isinstance(progress, SolveProgress):
            samples.append(Sample(progress.seconds, progress.proof, progress.disproof, progress.nodes))
            if len(samples) > MOST_SAMPLES:
                del samples[1:-1:2]
        picture = job_picture(job, samples)
        if is_displayed:
            handle.update(picture)
        else:
            handle.display(picture)
            is_displayed = True

    return show
