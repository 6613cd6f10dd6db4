"""The pages with lists: the store with its tables, jobs, one job."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import TableInfo
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import button, page, section
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.report import SolveSpec
from proofbase.service.jobs.verification import VerificationResult
from proofbase.service.pictures.boards import Board, board_svg, has_board
from proofbase.service.pictures.job import facts_list, job_facts
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.amounts import amount, bytes_text, duration_text

__all__ = ["Lists"]

JOBS = 50
MOST_FINDINGS = 20


class Lists:
    """Answers `/store`, `/jobs` and `/jobs/{id}`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def store(self, request: Request) -> Response:
        """What the store holds."""
        found = await self._asker.statistics()
        facts: list[tuple[str, Content]] = [
            ("store", found.store),
            ("open", "read-only" if found.read_only else "for writing"),
        ]
        facts += [(f"jobs {state}", f"{count:,}") for state, count in sorted(found.jobs.items())]
        games = [
            (
                _game_link(game.game),
                f"{game.records:,}",
                f"{game.quarantined:,}",
                tag("code", game.fingerprint or "not known"),
            )
            for game in found.games
        ]
        sources = [(source.number, source.text) for source in found.sources[-JOBS:]]
        return page(
            "Store",
            facts_list(facts),
            section(
                "Games", _table("store-games", ("game", "records", "in quarantine", "fingerprint"), games, right=(1, 2))
            ),
            section("Tables of values", _tables(found.tables), name="tables"),
            section(
                "Where the records came from",
                _table("sources", ("number", "source"), sources) if sources else tag("p", "There are none yet."),
            ),
            tag("p", found.cut.message, class_="note") if found.cut else None,
            current="/store",
        )

    async def jobs(self, request: Request) -> Response:
        """Jobs, newest first."""
        found, cut = await self._asker.jobs(JOBS, request.query_params.get("continuation", ""))
        rows = [
            (
                tag("span", job.state, class_=f"state {job.state}"),
                job.error
                or (job.result.outcome if job.result is not None else (job.progress and job.progress.text) or ""),
                _question(job, number),
                tag("a", job.id[-8:], href=f"/jobs/{job.id}", class_="job-link"),
            )
            for number, job in enumerate(found)
        ]
        more = None
        if cut is not None and cut.continuation:
            more = tag("p", tag("a", "Older jobs", href=address("/jobs", continuation=cut.continuation)))
        table = (
            _table("jobs", ("state", "outcome", "question", "job"), rows) if rows else tag("p", "There are no jobs.")
        )
        return page("Jobs", table, more, current="/jobs")

    async def job(self, request: Request) -> Response:
        """One job."""
        job = await self._asker.job(request.path_params["id"])
        return page(f"Job {job.id[-8:]}", job_part(job), tag("div", id="live"), current="/jobs")


def job_part(job: Job) -> Markup:
    """A job with its buttons: the part of a page that follows it while it runs."""
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
        _question(job, 0),
        facts_list([*job_facts(job), ("job", tag("a", job.id, href=f"/jobs/{job.id}"))]),
        _findings(job),
        tag("p", *buttons, class_="row") if buttons else None,
        *links,
        class_="job",
        data_id=job.id,
        data_resting="yes" if job.resting else "no",
    )


def _question(job: Job, number: int) -> Markup:
    """What a job was asked, with a small picture of its position."""
    spec = job.spec
    if not isinstance(spec, SolveSpec) or not has_board(spec.game):
        return tag("p", f"{spec.action} {spec.subject}", class_="question")
    asked = "exact value" if spec.at_least is None else f"at least {spec.at_least}?"
    board = board_svg(Board(spec.game, spec.position, 0), name=f"job-{number}")
    words = tag("span", tag("b", f"{spec.action} {spec.game}"), f" {asked}")
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
    return _table("findings", ("position", "claim", "rule", "detail"), rows[:MOST_FINDINGS])


def _tables(tables: Sequence[TableInfo]) -> Markup:
    """The tables of each game as one line with their totals, which unfolds."""
    if not tables:
        return tag("p", "This server has no tables.")
    games: dict[str, list[TableInfo]] = {}
    for table in tables:
        games.setdefault(table.game or "files that are no tables", []).append(table)
    parts = []
    for game, of_game in games.items():
        entries, size = sum(table.entries for table in of_game), sum(table.bytes for table in of_game)
        damaged = sum(1 for table in of_game if table.damage)
        told = f": {amount(len(of_game), 'table')}, {entries:,} positions, {bytes_text(size)}"
        warning = tag("b", f", {damaged} damaged", class_="damaged") if damaged else None
        most = max(table.entries for table in of_game) or 1
        rows = [
            (
                table.name,
                tag("progress", "", value=table.entries, max=most, aria_label=f"{table.entries:,} positions"),
                f"{table.entries:,}",
                bytes_text(table.bytes),
                table.damage or "none known",
            )
            for table in of_game
        ]
        name = f"tables-{''.join(c if c.isalnum() else '-' for c in game)}"
        shown = _table(name, ("table", "", "positions", "size", "damage"), rows, right=(2, 3))
        parts.append(
            tag("details", tag("summary", tag("b", game), told, warning), shown, class_="more", open=damaged > 0)
        )
    return joined(*parts)


def _game_link(name: str) -> Markup:
    return tag("a", name, href=Place(name).href())


def _table(
    name: str, heads: tuple[str, ...], rows: Sequence[tuple[Content, ...]], *, right: tuple[int, ...] = ()
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
