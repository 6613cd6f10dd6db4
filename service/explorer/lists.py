"""The pages with lists: the store with its tables, jobs, one job."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import TableInfo
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.job_part import data_table, job_part, job_question
from proofbase.service.explorer.layout import page, section
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveProgress, SolveSpec
from proofbase.service.pictures.boards import Board, board_svg, has_board
from proofbase.service.pictures.histograms import counts_text, table_histogram
from proofbase.service.pictures.job import facts_list
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.amounts import amount, bytes_text
from proofbase.service.words.verifications import package_text

__all__ = ["Lists"]

JOBS = 50


class Lists:
    """Answers `/store`, `/jobs` and `/jobs/{id}`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def store(self, request: Request) -> Response:
        """What the store holds; with `tables`, the histograms of that game's tables."""
        statistics = await self._asker.statistics()
        opened = request.query_params.get("tables", "")
        counted = {table.name: table for table in await self._asker.tables(opened)} if opened else {}
        tables = [counted.get(table.name, table) for table in statistics.tables]
        facts: list[tuple[str, Content]] = [
            ("store", statistics.store),
            ("open", "read-only" if statistics.read_only else "for writing"),
        ]
        if statistics.package is not None:
            facts.append(("package", package_text(statistics.package)))
        facts += [(f"jobs {state}", f"{count:,}") for state, count in sorted(statistics.jobs.items())]
        games = [
            (
                _game_link(game.game),
                f"{game.records:,}",
                f"{game.quarantined:,}",
                tag("code", game.fingerprint or "not known"),
            )
            for game in statistics.games
        ]
        sources = [(source.number, source.text) for source in statistics.sources[-JOBS:]]
        return page(
            "Store",
            facts_list(facts),
            section(
                "Games",
                data_table("store-games", ("game", "records", "in quarantine", "fingerprint"), games, right=(1, 2)),
            ),
            section(
                "Tables of values",
                _tables(tables, opened),
                name="tables",
            ),
            section(
                "Where the records came from",
                data_table("sources", ("number", "source"), sources) if sources else tag("p", "There are none yet."),
            ),
            tag("p", statistics.cut.message, class_="note") if statistics.cut else None,
            current="/store",
        )

    async def jobs(self, request: Request) -> Response:
        """Jobs, newest first."""
        jobs, cut = await self._asker.jobs(JOBS, request.query_params.get("continuation", ""))
        rows = [
            (
                tag("span", job.state, class_=f"state {job.state}"),
                job.error
                or (job.result.outcome if job.result is not None else (job.progress and job.progress.text) or ""),
                job_question(job, number),
                tag("a", job.id[-8:], href=f"/jobs/{job.id}", class_="job-link"),
            )
            for number, job in enumerate(jobs)
        ]
        more = None
        if cut is not None and cut.continuation:
            more = tag("p", tag("a", "Older jobs", href=address("/jobs", continuation=cut.continuation)))
        table = (
            data_table("jobs", ("state", "outcome", "question", "job"), rows)
            if rows
            else tag("p", "There are no jobs.")
        )
        return page("Jobs", table, more, current="/jobs")

    async def job(self, request: Request) -> Response:
        """One job."""
        job = await self._asker.job(request.path_params["id"])
        return page(f"Job {job.id[-8:]}", job_part(job, await self._line(job)), tag("div", id="live"), current="/jobs")

    async def _line(self, job: Job) -> Markup | None:
        """The board after the line that a search looks at now."""
        spec, progress = job.spec, job.progress
        if not isinstance(spec, SolveSpec) or not isinstance(progress, SolveProgress) or job.finished:
            return None
        if not progress.best_line or not has_board(spec.game):
            return None
        played = await self._asker.analysis(spec.game, spec.position, progress.best_line)
        side = played.moves[-1].side
        board = board_svg(
            Board(spec.game, played.last_position, 1 - side, last=played.moves[-1].move), name="line-board"
        )
        return tag("div", board, class_="board-frame small", id="line-looked-at")


def _tables(tables: Sequence[TableInfo], opened: str) -> Markup:
    """The tables of each game as one line with their totals, which unfolds; those of `opened` are, with histograms."""
    if not tables:
        return tag("p", "This server has no tables.")
    games: dict[str, list[TableInfo]] = {}
    for table in tables:
        games.setdefault(table.game or "files that are no tables", []).append(table)
    parts = []
    for game, of_game in games.items():
        entries, size = sum(table.entries for table in of_game), sum(table.bytes for table in of_game)
        damaged = sum(1 for table in of_game if table.damage)
        summary = f": {amount(len(of_game), 'table')}, {entries:,} entries, {bytes_text(size)}"
        warning = tag("b", f", {damaged} damaged", class_="damaged") if damaged else None
        rows = [
            (
                table.name,
                _bars(table) if game == opened else "",
                f"{table.entries:,}",
                bytes_text(table.bytes),
                table.damage or "none known",
            )
            for table in of_game
        ]
        name = f"tables-{''.join(c if c.isalnum() else '-' for c in game)}"
        ends = tag("a", "how they end", href=f"{address('/store', tables=game)}#{name}")
        heads = ("table", "how they end" if game == opened else ends, "entries", "size", "damage")
        rows_of_game = data_table(name, heads, rows, right=(2, 3))
        unfolded = damaged > 0 or game == opened
        parts.append(
            tag("details", tag("summary", tag("b", game), summary, warning), rows_of_game, class_="more", open=unfolded)
        )
    return joined(*parts)


def _bars(table: TableInfo) -> Markup:
    """How the positions of a table end."""
    if table.histogram:
        return joined(table_histogram(table.histogram), tag("div", counts_text(table.histogram), class_="note small"))
    return tag("span", "" if table.damage else "not counted yet", class_="note")


def _game_link(name: str) -> Markup:
    return tag("a", name, href=Place(name).href())
