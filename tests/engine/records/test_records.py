"""Records: the lattice laws, the encoding, and what is refused."""

from __future__ import annotations

import pytest
from drawn_strategies import pairings, strategies
from drawn_threats import threats
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine.records import merge_encoded, pairing_payload, strategy_payload, threats_payload, without_sources
from proofbase.engine.records.varint import encode_varint, read_varint, unzigzag, zigzag
from proofbase.storage import (
    Claim,
    ContradictionError,
    Evidence,
    MalformedRecordError,
    Record,
    RecordOverflowError,
    Side,
    decode_record,
    encode_record,
    line_payload,
    merge_records,
    search_payload,
    table_payload,
)

numbers = st.one_of(st.integers(0, 5), st.integers(0, 2**31 - 1))
payloads = st.one_of(
    st.just((Evidence.CHILDREN, b"")),
    st.text(max_size=5).map(lambda name: (Evidence.TABLE, table_payload(name))),
    st.integers(1, 10_000).map(lambda nodes: (Evidence.SEARCH, search_payload(nodes))),
    st.integers(1, 10_000).map(lambda nodes: (Evidence.SEARCH_TO_LIMITS, search_payload(nodes))),
)


def lines(side: Side) -> st.SearchStrategy[list[int]]:
    """The numbers of a claim by lines: the moves of a lower claim's line, an upper claim's lines behind their sizes."""
    line = st.lists(numbers, min_size=1, max_size=4)
    if side == Side.LOWER:
        return line
    several = st.lists(line, max_size=3)
    return several.map(lambda lines: [number for line in lines for number in (len(line), *line)])


@st.composite
def claims(draw: st.DrawFn, bounds: st.SearchStrategy[int]) -> Claim:
    side = draw(st.sampled_from(Side))
    by_lines = lines(side).map(lambda moves: (Evidence.LINE, line_payload(moves)))
    by_threats = threats(side).map(lambda trees: (Evidence.THREATS, threats_payload(trees)))
    by_strategy = strategies(side).map(
        lambda found: (Evidence.STRATEGY, strategy_payload(found, lower=side == Side.LOWER))
    )
    by_pairing = pairings().map(lambda found: (Evidence.PAIRING, pairing_payload(found)))
    evidence, payload = draw(st.one_of(payloads, by_lines, by_threats, by_strategy, by_pairing))
    witness = draw(numbers) if side == Side.LOWER else None
    # Lower bounds at most 0 and upper ones at least 0 never contradict.
    bound = abs(draw(bounds)) * (1 if side == Side.UPPER else -1)
    return Claim(side, bound, draw(numbers), evidence, witness, payload)


def records(bounds: st.SearchStrategy[int]) -> st.SearchStrategy[Record]:
    return st.lists(claims(bounds), min_size=1, max_size=5).map(Record.of)


small = records(st.integers(0, 3))
wide = records(st.integers(0, 2**30 - 1))


@given(small, small)
def test_merge_is_commutative(one: Record, two: Record) -> None:
    assert merge_records(one, two) == merge_records(two, one)


@given(small, small, small)
def test_merge_is_associative(one: Record, two: Record, three: Record) -> None:
    assert merge_records(merge_records(one, two), three) == merge_records(one, merge_records(two, three))


@given(small, small)
def test_merge_is_idempotent_and_absorbs(one: Record, two: Record) -> None:
    assert merge_records(one, one) == one
    both = merge_records(one, two)
    assert merge_records(both, one) == merge_records(both, two) == both


@given(small, small)
def test_every_claim_is_dominated_by_the_merged_record(one: Record, two: Record) -> None:
    both = merge_records(one, two)
    for claim in one.claims + two.claims:
        assert any(kept.dominates(claim) for kept in both.claims)
    assert set(both.claims) <= set(one.claims + two.claims)


@given(small)
def test_no_claim_of_a_record_dominates_another(record: Record) -> None:
    assert not any(one.dominates(two) for one in record.claims for two in record.claims if one is not two)


@given(small, small, st.integers(1, 500))
def test_merging_bytes_is_merging_records(one: Record, two: Record, source: int) -> None:
    stored = encode_record(one.with_source(700))
    merged = merge_encoded(stored, encode_record(two), source)
    expected = encode_record(merge_records(one, two))
    assert without_sources(stored if merged is None else merged) == expected
    assert (merged is None) == (expected == encode_record(one))
    if merged is not None:
        for claim in decode_record(merged).claims:
            assert claim.source == (700 if claim.with_source(None) in one.claims else source)


@given(wide, st.one_of(st.none(), st.integers(0, 2**31 - 1)))
def test_encoding_roundtrips(record: Record, source: int | None) -> None:
    record = record.with_source(source)
    assert decode_record(encode_record(record)) == record


@given(wide, st.data())
@settings(max_examples=3 * settings().max_examples)
def test_one_byte_string_per_record(record: Record, data: st.DataObject) -> None:
    """Whatever decodes encodes to the same bytes: there is no second spelling of a record."""
    encoded = bytearray(encode_record(record))
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] = data.draw(st.integers(0, 255))
    try:
        decoded = decode_record(bytes(encoded))
    except MalformedRecordError:
        pass
    else:
        assert encode_record(decoded) == bytes(encoded)


