"""Errors of records, and the roots of the errors of the engine and of the stores.

EngineError                                  everything that the engine raises on purpose (engine/errors.py)
StoreError                                   everything that a store raises on purpose (storage/errors.py)
RecordError (EngineError, StoreError, ValueError)
├── MalformedRecordError                     bytes that are no record
├── RecordOverflowError                      more undominated claims or bytes than a record holds
└── ContradictionError                       a lower bound above an upper bound of the same position

The engine and the stores both read and merge records, so a record error belongs to both trees.
"""

from __future__ import annotations

from proofbase.engine.records.claim import Claim

__all__ = [
    "ContradictionError",
    "EngineError",
    "MalformedRecordError",
    "RecordError",
    "RecordOverflowError",
    "StoreError",
]


class EngineError(Exception):
    """Root of everything that the engine raises on purpose."""


class StoreError(Exception):
    """Root of everything that a store raises on purpose."""


class RecordError(EngineError, StoreError, ValueError):
    """Something is wrong with a record.

    Attributes:
        game, key: the stored record (or the one to be stored) that the error is about. None outside a store.
        in_store: whether a store raised the error.
    """

    game: str | None = None
    key: bytes | None = None
    in_store: bool = False

    def __init__(self, message: str, *, game: str | None = None, key: bytes | None = None) -> None:
        super().__init__(message)
        self.game = game
        self.key = key
        self.in_store = game is not None


class MalformedRecordError(RecordError):
    """Bytes that break a rule of the record encoding (docs/record-encoding.md).

    Args:
        rule: the broken rule, in words; the whole message when `data` is not given.
        data: the offending bytes.
        offset: the byte of `data` at which reading stopped.
        game, key: the record's place in a store.

    Attributes:
        rule, data, offset: as given.
    """

    rule: str = ""
    data: bytes | None = None
    offset: int = 0

    def __init__(
        self,
        rule: str,
        data: bytes | None = None,
        offset: int = 0,
        *,
        game: str | None = None,
        key: bytes | None = None,
    ) -> None:
        message = rule
        if data is not None:
            place = "" if key is None else f" of {game} key {key.hex()}"
            message = f"malformed record{place}: {rule} (byte {offset} of {data[:64].hex() or 'nothing'})"
        super().__init__(message, game=game, key=key)
        self.rule = rule
        self.data = data
        self.offset = offset

    def at(self, game: str, key: bytes) -> MalformedRecordError:
        """The same error with the record's place in a store."""
        return MalformedRecordError(self.rule, self.data, self.offset, game=game, key=key)


class RecordOverflowError(RecordError):
    """A record would hold more undominated claims, or more bytes, than it can; nothing was overwritten."""

    def at(self, game: str, key: bytes) -> RecordOverflowError:
        """The same error with the record's place in a store."""
        return RecordOverflowError(f"{game} key {key.hex()}: {self}", game=game, key=key)


class ContradictionError(RecordError):
    """A lower bound above an upper bound of the same position: one of them is false. Nothing was overwritten.

    Make one with `between`; the native core gives a message only.

    Attributes:
        lower, upper: the two claims. None when only the message is known.
        lower_source, upper_source: where each claim came from. None when it is not known.
    """

    lower: Claim | None = None
    upper: Claim | None = None
    lower_source: str | None = None
    upper_source: str | None = None

    def __init__(
        self,
        message: str,
        lower: Claim | None = None,
        upper: Claim | None = None,
        *,
        game: str | None = None,
        key: bytes | None = None,
        lower_source: str | None = None,
        upper_source: str | None = None,
    ) -> None:
        super().__init__(message, game=game, key=key)
        self.lower = lower
        self.upper = upper
        self.lower_source = lower_source
        self.upper_source = upper_source

    @classmethod
    def between(cls, lower: Claim, upper: Claim) -> ContradictionError:
        """The contradiction of two claims, outside a store."""
        return cls(f"{lower} contradicts {upper}", lower, upper)

    def at(
        self, game: str, key: bytes, *, lower_source: str | None = None, upper_source: str | None = None
    ) -> ContradictionError:
        """The same error with the record's place in a store and the texts of the claims' sources."""
        message = (
            f"contradiction at {game} key {key.hex()}: {self.lower} (from {lower_source or 'an unnamed source'}) "
            f"against {self.upper} (from {upper_source or 'an unnamed source'})"
        )
        return ContradictionError(
            message, self.lower, self.upper, game=game, key=key, lower_source=lower_source, upper_source=upper_source
        )
