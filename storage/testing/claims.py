"""Short ways to make claims and records for the conformance suite."""

from __future__ import annotations

from proofbase.engine.records import Claim, Record, Side, encode_record


def lower(bound: int, rank: int, witness: int = 0) -> Claim:
    """A lower claim that rests on the children."""
    return Claim(Side.LOWER, bound, rank, witness=witness)


def upper(bound: int, rank: int) -> Claim:
    """An upper claim that rests on the children."""
    return Claim(Side.UPPER, bound, rank)


def encoded(*claims: Claim) -> bytes:
    """The record of some claims."""
    return encode_record(Record.of(claims))
