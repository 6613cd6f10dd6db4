"""The report on a foreign solution: as text, as one JSON document, and as a page in HTML or Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from proofbase.engine.rules import is_built_in, open_rules
from proofbase.service.answers import Value
from proofbase.service.cli import documents, screen
from proofbase.service.pictures.boards import Board, board_svg, has_board
from proofbase.service.pictures.markup import Markup, joined, pictures_style, tag
from proofbase.service.words.amounts import amount
from proofbase.service.words.values import highest_value, value_text

if TYPE_CHECKING:
    from proofbase.service.client.foreign.report import CheckedClaim, ForeignReport

__all__ = ["REPORT_SUFFIXES", "Shown", "print_foreign_report", "report_document", "write_report"]

REPORT_SUFFIXES = (".html", ".md", ".json")
SHOWN = 10
"""Claims of a kind that standard output shows; a file has all that the report lists."""
LONG = 100
"""Characters of a position that standard output leaves out: the place names it."""
SIDES = "(values for the side to move)"
DRAWN = 20
"""Refuted claims whose boards a page shows."""
_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}"
    "td{border-top:1px solid #ccc;overflow-wrap:anywhere}.proofbase svg.board{display:block;max-width:16rem}"
)
_HEADINGS = ("where", "position", "claimed", "proved", "best play from there")


class Shown(NamedTuple):
    """A report with what the command knows of its file.

    Attributes:
        report: the report.
        file: name of the file.
        form: its format.
        remarks: on the reading of the file.
        searched: nodes of each search; None where nothing was searched.
    """

    report: ForeignReport
    file: str
    form: str
    remarks: tuple[str, ...]
    searched: int | None


def print_foreign_report(shown: Shown) -> None:
    """The counts, and the first claims that are not proved."""
    screen.say(_counts(shown))
    for line in _remarks(shown):
        screen.say(line)
    for title, claims, count in _lists(shown.report):
        if not claims:
            continue
        screen.say(f"\n{title}")
        for checked in claims[:SHOWN]:
            screen.say(f"  {': '.join(part for part in _sentence(shown.report.game, checked) if part)}")
        if count > SHOWN:
            screen.say(f"  ... and {count - SHOWN:,} more{_where_more(len(claims), count)}")


def report_document(shown: Shown) -> dict[str, Any]:
    """The report for programs."""
    report = shown.report
    plies = {name: report.verdicts_of_plies[name] for name in ("proved", "refuted", "open")}
    return {
        "file": shown.file,
        "format": shown.form,
        "game": report.game,
        "claimed": report.claimed,
        **{name: report.verdicts[name] for name in ("proved", "refuted", "open")},
        "known_before": report.known_before,
        "searched_in_vain": report.searched_in_vain,
        "search": shown.searched,
        "plies": plies if any(plies.values()) else None,
        "refuted_claims": [_claim_document(checked) for checked in report.refuted],
        "refuted_plies": [_claim_document(checked) for checked in report.refuted_plies],
        "open_claims": [_claim_document(checked) for checked in report.open],
        "remarks": documents.document(shown.remarks),
    }


def _claim_document(checked: CheckedClaim) -> dict[str, Any]:
    claim = checked.claim
    return {
        "place": claim.place,
        "line": claim.line,
        "position": claim.position,
        "claimed": {"lower": claim.lower, "upper": claim.upper, "plies": claim.plies},
        "value": documents.document(checked.value),
        "plies": checked.plies,
        "searched": checked.searched,
        "best_play": list(checked.line),
    }


def write_report(shown: Shown, file: Path) -> None:
    """Writes the report into a file, by the end of its name (`REPORT_SUFFIXES`)."""
    if file.suffix == ".json":
        text = json.dumps(report_document(shown), indent=1, ensure_ascii=False) + "\n"
    else:
        text = _markdown(shown) if file.suffix == ".md" else _page(shown)
    file.write_text(text, encoding="utf-8")


def _markdown(shown: Shown) -> str:
    lines = [f"# {_plain(shown.file)}, checked", "", _plain(_counts(shown)), ""]
    lines += [f"* {_plain(remark)}" for remark in _remarks(shown)]
    for title, claims, count in _lists(shown.report):
        if not claims:
            continue
        rows = [_cells(shown.report.game, checked) for checked in claims]
        table = [" | ".join(_HEADINGS), " | ".join(["---"] * len(_HEADINGS))]
        table += [" | ".join(_plain(cell) for cell in row) for row in rows]
        lines += ["", f"## {title}", "", *(f"| {line} |" for line in table), ""]
        lines += _cut(len(claims), count)
    return "\n".join(lines).rstrip() + "\n"


def _plain(text: str) -> str:
    """Text that Markdown takes as it is: a file may hold anything."""
    text = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>|#&~" else sign for sign in text)


def _page(shown: Shown) -> str:
    """The report in HTML, with the boards of the first refuted claims."""
    title = f"{shown.file}, checked"
    parts: list[Markup] = [tag("h1", title), *(tag("p", line) for line in (_counts(shown), *_remarks(shown)))]
    for heading, claims, count in _lists(shown.report):
        if not claims:
            continue
        rows = [tag("tr", *(tag("th", cell) for cell in _HEADINGS))]
        for number, checked in enumerate(claims):
            place, position, *others = _cells(shown.report.game, checked)
            drawn = number < DRAWN and claims is not shown.report.open
            board = _board(shown.report.game, position, f"{len(parts)}-{number}") if drawn else None
            cells = (place, joined(position, board), *others)
            rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
        parts += [tag("h2", heading), tag("table", *rows), *(tag("p", line) for line in _cut(len(claims), count))]
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", title),
        pictures_style(),
        tag("style", Markup(_STYLE)),
    )
    body = tag("body", *parts, class_="proofbase")
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), body, lang='en')}\n"


def _board(game: str, position: str, name: str) -> Markup | None:
    """The board of a position of a built-in game; None of others."""
    if not is_built_in(game) or not has_board(game):
        return None
    rules: Any = open_rules(game)
    return board_svg(Board(game, position, rules.side(rules.parse(position))), name=name)


def _cut(listed: int, count: int) -> list[str]:
    return [f"The first {listed:,} of {count:,}."] if listed < count else []


def _where_more(listed: int, count: int) -> str:
    return " (a file written by -o has them)" if listed == count else f" (a file written by -o has {listed:,})"


# --- Words -----------------------------------------------------------------------------------------------------------
def _counts(shown: Shown) -> str:
    report = shown.report
    verdicts = report.verdicts
    counts = f"{verdicts['proved']:,} proved, {verdicts['refuted']:,} refuted, {verdicts['open']:,} open"
    return f"{report.game}: {_claims(report.claimed)}: {counts}"


def _claims(number: int) -> str:
    return amount(number, "claim")


def _remarks(shown: Shown) -> list[str]:
    report, remarks = shown.report, list[str]()
    plies = report.verdicts_of_plies
    if plies.total():
        counts = f"{plies['proved']:,} proved, {plies['refuted']:,} refuted, {plies['open']:,} open"
        remarks.append(f"plies to the end, of proved claims: {counts}")
    if report.known_before:
        remarks.append(f"{_claims(report.known_before)} settled by what was known before")
    open_ones = report.verdicts["open"]
    if open_ones:
        not_searched = open_ones - report.searched_in_vain
        if report.searched_in_vain and shown.searched:
            remarks.append(f"{_claims(report.searched_in_vain)} open after searches of {shown.searched:,} nodes")
        if not_searched:
            remarks.append(f"{_claims(not_searched)} open and not searched")
    return [*remarks, *shown.remarks]


def _lists(report: ForeignReport) -> list[tuple[str, list[CheckedClaim], int]]:
    return [
        (f"Refuted {SIDES}", report.refuted, report.verdicts["refuted"]),
        ("Refuted numbers of plies", report.refuted_plies, report.verdicts_of_plies["refuted"]),
        (f"Open {SIDES}", report.open, report.verdicts["open"]),
    ]


def _cells(game: str, checked: CheckedClaim) -> tuple[str, ...]:
    claimed, proved = _claimed(game, checked), _proved(game, checked)
    return checked.claim.place, checked.claim.position, claimed, proved, " ".join(checked.line)


def _sentence(game: str, checked: CheckedClaim) -> tuple[str, ...]:
    line = f" ({' '.join(checked.line[:8])}{' ...' if len(checked.line) > 8 else ''})" if checked.line else ""
    words = f"claimed {_claimed(game, checked)}, proved {_proved(game, checked)}{line}"
    place, position = checked.claim.place, checked.claim.position
    return place if position in place or len(position) > LONG else f"{place}, {position}", words


def _claimed(game: str, checked: CheckedClaim) -> str:
    claim = checked.claim
    highest = highest_value(game)
    value = Value(
        -highest if claim.lower is None else claim.lower,
        highest if claim.upper is None else claim.upper,
        claim.lower is not None,
        claim.upper is not None,
    )
    plies = "" if claim.plies is None else f" {'in' if claim.shortest else 'within'} {claim.plies} plies"
    return value_text(value, highest) + plies


def _proved(game: str, checked: CheckedClaim) -> str:
    text = value_text(checked.value, highest_value(game))
    return "nothing" if text == "unknown" else text if checked.plies is None else f"{text} within {checked.plies} plies"
