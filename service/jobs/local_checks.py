"""The local check of stored records, chunk by chunk: natively, or by the independent rules in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from proofbase.engine.checking.local_check import Finding as BrokenRule
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.answers.bounds import cut_text
from proofbase.service.limits import POSITION_CHARACTERS, TEXT_CHARACTERS
from proofbase.service.resources.native import new_record_table
from proofbase.storage import Audit, MalformedRecordError, SolutionStore

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = [
    "Check",
    "Finding",
    "NativeCheck",
    "PythonCheck",
    "WholeGame",
    "audit_finding",
    "damage",
    "finding_of",
    "load_sound",
    "position_text",
]

Item = tuple[bytes, bytes]
"""A key and an encoded record."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule of one record."""

    game: str
    key: bytes
    position: str | None
    claim: str | None
    rule: str
    detail: str

    def __post_init__(self) -> None:
        # The texts of a user's game may be of any length.
        for name, limit in (("position", POSITION_CHARACTERS), ("claim", TEXT_CHARACTERS), ("detail", TEXT_CHARACTERS)):
            text = getattr(self, name)
            if text is not None and len(text) > limit:
                object.__setattr__(self, name, cut_text(text, limit))


class Check(Protocol):
    """Checks records of one game as the store has them."""

    chunk: int
    """Records at a time at most (service/resources/timed_chunks.py chooses fewer where they take long)."""

    def findings(self, items: Sequence[Item]) -> list[Finding]:
        """What is wrong with these records."""

    def broken(self, items: Sequence[Item]) -> list[BrokenRule]:
        """The same, with the claims and without texts for people."""


@dataclass(frozen=True, slots=True)
class WholeGame:
    """All records of a game in memory.

    Attributes:
        records: those that can be read.
        faults: what is wrong with the others, by key.
        damaged: keys of those that are not as they were written.
    """

    records: RecordTable
    faults: dict[bytes, BrokenRule] = field(default_factory=dict)
    damaged: tuple[bytes, ...] = ()


class RecordReader(Protocol):
    """Gives stored records, as a store does."""

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        """See `SolutionStore`."""


class NativeCheck:
    """The check by the native rules.

    Args:
        game: the game.
        store: asked for the children that are not in the chunk itself.
        whole: all records of the game, when they fit into memory: then the store is not asked.
        tables: what claims may rest on beside the records.
        zones: whether replies outside the zone of a threat tree need not be played out (docs/zones.md).
    """

    chunk = 10_000

    def __init__(
        self,
        game: Game[Any],
        store: RecordReader,
        whole: WholeGame | None = None,
        tables: ValueTables | None = None,
        *,
        zones: bool = False,
    ) -> None:
        self._game = game
        self._store = store
        self._whole = whole
        self._tables = tables
        self._zones = zones

    def findings(self, items: Sequence[Item]) -> list[Finding]:
        return [finding_of(self._game, entry) for entry in self.broken(items)]

    def broken(self, items: Sequence[Item]) -> list[BrokenRule]:
        if self._whole is not None:
            table = self._whole.records
            broken_rules = [self._whole.faults[key] for key, _ in items if key in self._whole.faults]
        else:
            table = new_record_table(self._game, self._tables)
            broken_rules = load_sound(table, items)
            wanted = table.missing()
            children = zip(wanted, self._store.get_many(self._game.name, wanted, []), strict=True)
            # A child that is damaged or cannot be read is reported with its own chunk; here it counts as missing.
            load_sound(table, [(key, data) for key, data in children if data is not None])
        unreadable = {entry.key for entry in broken_rules}
        broken_rules += table.check([key for key, _ in items if key not in unreadable], zones=self._zones).findings
        if broken_rules and self._whole is not None:
            # The copy may be older than these records, and miss children that were written since: check them once more,
            # against the store.
            failed = {entry.key for entry in broken_rules}
            alone = NativeCheck(self._game, self._store, tables=self._tables, zones=self._zones)
            return alone.broken([item for item in items if item[0] in failed])
        return broken_rules


class PythonCheck:
    """The check by the rules in plain Python: another program; `zones` as for the native one."""

    chunk = 100

    def __init__(
        self, game: Game[Any], store: SolutionStore, tables: ValueTables | None = None, *, zones: bool = False
    ) -> None:
        self._game = game
        self._store = store
        self._check = LocalCheck(game, tables, zones=zones)

    def findings(self, items: Sequence[Item]) -> list[Finding]:
        return [finding_of(self._game, entry) for entry in self.broken(items)]

    def broken(self, items: Sequence[Item]) -> list[BrokenRule]:
        def get_many(keys: list[bytes]) -> list[bytes | None]:
            return self._store.get_many(self._game.name, keys, [])

        return list(self._check.findings(items, get_many))


def load_sound(table: RecordTable, items: Sequence[Item]) -> list[BrokenRule]:
    """Loads records into a table, passing over those that cannot be read.

    Returns:
        A finding for each of those.
    """
    faults: list[BrokenRule] = []
    table.load(items, faults)
    return faults


def finding_of(game: Game[Any], broken: BrokenRule) -> Finding:
    """A finding of a check with the texts that people read."""
    claim = None if broken.claim is None else str(broken.claim)
    return Finding(game.name, broken.key, position_text(game, broken.key), claim, broken.rule, broken.detail)


def damage(game: Game[Any], error: MalformedRecordError) -> Finding:
    """The finding for a record that is not as it was written."""
    key = error.key or b""
    return Finding(game.name, key, position_text(game, key), None, "damaged", error.rule)


def position_text(game: Game[Any], key: bytes) -> str | None:
    """The position of a key, None when it is not one."""
    try:
        return game.text(game.position(key))
    except ValueError:
        return None


def audit_finding(game: str, audit: Audit) -> Finding | None:
    """What is wrong with the records of a game as a whole; None where the store holds what it should."""
    if audit.complete:
        return None
    if audit.records != audit.stored_records:
        missing = audit.stored_records - audit.records
        what = f"{missing:,} lost" if missing > 0 else f"{-missing:,} too many"
        detail = f"the store counts {audit.stored_records:,} records and holds {audit.records:,}: {what}"
        return Finding(game, b"", None, None, "count", detail)
    detail = (
        f"the records have the fingerprint {audit.fingerprint:016x}, those that were written have "
        f"{audit.stored_fingerprint or 0:016x}: a record was changed, or lost while another one was added"
    )
    return Finding(game, b"", None, None, "fingerprint", detail)
