"""Exports that xz compresses, and imports of them."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError
from proofbase.service.client import InvalidRequestError, LimitExceededError, Limits, exported_files

GAME = "tic-tac-toe"


@pytest.mark.parametrize("form", ["certificate", "jsonl", "csv", "dot"])
def test_a_name_that_ends_in_xz_is_compressed(solved: Service, tmp_path: Path, form: Any) -> None:
    plain, packed, told = tmp_path / "plain", tmp_path / "packed.xz", list[bytes]()
    whole = solved.client.export_to(plain, GAME, "-", form=form)
    small = solved.client.export_to(packed, GAME, "-", form=form, on_chunk=told.append)
    assert lzma.decompress(packed.read_bytes(), format=lzma.FORMAT_XZ) == plain.read_bytes() == b"".join(told)
    assert (whole.records, whole.fingerprint) == (small.records, small.fingerprint)
    assert (whole.bytes, small.bytes) == (plain.stat().st_size, packed.stat().st_size)
    assert form == "certificate" or small.bytes < whole.bytes / 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packed.xz", "plain"]


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
def test_both_are_imported_alike(solved: Service, make_service: MakeService, tmp_path: Path, form: Any) -> None:
    first, second = make_service(), make_service()
    position = "-" if form == "certificate" else None
    for name in ("plain", "packed.xz"):
        solved.client.export_to(tmp_path / name, GAME, position, form=form)
    # The name does not matter to a reader.
    (tmp_path / "plain").rename(tmp_path / "plain.xz")
    (tmp_path / "packed.xz").rename(tmp_path / "packed")
    one = first.client.import_(tmp_path / "plain.xz", form=form)
    other = second.client.import_(tmp_path / "packed", form=form)
    assert one == other and one.added > 0
    assert dict(first.store.scan(GAME)) == dict(second.store.scan(GAME))


def test_files_of_formats_with_their_own_compression_have_other_names(solved: Service, tmp_path: Path) -> None:
    for form in ("parquet", "coq"):
        with pytest.raises(InvalidRequestError, match="are not compressed by xz"):
            solved.client.export_to(tmp_path / "file.xz", GAME, "-", form=form)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_that_no_reader_would_take_is_not_written(
    solved: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(b"".join(solved.client.export(GAME, "-")))
    monkeypatch.setattr(exported_files, "MOST_COMPRESSED", size)
    solved.client.export_to(tmp_path / "file.xz", GAME, "-")
    monkeypatch.setattr(exported_files, "MOST_COMPRESSED", size - 1)
    with pytest.raises(InvalidRequestError, match=r"choose a name without \.xz"):
        solved.client.export_to(tmp_path / "long.xz", GAME, "-")
    solved.client.export_to(tmp_path / "lines.xz", GAME, form="jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.xz", "lines.xz"]


@pytest.mark.parametrize(
    ("form", "error"), [("certificate", MalformedCertificateError), ("jsonl", MalformedRecordError)]
)
def test_damaged_files_are_refused(
    solved: Service, make_service: MakeService, form: Any, error: type[Exception]
) -> None:
    service = make_service()
    data = lzma.compress(b"".join(solved.client.export(GAME, "-", form=form)))
    changed = data[:100] + bytes([data[100] ^ 4]) + data[101:]
    for wrong, said in (
        (data[:-1], "truncated: its compression"),
        (data[: len(data) // 2], "truncated: its compression"),
        (changed, "its compression by xz is damaged"),
        (data + data, "bytes after its compression"),
        (data + bytes(4), "bytes after its compression"),
        (lzma.compress(data), "compressed twice"),
    ):
        with pytest.raises(error, match=said):
            service.client.import_([wrong], form=form)
    assert service.store.games() == []


def test_the_limit_of_an_import_counts_what_a_file_holds(make_service: MakeService) -> None:
    limited = make_service(limits=Limits(import_bytes=1 << 18))
    for form in ("certificate", "jsonl", "estimates"):
        data = lzma.compress(bytes(4 << 20))
        assert len(data) < 10_000
        with pytest.raises(LimitExceededError) as caught:
            limited.client.import_([data], form=form)  # type: ignore[arg-type]
        assert caught.value.limit == "import_bytes" and caught.value.largest == 1 << 18
    # A file that is exactly as long as the limit has no room beside its compressed bytes: trying later would not help.
    with pytest.raises(LimitExceededError):
        limited.client.import_([lzma.compress(bytes(1 << 18))])
    # Nothing of them is held any more.
    with pytest.raises(MalformedCertificateError):
        limited.client.import_([bytes(1 << 18)])
