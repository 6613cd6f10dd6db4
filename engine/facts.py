"""Claims, records and the local check of DESIGN's fact model, in plain Python (docs/fact-model.md).

The native core does the same natively, and `checker.py` does it once more without importing this file: the check is
small enough to be written three times, and the tests hold the three against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from proofbase.engine.errors import ContradictionError, MalformedRecordError
from proofbase.engine.evidence import reaches, visits_at_most
from proofbase.engine.rules.game import Game
from proofbase.engine.tables import ValueTables, table_broken

__all__ = [
    "CHILDREN",
    "LINE",
    "LOWER",
    "SEARCH",
    "TABLE",
    "UPPER",
    "Claim",
    "Finding",
    "LocalCheck",
    "decode_record",
    "encode_record",
    "merge_claims",
]

P = TypeVar("P")

LOWER, UPPER = 0, 1
CHILDREN, TABLE, LINE, SEARCH = range(4)
SIDES = ("lower", "upper")
EVIDENCE = ("children", "table", "line", "search")
LARGEST = 2**31 - 1
MOST_NODES = 10_000


@dataclass(frozen=True, slots=True)
class Claim:
    """One bound of a position's value, with its rank and its evidence."""

    side: int
    """LOWER or UPPER."""
    bound: int
    rank: int
    witness: int | None = None
    """For a lower claim: the move of `position(key)` that guarantees the bound. None for an upper claim."""
    evidence: int = CHILDREN
    """CHILDREN, TABLE, LINE or SEARCH."""
    payload: bytes | int = 0
    """TABLE: the table's name in UTF-8; LINE: moves as varints; SEARCH: the number of nodes; else 0."""

    def dominates(self, other: Claim) -> bool:
        """True when this claim says at least as much as another of the same side (also when they are equal)."""
        stronger = self.bound >= other.bound if self.side == LOWER else self.bound <= other.bound
        return self.side == other.side and stronger and self.rank <= other.rank

    def __str__(self) -> str:
        witness = "" if self.witness is None else f", witness {self.witness}"
        nodes = f" of {self.payload!r} nodes" if self.evidence == SEARCH else ""
        return f"{SIDES[self.side]} = {self.bound}, rank {self.rank}{witness}, by {EVIDENCE[self.evidence]}{nodes}"


class Finding(NamedTuple):
    """A claim that fails, or a record that is no record (then claim is None)."""

    key: bytes
    claim: Claim | None
    rule: str
    """Name of the broken rule, stable: see `LocalCheck`."""
    detail: str


# --- Records ---------------------------------------------------------------------------------------------------------


def decode_record(data: bytes) -> tuple[tuple[Claim, ...], tuple[int, ...] | None]:
    """The claims of a record and their source numbers (None for a record without sources).

    Raises:
        MalformedRecordError: any deviation from the one canonical encoding (docs/record-encoding.md).
    """
    cursor = _Cursor(data)
    head = cursor.byte()
    if head >> 4 != 1 or head & 15 == 0:
        raise MalformedRecordError(f"head {head:#04x} is not version 1 with 1 to 15 claims")
    claims = tuple(_decode_claim(cursor) for _ in range(head & 15))
    for first, second in pairwise(claims):
        ordered = first.side < second.side or (
            first.side == second.side and not first.dominates(second) and not second.dominates(first)
        )
        weaker = second.bound < first.bound if first.side == LOWER else second.bound > first.bound
        if not ordered or (first.side == second.side and not weaker):
            raise MalformedRecordError(f"claims out of order or dominated: {first}; {second}")
    if cursor.offset == len(data):
        return claims, None
    sources = tuple(cursor.varint() for _ in claims)
    if cursor.offset != len(data):
        raise MalformedRecordError(f"{len(data) - cursor.offset} bytes after the record")
    return claims, sources


def encode_record(claims: Sequence[Claim], sources: Sequence[int] | None = None) -> bytes:
    """The canonical encoding of claims that `merge_claims` has ordered.

    Raises:
        MalformedRecordError: claims that make no record (none, too many, out of order, numbers out of range).
    """
    data = bytearray([0x10 | len(claims) & 15])
    for claim in claims:
        data.append(claim.side | claim.evidence << 1)
        data += _varint(2 * claim.bound if claim.bound >= 0 else -2 * claim.bound - 1)
        data += _varint(claim.rank)
        if claim.side == LOWER:
            data += _varint(-1 if claim.witness is None else claim.witness)
        data += _payload(claim)
    for source in sources or ():
        data += _varint(source)
    if decode_record(bytes(data))[0] != tuple(claims):
        raise MalformedRecordError(f"{len(claims)} claims do not survive encoding")
    return bytes(data)


