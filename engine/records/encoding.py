"""Record encoding, versions 1 to 5 (docs/record-encoding.md).

Exactly one byte string encodes a record, so equal bytes are equal records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from proofbase.engine.records.caching import cached_by_bytes
from proofbase.engine.records.claim import Claim, Evidence, Side, payload_end
from proofbase.engine.records.errors import ContradictionError, MalformedRecordError, RecordOverflowError
from proofbase.engine.records.record import Record, order_fault
from proofbase.engine.records.varint import VarintError, encode_varint, read_varint, unzigzag, zigzag

__all__ = [
    "MAX_RECORD_BYTES",
    "add_source",
    "check_incoming",
    "decode_incoming",
    "decode_record",
    "decode_stored",
    "encode_record",
    "is_one_claim",
    "is_one_claim_of_zero",
    "plain_claims",
    "record_of_both_sides",
    "without_sources",
]

VERSION = 1
VERSION_WITH_THREATS = 2
"""The version of other records with a claim by threats. Releases that do not know this evidence refuse the version."""
VERSION_WITH_STRATEGY = 3
"""The version of other records with a claim by a strategy."""
VERSION_WITH_SEARCH_TO_LIMITS = 4
"""The version of other records with a claim by a search to limits."""
VERSION_WITH_PAIRING = 5
"""The version of records with a claim by a pairing."""
VERSIONS = (VERSION, VERSION_WITH_THREATS, VERSION_WITH_STRATEGY, VERSION_WITH_SEARCH_TO_LIMITS, VERSION_WITH_PAIRING)
MAX_RECORD_BYTES = 1 << 16
"""The size of a record without its source numbers, at most."""


def encode_record(record: Record) -> bytes:
    """The bytes of a record, with its sources when it names them.

    Raises:
        RecordOverflowError: the claims take more than 65,536 bytes.
    """
    out = bytearray([_version(record.claims) << 4 | len(record.claims)])
    for claim in record.claims:
        out.append(claim.side | claim.evidence << 1)
        out += encode_varint(zigzag(claim.bound))
        out += encode_varint(claim.rank)
        if claim.witness is not None:
            out += encode_varint(claim.witness)
        out += claim.payload
    if len(out) > MAX_RECORD_BYTES:
        raise RecordOverflowError(f"claims of {len(out)} bytes; a record holds at most {MAX_RECORD_BYTES}")
    for claim in record.claims:
        if claim.source is not None:
            out += encode_varint(claim.source)
    return bytes(out)


def tables_in(chunks: Iterable[Iterable[tuple[bytes, bytes]]]) -> frozenset[str]:
    """Names of the tables that records rest on, given in chunks, each behind its key."""
    return frozenset(
        claim.table
        for chunk in chunks
        for _, record in chunk
        for claim in decode_record(record).claims
        if claim.table is not None
    )


@cached_by_bytes
def decode_record(data: bytes) -> Record:
    """The record that the bytes encode.

    Raises:
        MalformedRecordError: the bytes break any rule of the encoding.
    """
    if not data:
        raise MalformedRecordError("no bytes", data)
    version = data[0] >> 4
    if version not in VERSIONS:
        raise MalformedRecordError(f"unknown encoding version {version}", data)
    count = data[0] & 15
    offset = 1
    claims: list[Claim] = []
    try:
        for _ in range(count):
            claim, offset = _read_claim(data, offset, version)
            claims.append(claim)
        if claims and _version(claims) != version:
            raise VarintError(f"version {version} without a claim {_ITS_CLAIMS[version]}", 0)
        if offset > MAX_RECORD_BYTES:
            raise VarintError(f"claims of {offset} bytes; a record holds at most {MAX_RECORD_BYTES}", MAX_RECORD_BYTES)
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


_LARGEST_KIND = {
    VERSION: 2 * Evidence.SEARCH + 1,
    VERSION_WITH_THREATS: 2 * Evidence.THREATS + 1,
    VERSION_WITH_STRATEGY: 2 * Evidence.STRATEGY + 1,
    VERSION_WITH_SEARCH_TO_LIMITS: 2 * Evidence.SEARCH_TO_LIMITS + 1,
    VERSION_WITH_PAIRING: 2 * Evidence.PAIRING + 1,
}
_ITS_CLAIMS = {
    VERSION_WITH_THREATS: "by threats",
    VERSION_WITH_STRATEGY: "by a strategy",
    VERSION_WITH_SEARCH_TO_LIMITS: "by a search to limits",
    VERSION_WITH_PAIRING: "by a pairing",
}
_VERSION_OF = {
    Evidence.THREATS: VERSION_WITH_THREATS,
    Evidence.STRATEGY: VERSION_WITH_STRATEGY,
    Evidence.SEARCH_TO_LIMITS: VERSION_WITH_SEARCH_TO_LIMITS,
    Evidence.PAIRING: VERSION_WITH_PAIRING,
}


def _version(claims: Iterable[Claim]) -> int:
    return _VERSION_OF.get(max(claim.evidence for claim in claims), VERSION)


def _read_claim(data: bytes, offset: int, version: int) -> tuple[Claim, int]:
    if offset >= len(data):
        raise VarintError("a claim is missing", offset)
    kind = data[offset]
    if kind > _LARGEST_KIND[version]:
        raise VarintError(f"unknown kind of claim {kind:#04x}", offset)
    side, evidence = Side(kind & 1), Evidence(kind >> 1)
    bound, offset = read_varint(data, offset + 1)
    rank, offset = read_varint(data, offset)
    witness = None
    if side == Side.LOWER:
        witness, offset = read_varint(data, offset)
    end = payload_end(side, evidence, data, offset)
    return Claim(side, unzigzag(bound), rank, evidence, witness, data[offset:end]), end


def decode_stored(game: str, key: bytes, data: bytes) -> Record:
    """Decodes the record that a store holds under a key of a game.

    Raises:
        MalformedRecordError: the bytes are no record, or its bounds exclude each other; the error names game and key.
    """
    try:
        record = decode_record(data)
    except MalformedRecordError as error:
        raise error.at(game, key) from None
    if record.contradiction() is not None:
        raise MalformedRecordError("the lower bound lies above the upper bound", data, game=game, key=key)
    return record


_SHORT = rb"(?:[\x00-\x7f]|[\x80-\xff]{1,3}[\x01-\x7f])"
"""A number below 2**28 in its shortest form."""
_SEARCH_NODES = rb"(?:[\x01-\x7f]|[\x80-\xff][\x01-\x4d]|[\x80-\x90]\x4e)"
"""1 to 10,000."""
_LOWER = rb"(?:\x00%b{3}|\x06%b{3}%b)" % (_SHORT, _SHORT, _SEARCH_NODES)
_UPPER = rb"(?:\x01%b{2}|\x07%b{2}%b)" % (_SHORT, _SHORT, _SEARCH_NODES)
_LOWER_TO_LIMITS = rb"\x0c%b{3}%b" % (_SHORT, _SEARCH_NODES)
_UPPER_TO_LIMITS = rb"\x0d%b{2}%b" % (_SHORT, _SEARCH_NODES)
_ONE = rb"(?:\x11(?:%b|%b)|\x41(?:%b|%b))" % (_LOWER, _UPPER, _LOWER_TO_LIMITS, _UPPER_TO_LIMITS)
_ONE_CLAIM = re.compile(_ONE, re.DOTALL)
_PLAIN_CLAIMS = re.compile(
    rb"(?P<one>%b)%b?|[\x12\x42](?P<lower>%b|%b)(?P<upper>%b|%b)(?:%b%b)?"
    % (_ONE, _SHORT, _LOWER, _LOWER_TO_LIMITS, _UPPER, _UPPER_TO_LIMITS, _SHORT, _SHORT),
    re.DOTALL,
)
_ANY_LOWER = re.compile(rb"%b|%b" % (_LOWER, _LOWER_TO_LIMITS), re.DOTALL)
_ANY_UPPER = re.compile(rb"%b|%b" % (_UPPER, _UPPER_TO_LIMITS), re.DOTALL)
_SOURCES = re.compile(rb"(?:%b{2})?" % _SHORT, re.DOTALL)
_ONE_SOURCE = re.compile(rb"%b?" % _SHORT, re.DOTALL)
_STRATEGY_HEAD = re.compile(rb"(?:\x0a%b{3}|\x0b%b{2})(?=[\x00-\x7f])" % (_SHORT, _SHORT), re.DOTALL)
"""A claim by a strategy up to its payload, which is shorter than 128 bytes."""


def is_one_claim(data: bytes) -> bool:
    """Whether the bytes are a record of a single claim by its children, a small search or a strategy, without a source.

    Nearly all records that a search proves are. Most of them are told apart by numbers of nodes or by diagrams, so a
    cache of decoded records does not know them; this takes a twentieth of the time of decoding one.

    False is said of some such records as well: of those with large numbers.
    """
    if data.startswith(_STRATEGY_ALONE):
        return _strategy_end(data, 1) == len(data)
    return _ONE_CLAIM.fullmatch(data) is not None


def is_one_claim_of_zero(data: bytes) -> bool:
    """Whether a record, given by its bytes, has a single claim, whose bound is 0. The record is not decoded for it."""
    return data[0] & 15 == 1 and data[2] == 0


def _strategy_end(data: bytes, offset: int) -> int | None:
    """Where the claim by a strategy ends that begins at `offset`; None where decoding has to tell.

    It tells for those whose marks take two bytes at most, and their named replies one: no square is 2**31 or more then.
    """
    head = _STRATEGY_HEAD.match(data, offset)
    if head is None:
        return None
    start = head.end() + 1
    end = start + data[start - 1]
    payload, marks = data[start:end], 0
    if end > len(data):
        return None
    if data[offset] & 1:  # the number of named replies, and these: each but the first by what it is above the last
        named = payload[1 : payload[0] + 1] if payload else b""
        marks = len(named) + 1
        if not payload or len(named) < payload[0] or 0 in named[1:] or not payload[:marks].isascii():
            return None
    return end if _MARKS.fullmatch(payload, marks) else None


def plain_claims(data: bytes) -> tuple[bytes, ...] | None:
    """The claims of a record, each as a record of its own without its source; None where decoding has to tell.

    It tells for records with one claim, or one of each side, by children, small searches or strategies. It does not
    tell whether these exclude each other, as `decode_record` does not.
    """
    fields = _PLAIN_CLAIMS.fullmatch(data)
    if fields is None:
        return _plain_claims_with_strategy(data)
    one, lower, upper = fields.groups()
    if one is not None:
        return (one,)
    claims = _alone(lower), _alone(upper)
    return claims if data[0] == _head_of_both(*claims) else None


def _plain_claims_with_strategy(data: bytes) -> tuple[bytes, ...] | None:
    if data.startswith(_STRATEGY_ALONE):
        end = _strategy_end(data, 1)
        return (data[:end],) if end is not None and _ONE_SOURCE.fullmatch(data, end) else None
    if data[:1] not in (b"\x32", b"\x42"):
        return None
    middle = _claim_end(data, 1, _ANY_LOWER, Side.LOWER)
    end = None if middle is None else _claim_end(data, middle, _ANY_UPPER, Side.UPPER)
    if end is None or not _SOURCES.fullmatch(data, end):
        return None
    claims = _alone(data[1:middle]), _alone(data[middle:end])
    return claims if data[0] == _head_of_both(*claims) else None


def _claim_end(data: bytes, offset: int, usual: re.Pattern[bytes], side: Side) -> int | None:
    """Where the claim of this side ends that begins at `offset`; None where there is none that is told from its bytes.

    Args:
        data: a record.
        offset: where the claim begins.
        usual: matches a claim of the side that does not rest on a strategy.
        side: of the claim.
    """
    claim_text = usual.match(data, offset)
    if claim_text is not None:
        return claim_text.end()
    return _strategy_end(data, offset) if data[offset : offset + 1] == _STRATEGY_KINDS[side] else None


_MARKS = re.compile(rb"(?:[\x00-\x7f]|[\x80-\xff][\x01-\x7f])*", re.DOTALL)
_HEADS = {int(evidence): bytes([_VERSION_OF.get(evidence, VERSION) << 4 | 1]) for evidence in Evidence}
"""The first byte of a record of one claim, by its evidence."""
_STRATEGY_ALONE = _HEADS[Evidence.STRATEGY]
_STRATEGY_KINDS = {side: bytes([side | Evidence.STRATEGY << 1]) for side in Side}


def _alone(claim: bytes) -> bytes:
    """The record of a claim by children, a small search or a strategy."""
    return _HEADS[claim[0] >> 1] + claim


def _head_of_both(lower: bytes, upper: bytes) -> int:
    """The first byte of the record of two such claims."""
    return max(lower[0], upper[0]) + 1


def record_of_both_sides(lower: bytes, upper: bytes, sources: bytes = b"") -> bytes:
    """The record of two claims that `plain_claims` tells apart.

    Args:
        lower: a record of one claim, without its source.
        upper: the same of the other side.
        sources: the numbers of both sources as they are encoded; empty for a record without sources.
    """
    return bytes([_head_of_both(lower, upper)]) + lower[1:] + upper[1:] + sources


def check_incoming(data: bytes) -> None:
    """Refuses what `decode_incoming` refuses."""
    if not is_one_claim(data):
        decode_incoming(data)


@cached_by_bytes
def decode_incoming(data: bytes) -> Record:
    """Decodes a record that is to be stored: it names no sources and does not contradict itself.

    Raises:
        MalformedRecordError: `data` is no record, or it names sources.
        ContradictionError: its lower bound lies above its upper bound.
    """
    record = decode_record(data)
    if record.has_sources:
        raise MalformedRecordError("sources are numbered by the store and not accepted from outside", data)
    clash = record.contradiction()
    if clash is not None:
        raise ContradictionError.between(*clash)
    return record


@cached_by_bytes
def add_source(data: bytes, source: int) -> bytes:
    """The stored form of an incoming record: all its claims come from `source`.

    Raises:
        MalformedRecordError, ContradictionError: as `decode_incoming`.
    """
    claims = 1 if is_one_claim(data) else len(decode_incoming(data).claims)
    return data + claims * encode_varint(source)  # sources stand behind all claims


@cached_by_bytes
def without_sources(data: bytes) -> bytes:
    """The same record as certificates and the engine have it.

    Raises:
        MalformedRecordError: `data` is no record.
    """
    return encode_record(decode_record(data).with_source(None))
