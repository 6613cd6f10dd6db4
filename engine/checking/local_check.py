"""The local check of stored records by the rules in plain Python: `checker.py`, run over batches of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from proofbase.engine.checking import checker
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record, without_sources
from proofbase.engine.records.caching import cached_by_bytes
from proofbase.engine.rules.game import Game
from proofbase.engine.tables import ValueTables, table_value

__all__ = ["Finding", "LocalCheck"]

P = TypeVar("P")


class Finding(NamedTuple):
    """A claim that fails the local check, or a record that cannot be read (then claim is None)."""

    key: bytes
    claim: Claim | None
    rule: str
    """Name of the broken rule, stable: see `LocalCheck`."""
    detail: str


class _Readable(NamedTuple):
    """A record, as the store and as the checker reads it."""

    position: Any
    record: Record
    claims: list[checker.Claim]
    moves: list[list[int]]
    """For each claim those to the children that it rests on."""


class LocalCheck(Generic[P]):
    """The local check of a game's records by its rules, for any number of batches.

    Rules named by findings: those of `checker.broken_rule`, and `malformed` (no record, or no key of a legal position),
    `contradiction`, `terminal` (a record of a finished game), `rules` (the rules raised an error).

    Args:
        game: the rules.
        tables: a child with a table entry counts as its exact value, and claims may rest on the tables.
        zones: whether replies outside the zone of a threat tree need not be played out (docs/zones.md).
    """

    def __init__(self, game: Game[P], tables: ValueTables | None = None, *, zones: bool = False) -> None:
        self.game = game
        self._tables = None if tables is None else _Tables(tables)
        self._zones = zones
        self.checked = 0
        """Records checked so far."""

    def findings(
        self, batch: Sequence[tuple[bytes, bytes]], get_many: Callable[[list[bytes]], Sequence[bytes | None]]
    ) -> Iterator[Finding]:
        """Checks every claim of a batch of records.

        Args:
            batch: (key, encoded record) pairs, with or without sources.
            get_many: the encoded records of the given keys, None where there is none. Called once a batch, for the
                children that are not in the batch themselves.
        """
        readable = dict[bytes, _Readable]()
        needed = dict[bytes, None]()
        for key, data in batch:
            self.checked += 1
            try:
                position = self.game.position(key)
                if self.game.key(position) != key:
                    raise ValueError(
                        f"the key is not canonical: that of its position is {self.game.key(position).hex()}"
                    )
                record = decode_record(data)
                if self.game.terminal(position) is not None:
                    yield Finding(key, None, "terminal", "the game is over here: such a position has no record")
                    continue
                claims = _claims(data)
                moves = [checker.moves_rested_on(self.game, position, claim) for claim in claims]
                needed.update(dict.fromkeys(self._child_keys(position, moves)))
                readable[key] = _Readable(position, record, claims, moves)
            except ValueError as error:
                yield Finding(key, None, "malformed", str(error))
            except Exception as error:  # a user's rules may raise anything: the batch goes on
                yield Finding(key, None, "rules", f"{type(error).__name__}: {error}")
        in_batch = dict(batch)
        outside = [key for key in needed if key not in in_batch]
        stored = zip(outside, get_many(outside), strict=True)
        records = {key: _claims_or_none(data) for key, data in stored if data is not None}
        records |= {key: _claims_or_none(data) for key, data in batch if key in needed}
        for key, entry in readable.items():
            yield from self._record_findings(key, entry, records)

    def supporting_moves(self, position: P, claim: Claim) -> list[int]:
        """The moves to children whose claims a claim rests on."""
        [read] = _claims(encode_record(Record((claim,))))
        return checker.moves_rested_on(self.game, position, read)

    def _child_keys(self, position: P, moves: list[list[int]]) -> Iterator[bytes]:
        """Keys of the children that claims rest on."""
        for move in dict.fromkeys(move for of_claim in moves for move in of_claim):
            child = self.game.play(position, move)
            if self.game.terminal(child) is None:
                yield self.game.key(child)

    def _record_findings(self, key: bytes, entry: _Readable, records: checker.Records) -> Iterator[Finding]:
        if (clash := entry.record.contradiction()) is not None:
            lower, upper = clash
            yield Finding(key, None, "contradiction", f"lower = {lower.bound} above upper = {upper.bound}")
        for claim, read, moves in zip(entry.record.claims, entry.claims, entry.moves, strict=True):
            try:
                broken = checker.broken_rule(self.game, entry.position, read, moves, records, self._tables, self._zones)
                if broken.startswith("evidence:") and self._tables is not None and read.table in self._tables.damaged():
                    broken = f"evidence: {self._tables.damaged()[read.table]}"
            except Exception as error:
                broken = f"rules: {type(error).__name__}: {error}"
            if broken:
                rule, _, detail = broken.partition(": ")
                yield Finding(key, claim, rule, detail)


class _Tables:
    """Tables as the checker asks them."""

    def __init__(self, tables: ValueTables) -> None:
        self._tables = tables

    def of(self, position: Any, bound: int, upper: bool) -> tuple[int, int] | None:
        entry = table_value(self._tables, position)
        return None if entry is None else (entry.value, entry.rank(Side.UPPER if upper else Side.LOWER, bound))

    def damaged(self) -> dict[str, str]:
        return dict(self._tables.damaged())


@cached_by_bytes
def _claims(data: bytes) -> list[checker.Claim]:
    return checker.read_record(without_sources(data))


def _claims_or_none(data: bytes) -> list[checker.Claim]:
    try:
        return _claims(data)
    except ValueError:
        return []  # the record's own check reports it; nothing may rest on it