def merge_claims(*records: Iterable[Claim]) -> tuple[Claim, ...]:
    """The lattice join: the undominated claims of all records, in the order of the encoding.

    Of claims with equal side, bound and rank the one with the smallest (evidence, witness, payload) stays, so that
    the join is commutative, associative and idempotent.

    Raises:
        ContradictionError: a lower bound above an upper bound.
    """
    claims = sorted({claim for record in records for claim in record}, key=_order)
    kept: list[Claim] = []
    for claim in claims:
        if not kept or not kept[-1].dominates(claim):  # within a side the ranks kept so far fall: the last is smallest
            kept.append(claim)
    lower = next((claim for claim in kept if claim.side == LOWER), None)
    upper = next((claim for claim in kept if claim.side == UPPER), None)
    if lower and upper and lower.bound > upper.bound:
        raise ContradictionError(f"{lower} contradicts {upper}")
    return tuple(kept)


def _order(claim: Claim) -> tuple[int, int, int, int, int, bytes]:
    """The order of the encoding; of claims with equal side, bound and rank the first is kept (payloads as encoded)."""
    strength = -claim.bound if claim.side == LOWER else claim.bound
    return claim.side, strength, claim.rank, claim.evidence, claim.witness or 0, _payload(claim)


def _payload(claim: Claim) -> bytes:
    """What follows rank and witness in the encoding."""
    if isinstance(claim.payload, bytes):
        return _varint(len(claim.payload)) + claim.payload
    return _varint(claim.payload) if claim.evidence == SEARCH else b""


def _decode_claim(cursor: _Cursor) -> Claim:
    kind = cursor.byte()
    if kind > 7:
        raise MalformedRecordError(f"kind {kind:#04x} has bits that version 1 does not define")
    side, evidence = kind & 1, kind >> 1
    number = cursor.varint()
    bound = number >> 1 if number % 2 == 0 else -(number + 1 >> 1)
    rank = cursor.varint()
    witness = cursor.varint() if side == LOWER else None
    payload: bytes | int = 0
    if evidence == SEARCH:
        payload = cursor.varint()
        if not 1 <= payload <= MOST_NODES:
            raise MalformedRecordError(f"a search of {payload} nodes: 1 to {MOST_NODES} are allowed")
    elif evidence in (TABLE, LINE):
        payload = cursor.take(cursor.varint())
        _check_payload(evidence, payload)
    return Claim(side, bound, rank, witness, evidence, payload)


def _check_payload(evidence: int, payload: bytes) -> None:
    if evidence == TABLE:
        try:
            payload.decode()
        except UnicodeDecodeError:
            raise MalformedRecordError("the name of a table is not UTF-8") from None
    else:
        cursor = _Cursor(payload)
        while cursor.offset < len(payload):
            cursor.varint()


