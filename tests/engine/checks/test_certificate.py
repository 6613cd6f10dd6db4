"""Certificates: writing, reading, and the independent checker."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from certificates import certificate, cyclic_game, with_header
from reference_records import exact_records

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.certificate import (
    CertificateHeader,
    CertificateReader,
    certificate_chunks,
    check_seal,
    write_certificate,
)
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
    table_payload,
)
from proofbase.engine.rules import Game


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:3x3", "connect-four:1x1", "connect-four:2x5"])
def test_certificate_roundtrip(name: str, tmp_path: Path) -> None:
    game = open_rules(name)
    records = exact_records(game)
    file = tmp_path / "c.pbc"
    with file.open("wb") as out:
        size = write_certificate(out, game, game.initial(), records.items())
    data = file.read_bytes()
    assert len(data) == size
    result = check_certificate(data)
    assert result.valid
    assert result.records == len(records)
    assert result.claims == 2 * len(records)
    for source in (io.BytesIO(data), [data], [data[i : i + 7] for i in range(0, len(data), 7)]):
        reader = CertificateReader(source)
        assert reader.header == CertificateHeader(
            name, 1, game.text(game.initial()), game.key(game.initial()).hex(), len(records), 0, 0
        )
        assert dict(reader) == records
    check_seal(io.BytesIO(data))


def test_certificates_of_every_kind_of_game_are_valid(game: Game[str], ending: bytes) -> None:
    assert check_certificate(ending).valid
    assert any(
        claim.evidence == Evidence.SEARCH
        for _, record in CertificateReader([ending])
        for claim in decode_record(record).claims
    )
    cyclic = cyclic_game()
    assert check_certificate(certificate(cyclic, 0, exact_records(cyclic)), cyclic).valid


def with_two_sources(record: bytes) -> bytes:
    lower, upper = decode_record(record).claims
    return encode_record(Record((lower.with_source(3), upper.with_source(300))))


def test_source_numbers_are_dropped(game: Game[str]) -> None:
    records = exact_records(game, "xo.ox....")
    with_sources = {key: with_two_sources(record) for key, record in records.items()}
    assert certificate(game, "xo.ox....", with_sources) == certificate(game, "xo.ox....", records)


def test_the_writer_refuses_unsorted_and_malformed_records(game: Game[str]) -> None:
    items = sorted(exact_records(game, "xo.ox....").items())
    for wrong in (items[::-1], [items[0], items[0]]):
        with pytest.raises(ValueError, match="keys must ascend"):
            list(certificate_chunks(game, "xo.ox....", wrong))
    with pytest.raises(MalformedRecordError):
        list(certificate_chunks(game, "xo.ox....", [(items[0][0], b"\x11")]))


def test_a_finished_root_needs_no_records(game: Game[str]) -> None:
    data = certificate(game, game.parse("xxx/oo./..."), {})
    assert b'"lower":-1,"records":0' in data
    assert check_certificate(data).valid
    assert not check_certificate(with_header(data, lower=0)).valid


def test_a_root_without_claims_is_said_to_be_unknown(game: Game[str]) -> None:
    data = certificate(game, game.initial(), {})
    assert b'"lower":null' in data
    assert check_certificate(data).valid
    assert [f.rule for f in check_certificate(with_header(data, lower=0)).findings] == ["header: the records say None"]


def test_native_solutions_make_valid_certificates() -> None:
    core = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    for name in ("tic-tac-toe", "connect-four:4x4"):
        native = open_game(name)
        search = core.Search(native, native.initial(), 0)
        assert search.run().status == "proved"
        items = [item for chunk in search.solution().chunks(100) for item in chunk]
        data = b"".join(certificate_chunks(native, native.initial(), items))
        result = check_certificate(data)
        assert result.findings == []
        assert result.header["lower"] == 0
        assert result.records == len(items) > 0


def test_claims_by_a_table_or_by_a_line_that_does_not_play_are_not_accepted(game: Game[str]) -> None:
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    lower, upper = decode_record(records[game.key(root)]).claims
    for evidence, payload in ((Evidence.TABLE, table_payload("some table")), (Evidence.LINE, line_payload([1, 2]))):
        claim = Claim(Side.LOWER, lower.bound, lower.rank, witness=lower.witness, evidence=evidence, payload=payload)
        changed = {**records, game.key(root): encode_record(Record.of([claim, upper]))}
        result = check_certificate(certificate(game, root, changed))
        assert [f.rule.split(":")[0] for f in result.findings] == ["evidence" if evidence == 1 else "line"]
    assert upper.side == Side.UPPER


def test_a_certificate_may_say_where_its_records_came_from(game: Game[str]) -> None:
    records = exact_records(game, "xo.ox....")
    root = "xo.ox...."
    named = b"".join(
        certificate_chunks(game, root, sorted(records.items()), sources=["proofbase 1: s\u00f6lve", 'a "b" \\c\n'])
    )
    reader = CertificateReader([named])
    assert reader.header.sources == "proofbase 1: s?lve; a ?b? ?c?" and dict(reader) == records
    assert check_certificate(named).valid
    long = b"".join(certificate_chunks(game, root, sorted(records.items()), sources=["x" * 5000]))
    assert CertificateReader([long]).header.sources == "x" * 2000 and check_certificate(long).valid
    for wrong in (3, ["a"], "s\u00f6lve", "a\\b", 'a"b', "a\x7f"):
        data = with_header(named, sources=wrong)
        assert not check_certificate(data).valid
        with pytest.raises(MalformedCertificateError):
            CertificateReader([data])
