"""Merging records: unite the claims of one position and drop the dominated ones.

Merging is commutative, associative and idempotent, so stores, workers and imports may be joined in any order.
"""

from __future__ import annotations

from collections.abc import Iterable

from proofbase.engine.records.caching import cached_by_bytes
from proofbase.engine.records.claim import Claim, Side
from proofbase.engine.records.encoding import (
    decode_incoming,
    decode_record,
    encode_record,
    is_one_claim,
    plain_claims,
    record_of_both_sides,
)
from proofbase.engine.records.errors import ContradictionError
from proofbase.engine.records.record import Record
from proofbase.engine.records.varint import encode_varint, read_varint, unzigzag

__all__ = ["merge_claims", "merge_encoded", "merge_records"]


def merge_claims(claims: Iterable[Claim]) -> Record:
    """The record of claims of one position, in any order, that must not contradict each other.

    Raises:
        ContradictionError: a lower bound lies above an upper bound.
        RecordOverflowError: more than 15 claims are left.
        ValueError: no claims, or only some of them name a source.
    """
    record = Record.of(claims)
    clash = record.contradiction()
    if clash is not None:
        raise ContradictionError.between(*clash)
    return record


def merge_records(first: Record, second: Record) -> Record:
    """The join of two records of one position.

    A claim that both hold keeps the smaller source number.

    Raises:
        ContradictionError: a lower bound of one lies above an upper bound of the other.
        RecordOverflowError: more than 15 claims are left.
        ValueError: one record names sources and the other does not.
    """
    return first if first.claims == second.claims else merge_claims(first.claims + second.claims)


@cached_by_bytes
def merge_encoded(stored: bytes, incoming: bytes, source: int | None) -> bytes | None:
    """Merges an incoming record into a stored one.

    A claim that is already stored keeps the source that it first came from.

    Args:
        stored: the record in the store, or another incoming one when `source` is None.
        incoming: a record without sources.
        source: the number that its new claims get.

    Returns:
        The merged bytes, or None when `incoming` adds nothing.

    Raises:
        MalformedRecordError: one of them is no record.
        ContradictionError: they exclude each other.
        RecordOverflowError: more than 15 claims are left.
    """
    if (united := _of_both_sides(stored, incoming, source)) is not None:
        return united
    old = decode_record(stored)
    known = {claim.with_source(None) for claim in old.claims}
    fresh = tuple(claim.with_source(source) for claim in decode_incoming(incoming).claims if claim not in known)
    if not fresh:
        return None
    merged = merge_records(old, Record.of(fresh))
    return None if merged == old else encode_record(merged)


def _of_both_sides(stored: bytes, incoming: bytes, source: int | None) -> bytes | None:
    """`merge_encoded` of a record with one plain claim and another one of the other side; None where it is neither.

    A position that the solutions of two questions share has one of each. Decoding takes ten times as long.
    """
    claims = plain_claims(stored) if is_one_claim(incoming) else None
    if claims is None or len(claims) != 1 or stored[1] & 1 == incoming[1] & 1:
        return None
    [claim] = claims
    of_stored = stored[len(claim) :]
    if (source is None) != (not of_stored):
        return None
    of_incoming = b"" if source is None else encode_varint(source)
    parts = ((claim, of_stored), (incoming, of_incoming))
    (lower, of_lower), (upper, of_upper) = parts if stored[1] & 1 == Side.LOWER else parts[::-1]
    if unzigzag(read_varint(lower, 2)[0]) > unzigzag(read_varint(upper, 2)[0]):
        return None  # decoded, it says which claims exclude each other
    return record_of_both_sides(lower, upper, of_lower + of_upper)
