"""Claims: one bound of a position's value, with its rank and its evidence (docs/fact-model.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from proofbase.engine.records.pairings import Pair, read_pairing
from proofbase.engine.records.strategies import Strategy, read_strategy
from proofbase.engine.records.threat_trees import ThreatTrees, read_threats
from proofbase.engine.records.varint import LIMIT, VarintError, encode_varint, read_varint

__all__ = [
    "MAX_SEARCH_NODES",
    "Claim",
    "Evidence",
    "Side",
    "line_payload",
    "payload_end",
    "search_payload",
    "table_payload",
]

MAX_SEARCH_NODES = 10_000
# A bound is stored as a zigzag varint, and every varint is below 2**31.
BOUND_LIMIT = LIMIT // 2


class Side(IntEnum):
    """Which side of the value a claim limits."""

    LOWER = 0
    UPPER = 1


class Evidence(IntEnum):
    """What a claim rests on. Of two claims that are otherwise equal the one with the smaller evidence is kept."""

    CHILDREN = 0  # the claims of the children
    TABLE = 1  # an entry of a dense table; payload: its name
    LINE = 2  # forcing lines; payload: their moves
    SEARCH = 3  # a small depth-first search by the rules alone; payload: its nodes
    THREATS = 4  # threat trees, and named children's claims; payload: the trees
    STRATEGY = 5  # a diagram that answers every move, and named children's claims; payload: the diagram
    SEARCH_TO_LIMITS = 6  # a small search that ends at the limits of values; payload: its nodes
    PAIRING = 7  # pairs of squares, one in each line of the other side; payload: the pairs

    @property
    def is_search(self) -> bool:
        """Whether it is a small search, of either kind."""
        return self in (Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS)


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
        payload: the bytes of the evidence as the record encoding has them, with their length: see `table_payload`,
            `line_payload`, `search_payload`, `threats_payload`, `strategy_payload`, `pairing_payload`; empty for
            `Evidence.CHILDREN`.
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
            end = payload_end(self.side, self.evidence, self.payload, 0)
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
        """The numbers in the payload of a line claim: the moves of a lower claim's line; see `lines`."""
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
    def lines(self) -> list[tuple[int, ...]]:
        """The lines of a line claim: one of a lower claim, any number of an upper claim. Empty for other evidence."""
        numbers = self.line or ()
        if self.side == Side.LOWER:
            return [numbers] if numbers else []
        lines: list[tuple[int, ...]] = []
        while numbers:  # each line stands behind the number of its moves
            size = numbers[0]
            lines.append(numbers[1 : size + 1])
            numbers = numbers[size + 1 :]
        return lines

    @property
    def nodes(self) -> int | None:
        """Nodes within which the small search of a claim settles it; None for other evidence."""
        return read_varint(self.payload, 0)[0] if self.evidence.is_search else None

    @property
    def threats(self) -> ThreatTrees | None:
        """The trees and the named replies of a claim by threats."""
        if self.evidence != Evidence.THREATS:
            return None
        return read_threats(self.payload[read_varint(self.payload, 0)[1] :])

    @property
    def strategy(self) -> Strategy | None:
        """The diagram and the named replies of a claim by a strategy."""
        if self.evidence != Evidence.STRATEGY:
            return None
        return read_strategy(self.payload[read_varint(self.payload, 0)[1] :], lower=self.side == Side.LOWER)

    @property
    def pairing(self) -> tuple[Pair, ...] | None:
        """The pairs of a claim by a pairing; None for other evidence."""
        if self.evidence != Evidence.PAIRING:
            return None
        return read_pairing(self.payload[read_varint(self.payload, 0)[1] :])

    @property
    def named(self) -> tuple[int, ...] | None:
        """The replies whose positions a claim by threats or by a strategy rests on; None for other evidence."""
        evidence = self.threats or self.strategy
        return None if evidence is None else evidence.named

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
        """The same claim as it came from another source."""
        if source == self.source:
            return self
        if source is not None and not 0 <= source < LIMIT:
            raise ValueError(f"source {source} is outside 0..2**31-1")
        other = object.__new__(Claim)  # all else is checked: reading a diagram again would take most of the time
        for name in _OTHER_ATTRIBUTES:
            object.__setattr__(other, name, getattr(self, name))
        object.__setattr__(other, "source", source)
        return other

    def __str__(self) -> str:
        witness = "" if self.witness is None else f", witness {self.witness}"
        detail = ""
        if self.evidence == Evidence.TABLE:
            detail = f" {self.table}"
        elif self.evidence == Evidence.LINE:
            detail = f" {self.line}"
        elif self.evidence.is_search:
            detail = f" of {self.nodes} nodes"
        elif (threats := self.threats) is not None:
            trees = len(threats.trees) + (threats.passed is not None)
            detail = f", {trees} trees of {threats.nodes} nodes, {len(threats.named)} replies named"
        elif (strategy := self.strategy) is not None:
            detail = f", {len(strategy.marks)} marks, {len(strategy.named)} replies named"
        elif (pairing := self.pairing) is not None:
            detail = f" of {len(pairing)} pairs"
        evidence = self.evidence.name.lower().replace("_", " ") + detail
        return f"{self.side.name.lower()} = {self.bound}, rank {self.rank}{witness}, by {evidence}"


