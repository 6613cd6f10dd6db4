"""The checks of a package by its publisher and by others, as its manifest has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

from proofbase.storage.annotations import Annotation, AnnotationStore, MemoryAnnotations
from proofbase.storage.package.manifest import Manifest, PackedSolution

__all__ = ["PackedAnnotations"]

ALL_SOURCES = (1 << 32) - 1
"""A check is about the claims of one fingerprint, whatever their sources."""


class PackedAnnotations(AnnotationStore):
    """The annotations of a package, which can only be read.

    Args:
        manifest: of the package.
        url: of the package.
        refuse: raises what every write raises.
    """

    def __init__(self, manifest: Manifest, url: str, refuse: Callable[[], NoReturn]) -> None:
        self._kept = MemoryAnnotations(
            entry for solution in manifest.solutions.values() for entry in _annotations(solution, url)
        )
        self._refuse = refuse

    def put(self, annotation: Annotation) -> None:
        self._refuse()

    def of_keys(self, game: str, keys: Iterable[bytes]) -> list[Annotation]:
        return self._kept.of_keys(game, keys)

    def drop(self, game: str, key: bytes, annotation_id: str) -> bool:
        self._refuse()


def _annotations(solution: PackedSolution, url: str) -> Iterator[Annotation]:
    for number, check in enumerate(solution.checks):
        annotation = _verification(solution, number, check, url)
        if annotation is not None:
            yield annotation


def _verification(solution: PackedSolution, number: int, check: Mapping[str, Any], url: str) -> Annotation | None:
    """A check as a verification; None for one that a later release has written in another way."""
    try:
        finished = datetime.fromisoformat(check["when"]).astimezone(UTC).timestamp()  # some zones have a year 0
        whole = check.get("sample") is None and check["fingerprint"] == f"{solution.fingerprint:016x}"
        body = {
            "finished": finished,
            "program": str(check["program"]),
            "rules": str(check["rules"]),
            "rules_version": int(check["rules_version"]),
            "checked": int(check["records"]),
            "failed": int(check["failed"]),
            "by": None if check.get("by") is None else str(check["by"]),
            "package": url,
            "last_source": ALL_SOURCES,
            "covers": whole and not check["failed"] and check["records"] == solution.records,
        }
        if check.get("sample") is not None:
            body["sample"] = check["sample"]["records"]
        return Annotation(f"check-{number + 1}", "verification", solution.game, b"", finished, body)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
