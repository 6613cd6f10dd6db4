"""The verifications that the store keeps, as answers: when claims were verified, and by what."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable
from typing import Any

from proofbase.engine.records import Record
from proofbase.service.answers.bounds import cut_text
from proofbase.service.answers.verifications import Verification
from proofbase.service.limits import TEXT_CHARACTERS
from proofbase.service.words.visible import is_shown
from proofbase.storage import Annotation, AnnotationStore, SolutionStore, UnsupportedOperationError

__all__ = [
    "covering_verification",
    "game_verification",
    "keep_verification",
    "verification_of",
]

_log = logging.getLogger(__name__)
KEPT_VERIFICATIONS = 20
"""Verifications of one game, or of one position: the newest, and the last one that has covered its records."""


def verification_of(
    store: SolutionStore, game: str, rules_version: int, key: bytes, record: Record | None
) -> Verification | None:
    """The newest verification that has checked all claims of a position.

    Args:
        store: where records are kept.
        game: canonical name.
        rules_version: of the rules that answer.
        key: of the position.
        record: what is stored of it; None where the value rests on nothing that is stored.
    """
    if record is None:
        return None
    # A claim of which nobody knows the source may be of any time.
    last = max(claim.source or 1 << 32 for claim in record.claims)
    return covering_verification(store, game, rules_version, last, [b"", key])


def covering_verification(
    store: SolutionStore, game: str, rules_version: int, last_source: int, keys: Iterable[bytes] = (b"",)
) -> Verification | None:
    """The newest verification that covers sources up to a number: of all records of a game, or below one of `keys`."""
    answers = (
        _answer(entry)
        for entry in _kept(store, game, keys)
        if covers(entry, rules_version) and entry.body["last_source"] >= last_source
    )
    return next((answer for answer in answers if answer is not None), None)


def covers(annotation: Annotation, rules_version: int) -> bool:
    """Whether all records that a verification was about have passed it, by the rules of this version."""
    body = annotation.body
    known = isinstance(body.get("last_source"), int) and body.get("rules_version") == rules_version
    return known and body.get("covers") is True


def game_verification(store: SolutionStore, game: str) -> Verification | None:
    """The newest verification of all records of a game; also one in which records failed."""
    whole = (_answer(entry) for entry in _kept(store, game, [b""]) if _of_all(entry))
    return next((verification for verification in whole if verification is not None), None)


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
    fields = {name: value for name, value in dataclasses.asdict(verification).items() if value is not None}
    del fields["id"]
    body = {**fields, "last_source": last_source, "covers": covered}
    if sample is not None:
        body["sample"] = sample
    annotations.put(Annotation(verification.id, "verification", game, key, verification.finished, body))
    earlier = annotations.of_keys(game, [key])
    last = next((entry for entry in earlier if entry.body.get("covers") is True), None)
    for entry in earlier[KEPT_VERIFICATIONS:]:
        if entry != last:
            annotations.drop(game, key, entry.id)


def _shown(value: Any) -> Any:
    """A value as it is shown: a text may come from a package of anybody."""
    if not isinstance(value, str) or (value.isprintable() and len(value) <= TEXT_CHARACTERS):
        return value
    plain = "".join(sign if sign == "\n" or is_shown(sign) else "\ufffd" for sign in value)
    return cut_text(plain)


def _of_all(annotation: Annotation) -> bool:
    return annotation.body.get("position") is None and annotation.body.get("sample") is None


def _kept(store: SolutionStore, game: str, keys: Iterable[bytes]) -> list[Annotation]:
    """The verifications of a game that are kept at these keys, the newest first."""
    try:
        return store.annotations().of_keys(game, keys)
    except UnsupportedOperationError:
        return []


def _answer(annotation: Annotation) -> Verification | None:
    """A verification as an answer. Every lookup has one of a few, which are kept while they are the same."""
    kept = _answered.get(annotation.id)
    if kept is not None and kept[0] is annotation:
        return kept[1]
    answer = _read(annotation)
    if len(_answered) >= MOST_ANSWERED:
        _answered.clear()
    _answered[annotation.id] = annotation, answer
    return answer


_answered: dict[str, tuple[Annotation, Verification | None]] = {}
MOST_ANSWERED = 256


def _read(annotation: Annotation) -> Verification | None:
    """The same, without what is kept; None for one that a later release has written in another way."""
    names = (field.name for field in dataclasses.fields(Verification))
    known = {name: _shown(annotation.body[name]) for name in names if name in annotation.body}
    try:
        return Verification(**{**known, "id": annotation.id})
    except TypeError as error:
        _log.warning("the verification %s of %s cannot be read: %s", annotation.id, annotation.game, error)
        return None
