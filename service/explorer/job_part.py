"""A job with its buttons, and tables of a page."""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.layout import button
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveSpec
from proofbase.service.jobs.verification import VerificationResult
from proofbase.service.pictures.boards import Board, board_svg, has_board
from proofbase.service.pictures.job import facts_list, job_facts
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.words.amounts import duration_text
from proofbase.service.words.values import highest_value

__all__ = ["data_table", "job_part", "job_question"]

MOST_FINDINGS = 20


def job_part(job: Job, line: Markup | None = None) -> Markup:
    """A job with its buttons: the part of a page that follows it while it runs.

    Args:
        job: the job.
        line: the board after the line that it looks at now.
    """
    buttons = []
    if not job.resting:
        buttons += [button("Pause", data_job="Pause"), button("Cancel", data_job="Cancel")]
    elif job.state == "paused":
        buttons += [button("Go on", data_job="Resume"), button("Cancel", data_job="Cancel")]
    spec, links = job.spec, list[Content]()
    if isinstance(spec, SolveSpec):
        links.append(tag("p", tag("a", "The position", href=Place(spec.game, spec.position).href(), id="job-position")))
    return tag(
        "div",
        job_question(job, 0),
        facts_list([*job_facts(job), ("job", tag("a", job.id, href=f"/jobs/{job.id}"))]),
        line,
        _findings(job),
        tag("p", *buttons, class_="row") if buttons else None,
        *links,
        class_="job",
        data_id=job.id,
        data_resting="yes" if job.resting else "no",
    )


def job_question(job: Job, number: int) -> Markup:
    """What a job was asked, with a small picture of its position."""
    spec = job.spec
    if not isinstance(spec, SolveSpec) or not has_board(spec.game):
        return tag("p", f"{spec.action} {spec.subject}", class_="question")
    question = "exact value" if spec.at_least is None else f"at least {spec.at_least}?"
    if highest_value(spec.game) == 1:
        question = (
            {1: "a win?", 0: "a draw or more?"}.get(spec.at_least, question) if spec.at_least is not None else question
        )
    board = board_svg(Board(spec.game, spec.position, 0), name=f"job-{number}")
    words = tag("span", tag("b", f"{spec.action} {spec.game}"), f" {question}")
    return tag("div", tag("span", board, class_="thumbnail"), words, class_="question with-board")


def _findings(job: Job) -> Markup | None:
    result = job.result
    if not isinstance(result, VerificationResult):
        return None
    if not result.findings:
        passed = result.checked and not result.failed
        text = f"{result.checked:,} records checked in {duration_text(result.seconds)}, none fails."
        text = text if passed else "No record was checked."
        return tag("p", text, class_="passed" if passed else None)
    rows = [
        (finding.position or finding.key.hex(), finding.claim, finding.rule, finding.detail)
        for finding in result.findings
    ]
    return data_table("findings", ("position", "claim", "rule", "detail"), rows[:MOST_FINDINGS])


def data_table(
    name: str, heads: tuple[Content, ...], rows: Sequence[tuple[Content, ...]], *, right: tuple[int, ...] = ()
) -> Markup:
    """A table that scrolls by itself on a narrow screen."""

    def kind(column: int) -> str | None:
        return "right" if column in right else None

    head = [
        tag("th", text, scope="col", class_=kind(column)) if text else tag("td") for column, text in enumerate(heads)
    ]
    body = [tag("tr", *(tag("td", cell, class_=kind(column)) for column, cell in enumerate(row))) for row in rows]
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body), id=name)
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label=name)
