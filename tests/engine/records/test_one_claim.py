"""Records that are accepted without decoding them are records: `is_one_claim` against `decode_record`."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from proofbase.engine.records import (
    Claim,
    Evidence,
    MalformedRecordError,
    Record,
    Side,
    add_source,
    check_incoming,
    decode_record,
    encode_record,
    is_one_claim,
    is_one_claim_of_zero,
    search_payload,
)
from proofbase.engine.records.varint import encode_varint

EDGES = (0, 1, 0x4D, 0x4E, 0x7F, 0x80, 0x90, 0x91, 0xFF)
"""Bytes on both sides of every limit of the format."""

SIMPLE = {0x11: (0, 1, 6, 7), 0x31: (10, 11), 0x41: (12, 13)}
"""By the head of a record of one claim, the kinds of claims by children, by strategies and by small searches."""
SIMPLE_EVIDENCE = (Evidence.CHILDREN, Evidence.STRATEGY)


def record_of(data: bytes) -> Record | None:
    try:
        return decode_record(data)
    except MalformedRecordError:
        return None


def test_bytes_that_are_taken_for_one_claim_are_one() -> None:
    taken = refused = 0
    for head, kind, zeros, size in product(SIMPLE, range(14), range(2), range(5)):
        for numbers in product(EDGES, repeat=size if kind in SIMPLE[head] else min(size, 2)):
            data = bytes((head, kind, *zeros * [0], *numbers))
            record = record_of(data)
            simple = (
                record is not None
                and not record.has_sources
                and (record.claims[0].evidence in SIMPLE_EVIDENCE or record.claims[0].evidence.is_search)
            )
            assert is_one_claim(data) == simple, data.hex()
            if record is not None:
                assert is_one_claim_of_zero(data) == (record.claims[0].bound == 0), data.hex()
            taken += simple
            refused += not simple
    assert taken > 1_000 and refused > 1_000


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("nodes", [None, 1, 127, 128, 9_999, 10_000])
@pytest.mark.parametrize("searched", [Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS])
def test_claims_are_recognised_up_to_large_numbers(side: Side, nodes: int | None, searched: Evidence) -> None:
    evidence, payload = (Evidence.CHILDREN, b"") if nodes is None else (searched, search_payload(nodes))
    for number in (0, 127, 128, 2**14, 2**21, 2**27 - 1):
        witness = number if side == Side.LOWER else None
        for bound in (number, -number):
            data = encode_record(Record.of([Claim(side, bound, number, evidence, witness, payload)]))
            assert is_one_claim(data), "numbers below 2**28"
            assert add_source(data, 300) == data + encode_varint(300)
            assert not is_one_claim(add_source(data, 300))


def test_two_claims_are_not_one_of_zero() -> None:
    both = Record.of([Claim(Side.LOWER, 0, 3, Evidence.CHILDREN, 1), Claim(Side.UPPER, 0, 3, Evidence.CHILDREN)])
    assert not is_one_claim_of_zero(encode_record(both))


@pytest.mark.parametrize("side", Side)
def test_strategies_are_recognised_and_what_breaks_their_rules_is_not(side: Side) -> None:
    random = Random(1)
    recognised = broken = 0
    for _ in range(4_000):
        size = random.randrange(6)
        payload = bytes(random.choice((0, 1, 2, 3, 5, 0x7F, 0x80, 0x81)) for _ in range(size))
        witness = b"\x05" if side == Side.LOWER else b""
        data = bytes([0x31, 10 | side, 3, 4]) + witness + bytes([max(0, size - random.randrange(20) // 18)]) + payload
        record = record_of(data)
        if record is None or record.has_sources:
            broken += 1
            assert not is_one_claim(data), data.hex()
            continue
        recognised += is_one_claim(data)
        assert is_one_claim(data) or not payload.isascii(), data.hex()
        check_incoming(data)
    assert recognised > 500 and broken > 500


def test_what_is_no_incoming_record_is_refused() -> None:
    good = encode_record(Record.of([Claim(Side.UPPER, 3, 4, Evidence.SEARCH, None, search_payload(10_000))]))
    check_incoming(good)
    for data in (good[:-1], good + b"\0", b"", b"\x11", good[:-2] + b"\x91\x4e", add_source(good, 1)):
        with pytest.raises(MalformedRecordError):
            check_incoming(data)
