"""The rows of a job over a file of positions: printed while it runs, and afterwards."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.output.hints import rows_of_positions
from proofbase.service.cli.output.position_files import RowPrinter, read_positions
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.output.wording import error_text
from proofbase.service.cli.output.written_claims import CLAIM_COLUMNS, ClaimSummary, ask_values, claims_of
from proofbase.service.words.amounts import duration_text, rate_text
from proofbase.service.words.values import game_name

if TYPE_CHECKING:
    from proofbase.service.cli.solves.question import SolveQuestion
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job
    from proofbase.service.jobs.positions.model import PositionOutcome

__all__ = ["print_outcomes", "solve_file"]

COLUMNS = ("game", "status", "unknown_reason", "lower", "upper", "best_move", "plies", "nodes", "seconds")
FETCH_SECONDS = 1.0
"""Time between two questions for new rows, at least."""


def solve_file(client: Service, game: str, file: Path, question: SolveQuestion, *, json: bool) -> ExitStatus:
    """Solves the positions of a file by one job, each with the whole budget, and prints a row for each.

    The rows come while the job runs. What makes no sense is named with its line before anything is searched.
    """
    positions = read_positions(game_name(game), file)
    try:
        job = client.start_positions(
            game,
            [position.text for position in positions],
            lines=[position.line for position in positions],
            source=None if str(file) == "-" else file.name,
            at_least=question.at_least,
            result_at_least=question.result_at_least,
            algorithm=question.algorithm,
            thresholds=question.thresholds,
            budget=question.budget,
        )
    except ValueError as error:
        if not str(error).startswith("line "):
            raise
        raise UsageError(f"{file}, {error_text(error)}") from None
    rows = _Rows(client, job, [position.text for position in positions], json=json)
    try:
        job = run_job(client, job, on_state=rows.print_new)
    except KeyboardInterrupt:
        further = rows_of_positions(client, job)
        if further:
            screen.note(f"proofbase: {further}")
        raise
    rows.print_all()
    if not json:
        screen.note(f"proofbase: {_summary(job)}")
    rows.summary.say()
    return max(rows.status, ExitStatus.NEGATIVE) if rows.summary.differs else rows.status


def print_outcomes(client: Service, job: Job, *, json: bool) -> ExitStatus:
    """Prints the rows of a job as far as it is."""
    rows = _Rows(client, job, None, json=json)
    rows.print_all()
    return rows.status


class _Rows:
    """Prints the rows of a job.

    Args:
        client: the service.
        job: the job.
        texts: the positions as they were given; None for the game's own form.
        json: JSON lines instead of CSV.

    Attributes:
        status: POSITIVE if all rows so far are.
        summary: of what texts claim.
    """

    def __init__(self, client: Service, job: Job, texts: list[str] | None, *, json: bool) -> None:
        self._client = client
        self._job = job
        self._texts = texts
        self._json = json
        self._game = job.spec.game or ""
        self._claimed = {
            number: claims
            for number, text in enumerate(texts or ())
            if (claims := claims_of(self._game, text)) is not None
        }
        self._printer = RowPrinter((*COLUMNS, *(CLAIM_COLUMNS if self._claimed else ())), json=json)
        self.summary = ClaimSummary()
        self._printed = 0
        self._fetched = 0.0
        self.status = ExitStatus.POSITIVE

    def print_new(self, job: Job) -> None:
        """Prints what is new, if a state of the job says that there is something and some time has passed."""
        done = getattr(job.progress, "done", 0)
        if done > self._printed and time.monotonic() - self._fetched >= FETCH_SECONDS:
            self.print_all()

    def print_all(self) -> None:
        """Prints all rows that are there now."""
        for outcome in self._client.position_outcomes(self._job.id, skip=self._printed):
            self._print(outcome)
            self._printed += 1
        self._printer.flush()
        self._fetched = time.monotonic()

    def _print(self, outcome: PositionOutcome) -> None:
        value, number = outcome.value, outcome.number
        if self._texts is not None and not self._json:
            outcome = replace(outcome, position=self._texts[outcome.number])
        fields: dict[str, Any] = documents.document(outcome)
        fields = {**fields, "game": self._job.spec.game, "job": self._job.id}
        del fields["number"]
        if not self._json:
            plies = outcome.rank if outcome.best_move else None
            fields = {**fields, "lower": value.lower, "upper": value.upper, "plies": plies}
        claims = self._claimed.get(number)
        if self._claimed and self._json:
            fields |= {"claims": []}
        if claims is not None:
            values = ask_values(self._client, self._game, claims)
            fields |= self.summary.row(
                claims, claims.verdicts(value, outcome.rank, outcome.best_move, values), json=self._json
            )
        self._printer.print(fields)
        if outcome.status not in ("exact", "proved"):
            self.status = ExitStatus.NEGATIVE


def _summary(job: Job) -> str:
    """What the job has found in all, and how fast."""
    result = job.result
    assert result is not None
    per_second = rate_text(getattr(result, "positions", 0), result.seconds)
    return f"{result.outcome}, in {duration_text(result.seconds)} ({per_second})"
