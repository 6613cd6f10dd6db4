"""What the store's annotations say of positions, as answers: verifications, reports of errors, notes."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from proofbase.engine.records import Record
from proofbase.service.answers.annotations import Note, Report, Verification
from proofbase.service.answers.bounds import cut_text
from proofbase.service.limits import TEXT_CHARACTERS
from proofbase.service.words.visible import is_shown
from proofbase.storage import Annotation, AnnotationStore, SolutionStore, UnsupportedOperationError

__all__ = [
    "PositionAnnotations",
    "annotations_of",
    "body_of",
    "covering_verification",
    "game_verification",
    "keep_verification",
]

_log = logging.getLogger(__name__)
D = TypeVar("D")
MOST_SHOWN = 100
"""Notes, and reports: as many as may be kept of a position and its game."""
KEPT_VERIFICATIONS = 20
"""Of one game, or of one position: the newest, and the last one that has covered its records."""


class PositionAnnotations(NamedTuple):
    """What is said of one position."""

    verification: Verification | None = None
    reports: tuple[Report, ...] = ()
    notes: tuple[Note, ...] = ()


def annotations_of(
    store: SolutionStore, game: str, rules_version: int, key: bytes, record: Record | None
) -> PositionAnnotations:
    """What is said of a position.

    Args:
        store: where records are kept.
        game: canonical name.
        rules_version: of the rules that answer.
        key: of the position.
        record: what is stored of it; None where the value rests on nothing that is stored.
    """
    try:
        found = store.annotations().of_keys(game, [b"", key])
    except UnsupportedOperationError:
        return PositionAnnotations()
    if not found:
        return PositionAnnotations()
    newest = None
    # A claim of which nobody knows the source may be of any time.
    last = -1 if record is None else max([claim.source or 1 << 32 for claim in record.claims])
    for entry in found if last >= 0 else ():
        covered = entry.kind == "verification" and covers(entry, rules_version) and entry.body["last_source"] >= last
        if covered and (newest := _verification(entry)) is not None:
            break
    others = [entry for entry in found if entry.kind != "verification"]
    if not others:  # as of most positions
        return PositionAnnotations(newest)
    reports = [_answer(Report, entry) for entry in others if entry.kind == "report"][:MOST_SHOWN]
    notes = [_answer(Note, entry, of_game=not entry.key) for entry in others if entry.kind == "note"][:MOST_SHOWN]
    return PositionAnnotations(
        newest, tuple(report for report in reports if report), tuple(note for note in notes if note)
    )


def covers(annotation: Annotation, rules_version: int) -> bool:
    """Whether all records that a verification was about have passed it, by the rules of this version."""
    body = annotation.body
    known = isinstance(body.get("last_source"), int) and body.get("rules_version") == rules_version
    return known and body.get("covers") is True


def game_verification(store: SolutionStore, game: str) -> Verification | None:
    """The newest verification of all records of a game; also one in which records failed."""
    try:
        found = store.annotations().of_keys(game, [b""])
    except UnsupportedOperationError:
        return None
    whole = (_answer(Verification, entry) for entry in found if entry.kind == "verification" and _of_all(entry))
    return next((verification for verification in whole if verification is not None), None)


def covering_verification(store: SolutionStore, game: str, rules_version: int, last_source: int) -> Verification | None:
    """The newest verification of all records of a game that covers sources up to a number."""
    try:
        found = store.annotations().of_keys(game, [b""])
    except UnsupportedOperationError:
        return None
    for entry in found:
        if entry.kind == "verification" and covers(entry, rules_version) and entry.body["last_source"] >= last_source:
            return _answer(Verification, entry)
    return None


def keep_verification(
    annotations: AnnotationStore,
    game: str,
    key: bytes,
    verification: Verification,
    *,
    last_source: int,
    covered: bool,
    sample: int | None = None,
) -> None:
    """Stores a verification of a game.

    Args:
        annotations: of the store.
        game: canonical name.
        key: of the position below which records were checked; empty: all records, or a sample of all.
        verification: what was found.
        last_source: the highest number of a source when it began, as `close_sources` gave it.
        covered: whether all records that there were then have passed, and none was left out.
        sample: how many records were to be checked; None: all.
    """
    body = {**body_of(verification), "last_source": last_source, "covers": covered}
    if sample is not None:
        body["sample"] = sample
    annotations.put(Annotation(verification.id, "verification", game, key, verification.finished, body))
    earlier = [entry for entry in annotations.of_keys(game, [key]) if entry.kind == "verification"]
    last = next((entry for entry in earlier if entry.body.get("covers") is True), None)
    for entry in earlier[KEPT_VERIFICATIONS:]:
        if entry != last:
            annotations.drop(game, key, entry.id)


def body_of(answer: Verification | Report | Note) -> dict[str, Any]:
    """What is stored of an answer: all but what the annotation itself says, and what is None."""
    fields = {field.name: getattr(answer, field.name) for field in dataclasses.fields(answer)}
    return {name: value for name, value in fields.items() if name not in ("id", "of_game") and value is not None}


def _shown(value: Any) -> Any:
    """A value as it is shown: a text may come from a package of anybody."""
    if not isinstance(value, str) or (value.isprintable() and len(value) <= TEXT_CHARACTERS):
        return value
    plain = "".join(sign if sign == "\n" or is_shown(sign) else "\ufffd" for sign in value)
    return cut_text(plain)


def _of_all(annotation: Annotation) -> bool:
    return annotation.body.get("position") is None and annotation.body.get("sample") is None


def _verification(annotation: Annotation) -> Verification | None:
    """A verification as an answer. Every lookup has one of a few, which are kept while they are the same."""
    kept = _answered.get(annotation.id)
    if kept is not None and kept[0] is annotation:
        return kept[1]
    answer = _answer(Verification, annotation)
    if len(_answered) >= MOST_ANSWERED:
        _answered.clear()
    _answered[annotation.id] = annotation, answer
    return answer


_answered: dict[str, tuple[Annotation, Verification | None]] = {}
MOST_ANSWERED = 256


def _answer(kind: type[D], annotation: Annotation, **more: Any) -> D | None:
    """An annotation as an answer; None for one that a later release has written in another way."""
    names: Iterable[str] = (field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]
    known = {name: _shown(annotation.body[name]) for name in names if name in annotation.body}
    try:
        return kind(**{**known, "id": annotation.id, **more})
    except TypeError as error:
        _log.warning("the %s %s of %s cannot be read: %s", annotation.kind, annotation.id, annotation.game, error)
        return None
