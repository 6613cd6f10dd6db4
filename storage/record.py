"""Claims, records and the lattice they form (DESIGN.md 1 and 2).

A record is the set of undominated claims of one position. Merging unites two sets and drops what is dominated:
commutative, associative, idempotent, so stores, workers and imports may be joined in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise

from proofbase.storage.errors import ContradictionError, RecordOverflowError
from proofbase.storage.varint import LIMIT, VarintError, encode_varint, read_varint

MAX_CLAIMS = 15
MAX_SEARCH_NODES = 10_000
# A bound is stored as a zigzag varint, and every varint is below 2**31.
BOUND_LIMIT = LIMIT // 2


class Side(IntEnum):
    """Which side of the value a claim limits."""

    LOWER = 0
    UPPER = 1


class Evidence(IntEnum):
    """What a claim rests on. Smaller is kept when two claims are otherwise equal."""

    CHILDREN = 0  # the claims of the children
    TABLE = 1  # an entry of a dense table; payload: its name
    LINE = 2  # a forcing sequence; payload: its moves
    SEARCH = 3  # a small depth-first search by the rules alone; payload: its nodes


@dataclass(frozen=True, slots=True)
class Claim:
    """One bound of a position's value, for its side to move.

    Attributes:
        side: lower or upper.
        bound: the limit, -2**30 <= bound < 2**30.
        rank: plies within which the bound is realised at the latest, 0 <= rank < 2**31.
        evidence: what it rests on.
        witness: the move of the canonical position that guarantees a lower bound, 0 <= witness < 2**31;
            None for an upper bound.
        payload: the evidence's bytes as encoded: see `table_payload`, `line_payload`, `search_payload`.
        source: number of an entry in the store's list of sources; None outside a store.

    Raises:
        ValueError: an attribute is out of range.
    """

    side: Side
    bound: int
    rank: int
    evidence: Evidence = Evidence.CHILDREN
    witness: int | None = None
    payload: bytes = b""
    source: int | None = None

    def __post_init__(self) -> None:
        if not -BOUND_LIMIT <= self.bound < BOUND_LIMIT:
            raise ValueError(f"bound {self.bound} is outside -2**30..2**30-1")
        if not 0 <= self.rank < LIMIT:
            raise ValueError(f"rank {self.rank} is outside 0..2**31-1")
        if (self.witness is None) != (self.side == Side.UPPER):
            raise ValueError("a lower bound has a witness, an upper bound has none")
        if self.witness is not None and not 0 <= self.witness < LIMIT:
            raise ValueError(f"witness {self.witness} is outside 0..2**31-1")
        if self.source is not None and not 0 <= self.source < LIMIT:
            raise ValueError(f"source {self.source} is outside 0..2**31-1")
        try:
            end = payload_end(self.evidence, self.payload, 0)
        except VarintError as error:
            raise ValueError(f"payload: {error.rule}") from None
        if end != len(self.payload):
            raise ValueError(f"payload: bytes left over after {end}")

    @property
    def table(self) -> str | None:
        """Name of the table that a table claim rests on."""
        if self.evidence != Evidence.TABLE:
            return None
        return self.payload[read_varint(self.payload, 0)[1] :].decode()

    @property
    def line(self) -> tuple[int, ...] | None:
        """Moves of the forcing sequence that a line claim rests on."""
        if self.evidence != Evidence.LINE:
            return None
        offset = read_varint(self.payload, 0)[1]
        if self.payload[offset:].isascii():  # moves below 128 take one byte each, so the bytes are the moves
            return tuple(self.payload[offset:])
        moves = []
        while offset < len(self.payload):
            move, offset = read_varint(self.payload, offset)
            moves.append(move)
        return tuple(moves)

    @property
    def nodes(self) -> int | None:
        """Nodes within which the small search of a search claim settles it."""
        return read_varint(self.payload, 0)[0] if self.evidence == Evidence.SEARCH else None

    @property
    def tie(self) -> tuple[int, int, bytes]:
        """What decides between two claims of equal side, bound and rank: the smaller one is kept."""
        return self.evidence, -1 if self.witness is None else self.witness, self.payload

    def dominates(self, other: Claim) -> bool:
        """Whether this claim says at least as much as `other`: same side, bound as strong, rank no larger."""
        if self.side != other.side or self.rank > other.rank:
            return False
        return self.bound >= other.bound if self.side == Side.LOWER else self.bound <= other.bound

    def with_source(self, source: int | None) -> Claim:
        """The same claim as told by another source."""
        return self if source == self.source else replace(self, source=source)

    def __str__(self) -> str:
        text = f"{self.side.name.lower()} {self.bound} rank {self.rank}"
        if self.witness is not None:
            text += f" witness {self.witness}"
        detail = {Evidence.TABLE: self.table, Evidence.LINE: self.line, Evidence.SEARCH: self.nodes}.get(self.evidence)
        return text + f" by {self.evidence.name.lower()}" + ("" if detail is None else f" {detail}")


@dataclass(frozen=True, slots=True)
class Record:
    """The undominated claims of one position, in the order of the encoding.

    Lower claims come first, then upper ones; within a side the strongest bound first. Build one from claims in any
    order with `Record.of`.

    Attributes:
        claims: 1 to 15 claims; all of them name a source or none does.

    Raises:
        ValueError: the claims are not in order, one dominates another, or only some name a source.
        RecordOverflowError: more than 15 claims.
    """

    claims: tuple[Claim, ...]

    def __post_init__(self) -> None:
        fault = order_fault(self.claims)
        if fault is not None:
            raise ValueError(fault)
        if len({claim.source is None for claim in self.claims}) > 1:
            raise ValueError("either all claims of a record name a source or none does")

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Record:
        """The record of a set of claims in any order: dominated ones are dropped, ties go to the smaller claim."""
        kept: list[Claim] = []
        for claim in sorted(claims, key=_strongest_first):
            # Within a side bounds only weaken from here on, so a claim must win by its rank.
            if not kept or kept[-1].side != claim.side or claim.rank < kept[-1].rank:
                kept.append(claim)
        if len(kept) > MAX_CLAIMS:
            raise RecordOverflowError(f"{len(kept)} undominated claims; a record holds at most {MAX_CLAIMS}")
        return cls(tuple(kept))

    @property
    def lower(self) -> Claim | None:
        """The strongest lower claim."""
        return self.claims[0] if self.claims[0].side == Side.LOWER else None

    @property
    def upper(self) -> Claim | None:
        """The strongest upper claim."""
        return next((claim for claim in self.claims if claim.side == Side.UPPER), None)

    def value(self, highest_value: int) -> int | None:
        """The value for the side to move when it is known, else None.

        Args:
            highest_value: the game's range limit; values lie in [-highest_value, highest_value], which needs no claim.
        """
        lower = -highest_value if self.lower is None else max(self.lower.bound, -highest_value)
        upper = highest_value if self.upper is None else min(self.upper.bound, highest_value)
        return lower if lower == upper else None

    def contradiction(self) -> tuple[Claim, Claim] | None:
        """The strongest lower and upper claim when they exclude each other, else None."""
        lower, upper = self.lower, self.upper
        return (lower, upper) if lower is not None and upper is not None and lower.bound > upper.bound else None

    def with_source(self, source: int | None) -> Record:
        """The same claims, all from `source` (None: from nowhere, as certificates have them)."""
        return Record(tuple(claim.with_source(source) for claim in self.claims))


def merge_records(first: Record, second: Record) -> Record:
    """The join of two records of one position.

    A claim that both hold keeps the smaller source number.

    Raises:
        ContradictionError: a lower bound of one lies above an upper bound of the other.
        RecordOverflowError: more than 15 claims are left.
        ValueError: one record names sources and the other does not.
    """
    if first.claims == second.claims:
        return first
    merged = Record.of(first.claims + second.claims)
    clash = merged.contradiction()
    if clash is not None:
        raise ContradictionError(*clash)
    return merged


def table_payload(name: str) -> bytes:
    """Payload of a claim that rests on the table `name`."""
    data = name.encode()
    return encode_varint(len(data)) + data


def line_payload(moves: Iterable[int]) -> bytes:
    """Payload of a claim that rests on a forcing sequence."""
    data = b"".join(map(encode_varint, moves))
    return encode_varint(len(data)) + data


def search_payload(nodes: int) -> bytes:
    """Payload of a claim that a small search settles within `nodes` (1..10,000)."""
    if not 1 <= nodes <= MAX_SEARCH_NODES:
        raise ValueError(f"{nodes} nodes are outside 1..{MAX_SEARCH_NODES}")
    return encode_varint(nodes)


def payload_end(evidence: Evidence, data: bytes, offset: int) -> int:
    """Where the payload that starts at `offset` ends.

    Raises:
        VarintError: it breaks a rule of the encoding.
    """
    if evidence == Evidence.CHILDREN:
        return offset
    number, start = read_varint(data, offset)
    if evidence == Evidence.SEARCH:
        if not 1 <= number <= MAX_SEARCH_NODES:
            raise VarintError(f"{number} search nodes are outside 1..{MAX_SEARCH_NODES}", offset)
        return start
    end = start + number
    if end > len(data):
        raise VarintError("a payload is cut off", len(data))
    if evidence == Evidence.TABLE:
        try:
            data[start:end].decode()
        except UnicodeDecodeError as error:
            raise VarintError("a table name is not UTF-8", start + error.start) from None
        return end
    line = data[start:end]
    place = len(line) if line.isascii() else 0
    while place < len(line):
        try:
            place = read_varint(line, place)[1]
        except VarintError as error:
            raise VarintError(error.rule, start + error.offset) from None
    return end


def order_fault(claims: tuple[Claim, ...]) -> str | None:
    """The rule of order or dominance that a sequence of claims breaks, None when it is a record's."""
    if not claims:
        return "a record has at least one claim"
    if len(claims) > MAX_CLAIMS:
        return f"a record has at most {MAX_CLAIMS} claims"
    for before, after in pairwise(claims):
        if before.side > after.side:
            return "an upper claim stands before a lower one"
        if before.side != after.side:
            continue
        if before.bound == after.bound or (before.bound < after.bound) == (after.side == Side.LOWER):
            return "claims of a side are not ordered from the strongest bound"
        if after.rank >= before.rank:
            return "a claim is dominated by another"
    return None


def _strongest_first(claim: Claim) -> tuple[int, int, int, tuple[int, int, bytes], int]:
    strength = -claim.bound if claim.side == Side.LOWER else claim.bound
    return claim.side, strength, claim.rank, claim.tie, LIMIT if claim.source is None else claim.source
