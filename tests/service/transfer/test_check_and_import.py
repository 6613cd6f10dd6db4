"""`check` and `import` have the same rules: of headers, of records, of claims."""

from __future__ import annotations

from typing import Any

import pytest
from certificates import certificate, sealed, with_header
from reference_records import exact_records
from services import Service, fill_tic_tac_toe
from trials import load_trial

from proofbase.engine._core import RecordTable
from proofbase.engine.checking import checker
from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import MalformedCertificateError
from proofbase.engine.games import open_game
from proofbase.engine.records import (
    MAX_RECORD_BYTES,
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
    merge_encoded,
    table_payload,
)
from proofbase.engine.records.varint import encode_varint
from proofbase.engine.rules import Game, open_rules

GAME = "tic-tac-toe"
trial = load_trial("checks/trial_check_and_import")


@pytest.mark.parametrize("name", list(trial.SUBJECTS))
def test_changed_certificates_are_accepted_by_both_or_by_none(name: str, thorough: bool) -> None:
    """Mutants of a seed; the trial makes more of them. Everything that is accepted is true."""
    mutants = 250 if thorough else 120
    counts = trial.run(name, trial.SUBJECTS[name](), mutants, "test")
    assert counts["records read"] > 0 and counts["mutants"] == mutants > counts["accepted"] > 0


@pytest.fixture
def game() -> Game[Any]:
    return open_rules(GAME)


@pytest.fixture
def data(game: Game[Any]) -> bytes:
    root = game.parse("xo./.x./..o")
    return certificate(game, root, exact_records(game, root))


def refused_by_both(service: Service, data: bytes, match: str) -> None:
    assert not check_certificate(data).valid
    with pytest.raises(MalformedCertificateError, match=match):
        service.client.import_([data])
    assert service.store.games() == []


def test_a_root_without_a_record_has_no_bounds(service: Service, game: Game[Any], data: bytes) -> None:
    others = ("x../.../...", "xo./x../...")
    for root in others:
        for lower, upper in ((1, 1), (0, None), (None, 0), (-1, 1)):
            key = game.key(game.parse(root)).hex()
            refused_by_both(service, with_header(data, root=root, root_key=key, lower=lower, upper=upper), "no record")
    key = game.key(game.parse(others[0])).hex()
    unknown = with_header(data, root=others[0], root_key=key, lower=None, upper=None)
    assert check_certificate(unknown).valid and service.client.import_([unknown]).root == others[0]


def test_a_finished_root_has_its_value(service: Service, game: Game[Any], data: bytes) -> None:
    text = "xxx/oo./..."
    key = game.key(game.parse(text)).hex()
    for lower, upper in ((1, 1), (0, 0), (None, None), (-1, None), (-1, 0)):
        refused_by_both(service, with_header(data, root=text, root_key=key, lower=lower, upper=upper), "no record")
    won = with_header(data, root=text, root_key=key, lower=-1, upper=-1)
    assert check_certificate(won).valid
    service.client.import_([won])


def test_names_and_texts_are_the_canonical_ones(service: Service) -> None:
    game = open_rules("random-graph:nodes=20,ends=30,seed=3")
    data = certificate(game, game.initial(), exact_records(game))
    refused_by_both(service, with_header(data, game="random-graph:seed=3,ends=30,nodes=20"), "not named")
    refused_by_both(service, with_header(data, game="random-graph:nodes=20,ends=30,values=1,seed=3"), "not named")
    assert check_certificate(data).valid and service.client.import_([data]).added > 0
    awari = open_rules("awari")
    root = awari.parse("0,0,0,0,0,0/0,0,0,0,0,1/S")
    data = certificate(awari, root, exact_records(awari, root))
    short = awari.text(root).removesuffix("/S")
    if short != awari.text(root):  # South to move may be left out when a position is typed
        assert awari.parse(short) == root
        assert not check_certificate(with_header(data, root=short)).valid
        with pytest.raises(MalformedCertificateError, match="not as the rules write it"):
            service.client.import_([with_header(data, root=short)])


