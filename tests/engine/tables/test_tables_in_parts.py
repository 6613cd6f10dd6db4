"""Classes that are built in parts: the same tables, within the memory and disk that were given, also after kills."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from awari_positions.tables import GAME, copy_of, folder
from table_files import killed_build, open_bytes, read_values, rewrite, same_tables

from proofbase.engine import open_game
from proofbase.engine._core import TableWork

__all__ = ["folder"]

LEAST = 8192
"""Positions of the parts; the class of awari with eight stones has ten of them."""

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("awari"), sys.argv[1], 8, threads=2).build(checkpoint_seconds=0, longest_part=8192)
"""


# --- The same tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threads", "checkpoint_seconds"), [(1, 60.0), (2, 0.0)])
def test_tables_in_parts_are_those_of_the_ordinary_builder(
    folder: Path, tmp_path: Path, threads: int, checkpoint_seconds: float
) -> None:
    work = TableWork(GAME, str(copy_of(folder, tmp_path, 5)), 8, threads)
    assert [entry.build_parts for entry in work.plan(longest_part=LEAST)] == [0] * 6 + [2, 4, 10]
    assert work.build(checkpoint_seconds, longest_part=LEAST)
    assert len(list(tmp_path.glob("*.table"))) == 9 and same_tables(tmp_path, folder)
    assert not list(tmp_path.glob("*.checkpoint")) + list(tmp_path.glob("scratch-*"))


def test_pairs_of_classes_in_parts_keep_to_the_disk(tmp_path: Path) -> None:
    """Both classes of a pair are cut through. The queues of updates reach their limit, and the files do not pass it."""
    game, whole, parts = open_game("mens-morris:6"), tmp_path / "whole", tmp_path / "parts"
    assert TableWork(game, str(whole), 9, threads=2).build()
    parts.mkdir()
    left_out = ("5-3", "5-4", "6-3")
    for path in whole.glob("*.table"):
        if path.stem.partition("_6-")[2] not in left_out:
            (parts / path.name).write_bytes(path.read_bytes())
    work = TableWork(game, str(parts), 9, threads=2)
    limits = {"memory": 2_700_000, "longest_part": LEAST}
    missing = [entry for entry in work.plan(**limits) if not entry.present]
    assert [(entry.class_name, entry.build_parts) for entry in missing] == [("5-3", 12), ("5-4", 23), ("6-3", 15)]
    seen = 0
    thread = Thread(target=lambda: work.build(0.0, **limits))
    thread.start()
    while thread.is_alive():
        seen = max(seen, open_bytes(parts))
        time.sleep(0.001)
    assert same_tables(parts, whole)
    assert 2 * min(entry.entries for entry in missing) < seen <= max(entry.build_checkpoint for entry in missing)


# --- Plans -----------------------------------------------------------------------------------------------------------


def test_a_class_that_does_not_fit_is_planned_in_parts(tmp_path: Path) -> None:
    memory = 32 << 20
    whole = {entry.name: entry for entry in TableWork(GAME, str(tmp_path), 18, threads=2).plan()}
    for entry in TableWork(GAME, str(tmp_path), 18, threads=2).plan(memory):
        assert entry.build_memory <= memory
        assert (entry.build_parts > 0) == (whole[entry.name].build_memory > memory)
        assert entry.build_least_memory <= entry.build_memory
        if entry.build_parts:
            assert entry.build_checkpoint > 2 * entry.entries
            assert 2 * entry.entries / entry.build_parts < memory
    assert whole["awari-18"].build_least_memory < whole["awari-18"].build_memory / 16


def test_too_little_memory_is_said_and_nothing_is_built(tmp_path: Path) -> None:
    work = TableWork(GAME, str(tmp_path), 5)
    assert work.plan(1000)[5].build_memory > 1000
    with pytest.raises(ValueError, match=r"table awari-0 needs \d+ bytes of memory at least"):
        work.build(memory=1)
    with pytest.raises(ValueError, match=r"table awari-2 needs \d+ bytes of memory at least"):
        work.build(memory=100)
    assert sorted(path.name for path in tmp_path.glob("*.table")) == ["awari-0.table", "awari-1.table"]


# --- Kills -----------------------------------------------------------------------------------------------------------


def test_a_killed_build_goes_on_in_its_parts(folder: Path, tmp_path: Path) -> None:
    """After the kill a table that the class was prepared with is changed: who begins anew gets other values."""
    checkpoint = killed_build(copy_of(folder, tmp_path, 7), "awari-8", BUILD)
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)]) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGKILL)
    path = tmp_path / "awari-6.table"
    sound, values = path.read_bytes(), read_values(path)
    rewrite(path, [-value for value in values])
    assert TableWork(GAME, str(tmp_path), 8).build()  # without limits: a class that was begun in parts goes on so
    path.write_bytes(sound)
    assert same_tables(tmp_path, folder) and (tmp_path / "awari-8.table").exists()
    assert not checkpoint.exists()


@pytest.mark.parametrize("damage", ["header", "states", "shorter", "longer parts"])
def test_a_checkpoint_that_is_not_whole_costs_only_work(folder: Path, tmp_path: Path, damage: str) -> None:
    checkpoint = killed_build(copy_of(folder, tmp_path, 7), "awari-8", BUILD)
    data = bytearray(checkpoint.read_bytes())
    if damage == "shorter":
        del data[-1000:]
    elif damage != "longer parts":
        data[100 if damage == "header" else len(data) // 2] ^= 1
    checkpoint.write_bytes(data)
    left_over = tmp_path / "awari-8.parts"  # of an older release
    left_over.mkdir()
    (left_over / "manifest").write_bytes(b"proofbase")
    # Parts that are longer than they may be now do not fit into the memory any more.
    longest_part = LEAST // 2 if damage == "longer parts" else LEAST
    assert TableWork(GAME, str(tmp_path), 8, threads=2).build(longest_part=longest_part)
    assert same_tables(tmp_path, folder) and (tmp_path / "awari-8.table").exists()
    assert not checkpoint.exists() and not left_over.exists()
