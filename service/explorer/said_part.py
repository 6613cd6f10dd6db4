"""What people say of a position: reports of errors, notes, and the forms that add some."""

from __future__ import annotations

from proofbase.service.answers import PositionAnswer
from proofbase.service.explorer.layout import field, section
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.words.annotations import moment_text, report_text

__all__ = ["said_part"]


def said_part(answer: PositionAnswer) -> Markup:
    """The reports and notes of a position, and forms for new ones, which need a script."""
    reports = [tag("li", report_text(report), data_status=report.status) for report in answer.reports]
    notes = [
        tag(
            "li",
            tag("p", note.text, class_="text"),
            tag("p", f"{note.author}, {moment_text(note.created)}{', on the game' if note.of_game else ''}"),
        )
        for note in answer.notes
    ]
    found: list[Content] = [tag("ul", *reports, id="reports")] if reports else []
    found += [tag("ul", *notes, id="notes")] if notes else []
    if not found:
        found = [tag("p", "Nobody has said anything about this position.", class_="note")]
    return section("Notes and reports", *found, _report_form(answer), _note_form(answer), name="remarks")


def _report_form(answer: PositionAnswer) -> Markup:
    value = str(answer.value.lower) if answer.value.exact else ""
    return tag(
        "form",
        field("It is worth, for the side to move", "value", hint=value or None, kind="number"),
        field("Because", "text"),
        tag("button", "Report a wrong value"),
        class_="row scripted",
        hidden=True,
        id="report",
        data_start="report",
        data_game=answer.game,
        data_position=answer.position,
    )


def _note_form(answer: PositionAnswer) -> Markup:
    return tag(
        "form",
        tag("label", tag("span", "Note"), tag("textarea", name="text", rows=2, maxlength=1000, required=True)),
        field("Your name", "author"),
        tag("button", "Add the note"),
        class_="row scripted",
        hidden=True,
        id="note",
        data_note="add",
        data_game=answer.game,
        data_position=answer.position,
    )
