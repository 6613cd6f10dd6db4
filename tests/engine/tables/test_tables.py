"""Tables of awari: numbering, moves backwards and values, against brute force and outside data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from awari_positions.endgames import endgames
from awari_positions.tables import GAME, RULES, STONES, expected_values, folder
from table_files import read_values, rewrite

from proofbase.engine._core import Tables, TableWork
from proofbase.engine.tables import PythonTables

# --- Numbering and moves backwards -----------------------------------------------------------------------------------

__all__ = ["folder"]


@pytest.mark.parametrize("stones", [0, 1, 2, 5, 6])
def test_numbering_is_a_bijection_in_both_languages(folder: Path, stones: int) -> None:
    tables = Tables(GAME, str(folder))
    entries = tables.entries()[stones].entries
    seen = set()
    for entry in range(entries):
        position = RULES.table_position(f"awari-{stones}", entry)
        assert RULES.table_entry(position) == (f"awari-{stones}", entry)
        assert GAME.text(tables.position(stones, entry)) == RULES.text(position)
        seen.add(position)
    assert len(seen) == entries
    with pytest.raises(IndexError):
        tables.position(stones, entries)


def test_predecessors_invert_moves(folder: Path) -> None:
    """What a verification finds out by fingerprints, one by one."""
    tables = Tables(GAME, str(folder))
    for stones in range(7):
        forwards, backwards = list[tuple[int, int]](), list[tuple[int, int]]()
        for entry in range(tables.entries()[stones].entries):
            position = RULES.table_position(f"awari-{stones}", entry)
            for move in RULES.moves(position):
                if RULES.reward(position, move) == 0:
                    forwards.append((entry, RULES.table_entry(RULES.play(position, move))[1]))
            backwards += [(before, entry) for before in tables.predecessors(stones, entry)]
        assert sorted(forwards) == sorted(backwards)


# --- Values ----------------------------------------------------------------------------------------------------------


def test_values_are_those_of_brute_force(folder: Path) -> None:
    graph, positions = endgames(5)
    tables, python = Tables(GAME, str(folder)), PythonTables(RULES, folder)
    for node, (key, position) in enumerate(positions.items()):
        value = expected_values()[node]
        assert tables.value(key) == python.value(position) == value
    assert len(positions) == len(graph) > 5000


def test_columns_of_values(folder: Path) -> None:
    tables = Tables(GAME, str(folder))
    positions = [tables.position(9, entry) for entry in range(0, 167_960, 997)] + [GAME.initial()]
    known, packed = tables.values(b"".join(GAME.key(position) for position in positions) + b"\xff" * 8)
    assert known == b"\1" * (len(positions) - 1) + b"\0\0"
    found = [int.from_bytes(packed[4 * i : 4 * i + 4], "little", signed=True) for i in range(len(positions))]
    assert found == [tables.value(position) or 0 for position in positions]
    with pytest.raises(ValueError, match="whole number"):
        tables.values(b"123")


def test_counts_per_value_are_those_of_outside_data(folder: Path, shared_data: Path) -> None:
    tables = Tables(GAME, str(folder))
    levels = json.loads((shared_data / "awari_db_histograms.json").read_text())["levels"]
    for level in levels[: STONES + 1]:
        counts = tables.histogram(level["stones"])
        assert {str(value): count for value, count in counts.items()} == level["hist"]
    assert len(levels) > STONES


def test_positions_of_outside_data(folder: Path, shared_data: Path) -> None:
    tables, checked = Tables(GAME, str(folder)), 0
    for line in (shared_data / "awari_values_3to16.txt").read_text().splitlines():
        words = line.split()
        if line.startswith("#") or sum(pits := [int(word) for word in words[:12]]) > STONES:
            continue
        position = GAME.parse(",".join(map(str, pits[:5:-1])) + "/" + ",".join(map(str, pits[:6])))
        assert tables.value(position) == int(words[13])
        moves = dict(map(int, word.split(":")) for word in words[15:])
        for move, value in moves.items():
            child = GAME.play(position, move)
            after = GAME.terminal(child)
            assert GAME.reward(position, move) - (tables.value(child) if after is None else after) == value
        checked += 1
    assert checked > 300


def test_the_same_bytes_with_any_number_of_threads(folder: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        directory = tmp_path / str(threads)
        assert TableWork(GAME, str(directory), 8, threads=threads).build()
        for file in directory.glob("*.table"):
            assert file.read_bytes() == (folder / file.name).read_bytes()


def test_the_table_of_another_value_range_is_the_same_table(folder: Path, tmp_path: Path) -> None:
    """The description of the format is enough to write a file that the core takes for its own."""
    path = tmp_path / "awari-8.table"
    path.write_bytes((folder / path.name).read_bytes())
    rewrite(path, read_values(path))
    assert path.read_bytes() == (folder / path.name).read_bytes()
