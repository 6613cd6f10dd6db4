# ruff: noqa: N802  (methods are called as in the protos)
"""Jobs over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

from proofbase.service.access.roles import allows
from proofbase.service.commands.jobs.control_job import cancel_job, get_job, pause_job, resume_job
from proofbase.service.commands.jobs.list_jobs import list_jobs
from proofbase.service.commands.jobs.list_positions import list_positions
from proofbase.service.commands.jobs.prune_jobs import prune_jobs
from proofbase.service.commands.jobs.start_positions import NewPositionsJob
from proofbase.service.commands.jobs.start_solve import start_solve
from proofbase.service.commands.jobs.start_table import start_table
from proofbase.service.commands.jobs.start_verification import start_verification
from proofbase.service.convert import budget_of, enum_name, job_to_message, to_message
from proofbase.service.errors import InvalidRequestError, RoleLackingError
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.runner import JobRunner
from proofbase.service.jobs.running.ledger import KEPT_JOBS
from proofbase.service.jobs.starting import JobsOfCall, JobStarter
from proofbase.service.resources.lru_cache import cached_by_identity
from proofbase.service.rpc.calls import CLIENT, GAME, Calls, Context, requested_position
from proofbase.service.rpc.pools import Kind
from proofbase.service.telemetry.call_ids import CALL_ID
from proofbase.storage import StoreReadOnlyError
from proofbase.v1 import jobs_pb2, types_pb2
from proofbase.v1.jobs_pb2_grpc import JobsServicer

__all__ = ["Jobs"]

SMALL_PAGE = 100


def _check_quarantine() -> None:
    """Refuses to set records aside for a client who is no admin: they may be the proofs of others.

    Raises:
        RoleLackingError: that is so.
    """
    caller = CLIENT.get()
    if caller is not None and not allows(caller.identity.role, "admin"):
        raise RoleLackingError(
            f"a verification that moves records to the quarantine needs the role admin, and {caller.identity.name} is "
            f"{caller.identity.role}: without `quarantine` it tells what fails, with `repair` it proves it anew",
            role="admin",
        )


def _listed(job: Job) -> jobs_pb2.Job:
    """A job as a message, which is not to be changed: finished jobs are listed again and again."""
    return _finished_message(job) if job.finished else job_to_message(job)


_finished_message = cached_by_identity(job_to_message, KEPT_JOBS)


def _asked(request: Any) -> dict[str, Any]:
    """What a request asks about a position, and how it is to be solved."""
    question = request.WhichOneof("question")
    if question == "exact" and not request.exact:
        raise InvalidRequestError("exact is false, and no threshold is given: what is the question?", field="exact")
    return {
        "at_least": request.at_least if question == "at_least" else None,
        "result_at_least": request.result_at_least if question == "result_at_least" else None,
        "algorithm": request.algorithm or "auto",
        "thresholds": enum_name(jobs_pb2.Thresholds.DESCRIPTOR, request.thresholds) or "auto",
        "budget": budget_of(request.budget),
    }


class Jobs(JobsServicer):
    """Reads each request, calls its command, and writes the answer."""

    def __init__(self, calls: Calls, jobs: JobRunner, refused: str | None = None) -> None:
        """With `refused`, no job is started or changed here, and callers are told so."""
        self._calls = calls
        self._resources = calls.resources
        self._jobs = jobs
        self._refused = refused

    def starter(self) -> JobStarter:
        """Starts jobs for this call, in the name of its client where clients are checked."""
        self.check_not_refused()
        caller = CLIENT.get()
        if caller is None:
            return JobsOfCall(self._jobs, CALL_ID.get())
        return JobsOfCall(self._jobs, CALL_ID.get(), caller.identity.name, caller.account.check_jobs, caller.confirm)

    def check_not_refused(self) -> None:
        """Raises where no job is started or changed here.

        Raises:
            StoreReadOnlyError: that is so.
        """
        if self._refused is not None:
            raise StoreReadOnlyError(self._refused)

    async def _check_own(self, job_id: str) -> None:
        """Lets a client stop and resume the jobs that it has started; an admin all of them.

        Raises:
            JobNotFoundError: no such job.
            RoleLackingError: it is somebody else's.
        """
        self.check_not_refused()
        caller = CLIENT.get()
        if caller is None or caller.identity.role == "admin":
            return
        job = await self._calls.run(get_job, self._jobs, job_id)
        if job.started_by != caller.identity.name:
            owner = "nobody that is known" if job.started_by is None else job.started_by
            raise RoleLackingError(
                f"job {job_id} was started by {owner}: for {caller.identity.name} that needs the role admin",
                role="admin",
            )

    async def StartSolve(self, request: jobs_pb2.StartSolveRequest, context: Context) -> jobs_pb2.Job:
        position = requested_position(request)
        job = await self._calls.run(
            start_solve,
            self._resources,
            self.starter(),
            request.game,
            position,
            workers=request.workers,
            worker_processes=request.worker_processes,
            **_asked(request),
        )
        return job_to_message(job)

    async def StartPositions(
        self, request_iterator: AsyncIterator[jobs_pb2.StartPositionsRequest], context: Context
    ) -> jobs_pb2.Job:
        new: NewPositionsJob | None = None
        with ExitStack() as stack:
            async for request in request_iterator:
                if request.HasField("header"):
                    if new is not None:
                        raise InvalidRequestError("a second header: only the first message has one", field="header")
                    GAME.set(request.header.game)
                    new = await self._calls.run(self._new_positions_job, request.header, self.starter())
                    stack.enter_context(new)
                elif new is None:
                    raise InvalidRequestError("the first message has no header", field="header")
                choice = request.WhichOneof("positions")
                part: Any = request.texts.positions if choice == "texts" else request.keys.keys
                if len(part) or len(request.lines):
                    GAME.set(new.game)
                    await self._calls.run_as(self._kind_of_reading(new.game), new.add, part, request.lines)
            if new is None:
                raise InvalidRequestError("a list without messages", field="header")
            return job_to_message(await self._calls.run_as("upload", new.start))

    def _kind_of_reading(self, game: str) -> Kind:
        """Reading a part of a list takes as long as a large batch."""
        kind = self._calls.kind_of_reading(game)
        return "batch" if kind == "fast" else kind

    def _new_positions_job(self, header: jobs_pb2.PositionsHeader, jobs: JobStarter) -> NewPositionsJob:
        return NewPositionsJob(self._resources, jobs, header.game, source=header.source or None, **_asked(header))

    async def ListPositions(
        self, request: jobs_pb2.ListPositionsRequest, context: Context
    ) -> jobs_pb2.ListPositionsResponse:
        def page() -> jobs_pb2.ListPositionsResponse:
            outcomes, cut = list_positions(
                self._resources, self._jobs, request.id, skip=request.skip, limit=request.limit or None
            )
            return jobs_pb2.ListPositionsResponse(
                outcomes=[to_message(outcome, jobs_pb2.PositionOutcome) for outcome in outcomes],
                cut=None if cut is None else to_message(cut, types_pb2.Cut),
            )

        return await self._calls.run_as("batch", page)

    async def StartVerification(self, request: jobs_pb2.StartVerificationRequest, context: Context) -> jobs_pb2.Job:
        if request.quarantine:
            _check_quarantine()
        job = await self._calls.run(
            start_verification,
            self._resources,
            self.starter(),
            request.game or None,
            requested_position(request, "below"),
            sample=request.sample if request.HasField("sample") else None,
            seed=request.seed,
            rules=enum_name(jobs_pb2.Rules.DESCRIPTOR, request.rules) or "native",  # type: ignore[arg-type]
            quarantine=request.quarantine,
            zones=request.zones,
            repair=request.repair,
        )
        return job_to_message(job)

    async def StartTable(self, request: jobs_pb2.StartTableRequest, context: Context) -> jobs_pb2.Job:
        action: Any = enum_name(jobs_pb2.TableAction.DESCRIPTOR, request.action) or "build"
        job = await self._calls.run(
            start_table,
            self._resources,
            self.starter(),
            request.game,
            request.size,
            action=action,
            threads=request.threads,
            distances=request.distances,
            memory_bytes=request.memory_bytes if request.HasField("memory_bytes") else None,
            disk_bytes=request.disk_bytes if request.HasField("disk_bytes") else None,
            present=request.present,
            table=request.table or None,
            compress=request.compress,
        )
        return job_to_message(job)

    async def Watch(self, request: jobs_pb2.WatchRequest, context: Context) -> AsyncIterator[jobs_pb2.Job]:
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        latest: list[Job] = []

        def keep_latest(job: Job) -> None:  # in the thread of the runner: a slow reader gets the last state only
            latest[:] = [job]
            loop.call_soon_threadsafe(changed.set)

        end = await self._calls.run(self._jobs.subscribe, request.id, keep_latest)
        try:
            while True:
                await changed.wait()
                changed.clear()
                job = latest[0]
                yield job_to_message(job)
                if job.resting:
                    return
        finally:
            end()

    async def Get(self, request: jobs_pb2.GetJobRequest, context: Context) -> jobs_pb2.Job:
        return job_to_message(await self._calls.run(get_job, self._jobs, request.id))

    async def List(self, request: jobs_pb2.ListJobsRequest, context: Context) -> jobs_pb2.ListJobsResponse:
        names = [enum_name(jobs_pb2.JobState.DESCRIPTOR, state) or str(state) for state in request.states]
        kinds = [enum_name(jobs_pb2.JobKind.DESCRIPTOR, kind) or str(kind) for kind in request.kinds]

        def page() -> jobs_pb2.ListJobsResponse:
            jobs, cut = list_jobs(
                self._jobs, names, kinds=kinds, limit=request.limit or None, continuation=request.continuation or None
            )
            return jobs_pb2.ListJobsResponse(
                jobs=map(_listed, jobs),
                cut=None if cut is None else to_message(cut, types_pb2.Cut),
                unreadable=jobs.unreadable,
            )

        return await self._calls.run_as("fast" if request.limit <= SMALL_PAGE else "batch", page)

    async def Cancel(self, request: jobs_pb2.CancelJobRequest, context: Context) -> jobs_pb2.Job:
        await self._check_own(request.id)
        return job_to_message(await self._calls.run_write("control", cancel_job, self._jobs, request.id))

    async def Pause(self, request: jobs_pb2.PauseJobRequest, context: Context) -> jobs_pb2.Job:
        await self._check_own(request.id)
        return job_to_message(await self._calls.run_write("control", pause_job, self._jobs, request.id))

    async def Resume(self, request: jobs_pb2.ResumeJobRequest, context: Context) -> jobs_pb2.Job:
        await self._check_own(request.id)
        starter = self.starter()
        if isinstance(starter, JobsOfCall):
            starter.check_room()
        budget = budget_of(request.budget) if request.HasField("budget") else None
        job = await self._calls.run_write("control", resume_job, self._resources, self._jobs, request.id, budget)
        return job_to_message(job)

    async def Prune(self, request: jobs_pb2.PruneJobsRequest, context: Context) -> jobs_pb2.PruneJobsResponse:
        self.check_not_refused()
        removed = await self._calls.run_write(
            "control",
            prune_jobs,
            self._jobs,
            older_than=request.older_than_seconds if request.HasField("older_than_seconds") else None,
            keep=request.keep if request.HasField("keep") else None,
            wait=False,
        )
        return jobs_pb2.PruneJobsResponse(removed=removed)
