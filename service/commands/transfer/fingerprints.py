"""The fingerprint of the records of a file: what an export states, and whether an import has read just that.

It is the fingerprint that a store of these records has (docs/store-format.md), so a file and a store are compared in
one line. Nothing that is claimed rests on it: every record passes the local check in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from proofbase.engine.errors import MalformedRecordError
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed

__all__ = ["FileFingerprint", "is_fingerprint"]

Item = tuple[bytes, bytes]


def is_fingerprint(text: object) -> bool:
    """Whether a text is written as fingerprints are: 16 hexadecimal digits."""
    return isinstance(text, str) and re.fullmatch("[0-9a-f]{16}", text) is not None


class FileFingerprint:
    """Adds up the records of a file.

    Args:
        game: canonical name.

    Attributes:
        stated: what the file itself says; None where it says nothing.
    """

    def __init__(self, game: str) -> None:
        self.stated: str | None = None
        self._seed = game_seed(game)
        self._total = 0
        self._complete = False

    @property
    def text(self) -> str:
        """The fingerprint of the records so far."""
        return f"{self._total % FINGERPRINT_LIMIT:016x}"

    def add(self, key: bytes, record: bytes) -> None:
        """Adds a record."""
        self._total += fingerprint_of(self._seed, ((key, record),))

    def counted(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items; they are added up when they are read to the end for the first time."""
        if self._complete:
            yield from items
            return
        self._total = 0
        for key, record in items:
            self.add(key, record)
            yield key, record
        self._complete = True

    def check(self) -> None:
        """Compares what was read with what the file says.

        Raises:
            MalformedRecordError: these are other records than were exported.
        """
        if self._complete and self.stated is not None and self.stated != self.text:
            raise MalformedRecordError(
                f"the file says that its records have the fingerprint {self.stated}, and they have {self.text}: "
                "records were lost, added or changed since it was written; nothing was imported"
            )
