"""Certificates that xz has compressed: every reader takes them, and nothing that is damaged, too long or followed."""

from __future__ import annotations

import io
import lzma
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from certificates import certificate, cyclic_game, with_header
from reference_records import exact_records

from proofbase.engine import open_rules
from proofbase.engine.checking import certificate as reading
from proofbase.engine.checking import checker, xz
from proofbase.engine.checking.certificate import FIRST_LINE, CertificateReader, check_seal
from proofbase.engine.checking.checker import check_certificate, uncompressed
from proofbase.engine.checking.parallel_check import check_with_processes
from proofbase.engine.checking.xz import compressed, decompressed
from proofbase.engine.errors import MalformedCertificateError
from proofbase.engine.rules import Game


def packed(data: bytes) -> bytes:
    return b"".join(compressed([data]))


def refusals(data: bytes) -> list[str]:
    """What the checker and the reader say of a file, which both have to refuse."""
    result = check_certificate(data)
    with pytest.raises(MalformedCertificateError) as read:
        list(CertificateReader([data]))
    with pytest.raises(MalformedCertificateError):
        check_seal(io.BytesIO(data))
    assert not result.valid and len(result.findings) == 1
    return [result.findings[0].rule, str(read.value)]


@pytest.mark.parametrize("name", ["connect-four:2x5", "connect-four:1x1", "within:3:tic-tac-toe", "a cycle"])
def test_every_reader_takes_them(name: str, tmp_path: Path) -> None:
    game: Game[Any] = cyclic_game() if name == "a cycle" else open_rules(name)
    given = game if name == "a cycle" else None
    root = 0 if name == "a cycle" else game.initial()
    records = exact_records(game)
    plain = certificate(game, root, records)
    for data in (packed(plain), lzma.compress(plain, preset=9), lzma.compress(plain, check=lzma.CHECK_NONE)):
        assert uncompressed(data) == plain
        assert check_certificate(data, given) == check_certificate(plain, given)
        assert check_with_processes(data, given, processes=1).valid
        cut = [data[start : start + 7] for start in range(0, len(data), 7)]
        for source in (io.BytesIO(data), [data], cut, [b"", *cut, b""]):
            assert dict(CertificateReader(source)) == records
        check_seal(io.BytesIO(data))
    assert b"".join(decompressed(compressed([plain[:100], b"", plain[100:]]))) == plain
    assert uncompressed(plain) is plain


def test_other_programs_read_what_is_written(ending: bytes) -> None:
    assert lzma.decompress(packed(ending), format=lzma.FORMAT_XZ) == ending
    assert len(packed(ending)) < len(ending)


def test_files_that_are_not_compressed_pass_as_they_are() -> None:
    for pieces in ([], [b""], [b"\xfd7zX"], [b"ab", b"", b"cdefgh", b"i"], [b"\xfd7zXZ\1" * 3]):
        assert b"".join(decompressed(pieces)) == b"".join(pieces)


def test_the_end_has_to_be_the_end(ending: bytes) -> None:
    data = packed(ending)
    sizes = [*range(6, 40), *range(40, len(data) - 16, 97), *range(len(data) - 16, len(data))]
    for size in sizes:
        assert all("truncated: its compression" in refusal for refusal in refusals(data[:size])), size
    for more in (b"\0", b"\0" * 4, b"x", data, b"\xfd", ending):
        assert all("bytes after its compression" in refusal for refusal in refusals(data + more)), more
        with pytest.raises(MalformedCertificateError, match="bytes after its compression"):
            list(CertificateReader([data, more]))


def test_changed_bytes_are_refused_or_change_nothing(ending: bytes, thorough: bool) -> None:
    data, random, refused = packed(ending), Random(7), 0
    places = range(len(data)) if thorough else sorted({*range(40), *range(len(data) - 40, len(data)),
                                                       *random.sample(range(len(data)), 100)})  # fmt: skip
    for place in places:
        changed = data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
        try:
            same = uncompressed(changed) == ending
        except ValueError:
            same = False
        if not same:
            assert all(refusals(changed)), place
        refused += not same
    assert refused == len(places)


def test_what_is_wrong_inside_is_found_as_outside(ending: bytes) -> None:
    changed = ending[:-1] + bytes([ending[-1] ^ 1])
    for wrong in (with_header(ending, upper=0), changed, ending[:-40], ending + b"x", b""):
        assert check_certificate(packed(wrong)) == check_certificate(wrong)
        assert not check_certificate(packed(wrong)).valid