@given(st.binary(max_size=40))
@settings(max_examples=5 * settings().max_examples)
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    try:
        record = decode_record(data)
    except MalformedRecordError:
        return
    assert encode_record(record) == data


@given(wide)
def test_every_truncation_is_refused(record: Record) -> None:
    encoded = encode_record(record.with_source(3))
    whole_without_sources = len(encode_record(record))
    for length in range(len(encoded)):
        if length != whole_without_sources:
            with pytest.raises(MalformedRecordError):
                decode_record(encoded[:length])


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ("", "no bytes"),
        ("10", "at least one claim"),
        ("00", "unknown encoding version 0"),
        ("61010000", "unknown encoding version 6"),
        ("51010000", "version 5 without a claim by a pairing"),
        ("51100000", "unknown kind of claim 0x10"),
        ("510f0000" + "0100", "a pair is cut off"),
        ("510f0000" + "0400010000", "a square is in two pairs"),
        ("41010000", "version 4 without a claim by a search to limits"),
        ("410e0000", "unknown kind of claim 0x0e"),
        ("410d0000" + "00", "search nodes"),
        ("31010000", "version 3 without a claim by a strategy"),
        ("310c0000", "unknown kind of claim 0x0c"),
        ("310b0000" + "0102", "named replies are cut off"),
        ("21010000", "version 2 without a claim by threats"),
        ("210a0000", "unknown kind of claim 0x0a"),
        ("2109000002" + "0000", "threat trees are cut off"),
        ("11", "a claim is missing"),
        ("11080000", "unknown kind of claim 0x08"),
        ("11110000", "unknown kind of claim 0x11"),
        ("1101", "cut off"),
        ("1100000500" + "01" + "01", "left over"),
        ("110180000500", "shortest form"),
        ("11010080808080" + "08", "2\\*\\*31"),
        ("110100808080808001", "longer than 5 bytes"),
        ("12010005" + "00000500", "an upper claim stands before a lower one"),
        ("1200000500" + "00020400", "not ordered from the strongest bound"),
        ("1200000500" + "00000500", "not ordered from the strongest bound"),
        ("1200020500" + "00000500", "dominated"),
        ("1200020500" + "00000600", "dominated"),
        ("1201000501" + "0205", "dominated"),
        ("1103000005", "cut off"),
        ("1103000002c328", "not UTF-8"),
        ("1105000002" + "8000", "shortest form"),
        ("1105000001" + "80", "cut off"),
        ("11070000" + "00", "0 search nodes"),
        ("11070000" + "914e", "10001 search nodes"),
        ("1201000401" + "020301", "a number is cut off"),
    ],
)
def test_malformed_records_are_refused(data: str, rule: str) -> None:
    with pytest.raises(MalformedRecordError, match=rule):
        decode_record(bytes.fromhex(data))


def test_sixteen_claims_are_refused() -> None:
    fifteen = [Claim(Side.LOWER, -bound, 50 - bound, witness=0) for bound in range(15)]
    assert len(decode_record(encode_record(Record.of(fifteen))).claims) == 15
    with pytest.raises(RecordOverflowError):
        Record.of([*fifteen, Claim(Side.UPPER, 0, 3)])


def test_a_contradiction_names_both_claims() -> None:
    low, high = Claim(Side.LOWER, 1, 5, witness=2), Claim(Side.UPPER, 0, 3)
    text = r"lower = 1, rank 5, witness 2, by children .* upper = 0, rank 3"
    with pytest.raises(ContradictionError, match=text) as caught:
        merge_records(Record.of([low]), Record.of([high]))
    assert (caught.value.lower, caught.value.upper) == (low, high)


def test_values_are_known_where_bounds_meet() -> None:
    win, draw, none = Claim(Side.LOWER, 1, 5, witness=2), Claim(Side.LOWER, 0, 0, witness=1), Claim(Side.UPPER, 0, 4)
    assert Record.of([win]).value(1) == 1
    assert Record.of([win]).value(2) is None
    assert Record.of([draw]).value(1) is None
    assert Record.of([draw, none]).value(1) == 0
    assert Record.of([Claim(Side.UPPER, -1, 4)]).value(1) == -1
    record = Record.of([draw, none, Claim(Side.UPPER, 1, 2)])
    assert (record.lower, record.upper) == (draw, none)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bound": 1 << 30},
        {"bound": -(1 << 30) - 1},
        {"rank": -1},
        {"rank": 1 << 31},
        {"witness": None},
        {"witness": 1 << 31},
        {"side": Side.UPPER},
        {"source": -1},
        {"payload": b"x"},
        {"evidence": Evidence.TABLE, "payload": b"\x02x"},
        {"evidence": Evidence.SEARCH, "payload": b"\x00"},
    ],
)
def test_claims_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {"side": Side.LOWER, "bound": 0, "rank": 0, "witness": 0}
    Claim(**good)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"outside|witness|payload"):
        Claim(**{**good, **wrong})  # type: ignore[arg-type]


@given(st.integers(0, 2**31 - 1))
def test_varints_roundtrip(value: int) -> None:
    assert read_varint(b"\xff" + encode_varint(value) + b"\x80", 1) == (value, 1 + len(encode_varint(value)))


@given(st.integers(-(2**30), 2**30 - 1))
def test_zigzag_roundtrips(value: int) -> None:
    assert unzigzag(zigzag(value)) == value
    assert 0 <= zigzag(value) < 2**31
