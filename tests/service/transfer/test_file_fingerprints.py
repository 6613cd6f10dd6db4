"""Exports and certificates state the fingerprint of their records; imports and checks compare it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from cli_runs import Run, cli
from services import MakeService, fill_tic_tac_toe

from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.checking.checker import check_certificate
from proofbase.service.client import Client
from proofbase.storage import MalformedRecordError, open_store

__all__ = ["cli"]

GAME = "tic-tac-toe"


def kept(client: Client) -> str | None:
    return client.statistics(GAME).games[0].fingerprint


def test_a_file_states_what_a_store_of_its_records_keeps(make_service: MakeService) -> None:
    first, second, third = make_service(), make_service(), make_service()
    fill_tic_tac_toe(first.store)
    export = first.client.export(GAME, form="jsonl")
    lines = b"".join(export)
    assert export.summary is not None and export.summary.fingerprint == kept(first.client)
    assert json.loads(lines.splitlines()[-1])["fingerprint"] == kept(first.client)
    second.client.import_([lines], form="jsonl")
    assert kept(second.client) == kept(first.client)
    certificate = b"".join(export := first.client.export(GAME, "-"))
    header = CertificateReader([certificate]).header
    assert export.summary is not None and header.fingerprint == export.summary.fingerprint
    third.client.import_([certificate])
    assert kept(third.client) == header.fingerprint
    assert check_certificate(certificate).valid
    drawing = first.client.export(GAME, "-", form="dot")
    list(drawing)
    assert drawing.summary is not None and drawing.summary.fingerprint is None


def test_lines_that_are_missing_are_noticed(make_service: MakeService) -> None:
    first, second = make_service(), make_service()
    fill_tic_tac_toe(first.store)
    lines = b"".join(first.client.export(GAME, form="jsonl")).splitlines(keepends=True)
    # The initial position: nothing rests on it, so the rest is sound without it.
    without = [line for line in lines if json.loads(line)["position"] != ".../.../..."]
    assert len(without) == len(lines) - 1
    with pytest.raises(MalformedRecordError, match="records were lost, added or changed"):
        second.client.import_([b"".join(without)], form="jsonl")
    assert second.store.games() == []
    with pytest.raises(MalformedRecordError, match="comes after the one with the fingerprint"):
        second.client.import_([b"".join([*lines, lines[0]])], form="jsonl")
    bad = json.dumps({**json.loads(lines[-1]), "fingerprint": "x"}).encode() + b"\n"
    with pytest.raises(MalformedRecordError, match="16 hexadecimal digits"):
        second.client.import_([bad], form="jsonl")
    plain = [json.dumps({k: v for k, v in json.loads(line).items() if k != "fingerprint"}).encode() for line in lines]
    assert second.client.import_([b"\n".join(plain)], form="jsonl").added == len(lines)


def reheaded(certificate: bytes, **fields: object) -> bytes:
    """The certificate with other header fields ("absent": without the field), sealed again."""
    first, header, body = certificate[:-32].split(b"\n", 2)
    changed = {name: value for name, value in {**json.loads(header), **fields}.items() if value != "absent"}
    line = json.dumps(changed, sort_keys=True, separators=(",", ":")).encode()
    data = first + b"\n" + line + b"\n" + body
    return data + hashlib.sha256(data).digest()


def test_a_certificate_with_another_fingerprint_is_refused(cli: Run, tmp_path: Path) -> None:
    store, file = tmp_path / "a", tmp_path / "c"
    assert cli("solve", GAME, "--store", store).status == 0
    exported = cli("export", GAME, "-", "--store", store, "-o", file)
    data = file.read_bytes()
    stated = CertificateReader([data]).header.fingerprint
    assert stated is not None and f"fingerprint {stated}" in exported.err
    assert cli("check", file).status == 0
    file.write_bytes(reheaded(data, fingerprint="0" * 16))
    checked = cli("check", file)
    assert checked.status == 1 and "fingerprint" in checked.out
    imported = cli("import", file, "--store", tmp_path / "b")
    assert imported.status != 0 and "fingerprint" in imported.err
    with open_store(str(tmp_path / "b")) as other:
        assert other.games() == []
    for wrong in (1, "X" * 16, "0" * 15):
        file.write_bytes(reheaded(data, fingerprint=wrong))
        assert cli("check", file).status == 1
        assert cli("import", file, "--store", tmp_path / "b").status != 0
    file.write_bytes(reheaded(data, fingerprint="absent"))  # as release 0.1.0 wrote it
    assert cli("check", file).status == 0
    assert cli("import", file, "--store", tmp_path / "b").status == 0
