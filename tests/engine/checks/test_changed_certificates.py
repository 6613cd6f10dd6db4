"""Changed certificates: every change is rejected, or does not matter."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest
from certificates import certificate, cyclic_game, sealed, with_header
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_records import exact_records

from proofbase.engine.checking.certificate import (
    CertificateReader,
    check_seal,
)
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import MalformedCertificateError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import (
    Claim,
    Record,
    Side,
    decode_record,
    encode_record,
)
from proofbase.engine.rules import Game


def is_harmless(data: bytes, game: Game[Any], worth: dict[bytes, int]) -> bool:
    """Whether everything that a certificate claims is true, by brute force."""
    reader = CertificateReader([data])
    header = reader.header
    claims = [(key, claim) for key, record in reader for claim in decode_record(record).claims]
    root = game.parse(header.root)
    value = worth[game.key(root)]
    return (
        header.root_key == game.key(root).hex()
        and (header.lower is None or header.lower <= value)
        and (header.upper is None or header.upper >= value)
        and all(c.bound <= worth[key] if c.side == Side.LOWER else c.bound >= worth[key] for key, c in claims)
    )


@pytest.mark.slow("ending-6000")
@pytest.mark.parametrize(("kind", "changes"), [("ending", 6000), ("cyclic", 4000)])
def test_every_changed_byte_is_rejected_or_harmless(kind: str, changes: int, game: Game[str], ending: bytes) -> None:
    rules: Game[Any] = game if kind == "ending" else cyclic_game()
    data = ending if kind == "ending" else certificate(rules, 0, exact_records(rules))
    graph = explore(rules)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    random = Random(f"changes {kind}")
    rejected = harmless = 0
    for _ in range(changes):
        place = random.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= random.randrange(1, 256)
        assert not check_certificate(bytes(changed), rules).valid  # as it is: the seal is broken
        resealed = sealed(bytes(changed))
        if check_certificate(resealed, rules).valid:
            harmless += 1
            assert is_harmless(resealed, rules, worth), (place, changed[place])
        else:
            rejected += 1
    assert rejected + harmless == changes
    assert harmless < changes // 5  # changes of the seal itself, which sealing again undoes, and a few others


def test_false_bounds_cannot_be_sealed_into_validity(game: Game[str]) -> None:
    """Every single changed bound of every claim, sealed again, is rejected."""
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    for key, record in records.items():
        for index, claim in enumerate(claims := decode_record(record).claims):
            for bound in {-1, 0, 1} - {claim.bound}:
                changed = list(claims)
                changed[index] = Claim(claim.side, bound, claim.rank, witness=claim.witness)
                weaker = bound < claim.bound if claim.side == Side.LOWER else bound > claim.bound
                result = check_certificate(
                    certificate(game, root, {**records, key: encode_record(Record(tuple(changed)))})
                )
                assert weaker or not result.valid


def test_truncated_certificates_are_rejected(game: Game[str], ending: bytes) -> None:
    for size in range(len(ending)):
        assert not check_certificate(ending[:size]).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([ending[:size]]))
        if size > 24:
            assert not check_certificate(sealed(ending[:size])).valid


def test_bytes_behind_the_seal_are_rejected(ending: bytes) -> None:
    for extra in (b"\0", b"\n", ending):
        assert not check_certificate(ending + extra).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([ending + extra]))
    with pytest.raises(MalformedCertificateError, match="SHA-256"):
        check_seal(io.BytesIO(ending + b"\0"))


@settings(max_examples=3 * settings().max_examples)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_refused_or_read(data: bytes, prefixed: bool) -> None:
    if prefixed:
        data = sealed(b"proofbase certificate 1\n" + data + bytes(32))
    result = check_certificate(data)
    assert not result.valid
    assert len(result.findings[0].rule) < 500
    with pytest.raises(MalformedCertificateError):
        list(CertificateReader([data]))


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"game": "backgammon"}, "unknown game 'backgammon'"),
        ({"game": "connect-four:7x6"}, "these rules are 'connect-four'"),
        ({"game": "connect-four"}, "is not 6 rows of 7 cells"),
        ({"game": 5}, "the header's game is no str"),
        ({"rules_version": 2}, "version 1; it needs others"),
        ({"rules_version": True}, "the header's rules_version is no int"),
        ({"rules_version": 1.0}, "the header's rules_version is no int"),
        ({"records": 5}, "the header says 5 records"),
        ({"records": -1}, "the header says -1 records"),
        ({"root": "xo./.x./..."}, "or its key is not"),
        ({"root": "xo./.x./..o "}, "is not 3 rows of 3 cells"),
        ({"root_key": "0000"}, "or its key is not"),
        ({"root_key": "zz"}, "or its key is not"),
        ({"lower": None}, "header: the records say 1"),
        ({"lower": -1}, "header: the records say 1"),
        ({"upper": 2}, "header: the records say 1"),
        ({"upper": "1"}, "the header's upper is no int"),
        ({"author": "me"}, "exactly the fields of version 1"),
        ({"root": "\x1b[2J"}, "is not 3 rows of 3 cells"),
    ],
)
def test_wrong_headers_are_named(ending: bytes, changes: dict[str, Any], cause: str) -> None:
    assert json.loads(ending.split(b"\n")[1])["lower"] == 1
    result = check_certificate(with_header(ending, **changes))
    assert not result.valid
    assert cause in result.findings[0].rule
    assert "\x1b" not in str(result.findings)


def test_headers_in_other_forms_are_rejected(ending: bytes) -> None:
    first, line, body = ending.split(b"\n", 2)
    header = json.loads(line)
    for other in (
        json.dumps(header).encode(),
        line.replace(b'"game"', b'"g\\u0061me"'),
        line + b" ",
        b" " + line,
        line[:-1] + b',"upper":1}',
        b"[" * 5000,
        b"1" * 5000,
        b"null",
        b"\xff",
        b"",
    ):
        data = sealed(first + b"\n" + other + b"\n" + body)
        assert not check_certificate(data).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([data]))


def test_findings_name_key_position_claim_and_rule(game: Game[str]) -> None:
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    key = game.key(root)
    lower, upper = decode_record(records[key]).claims
    wrong = next(move for move in game.moves(game.position(key)) if move != lower.witness)
    records[key] = encode_record(Record.of([Claim(Side.LOWER, lower.bound, 1, witness=wrong), upper]))
    finding = check_certificate(certificate(game, root, records)).findings[0]
    assert finding.key == key.hex()
    assert finding.position == game.text(game.position(key))
    assert finding.claim == f"lower 1 rank 1 witness {wrong} by children"
    assert (
        finding.rule
        == f"child: after move {wrong + 1} ({wrong}) no claim upper <= -1 with a rank below 1 (smallest rank there: 2)"
    )


def test_both_checks_find_the_same_records(game: Game[str]) -> None:
    records = exact_records(game, game.parse("xo./.x./..o"))
    random = Random(5)
    for _ in range(60):
        missing = random.sample(sorted(records), random.randint(1, 10))
        left = {key: record for key, record in records.items() if key not in missing}
        found = LocalCheck(game).findings(list(left.items()), lambda keys: [None] * len(keys))
        result = check_certificate(certificate(game, game.parse("xo./.x./..o"), left))
        assert {f.key.hex() for f in found} == {f.key for f in result.findings if f.key}
