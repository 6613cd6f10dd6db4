"""Python's and the checker's readers of records, and what merging and printing claims gives."""

from __future__ import annotations

from random import Random

import pytest
from reference_records import merge_record_sets

from proofbase.engine.checking import checker
from proofbase.engine.errors import ContradictionError, MalformedRecordError
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    merge_claims,
    merge_records,
    search_payload,
)


def test_merging_is_a_lattice() -> None:
    random = Random(7)
    for _ in range(2000):
        sets = [
            Record.of(
                [
                    *(
                        Claim(Side.LOWER, random.randint(-3, 0), random.randint(0, 5), witness=random.randint(0, 2))
                        for _ in range(3)
                    ),
                    *(Claim(Side.UPPER, random.randint(0, 3), random.randint(0, 5)) for _ in range(2)),
                ]
            )
            for _ in range(3)
        ]
        a, b, c = sets
        assert merge_records(a, a) == a
        assert merge_records(a, b) == merge_records(b, a)
        assert merge_records(merge_records(a, b), c) == merge_records(a, merge_records(b, c))
        every = merge_claims((*a.claims, *b.claims, *c.claims))
        assert decode_record(encode_record(every)) == every == merge_records(merge_records(a, b), c)


def test_a_lower_bound_above_an_upper_bound_is_refused_with_both_claims() -> None:
    with pytest.raises(ContradictionError, match=r"lower = 1, rank 3, .*contradicts upper = 0, rank 4"):
        merge_claims([Claim(Side.LOWER, 1, 3, witness=0), Claim(Side.UPPER, 0, 4)])
    with pytest.raises(ContradictionError):
        merge_record_sets(
            {b"k": encode_record(Record.of([Claim(Side.LOWER, 1, 3, witness=0)]))},
            {b"k": encode_record(Record.of([Claim(Side.UPPER, 0, 4)]))},
        )


@pytest.mark.parametrize(
    "record",
    [
        "",
        "10",
        "01000000",
        "20020100",
        "1100",
        "11020100",  # evidence `table` without a name
        "1108020100",  # evidence `threats` in version 1
        "110a020100",  # no evidence
        "2108020100",  # evidence `threats` without trees
        "1100020100ff",
        "110082000100",  # not the shortest form
        "1100020100" + "0000",
        "11000280808080080 0".replace(" ", ""),  # rank 2^31
        "120002010000020100",  # the same claim twice
        "12000201000002020 0".replace(" ", ""),  # dominated: same bound, larger rank
        "12010201000201 00".replace(" ", ""),  # upper before lower
        "1106020100" + "00",  # a search of 0 nodes
        "1106020100" + "914e",  # a search of 10,001 nodes
        "110202010001ff",  # the table's name is not UTF-8
    ],
)
def test_malformed_records_are_refused_by_both_readers(record: str) -> None:
    data = bytes.fromhex(record)
    with pytest.raises(MalformedRecordError):
        decode_record(data)
    with pytest.raises(ValueError, match=r".+"):
        checker.read_record(data)


def test_any_bytes_are_read_alike_by_both_readers() -> None:
    random = Random(3)
    read = 0
    for _ in range(100_000):
        data = bytes(
            [
                random.choice((0x10,) * 7 + (0x20,)) | random.randint(1, 3),
                *(random.choice((0, 1, 2, 3, 6, 7, 8, 9, 127, 129, 255)) for _ in range(random.randint(2, 11))),
            ]
        )
        try:
            record = decode_record(data)
        except MalformedRecordError:
            record = None
        try:
            others = checker.read_record(data)
        except ValueError:
            others = []
        assert (record is not None and not record.has_sources) == bool(others)
        if record is not None and not record.has_sources:
            read += 1
            assert [(c.bound, c.rank, c.witness) for c in record.claims] == [
                (c.bound, c.rank, c.witness) for c in others
            ]
            assert encode_record(record) == data
    assert read > 1000


def test_claims_say_what_they_claim() -> None:
    assert str(Claim(Side.LOWER, 1, 7, witness=3)) == "lower = 1, rank 7, witness 3, by children"
    assert (
        str(Claim(Side.UPPER, -1, 2, evidence=Evidence.SEARCH, payload=search_payload(50)))
        == "upper = -1, rank 2, by search of 50 nodes"
    )
    assert Claim(Side.UPPER, 0, 1).evidence == Evidence.CHILDREN
