"""Jobs on the screen: rows of a list, and one job in full."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from proofbase.engine.errors import EngineError
from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.output.job_tree import print_course
from proofbase.service.cli.output.position_answer import print_board
from proofbase.service.errors import ServiceError
from proofbase.service.jobs.solve.model import SolveProgress, SolveSpec
from proofbase.service.words.amounts import age_text, duration_text

if TYPE_CHECKING:
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = ["find_job", "outcome_of", "print_board_looked_at", "print_job", "print_jobs", "short_id"]

SHORT = 8
"""Characters of a short id: the last ones, which are random. The first ones are the time when the job was made."""
FULL = 21
PAGE = 1000


def short_id(job_id: str) -> str:
    """The end of an id, which is enough to name the job."""
    return job_id[-SHORT:]


def find_job(client: Service, given: str) -> str:
    """The full id of a job that was named by its id, or by at least four characters at its end.

    Raises:
        UsageError: several jobs have such an id.
    """
    if not 4 <= len(given) < FULL:
        return given
    ids = list[str]()
    token: str | None = None
    while True:
        jobs, cut = client.jobs(limit=PAGE, continuation=token)
        ids += [job.id for job in jobs if job.id.endswith(given)]
        token = cut.continuation if cut is not None else None
        if token is None or len(ids) > 1:
            break
    if len(ids) > 1:
        raise UsageError(f"several jobs end with {given}: {', '.join(ids[:4])}")
    return ids[0] if ids else given


def print_jobs(jobs: Sequence[Job]) -> None:
    """A row for each job. On a terminal a row takes one line."""
    now = time.time()
    rows = [
        (
            short_id(job.id),
            job.state,
            age_text(now - job.created),
            _took(job),
            f"{job.spec.action} {job.spec.subject}",
            outcome_of(job),
        )
        for job in jobs
    ]
    headings = ("job", "state", "age", "took", "question", "outcome")
    numbers = ("age", "took")
    screen.print_table(headings, rows, right=numbers, shorten=("question", "outcome") if sys.stdout.isatty() else ())


def print_job(job: Job) -> None:
    """Everything about one job, a line for each fact."""
    facts = [
        ("job", job.id),
        ("kind", job.kind),
        ("question", f"{job.spec.action} {job.spec.subject}"),
        ("state", job.state),
        ("message", job.message),
        ("server", f"{job.server.host}, process {job.server.pid}" if job.server and not job.finished else None),
        ("started by", job.started_by),
        ("created", _moment(job.created)),
        ("updated", _moment(job.updated)),
        ("took", _took(job)),
        ("progress", job.progress.text if job.progress is not None and not job.finished else None),
        ("left", _left(job)),
        ("outcome", outcome_of(job)),
    ]
    for name, text in facts:
        if text:
            screen.say(f"{name:<10} {text}")
    if isinstance(job.progress, SolveProgress) and not job.finished:
        print_course(job.progress)


def print_board_looked_at(client: Service, job: Job) -> None:
    """The board at the end of the line that an unfinished solve looks at; nothing where the line is not known."""
    progress, spec = job.progress, job.spec
    if job.finished or not isinstance(progress, SolveProgress) or not isinstance(spec, SolveSpec):
        return
    if not progress.best_line or progress.best_line_moves > len(progress.best_line):
        return
    try:
        end = client.analyse_game(spec.game, " ".join(progress.best_line), spec.position).last_position
        answer = client.lookup(spec.game, end, board=True)
    except (EngineError, ServiceError) as error:  # the rules of the game may not be loaded here
        screen.note(f"no board: {error}")
        return
    screen.say(f"{'looks at':<10} {' '.join(progress.best_line)}")
    print_board(answer)


def outcome_of(job: Job) -> str:
    """What the job found or why it failed; nothing while it works."""
    if job.error:
        return job.error
    return "" if job.result is None else job.result.outcome


def _took(job: Job) -> str:
    source = job.result or job.progress
    return "" if source is None else duration_text(source.seconds)


def _left(job: Job) -> str | None:
    """How long the job will still take, where that can be told."""
    seconds = None if job.finished else getattr(job.progress, "seconds_left", None)
    return None if seconds is None else f"about {duration_text(seconds)}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "seconds")