def test_a_file_that_is_compressed_twice_is_refused_as_that(ending: bytes) -> None:
    twice = packed(packed(ending))
    assert set(refusals(twice)) == {"compressed twice: one layer of xz is read"}
    for pieces in ([twice], [twice[:1], b"", *[twice[start : start + 2] for start in range(1, len(twice), 2)]]):
        with pytest.raises(MalformedCertificateError, match="compressed twice"):
            next(decompressed(pieces))


def bomb(start: bytes, size: int) -> bytes:
    """A small file that holds so many bytes after these."""
    encoder = lzma.LZMACompressor(preset=0)
    pieces = (start, *[bytes(1 << 20)] * (size >> 20))
    return b"".join(map(encoder.compress, pieces)) + encoder.flush()


def test_a_small_file_that_holds_much_is_refused_in_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of no certificate only the beginning is decompressed; otherwise nothing takes more than the limit."""
    zeros, header = bomb(b"", 24 << 20), bomb(FIRST_LINE + b"{", 24 << 20)
    assert len(zeros) < 10_000 and len(header) < 10_000
    for module in (checker, reading):
        monkeypatch.setattr(module, "MOST_COMPRESSED", 2 << 20)
    tracemalloc.start()
    assert all("the first line is another" in refusal for refusal in refusals(zeros))
    assert refusals(header)[0] == "compressed by xz, it holds more than 2,097,152 bytes"
    with pytest.raises(MalformedCertificateError, match="the header is not one line"):
        CertificateReader([header])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 << 20
    line = b'{"game":"tic-tac-toe","lower":null,"records":9,"root":".../.../...","root_key":"","rules_version":1,'
    endless = bomb(FIRST_LINE + line + b'"upper":null}\n', 24 << 20)
    with pytest.raises(MalformedCertificateError, match="holds more than 2,097,152 bytes"):
        check_seal(io.BytesIO(endless))


def test_pieces_are_given_out_one_by_one() -> None:
    """A reader of a long file holds one piece of it at a time, and stops where it wants to."""
    taken = list[int]()

    def counted() -> Iterator[bytes]:
        data = bomb(b"", 8 << 20)
        for start in range(0, len(data), 100):
            taken.append(start)
            yield data[start : start + 100]

    pieces = decompressed(counted())
    first = [len(next(pieces)) for _ in range(20)]
    assert max(first) <= xz.PIECE and len(taken) < 10
    assert sum(first) + sum(map(len, pieces)) == 8 << 20


def test_a_decoder_that_would_take_much_memory_is_refused(ending: bytes) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 96 << 20}]
    data = lzma.compress(ending, format=lzma.FORMAT_XZ, filters=filters)
    assert all("Memory usage limit exceeded" in refusal for refusal in refusals(data))


def test_a_python_without_lzma_says_so_and_checks_the_others(
    ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, file = tmp_path / "plain.pbc", tmp_path / "packed.pbc"
    plain.write_bytes(ending)
    file.write_bytes(packed(ending))
    monkeypatch.setitem(sys.modules, "lzma", None)
    assert checker.main([str(plain)]) == 0
    assert checker.main([str(file)]) == 3
    assert "this Python has no module lzma: decompress the file by xz -d" in capsys.readouterr().err
    with pytest.raises(ModuleNotFoundError, match="xz -d"):
        CertificateReader([file.read_bytes()])


def test_the_command_of_the_checker_goes_by_the_first_bytes(ending: bytes, tmp_path: Path) -> None:
    """Whatever the names say; the checker is a file beside the rules, and imports nothing more for it."""
    named, unnamed, damaged = tmp_path / "plain.xz", tmp_path / "packed.pbc", tmp_path / "damaged.xz"
    named.write_bytes(ending)
    unnamed.write_bytes(packed(ending))
    damaged.write_bytes(packed(ending)[:-5])
    said = []
    for file in (named, unnamed, damaged):
        command = [sys.executable, "-m", "proofbase.engine.checker", str(file)]
        said.append(subprocess.run(command, capture_output=True, check=False, text=True))
    assert [run.returncode for run in said] == [0, 0, 1]
    assert said[0].stdout == said[1].stdout
    assert said[2].stdout.startswith("truncated: its compression by xz does not end\nnot valid:")
