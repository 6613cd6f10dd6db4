"""Report that a value is wrong."""

from __future__ import annotations

import base64
import time

from proofbase.engine.checking.certificate import FIRST_LINE
from proofbase.engine.checking.xz import decompressed
from proofbase.engine.errors import MalformedCertificateError
from proofbase.service.answers.annotations import Report
from proofbase.service.commands.annotations.texts import TEXT_CHARACTERS, check_keeps, plain_text
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.jobs.model import Job, new_job_id
from proofbase.service.jobs.report import ReportSpec
from proofbase.service.jobs.running.starting import JobStarter
from proofbase.service.positions import Where, find_position, text_of_job
from proofbase.service.resources import Resources
from proofbase.service.resources.annotations import body_of
from proofbase.storage import Annotation

__all__ = ["report_value"]

MOST_EVIDENCE = 128 << 10
REPORTS_A_DAY = 10
"""Of one position."""
KEPT_REPORTS = 20
"""Of one position: the newest."""
DAY = 86_400.0


def report_value(
    resources: Resources,
    jobs: JobStarter,
    game_name: str,
    where: Where = None,
    *,
    value: int,
    text: str | None = None,
    evidence: bytes | None = None,
    by: str | None = None,
) -> Job:
    """Keeps a report, and queues the job that checks it.

    Args:
        resources: the store and what belongs to it.
        jobs: starts the job.
        game_name: any name of the game.
        where: the position.
        value: what the reporter says its value is, for the side to move.
        text: why; at most 1000 characters.
        evidence: a certificate of the position, at most 128 KiB, also where xz has compressed it: so much it holds.
        by: who reports it; None where nobody knows.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: the game has no such value, the same report is open, or the evidence is no certificate.
        LimitExceededError: the evidence is too large, or there were many reports of the position within a day.
        QueueFullError, StoreReadOnlyError: the service cannot take it.
    """
    game = resources.games.open(game_name)
    position = find_position(game, where)
    if abs(value) > game.highest_value:
        raise InvalidRequestError(
            f"a value of {value}: those of {game.name} are -{game.highest_value} to {game.highest_value}",
            field="value",
        )
    said = None if not text else plain_text("text", text, TEXT_CHARACTERS)
    evidence = _certificate(evidence)
    check_keeps(resources.store)
    annotations, now, key = resources.store.annotations(), time.time(), game.key(position)
    reports = [entry for entry in annotations.of_keys(game.name, [key]) if entry.kind == "report"]
    if sum(entry.created > now - DAY for entry in reports) >= REPORTS_A_DAY:
        raise LimitExceededError(
            f"there were {REPORTS_A_DAY} reports of this position within a day: report it again later",
            limit="reports_a_day",
            largest=REPORTS_A_DAY,
        )
    for entry in reports:
        same = entry.body.get("status") == "open" and entry.body.get("value") == value
        if same and entry.created > now - DAY:  # a job that was cancelled leaves its report open
            raise InvalidRequestError(f"the value {value} was reported already, and is being checked ({entry.id})")
    report = Report(new_job_id(now), now, value, by=by, text=said, evidence=None if evidence is None else "certificate")
    body = body_of(report)
    if evidence is not None:
        body["certificate"] = base64.b64encode(evidence).decode()
    annotations.put(Annotation(report.id, "report", game.name, key, now, body))
    try:
        job = jobs.start(ReportSpec(game.name, text_of_job(game, position), value, report.id))
    except BaseException:
        annotations.drop(game.name, key, report.id)
        raise
    for entry in reports[KEPT_REPORTS - 1 :]:
        annotations.drop(game.name, key, entry.id)
    return job


def _certificate(evidence: bytes | None) -> bytes | None:
    """The evidence as it is kept, uncompressed, if it looks like a certificate."""
    if not evidence:
        return None
    held = b""
    try:
        for piece in decompressed([evidence]):
            held += piece
            if len(held) > MOST_EVIDENCE:
                raise LimitExceededError(
                    f"more than {MOST_EVIDENCE:,} bytes of evidence: `proofbase import` takes larger certificates, and "
                    "checks them",
                    limit="evidence_bytes",
                    largest=MOST_EVIDENCE,
                    field="evidence",
                )
    except MalformedCertificateError as error:
        raise InvalidRequestError(f"the evidence is no certificate: {error}", field="evidence") from None
    if not held.startswith(FIRST_LINE):
        raise InvalidRequestError(
            "the evidence is no certificate (`proofbase export GAME POSITION` writes one): say in words what it is",
            field="evidence",
        )
    return held
