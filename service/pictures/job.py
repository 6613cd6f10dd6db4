"""A job: what was asked, how far it is, what it has found."""

from __future__ import annotations

from math import log

from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveProgress
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.amounts import bytes_text, duration_text

__all__ = ["facts_list", "job_card", "job_facts"]


def facts_list(facts: list[tuple[str, Content]]) -> Markup:
    """Facts with their names, as a description list."""
    return tag("dl", *(joined(tag("dt", name), tag("dd", fact)) for name, fact in facts), class_="facts")


def job_facts(job: Job) -> list[tuple[str, Content]]:
    """What is to be said of a job, fact by fact with its name."""
    facts: list[tuple[str, Content]] = [("state", tag("span", job.state, class_=f"state {job.state}"))]
    progress, result = job.progress, job.result
    if not job.finished and progress is not None and progress.share is not None:
        done, total = progress.share
        bar = tag("progress", f"{done} of {total}", value=done, max=total, aria_label="progress of the job")
        facts.append(("done", joined(bar, f" {done:,} of {total:,}")))
    if not job.finished and progress is not None and progress.text:
        facts.append(("progress", progress.text))
    if isinstance(progress, SolveProgress) and not job.finished and progress.phase == "searching":
        facts += _evaluation(progress)
    if isinstance(progress, SolveProgress):
        if not job.finished and progress.best_line:
            more = progress.best_line_moves - len(progress.best_line)
            line = " ".join(progress.best_line) + (f" and {more} more" if more > 0 else "")
            facts.append(("line looked at", line))
        if not job.finished and progress.memory_bytes:
            peak = f", {progress.peak_nodes:,} nodes at most" if progress.peak_nodes else ""
            facts.append(("memory", f"{bytes_text(progress.memory_bytes)}{peak}"))
    if result is not None:
        facts.append(("outcome", result.outcome))
    timed = result or progress
    if timed is not None:
        facts.append(("took", duration_text(timed.seconds)))
    nodes = getattr(result or progress, "nodes", 0)
    if nodes:
        facts.append(("nodes", f"{nodes:,}"))
    if job.message:
        facts.append(("message", job.message))
    if job.error:
        facts.append(("error", job.error))
    if job.started_by:
        facts.append(("started by", job.started_by))
    return facts


def _evaluation(progress: SolveProgress) -> list[tuple[str, Content]]:
    """How a search stands: replies that are proved, where it proves them one after the other; else its two numbers."""
    if progress.phase_total:
        done, total = progress.phase_done, progress.phase_total
        bar = tag("progress", f"{done} of {total}", value=done, max=total, aria_label="replies proved")
        return [("replies proved", joined(bar, f" {done:,} of {total:,}"))]
    numbers = (progress.proof, progress.disproof)
    if progress.at_least is None or min(numbers) <= 0 or numbers == (1, 1):  # the search has no such numbers
        return []
    no, yes = log(1 + progress.proof), log(1 + progress.disproof)
    bar = tag("progress", "", value=round(yes / (no + yes), 3), max=1, aria_label="how near a yes is")
    return [("leans to", joined("no ", bar, " yes"))]


def job_card(job: Job) -> Markup:
    """A job with its heading."""
    return joined(tag("p", tag("b", f"{job.spec.action} {job.spec.subject}")), facts_list(job_facts(job)))