def test_keys_of_other_roots_are_refused(service: Service, game: Game[Any], data: bytes) -> None:
    key = game.key(game.parse("xo./.x./..o")).hex()
    for other in (key.upper() + " ", f" {key}", key[:2], ""):
        refused_by_both(service, with_header(data, root_key=other), r"root key|cannot be read")


@pytest.mark.parametrize(
    "payload", [line_payload([2, 1]), line_payload([0]), line_payload([1, 3, 0]), line_payload([1, 3, 2, 2])]
)
def test_upper_claims_with_malformed_lines_are_refused(
    service: Service, game: Game[Any], data: bytes, payload: bytes
) -> None:
    """Though their children alone would support them."""
    reader = CertificateReader([data])
    records = dict(reader)
    key = next(key for key, record in records.items() if len(decode_record(record).claims) == 2)
    lower, upper = decode_record(records[key]).claims
    kind, rest = b"\x12" + encode_record(Record.of([lower]))[1:], encode_record(Record.of([upper]))[1:]
    changed = kind + bytes([rest[0] | Evidence.LINE << 1]) + rest[1:] + payload
    body = b"".join(
        encode_varint(len(k)) + k + encode_varint(len(r)) + r for k, r in sorted({**records, key: changed}.items())
    )
    head = data[: data.index(b"\n", data.index(b"\n") + 1) + 1]
    refused_by_both(service, sealed(head + body + bytes(32)), "line")


def record_of_size(size: int) -> bytes:
    """A record of so many bytes: an upper claim with one table name."""
    empty = len(
        encode_record(Record.of([Claim(Side.UPPER, 0, 1, Evidence.TABLE, payload=table_payload("x" * 40_000))]))
    )
    name = "x" * (40_000 + size - empty)
    return b"\x11\x03\x00\x01" + table_payload(name)


def test_the_limit_of_a_record_is_the_same_everywhere() -> None:
    table, key = RecordTable(open_game(GAME)), bytes(2)
    assert MAX_RECORD_BYTES == checker.LONGEST_RECORD == 65_536
    largest, larger = record_of_size(MAX_RECORD_BYTES), record_of_size(MAX_RECORD_BYTES + 1)
    assert (len(largest), len(larger)) == (65_536, 65_537)
    assert trial.compare_readers(largest, table, key) and not trial.compare_readers(larger, table, key)
    claim = decode_record(largest).claims[0]
    with pytest.raises(RecordOverflowError, match="at most 65536"):
        encode_record(
            Record.of([Claim(Side.UPPER, 0, 1, Evidence.TABLE, payload=table_payload(str(claim.table) + "x"))])
        )
    # Two claims that fit, each for itself.
    first = encode_record(Record.of([Claim(Side.UPPER, 1, 1, Evidence.TABLE, payload=table_payload("x" * 40_000))]))
    second = encode_record(Record.of([Claim(Side.UPPER, 0, 2, Evidence.TABLE, payload=table_payload("x" * 40_000))]))
    with pytest.raises(RecordOverflowError):
        merge_encoded(first, second, None)
    table.put(key, first)
    with pytest.raises(MalformedRecordError, match="at most 65536"):
        table.put(key, second)
    assert table.get(key) == first
    assert encode_record(decode_record(largest).with_source(2**31 - 1)), "sources of a store come on top"


def test_the_writer_keeps_the_limits(game: Game[Any]) -> None:
    with pytest.raises(MalformedRecordError, match="at most 65536"):
        certificate(game, game.initial(), {bytes(2): record_of_size(MAX_RECORD_BYTES + 1)})
    with pytest.raises(ValueError, match="at most 255"):
        certificate(game, game.initial(), {bytes(256): b"\x11\x01\x00\x05"})


