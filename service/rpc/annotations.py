# ruff: noqa: N802  (methods are called as in the protos)
"""Annotations over gRPC."""

from __future__ import annotations

from proofbase.service.access.roles import allows
from proofbase.service.commands.annotations.notes import add_note, remove_note
from proofbase.service.commands.annotations.report_value import report_value
from proofbase.service.convert import job_to_message, to_message
from proofbase.service.rpc.calls import CLIENT, Calls, Context, requested_position
from proofbase.service.rpc.jobs import Jobs
from proofbase.v1 import annotations_pb2 as messages
from proofbase.v1 import jobs_pb2, lookups_pb2
from proofbase.v1.annotations_pb2_grpc import AnnotationsServicer

__all__ = ["Annotations"]


class Annotations(AnnotationsServicer):
    """Reads each request, calls its command, and writes the answer.

    Args:
        calls: runs the commands.
        jobs: starts jobs for a call.
    """

    def __init__(self, calls: Calls, jobs: Jobs) -> None:
        self._calls = calls
        self._jobs = jobs

    async def ReportValue(self, request: messages.ReportValueRequest, context: Context) -> jobs_pb2.Job:
        job = await self._calls.run_write(
            "fast",
            report_value,
            self._calls.resources,
            self._jobs.starter(),
            request.game,
            requested_position(request),
            value=request.value,
            text=request.text or None,
            evidence=request.evidence or None,
            by=_caller(),
        )
        return job_to_message(job)

    async def AddNote(self, request: messages.AddNoteRequest, context: Context) -> lookups_pb2.Note:
        self._jobs.check_not_refused()
        note = await self._calls.run_write(
            "fast",
            add_note,
            self._calls.resources,
            request.game,
            requested_position(request, "about"),
            text=request.text,
            author=_caller() or request.author or None,
        )
        return to_message(note, lookups_pb2.Note)

    async def RemoveNote(self, request: messages.RemoveNoteRequest, context: Context) -> messages.RemoveNoteResponse:
        self._jobs.check_not_refused()
        caller = CLIENT.get()
        any_note = caller is None or allows(caller.identity.role, "admin")
        await self._calls.run_write(
            "fast",
            remove_note,
            self._calls.resources,
            request.game,
            request.id,
            requested_position(request, "about"),
            only_of=None if any_note else _caller(),
        )
        return messages.RemoveNoteResponse()


def _caller() -> str | None:
    """The name of the client, where the server checks its clients."""
    caller = CLIENT.get()
    return None if caller is None else caller.identity.name
