"""What is said about stored positions and is no claim: when they were verified, and by what."""

from __future__ import annotations

import json
import math
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

__all__ = ["MAX_BODY_BYTES", "Annotation", "AnnotationKind", "AnnotationStore", "MemoryAnnotations", "newest_first"]

AnnotationKind = Literal["verification"]
KINDS: tuple[AnnotationKind, ...] = get_args(AnnotationKind)
MAX_BODY_BYTES = 256 << 10
MAX_KEY_BYTES = 500
MAX_GAME_CHARACTERS = 100
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]{0,99}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """Something that is said about a game, or about a position of it.

    Attributes:
        id: another one for each; 1..100 letters, digits, `_`, `.` and `-`, of which the first is a letter or a digit.
        kind: what it is.
        game: canonical name of the game, 1..100 characters.
        key: of the position; empty where it is about the game as a whole.
        created: seconds since the epoch (UTC).
        body: what is said; JSON values only, at most 256 KiB.

    Raises:
        ValueError: an attribute is out of range.
    """

    id: str
    kind: AnnotationKind
    game: str
    key: bytes
    created: float
    body: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"the id of an annotation has 1..100 letters, digits, _, . and -: {self.id[:200]!r}")
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of annotation {self.kind!r}; there are {', '.join(KINDS)}")
        if not 1 <= len(self.game) <= MAX_GAME_CHARACTERS or "\0" in self.game.encode().decode():
            raise ValueError(
                f"a game has a name of 1..{MAX_GAME_CHARACTERS} characters without NUL: {self.game[:80]!r}"
            )
        if len(self.key) > MAX_KEY_BYTES:
            raise ValueError(f"a key has at most {MAX_KEY_BYTES} bytes, not {len(self.key)}")
        if not isinstance(self.created, int | float) or not math.isfinite(self.created):
            raise ValueError("the time of an annotation is a number")
        size = len(self.body_text().encode())
        if size > MAX_BODY_BYTES:
            raise ValueError(f"what is said has {size} bytes: at most {MAX_BODY_BYTES} are kept")

    def body_text(self) -> str:
        """What is said, as a JSON object.

        Raises:
            ValueError: it holds something that JSON does not, or NUL.
        """
        if not isinstance(self.body, dict):
            raise ValueError("what is said is no JSON object")
        try:
            text = json.dumps(self.body, allow_nan=False, sort_keys=True)
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"what is said is no JSON: {error}") from None
        if "\\u0000" in text.replace("\\\\", ""):
            raise ValueError("what is said holds no NUL")
        return text

    def to_json(self) -> str:
        """One JSON object with all attributes."""
        return json.dumps(
            {
                "id": self.id, "kind": self.kind, "game": self.game, "key": self.key.hex(), "created": self.created,
                "body": self.body,
            },
            allow_nan=False,
        )  # fmt: skip

    @classmethod
    def from_json(cls, text: str | bytes) -> Annotation:
        """Inverse of `to_json`.

        Raises:
            ValueError: that is no annotation of this release.
        """
        try:
            entries = json.loads(text)
            return cls(**{**entries, "key": bytes.fromhex(entries["key"])})
        except (TypeError, AttributeError, KeyError, RecursionError) as error:
            raise ValueError(f"that is no annotation: {error}") from None


def newest_first(annotations: Iterable[Annotation]) -> list[Annotation]:
    """The same, the newest first; those of one moment by descending id."""
    return sorted(annotations, key=lambda entry: (entry.created, entry.id), reverse=True)


class AnnotationStore(ABC):
    """Keeps annotations. They are no part of records, counts, generations and fingerprints. Thread-safe."""

    @abstractmethod
    def put(self, annotation: Annotation) -> None:
        """Stores an annotation durably, in place of the one of the same game, key and id if there is one.

        Raises:
            StoreError: it cannot be stored.
        """

    @abstractmethod
    def of_keys(self, game: str, keys: Iterable[bytes]) -> list[Annotation]:
        """The annotations of some positions of a game, the newest first. The empty key is that of the game itself."""

    @abstractmethod
    def drop(self, game: str, key: bytes, annotation_id: str) -> bool:
        """Removes an annotation durably; False where there is none."""


class MemoryAnnotations(AnnotationStore):
    """Annotations that end with the process."""

    def __init__(self, annotations: Iterable[Annotation] = ()) -> None:
        self._lock = threading.Lock()
        self._games: dict[str, dict[tuple[bytes, str], Annotation]] = {}
        for annotation in annotations:
            self.put(annotation)

    def put(self, annotation: Annotation) -> None:
        # Through JSON, so that later changes of the caller's dicts do not reach the store.
        kept = Annotation.from_json(annotation.to_json())
        with self._lock:
            self._games.setdefault(annotation.game, {})[annotation.key, annotation.id] = kept

    def of_keys(self, game: str, keys: Iterable[bytes]) -> list[Annotation]:
        wanted = set(keys)
        with self._lock:
            return newest_first(entry for entry in self._games.get(game, {}).values() if entry.key in wanted)

    def drop(self, game: str, key: bytes, annotation_id: str) -> bool:
        with self._lock:
            return self._games.get(game, {}).pop((key, annotation_id), None) is not None
