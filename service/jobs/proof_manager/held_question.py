"""Which job manages a question: two managers of one question exclude each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.errors import JobStateError
from proofbase.service.jobs.json_values import from_json
from proofbase.service.jobs.model import UNFINISHED, Job, JobServer
from proofbase.service.jobs.servers import JobServers
from proofbase.storage import SolutionStore

__all__ = ["held_question"]

_MANAGING: set[tuple[str, tuple[bytes, int]]] = set()
"""Jobs of this process, and the questions that they manage now."""
_BETWEEN_TURNS: set[str] = set()
"""Jobs that wait in this process for their next turn, and go on with their question then."""
_LOCK = threading.Lock()


@contextmanager
def held_question(
    store: SolutionStore,
    game: Game[Any],
    question: tuple[bytes, int],
    job_id: str,
    waits_for_turn: Callable[[], bool],
) -> Iterator[None]:
    """Holds a question for a job, for as long as the context lasts.

    A process that is killed leaves it held; the same job goes on with it, and any other job takes it when that one
    does not run.

    Args:
        store, game, question, job_id: what is held, and for whom.
        waits_for_turn: whether the job, when the context ends, waits for its next turn: then it is held until that.

    Raises:
        JobStateError: another job manages the question.
    """
    estimates, version = store.estimates(), game.rules_version
    with _LOCK:
        holder = estimates.hold(game.name, question, job_id, instead_of=None, rules_version=version)
        if holder != job_id and not _is_alive(store, holder):
            holder = estimates.hold(game.name, question, job_id, instead_of=holder, rules_version=version)
        if holder != job_id or (job_id, question) in _MANAGING:
            raise JobStateError(
                f"job {holder} manages this question of {game.name} already: wait for it, or cancel it",
                job_id=holder,
                state="running",
            )
        _MANAGING.add((job_id, question))
        _BETWEEN_TURNS.discard(job_id)
    try:
        yield
    finally:
        with _LOCK:
            _MANAGING.discard((job_id, question))
            if waits_for_turn():
                _BETWEEN_TURNS.add(job_id)
            else:
                estimates.release(game.name, question, job_id)


def _is_alive(store: SolutionStore, job_id: str) -> bool:
    """Whether a job runs: in this process, or by its entry in a shared store."""
    if any(managing == job_id for managing, _ in _MANAGING):
        return True
    stored = store.get_job(job_id)
    if stored is None or stored.state not in UNFINISHED:
        _BETWEEN_TURNS.discard(job_id)
        return False
    if job_id in _BETWEEN_TURNS or not store.shared:
        return job_id in _BETWEEN_TURNS
    server = stored.progress.get("server")
    job = Job(
        stored.id,
        stored.kind,
        "running",
        stored.created,
        stored.updated,
        spec=stored.spec,  # type: ignore[arg-type]  # nothing asks for it
        server=None if server is None else from_json(JobServer, server),
    )
    return not JobServers(store).has_no_server(job)
