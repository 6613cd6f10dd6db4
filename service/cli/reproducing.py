"""The tables of the papers, measured again: printed figures beside ours."""

from __future__ import annotations

import time
from collections import Counter
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofbase.engine.papers.reproduce import TABLES, Options
from proofbase.engine.papers.reproduce import reproduce as measure
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, positive_count
from proofbase.service.cli.output.progress import showing_progress

if TYPE_CHECKING:
    from proofbase.engine.papers.reproduce import Report

__all__ = ["reproduce"]


def reproduce(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", help="Which table; without one they are listed.", show_default=False),
    ] = None,
    orders: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=positive_count,
            help="Random move orders to average over [default: the paper's].",
            show_default=False,
        ),
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=positive_count,
            help="Positions to compare on, where the paper's are lost.",
            show_default=False,
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=positive_count,
            help="Give a search up after N nodes [default: the paper's].",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Sets of positions, for the table connect-four.", show_default=False),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="End a row of times after S seconds [default: the table's].", show_default=False
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the paper's figure with our points, as SVG; several get their numbers in the name.",
            show_default=False,
        ),
    ] = None,
    headlines: Annotated[
        bool,
        typer.Option("--headlines", help="What the five papers claim, each with a verdict from a sample of minutes."),
    ] = False,
    json: Json = False,
) -> int:
    """Measure a paper's table again: the printed figures beside ours.

    Rows that differ by more than 5 % are marked. Ctrl-C ends a measurement; those of the longest tables show what there
    is by then. Exit status 1: rows are marked, or headlines do not hold.
    """
    if headlines:
        if (table, orders, positions, nodes, data, seconds, plot) != (None,) * 7:
            raise UsageError(
                "--headlines measures samples of its own: it takes no table and no other option but --json"
            )
        return _headlines(json=json)
    if table is None:
        if (orders, positions, nodes, data, seconds, plot) != (None,) * 6:
            raise UsageError("options need a table; `proofbase reproduce` lists them")
        if json:
            documents.print_document({"tables": [{"name": name, "title": TABLES[name].title} for name in TABLES]})
        else:
            screen.print_table(("table", "what"), [(name, entry.title) for name, entry in TABLES.items()])
        return ExitStatus.POSITIVE
    if table not in TABLES:
        raise UsageError(f"no table {table[:60]!r}; there are {', '.join(TABLES)}")
    if seconds is not None and not seconds > 0:
        raise UsageError(f"--seconds {seconds}: more than 0 are needed")
    with showing_progress(table) as show:
        options = Options(orders, plot is not None, positions, nodes, data, seconds)
        report = measure(table, options, lambda share, what: show(what, share, 1.0))
    if plot is not None and report.plot is None:
        raise UsageError(f"{table} has no figure to plot")
    if plot is not None and report.plot is not None:
        if isinstance(report.plot, bytes):
            plot.write_bytes(report.plot)
        else:
            for number, image in report.plot.items():
                plot.with_stem(f"{plot.stem}-{number}").write_bytes(image)
    if json:
        documents.print_document(_document(report))
    else:
        _print(report)
    return ExitStatus.POSITIVE if report.agrees else ExitStatus.NEGATIVE


def _headlines(*, json: bool) -> int:
    """Measures the headlines and prints them."""
    from proofbase.engine.papers.reproduce import headlines as papers  # noqa: PLC0415

    started = time.process_time()
    with showing_progress("headlines") as show:
        judged = papers.headlines(lambda share, what: show(what, share, 1.0))
    seconds = time.process_time() - started
    if json:
        lines = [
            {
                "place": headline.claim.place,
                "claim": headline.claim.sentence,
                "printed": list(headline.claim.printed),
                "measured": None if headline.ours is None else list(headline.ours),
                "figures": headline.claim.template,
                "sample": headline.claim.sample,
                "verdict": headline.verdict,
                "because": headline.because,
            }
            for headline in judged
        ]
        documents.print_document({"headlines": lines, "seconds": seconds})
    else:
        for headline in judged:
            screen.say(headline.text(), lines=True)
        counts = Counter(headline.verdict for headline in judged)
        screen.say(", ".join(f"{verdict}: {counts[verdict]}" for verdict in papers.Verdict))
        screen.say(f"{seconds:.0f} seconds of the processor")
    holds = all(headline.verdict != papers.Verdict.DOES_NOT_HOLD for headline in judged)
    return ExitStatus.POSITIVE if holds else ExitStatus.NEGATIVE


def _document(report: Report) -> dict[str, Any]:
    """A report as JSON values, without its plot, which has a file of its own."""
    return {
        "table": report.name,
        "source": report.source,
        "rows": [
            {
                "label": row.label,
                "printed": row.printed,
                "measured": row.measured,
                "error": row.error,
                "unit": row.unit,
                "ratio": row.ratio,
                "off": row.off,
            }
            for row in report.rows
        ],
        "notes": list(report.notes),
        "agrees": report.agrees,
    }


def _print(report: Report) -> None:
    screen.say(f"{report.name}: {report.source}\n")
    rows = []
    for row in report.rows:
        is_power = row.unit == "log10"
        figure = _power if is_power else _figure
        unit = f" {row.unit}" if row.unit and not is_power else ""
        error = "" if row.error is None else f"± {_figure(row.error)}"
        ratio = "" if row.ratio is None else _power(log10(row.ratio)) if is_power else f"{row.ratio:.3f}"
        printed = "" if row.printed is None else figure(row.printed)
        rows.append((row.label, printed, figure(row.measured) + unit, error, ratio, "off" if row.off else ""))
    screen.print_table(("", "printed", "ours", "", "ratio", ""), rows, right=("printed", "ours", "ratio"))
    for text in report.notes:
        screen.say(f"\n{text}")


def _power(number: float) -> str:
    """A size whose log10 this is."""
    return f"10^{number:.4g}"


def _figure(number: float) -> str:
    """Counts and averages in whole numbers, small figures with three digits."""
    return f"{number:,.0f}" if abs(number) >= 100 or float(number).is_integer() else f"{number:.3g}"
