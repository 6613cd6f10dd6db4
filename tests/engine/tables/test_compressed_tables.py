"""Compressed tables: the same entries as in the plain form, for every reader, and damage that is never served."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from awari_positions.tables import GAME, RULES, copy_of, folder
from table_files import read_values

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules import open_rules
from proofbase.engine.rules.tables.table_values import TableValues
from proofbase.engine.tables import PythonTables, table_counts

__all__ = ["folder"]

STONES = 7


@pytest.fixture
def compressed(folder: Path, tmp_path: Path) -> Path:
    """Tables of up to seven stones in blocks of 4,096 entries."""
    assert TableWork(GAME, str(copy_of(folder, tmp_path, STONES)), STONES).rewrite(level=9, block=4096)
    return tmp_path


@pytest.mark.parametrize(("level", "block"), [(1, 1024), (19, 8192), (3, 1 << 20)])
def test_every_entry_is_as_before(folder: Path, tmp_path: Path, level: int, block: int) -> None:
    work = TableWork(GAME, str(copy_of(folder, tmp_path, STONES)), STONES, threads=2)
    assert work.rewrite(level=level, block=block)
    tables = Tables(GAME, str(tmp_path))
    for entry in tables.entries():
        plain = folder / f"{entry.name}.table"
        path = tmp_path / plain.name
        assert (entry.block, entry.bytes, entry.plain_bytes) == (block, path.stat().st_size, plain.stat().st_size)
        positions = [tables.position(entry.table_class, number) for number in range(entry.entries)]
        keys = b"".join(GAME.key(position) for position in positions)
        known, values = tables.values(keys)
        assert set(known) == {1}
        assert list(memoryview(values).cast("i")) == read_values(plain)
        counts = table_counts(RULES, path)
        assert counts == table_counts(RULES, plain) == {(v, None): n for v, n in Counter(read_values(plain)).items()}
    assert entry.bytes < entry.plain_bytes
    assert all(work.verify(entry.table_class).failed == 0 for entry in tables.entries())
    assert work.rewrite(level=None)
    for number in range(STONES + 1):
        name = f"awari-{number}.table"
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_readers_in_python_agree(folder: Path, compressed: Path) -> None:
    rng = random.Random(2)
    checker = TableValues(RULES, compressed)

    def by_checker(position: Any) -> int | None:
        found = checker.of(position, bound=0, upper=False)
        return None if found is None else found[0]

    readers = PythonTables(RULES, compressed).value, by_checker
    for stones in (0, 3, STONES):
        name = f"awari-{stones}"
        expected = read_values(folder / f"{name}.table")
        for entry in {0, len(expected) - 1, *(rng.randrange(len(expected)) for _ in range(200))}:
            position = RULES.table_position(name, entry)
            assert [read(position) for read in readers] == [expected[entry]] * 2


def test_tables_are_built_from_compressed_ones(folder: Path, compressed: Path) -> None:
    work = TableWork(GAME, str(compressed), STONES + 1, threads=2)
    assert work.build()
    name = f"awari-{STONES + 1}.table"
    assert (compressed / name).read_bytes() == (folder / name).read_bytes()
    assert [entry.block for entry in work.plan()] == [4096] * (STONES + 1) + [0]


def test_tables_of_plies_are_compressed(tmp_path: Path) -> None:
    game = open_game("giveaway")
    work = TableWork(game, str(tmp_path), 2, threads=2)
    assert work.build()
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.table")}
    counted = {entry.name: Tables(game, str(tmp_path)).histogram(entry.table_class) for entry in work.plan()}
    by_plies = {path.name: table_counts(open_rules("giveaway"), path) for path in tmp_path.glob("*.table")}
    assert work.rewrite(level=12)
    assert by_plies == {path.name: table_counts(open_rules("giveaway"), path) for path in tmp_path.glob("*.table")}
    tables = Tables(game, str(tmp_path))
    for entry in tables.entries():
        of_values = Counter[int]()
        for (value, plies), count in by_plies[f"{entry.name}.table"].items():
            of_values[value] += count
            assert (plies == 0) if value == 0 else plies is not None
        assert of_values == counted[entry.name]
    assert {entry.name: tables.histogram(entry.table_class) for entry in tables.entries()} == counted
    assert sum(entry.bytes for entry in tables.entries()) < sum(len(data) for data in before.values()) / 2
    assert all(work.verify(entry.table_class).failed == 0 for entry in work.plan())
    assert work.rewrite(level=None)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.table")} == before


def test_no_flipped_byte_is_ever_served(folder: Path, compressed: Path) -> None:
    path = compressed / f"awari-{STONES}.table"
    whole, expected = path.read_bytes(), read_values(folder / path.name)
    start = (256 + 8 * -(-len(expected) // 4096) + 63) // 64 * 64
    rng = random.Random(3)
    places = {*range(start), *range(len(whole) - 10, len(whole)), *rng.sample(range(start, len(whole)), 200)}
    for place in sorted(places):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
        reported = 0
        for make in (lambda: Tables(GAME, str(compressed)), lambda: PythonTables(RULES, compressed)):
            try:
                tables = make()
                for entry in range(0, len(expected), 2048):
                    position = RULES.table_position(f"awari-{STONES}", entry)
                    native = isinstance(tables, Tables)
                    assert tables.value(GAME.parse(RULES.text(position)) if native else position) == expected[entry]
            except DamagedTableError as error:
                reported += path.name in str(error)
        assert reported == 2, place


def test_a_damaged_block_leaves_out_its_own_entries_only(folder: Path, compressed: Path) -> None:
    path = compressed / f"awari-{STONES}.table"
    data, expected = bytearray(path.read_bytes()), read_values(folder / path.name)
    data[-20] ^= 4
    path.write_bytes(data)
    tables = Tables(GAME, str(compressed), tolerant=True)
    first = (len(expected) - 1) // 4096 * 4096
    for entry in (0, first - 1, first, len(expected) - 1):
        value = tables.value(tables.position(STONES, entry))
        assert value == (expected[entry] if entry < first else None)
    assert [(name, "block 7 is damaged: the checksum is another" in why) for name, why in tables.damaged()] == [
        (f"awari-{STONES}", True)
    ]


@pytest.mark.parametrize("content", [b"no frame", bytes(20), b""])
def test_a_block_that_cannot_be_decompressed_is_damaged(folder: Path, compressed: Path, content: bytes) -> None:
    """Also if its checksum is right."""
    path = compressed / "awari-3.table"
    data, entries = path.read_bytes(), len(read_values(folder / path.name))
    head = data[:256] + zlib.crc32(content, 0).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    path.write_bytes(head.ljust(320, b"\0") + content + bytes(8))
    position = RULES.table_position("awari-3", entries - 1)
    with pytest.raises(DamagedTableError, match="cannot be decompressed"):
        Tables(GAME, str(compressed)).value(GAME.parse(RULES.text(position)))
    with pytest.raises(DamagedTableError, match="cannot be decompressed"):
        PythonTables(RULES, compressed).value(position)


def test_a_damaged_table_is_not_rewritten(folder: Path, tmp_path: Path) -> None:
    path = copy_of(folder, tmp_path, STONES) / f"awari-{STONES}.table"
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedTableError, match="damaged"):
        TableWork(GAME, str(tmp_path), STONES).rewrite()
    assert path.read_bytes() == data
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize(("level", "block"), [(0, 8192), (23, 8192), (3, 512), (3, 8191), (3, 1 << 21)])
def test_other_compressions_are_refused(folder: Path, tmp_path: Path, level: int, block: int) -> None:
    work = TableWork(GAME, str(copy_of(folder, tmp_path, 2)), 2)
    with pytest.raises(ValueError, match=r"levels of compression|power of two"):
        work.rewrite(level=level, block=block)
    assert (tmp_path / "awari-2.table").read_bytes() == (folder / "awari-2.table").read_bytes()
