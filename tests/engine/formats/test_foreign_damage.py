"""No file of others breaks its reader: what makes no sense is named."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bitbully_databases import BitBullyDatabases
from gaviota_files import write_gaviota

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.formats import FOREIGN_FORMATS, read_foreign

PONS = bytes([4, 4, 3, 2, 1, 4]) + bytes(34) + bytes([6] + 16 * [0])
"""A small book of Pons with the empty board, a draw."""
FILES = {
    "strategy-json": b'{"h8": {"h10": {"g7": {"b10": {"g8": 17}, "j10": {"g8": {"f8": 18}}}}}}',
    "pons-book": PONS,
    "lines": b"# lines\ne2e3 b7b5 f1b5 b8a6\ne2e3 b7b5 f1b5 c8a6 b5d7\n",
    "pgn": b'[FEN "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]\n[Result "1-0"]\n\n1. Kg6 (1. Kf7 Kh7) Kg8 {mate} 2. Ra8# 1-0\n',
    "sgf": b"(;GM[4]SZ[15]RE[B+];B[hh](;W[aa];B[ii])(;W[bb];B[ii]C[a \\] b]))",
}


def damaged(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        place = random.randrange(len(changed) + 1)
        kind = random.randrange(4)
        if kind == 0:
            changed[place : place + 1] = bytes([random.randrange(256)])
        elif kind == 1:
            del changed[place : place + random.randrange(1, 20)]
        elif kind == 2:
            changed[place:place] = changed[: random.randrange(20)]
        else:
            changed[place : place + 1] = random.choice((b"(", b")", b"[", b"]", b"{", b'"', b"\n", b";", b"9"))
    return bytes(changed)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    write_gaviota(tmp_path, "knk", {})
    book = Path(BitBullyDatabases.get_database_path("12-ply-dist")).read_bytes()
    return FILES | {"gaviota": (tmp_path / "knk.gtb.cp4").read_bytes(), "bitbully-book": book[: 5 * 60]}


@pytest.mark.parametrize("name", sorted(FOREIGN_FORMATS.keys() - {"syzygy"}))
def test_no_damage_breaks_a_reader(name: str, files: dict[str, bytes], tmp_path: Path) -> None:
    random = Random(name)
    file = tmp_path / ("knk.gtb.cp4" if name == "gaviota" else "file")
    messages = list[str]()
    for number in range(30 if name == "gaviota" else 80):
        file.write_bytes(damaged(files[name], random) if number else files[name])
        try:
            read = read_foreign(name, file, sample=3 if name == "gaviota" else None)
            assert len(list(read.claims)) >= read.total
        except InvalidPositionError as error:
            messages.append(str(error))
        assert number or not messages
    assert len(messages) > 10
    assert all(message.startswith(str(file)) and "\n" not in message for message in messages)
