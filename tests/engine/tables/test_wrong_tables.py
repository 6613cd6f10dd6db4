"""Tables under another name, of another class, game or rules: every reader refuses them, its checksums right or not."""

from __future__ import annotations

import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from awari_positions.tables import GAME, RULES, copy_of, folder

from proofbase.engine._core import RecordTable, Tables
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import DamagedTableError
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, table_payload
from proofbase.engine.rules.tables.table_header import header_of, rules_fingerprint
from proofbase.engine.tables import PythonTables

__all__ = ["folder"]

POSITION = "0,0,1,1,0,1/1,0,0,1,0,1/S"
NAME = "awari-6"


def set_header(offset: int, form: str, number: int | bytes) -> Callable[[Path], None]:
    """A change of the header, with the checksum of the changed header."""

    def change(path: Path) -> None:
        data = bytearray(path.read_bytes())
        struct.pack_into(form, data, offset, number)
        struct.pack_into("<I", data, 252, zlib.crc32(data[:252]))
        path.write_bytes(data)

    return change


def named_as_another(path: Path) -> None:
    shutil.copy(path.with_name("awari-7.table"), path)


def named_as_another_with_its_class(path: Path) -> None:
    """Only the number of entries and the fingerprint tell it from the table of that class."""
    named_as_another(path)
    set_header(28, "<I", 6)(path)
    set_header(128, "<32s", b"6")(path)


WRONG: dict[str, Callable[[Path], object]] = {
    "another name": named_as_another,
    "another class": named_as_another_with_its_class,
    "number of the class": set_header(28, "<I", 5),
    "name of the class": set_header(128, "<32s", b"06"),
    "entries": set_header(16, "<Q", 12_375),
    "many entries": set_header(16, "<Q", 1 << 62),
    "version of the rules": set_header(32, "<I", 2),
    "fingerprint": set_header(40, "<Q", 12_345),
    "game": set_header(64, "<64s", b"qubic"),
    "lowest value": set_header(24, "<i", -200),
    "bits": set_header(12, "<I", 9),
    "no bits": set_header(12, "<I", 0),
    "unnamed bytes": set_header(200, "<I", 1),
    "version of the format": set_header(8, "<I", 2),
    "appended bytes": lambda path: path.write_bytes(path.read_bytes() + bytes(8)),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-8]),
    "bytes between the parts": lambda path: path.write_bytes(_flipped(path.read_bytes(), 300)),
    "bytes at the end": lambda path: path.write_bytes(_flipped(path.read_bytes(), -1)),
    "empty": lambda path: path.write_bytes(b""),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


def _flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


@pytest.mark.parametrize("wrong", WRONG)
def test_every_reader_refuses_a_wrong_table(folder: Path, tmp_path: Path, wrong: str) -> None:
    directory = copy_of(folder, tmp_path, 7)
    WRONG[wrong](directory / f"{NAME}.table")
    position = RULES.parse(POSITION)
    with pytest.raises(DamagedTableError, match=NAME):
        Tables(GAME, str(directory))
    with pytest.raises(DamagedTableError, match=NAME):
        PythonTables(RULES, directory).value(position)
    key, data = false_claim(position, folder)
    certificate = b"".join(certificate_chunks(RULES, position, [(key, data)]))
    findings = check_certificate(certificate, RULES, directory).findings
    # The checker does not read the bytes that mean nothing: then it refuses the claim by the value.
    assert findings and (NAME in findings[0].rule or wrong in ("bytes between the parts", "bytes at the end"))
    check = LocalCheck(RULES, PythonTables(RULES, directory, tolerant=True))
    assert [found.rule for found in check.findings([(key, data)], lambda keys: [None] * len(keys))] == ["evidence"]
    table = RecordTable(GAME)
    table.attach(Tables(GAME, str(directory), tolerant=True))
    table.put(key, data)
    assert [found.rule for found in table.check().findings] == ["evidence"]


def test_the_same_readers_accept_the_right_table_and_refuse_the_false_claim(folder: Path) -> None:
    position = RULES.parse(POSITION)
    key, data = false_claim(position, folder)
    certificate = b"".join(certificate_chunks(RULES, position, [(key, data)]))
    assert "its value there is" in check_certificate(certificate, RULES, folder).findings[0].rule
    check = LocalCheck(RULES, PythonTables(RULES, folder))
    assert [found.rule for found in check.findings([(key, data)], lambda keys: [None] * len(keys))] == ["table"]


def false_claim(position: object, folder: Path) -> tuple[bytes, bytes]:
    """The claim that a position is worth one less than its table says, by that table."""
    value = PythonTables(RULES, folder).value(position)
    assert value is not None and value - 1 >= 0
    claim = Claim(Side.UPPER, value - 1, 0, Evidence.TABLE, payload=table_payload(NAME))
    return RULES.key(RULES.parse(POSITION)), encode_record(Record.of([claim]))


def test_the_rules_in_python_give_the_header_that_the_core_writes(folder: Path) -> None:
    for stones in range(10):
        name = f"awari-{stones}"
        data = (folder / f"{name}.table").read_bytes()
        assert header_of(RULES, name, data) == data[:256]
        assert data[40:48] == rules_fingerprint(RULES, name).to_bytes(8, "little")
    for name in ("awari-49", "awari-06", "awari-", "awari-6 ", "qubic-6"):
        assert RULES.table_class(name) is None
        assert header_of(RULES, name, (folder / "awari-6.table").read_bytes()) == b""
        with pytest.raises(ValueError, match="no table"):
            rules_fingerprint(RULES, name)