def test_a_header_or_key_that_is_too_long_is_refused_by_both(service: Service, data: bytes) -> None:
    refused_by_both(service, with_header(data, root="x" * 65_536), "header")
    first, line, body = data.split(b"\n", 2)
    long_key = encode_varint(256) + bytes(256) + b"\x04\x11\x01\x00\x05"
    refused_by_both(service, sealed(first + b"\n" + line + b"\n" + long_key + body), "a length")


# --- Records of file and store are merged before they are checked -----------------------------------------------------
def halves(game: Game[Any]) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
    """The exact records of tic-tac-toe as lower and as upper claims."""
    records = exact_records(game)
    lower = {key: encode_record(Record.of(decode_record(record).claims[:1])) for key, record in records.items()}
    upper = {key: encode_record(Record.of(decode_record(record).claims[1:])) for key, record in records.items()}
    return lower, upper


@pytest.fixture(params=["native", "python"])
def importer(request: pytest.FixtureRequest) -> Any:
    """Imports into an empty store, checked natively or by the rules in plain Python."""
    return trial.Importer(request.param)


def test_one_claim_of_a_child_may_be_in_the_file_and_the_other_in_the_store(importer: Any, game: Game[Any]) -> None:
    """A root's lower claim rests on its child's upper claim in the store; the file has the child's lower claim."""
    lower, upper = halves(game)
    key = game.key(game.initial())
    witness = decode_record(lower[key]).claims[0].witness
    assert witness is not None
    child = game.key(game.play(game.position(key), witness))
    others = {other: record for other, record in exact_records(game).items() if other not in (key, child)}
    store = importer.resources.store
    store.put_many(GAME, sorted({**others, child: upper[child]}.items()), source="store", rules_version=1)
    file = certificate(game, game.initial(), {key: lower[key], child: lower[child]})
    assert not check_certificate(file).valid
    result = importer.take(file)
    assert (result.added, result.improved) == (1, 1)
    assert decode_record(store.get_many(GAME, [child])[0]).with_source(None) == decode_record(
        exact_records(game)[child]
    )


def test_the_union_must_be_closed_and_valid(importer: Any, game: Game[Any]) -> None:
    lower, _ = halves(game)
    key = game.key(game.initial())
    file = certificate(game, game.initial(), {key: lower[key]})
    assert "child" in importer.refusal(file)
    assert importer.resources.store.games() == []


def test_a_contradiction_between_file_and_store_is_named_by_its_sources(service: Service, game: Game[Any]) -> None:
    fill_tic_tac_toe(service.store)
    key = game.key(game.initial())
    service.store.quarantine(GAME, [key], "made room")
    service.store.put_many(GAME, [(key, b"\x11\x01\x01\x07")], source="a liar", rules_version=1)
    file = certificate(game, game.initial(), exact_records(game))
    with pytest.raises(ContradictionError, match="a liar"):
        service.client.import_([file])


def test_findings_about_claims_that_only_the_store_has_do_not_count(service: Service, game: Game[Any]) -> None:
    """The store has lost what one of its own claims rests on: a sound file still comes in."""
    lower, upper = halves(game)
    key = game.key(game.initial())
    service.store.put_many(GAME, [(key, upper[key])], source="what is left", rules_version=1)
    subset = certificate(game, game.initial(), lower | {k: r for k, r in exact_records(game).items() if k != key})
    assert service.client.import_([subset]).improved == 1


def test_false_claims_of_the_file_count_where_the_store_has_others(importer: Any, game: Game[Any]) -> None:
    lower, upper = halves(game)
    importer.resources.store.put_many(GAME, sorted(upper.items()), source="store", rules_version=1)
    key = max(lower, key=lambda key: decode_record(lower[key]).claims[0].rank)
    claim = decode_record(lower[key]).claims[0]
    false = encode_record(Record.of([Claim(Side.LOWER, claim.bound, 1, witness=claim.witness)]))
    assert "child" in importer.refusal(certificate(game, game.initial(), {**lower, key: false}))