_OTHER_ATTRIBUTES = ("side", "bound", "rank", "evidence", "witness", "payload")


def table_payload(name: str) -> bytes:
    """Payload of a claim that rests on the table `name`."""
    data = name.encode()
    return encode_varint(len(data)) + data


def line_payload(moves: Iterable[int]) -> bytes:
    """Payload of a claim that rests on forcing lines.

    Args:
        moves: of a lower claim the moves of its line; of an upper claim its lines, each as the number of its moves
            and the moves.
    """
    data = b"".join(map(encode_varint, moves))
    return encode_varint(len(data)) + data


def search_payload(nodes: int) -> bytes:
    """Payload of a claim that a small search, of either kind, settles within `nodes` (1..10,000)."""
    if not 1 <= nodes <= MAX_SEARCH_NODES:
        raise ValueError(f"{nodes} nodes are outside 1..{MAX_SEARCH_NODES}")
    return encode_varint(nodes)


def payload_end(side: Side, evidence: Evidence, data: bytes, offset: int) -> int:
    """Where the payload that starts at `offset` ends.

    Raises:
        VarintError: it breaks a rule of the encoding.
    """
    if evidence == Evidence.CHILDREN:
        return offset
    number, start = read_varint(data, offset)
    if evidence.is_search:
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
    try:
        if evidence == Evidence.THREATS:
            read_threats(data[start:end], lower=side == Side.LOWER)
        elif evidence == Evidence.STRATEGY:
            read_strategy(data[start:end], lower=side == Side.LOWER)
        elif evidence == Evidence.PAIRING:
            read_pairing(data[start:end])
        else:
            _check_lines(side, data[start:end])
    except VarintError as error:
        raise VarintError(error.rule, start + error.offset) from None
    return end


def _check_lines(side: Side, data: bytes) -> None:
    """Refuses bytes that are not the moves of one line (lower), or lines, each behind its number of moves (upper)."""
    if not data and side == Side.LOWER:
        raise VarintError("a line without moves", 0)
    small = data.isascii()  # every number takes one byte
    index = moves_left = 0  # moves that the line still has
    if side == Side.LOWER and small:
        return
    while index < len(data):
        number, index = (data[index], index + 1) if small else read_varint(data, index)
        if side == Side.LOWER:
            continue
        if moves_left:
            moves_left -= 1
        elif number == 0:
            raise VarintError("a line without moves", index - 1)
        else:
            moves_left = number
    if moves_left:
        raise VarintError("a line is cut off", len(data))