class _Cursor:
    """Reads a record from the left; every short or over-long field is malformed."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        part = self.data[self.offset : self.offset + size]
        if len(part) < size:
            raise MalformedRecordError(f"the record ends within a field at byte {self.offset}")
        self.offset += size
        return part

    def varint(self) -> int:
        start, number, shift = self.offset, 0, 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            if shift > 35:
                raise MalformedRecordError(f"the number at byte {start} is too long")
        if number > LARGEST or (byte == 0 and shift > 7):
            raise MalformedRecordError(f"the number at byte {start} is too large or not in its shortest form")
        return number


def _varint(number: int) -> bytes:
    if not 0 <= number <= LARGEST:
        raise MalformedRecordError(f"{number} does not fit the encoding")
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


def claim_lines(claim: Claim) -> list[list[int]]:
    """The lines of a claim: one of a lower claim, any number of an upper one; none if they are not well made."""
    cursor = _Cursor(bytes(claim.payload) if isinstance(claim.payload, bytes) else b"")
    moves = []
    while cursor.offset < len(cursor.data):
        moves.append(cursor.varint())
    if claim.side == LOWER:
        return [moves] if moves else []
    lines: list[list[int]] = []
    while moves:  # each behind the number of its moves
        size = moves[0]
        lines.append(moves[1 : size + 1])
        if len(lines[-1]) < size:
            return []
        moves = moves[size + 1 :]
    return lines


# --- The local check -------------------------------------------------------------------------------------------------

Limits = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
"""What is claimed of a position: (bound, rank) of its lower claims and of its upper claims."""


class LocalCheck(Generic[P]):
    """The local check of a game's records by its rules, for any number of chunks.

    Rules named by findings: `malformed` (no record, or no key of a legal position), `contradiction`, `terminal` (a
    record of a finished game), `witness` (no legal move), `safety-rank` (a safety claim has rank 0), `child` (no claim
    of a child, or none with a smaller rank, carries the bound), `evidence` (evidence that this check cannot redo),
    `search` (the search does not settle the bound within its nodes), `line` (a line does not reach the bound), `table`
    (the table that the claim names does not say so), `rules` (the rules raised an error).

    Args:
        game: the rules.
        tables: a child that they have counts as its exact value with rank 0, and claims may rest on them.
    """

    def __init__(self, game: Game[P], tables: ValueTables | None = None) -> None:
        self.game = game
        self._tables = tables
        self.checked = 0
        """Records looked at so far."""

    def findings(
        self, batch: Sequence[tuple[bytes, bytes]], get_many: Callable[[list[bytes]], Sequence[bytes | None]]
    ) -> Iterator[Finding]:
        """Checks every claim of a batch of records.

        Args:
            batch: (key, encoded record) pairs, with or without sources.
            get_many: the encoded records of the given keys, None where there is none. Called once a batch, for the
                children that are not in the batch themselves.
        """
        decoded: dict[bytes, tuple[P, list[tuple[Claim, list[int]]]]] = {}  # claims with the moves they rest on
        needed: dict[bytes, None] = {}
        for key, data in batch:
            self.checked += 1
            try:
                position, claims = self.game.position(key), decode_record(data)[0]
                if self.game.terminal(position) is not None:
                    yield Finding(key, None, "terminal", "the game is over here: such a position has no record")
                    continue
                decoded[key] = position, [(claim, self.rests_on(position, claim)) for claim in claims]
                needed.update(dict.fromkeys(self._children(position, decoded[key][1])))
            except ValueError as error:
                yield Finding(key, None, "malformed", str(error))
            except Exception as error:  # a user's rules may raise anything: the batch goes on
                yield Finding(key, None, "rules", f"{type(error).__name__}: {error}")
        within = dict(batch)
        outside = [key for key in needed if key not in within]
        records: dict[bytes, bytes | None] = {**within, **dict(zip(outside, get_many(outside), strict=True))}
        for key, (position, resting) in decoded.items():
            yield from self._record_findings(key, position, resting, records)

    def rests_on(self, position: P, claim: Claim) -> list[int]:
        """The moves behind which a claim needs a child's claim."""
        if claim.evidence not in (CHILDREN, LINE):
            return []
        legal = self.game.moves(position)
        if claim.side == LOWER:
            return [move for move in legal if move == claim.witness and claim.evidence == CHILDREN]
        lines = claim_lines(claim) if claim.evidence == LINE else []
        short = [line for line in lines if len(line) < claim.rank]
        return [move for move in legal if not self._answered(position, move, claim.bound, short)]

    def _answered(self, position: P, move: int, bound: int, lines: list[list[int]]) -> bool:
        if not lines:
            return False
        child, lower = self.game.play(position, move), self.game.reward(position, move) - bound
        return self.game.terminal(child) is None and any(reaches(self.game, child, lower, line) for line in lines)

    def _children(self, position: P, claims: Sequence[tuple[Claim, list[int]]]) -> Iterator[bytes]:
        """Keys of the children that claims may rest on."""
        for move in dict.fromkeys(move for _, moves in claims for move in moves):
            child = self.game.play(position, move)
            if self.game.terminal(child) is None:
                yield self.game.key(child)

    def _record_findings(
        self, key: bytes, position: P, claims: Sequence[tuple[Claim, list[int]]], records: dict[bytes, bytes | None]
    ) -> Iterator[Finding]:
        lowers = [claim.bound for claim, _ in claims if claim.side == LOWER]
        uppers = [claim.bound for claim, _ in claims if claim.side == UPPER]
        if lowers and uppers and lowers[0] > uppers[0]:
            yield Finding(key, None, "contradiction", f"lower = {lowers[0]} above upper = {uppers[0]}")
        for claim, moves in claims:
            try:
                broken = self._broken(position, claim, moves, records)
            except Exception as error:
                broken = "rules", f"{type(error).__name__}: {error}"
            if broken:
                yield Finding(key, claim, *broken)

    def _broken(
        self, position: P, claim: Claim, moves: list[int], records: dict[bytes, bytes | None]
    ) -> tuple[str, str] | None:
        """The rule that a claim breaks, with the particulars; None when it passes. `moves`: what it rests on."""
        game, rho = self.game, self.game.repetition(position)
        safe = rho is not None and (claim.bound <= rho if claim.side == LOWER else claim.bound >= rho)
        if safe and claim.rank != 0:
            return "safety-rank", f"repetition alone (worth {rho}) gives this bound: its rank is 0, not {claim.rank}"
        legal = game.moves(position)
        if not legal:
            return "rules", "no legal move, though the game is not over"
        if claim.side == LOWER and (claim.witness is None or claim.witness not in legal):
            return "witness", f"move {claim.witness} is not legal"
        if claim.evidence == SEARCH:
            return self._search_broken(position, claim)
        if claim.evidence == LINE and claim.side == LOWER:
            return self._line_broken(position, claim)
        if claim.evidence == TABLE:
            return table_broken(game, self._tables, position, claim)
        for move in moves:
            child, reward = game.play(position, move), game.reward(position, move)
            lowers, uppers = self._limits(child, records)
            limit = reward - claim.bound  # the child's upper claim must be at most, or its lower claim at least, this
            if claim.side == LOWER:
                ranks = [rank for bound, rank in uppers if bound <= limit]
            else:
                ranks = [rank for bound, rank in lowers if bound >= limit]
            if not ranks or (not safe and min(ranks) >= claim.rank):
                side = "upper <=" if claim.side == LOWER else "lower >="
                smaller = "" if safe else f" with a rank below {claim.rank}"
                found = f" (smallest rank there: {min(ranks)})" if ranks else ""
                name = game.move_text(position, move)
                return "child", f"after move {name} ({move}) no claim {side} {limit}{smaller}{found}"
        return None

    def _limits(self, child: P, records: dict[bytes, bytes | None]) -> Limits:
        """A terminal child, or one in a table, counts as its exact value with rank 0; its limits need no claim."""
        value = self.game.terminal(child)
        if value is not None:
            return [(value, 0)], [(value, 0)]
        limit = self.game.limit(child)
        lowers, uppers = [(-limit, 0)], [(limit, 0)]
        entry = None if self._tables is None else self._tables.value(child)
        if entry is not None:
            lowers, uppers = [*lowers, (entry, 0)], [*uppers, (entry, 0)]
        data = records.get(self.game.key(child))
        if data is not None:
            try:
                claims = decode_record(data)[0]
            except MalformedRecordError:
                claims = ()  # reported when its own turn comes; nothing may rest on it
            lowers += [(claim.bound, claim.rank) for claim in claims if claim.side == LOWER]
            uppers += [(claim.bound, claim.rank) for claim in claims if claim.side == UPPER]
        return lowers, uppers

    def _line_broken(self, position: P, claim: Claim) -> tuple[str, str] | None:
        line = next(iter(claim_lines(claim)), [])
        if not line or len(line) != claim.rank or line[0] != claim.witness:
            return "line", f"the line does not have {claim.rank} moves that begin with the witness"
        if not reaches(self.game, position, claim.bound, line):
            return "line", "the line does not reach the bound against every reply"
        return None

    def _search_broken(self, position: P, claim: Claim) -> tuple[str, str] | None:
        if claim.rank == 0:
            return "search", "a search to a depth of 0 settles nothing"
        game, limit, depth = self.game, claim.bound, claim.rank
        if claim.witness is not None:
            limit, depth = game.reward(position, claim.witness) - claim.bound, claim.rank - 1
            position = game.play(position, claim.witness)
        if visits_at_most(game, position, limit, depth, int(claim.payload)) is not None:
            return None
        return "search", f"not settled within {claim.payload!r} nodes and {claim.rank} plies"
