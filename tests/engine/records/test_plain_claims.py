"""What is told of records from their bytes is what decoding them tells: `plain_claims`, and merging of both sides."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine.records import (
    Claim,
    ContradictionError,
    Evidence,
    Record,
    Side,
    add_source,
    decode_record,
    encode_record,
    merge_encoded,
    merge_records,
    plain_claims,
    search_payload,
)
from proofbase.engine.records.strategies import Mark, Strategy, strategy_payload

NUMBERS = (0, 1, 63, 64, 127, 128, 300, 2**14, 2**27 - 1)


def claim(random: Random, side: Side, bound: int) -> Claim:
    witness = random.choice(NUMBERS) if side == Side.LOWER else None
    if random.random() < 0.5:
        return Claim(side, bound, random.choice(NUMBERS), Evidence.CHILDREN, witness, b"")
    if random.random() < 0.5:
        marks = tuple((square, random.choice(list(Mark))) for square in sorted(random.sample(range(42), 3)))
        named = () if side == Side.LOWER else tuple(sorted(random.sample(range(7), random.randrange(4))))
        payload = strategy_payload(Strategy(named, marks), lower=side == Side.LOWER)
        return Claim(side, bound, random.choice(NUMBERS), Evidence.STRATEGY, witness, payload)
    payload = search_payload(random.randint(1, 10_000))
    evidence = random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS))
    return Claim(side, bound, random.choice(NUMBERS), evidence, witness, payload)


def test_plain_claims_are_those_of_the_decoded_record() -> None:
    random = Random(1)
    for _ in range(3_000):
        low, high = sorted((random.randint(-200, 200), random.randint(-200, 200)))
        claims = [claim(random, Side.LOWER, low), claim(random, Side.UPPER, high)]
        chosen = claims if random.random() < 0.5 else [random.choice(claims)]
        data = encode_record(Record.of(chosen))
        alone = tuple(encode_record(Record.of([one])) for one in chosen)
        assert plain_claims(data) == plain_claims(add_source(data, random.choice(NUMBERS[1:]))) == alone
        for broken in (data[:-1], data + b"\0\0\0", bytes([data[0] + 1]) + data[1:]):
            try:
                found = decode_record(broken)
            except ValueError:
                assert plain_claims(broken) is None, broken.hex()
            else:
                assert len(plain_claims(broken) or found.claims) == len(found.claims)


def test_merging_from_the_bytes_gives_what_merging_decoded_records_gives() -> None:
    random = Random(2)
    contradictions = 0
    for _ in range(3_000):
        one = claim(random, Side.LOWER, random.randint(-3, 3))
        other = claim(random, Side.UPPER, random.randint(-3, 3))
        first, second = (one, other) if random.random() < 0.5 else (other, one)
        source = random.choice((None, 1, 7, 300))
        stored = Record.of([first.with_source(None if source is None else random.choice((1, 200)))])
        incoming = Record.of([second])
        if one.bound > other.bound:
            contradictions += 1
            with pytest.raises(ContradictionError):
                merge_encoded(encode_record(stored), encode_record(incoming), source)
            continue
        expected = merge_records(stored, Record.of([second.with_source(source)]))
        assert merge_encoded(encode_record(stored), encode_record(incoming), source) == encode_record(expected)
    assert 500 < contradictions < 2_500
