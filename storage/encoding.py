"""Record encoding, version 1 (docs/record-encoding.md), and merging on encoded bytes.

Exactly one byte string encodes a record, so equal bytes are equal records. Positions share few distinct records
(a bound, a rank, a move), therefore decoding and merging are cached by the bytes themselves: a repeated or known
record costs a look into a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from proofbase.storage.errors import ContradictionError, MalformedRecordError
from proofbase.storage.record import Claim, Evidence, Record, Side, merge_records, order_fault, payload_end
from proofbase.storage.varint import VarintError, encode_varint, read_varint, unzigzag, zigzag

VERSION = 1
# A record with a long line may be large; what is larger than this is worked out every time and never kept.
_CACHED_BYTES = 256
_CACHE = 1 << 14

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _remembered(
    function: Callable[Concatenate[bytes, Arguments], Result],
) -> Callable[Concatenate[bytes, Arguments], Result]:
    """Caches a function of small records by all its arguments."""
    plain: Callable[..., Result] = function
    cached: Callable[..., Result] = lru_cache(_CACHE)(function)

    @wraps(function)
    def remembering(*args: Any) -> Result:
        return cached(*args) if len(args[0]) <= _CACHED_BYTES else plain(*args)

    return cast("Callable[Concatenate[bytes, Arguments], Result]", remembering)


def encode_record(record: Record) -> bytes:
    """The bytes of a record, with its sources when it names them."""
    out = bytearray([VERSION << 4 | len(record.claims)])
    for claim in record.claims:
        out.append(claim.side | claim.evidence << 1)
        out += encode_varint(zigzag(claim.bound))
        out += encode_varint(claim.rank)
        if claim.witness is not None:
            out += encode_varint(claim.witness)
        out += claim.payload
    for claim in record.claims:
        if claim.source is not None:
            out += encode_varint(claim.source)
    return bytes(out)


@_remembered
def decode_record(data: bytes) -> Record:
    """The record that the bytes encode.

    Raises:
        MalformedRecordError: the bytes break any rule of the encoding.
    """
    if not data:
        raise MalformedRecordError("no bytes", data)
    if data[0] >> 4 != VERSION:
        raise MalformedRecordError(f"unknown encoding version {data[0] >> 4}", data)
    count = data[0] & 15
    offset = 1
    claims: list[Claim] = []
    try:
        for _ in range(count):
            claim, offset = _read_claim(data, offset)
            claims.append(claim)
        fault = order_fault(tuple(claims))
        if fault is not None:
            raise VarintError(fault, offset)
        if offset < len(data):
            for index in range(count):
                source, offset = read_varint(data, offset)
                claims[index] = claims[index].with_source(source)
        if offset < len(data):
            raise VarintError("bytes left over at the end", offset)
    except VarintError as error:
        raise MalformedRecordError(error.rule, data, error.offset) from None
    return Record(tuple(claims))


def _read_claim(data: bytes, offset: int) -> tuple[Claim, int]:
    if offset >= len(data):
        raise VarintError("a claim is missing", offset)
    kind = data[offset]
    if kind > 7:
        raise VarintError(f"unknown kind of claim {kind:#04x}", offset)
    side, evidence = Side(kind & 1), Evidence(kind >> 1)
    bound, offset = read_varint(data, offset + 1)
    rank, offset = read_varint(data, offset)
    witness = None
    if side == Side.LOWER:
        witness, offset = read_varint(data, offset)
    end = payload_end(evidence, data, offset)
    return Claim(side, unzigzag(bound), rank, evidence, witness, data[offset:end]), end


@_remembered
def without_sources(data: bytes) -> bytes:
    """The same record as certificates and the engine have it.

    Raises:
        MalformedRecordError: `data` is no record.
    """
    return encode_record(decode_record(data).with_source(None))


@_remembered
def plain_record(data: bytes) -> Record:
    """Decodes a record that comes from outside: it names no sources and does not contradict itself.

    Raises:
        MalformedRecordError: `data` is no record, or it names sources.
        ContradictionError: its lower bound lies above its upper bound.
    """
    record = decode_record(data)
    if record.claims[0].source is not None:
        raise MalformedRecordError("sources are numbered by the store and not accepted from outside", data)
    clash = record.contradiction()
    if clash is not None:
        raise ContradictionError(*clash)
    return record


@_remembered
def stamp_record(data: bytes, source: int) -> bytes:
    """The stored form of a plain record: all its claims come from `source`."""
    return encode_record(plain_record(data).with_source(source))


@_remembered
def merge_encoded(stored: bytes, incoming: bytes, source: int | None) -> bytes | None:
    """Merges a plain record into a stored one.

    A claim that is already stored keeps the source that told it first.

    Args:
        stored: the record in the store, or another plain one when `source` is None.
        incoming: a record without sources.
        source: the number that its new claims get.

    Returns:
        The merged bytes, or None when `incoming` adds nothing.

    Raises:
        MalformedRecordError: one of them is no record.
        ContradictionError: they exclude each other.
        RecordOverflowError: more than 15 claims are left.
    """
    old = decode_record(stored)
    known = {claim.with_source(None) for claim in old.claims}
    fresh = tuple(claim.with_source(source) for claim in plain_record(incoming).claims if claim not in known)
    if not fresh:
        return None
    merged = merge_records(old, Record.of(fresh))
    return None if merged == old else encode_record(merged)
