"""Classes that are built in parts: the same tables, within the memory and disk that were given, also after kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from awari_positions.tables import GAME, copy_of, folder
from table_files import read_values, rewrite

from proofbase.engine import open_game
from proofbase.engine._core import TableWork

__all__ = ["folder"]

LEAST = 8192
"""Positions of the shortest parts; the class of awari with eight stones has ten of them."""

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("awari"), sys.argv[1], 8, threads=2).build(checkpoint_seconds=0, longest_part=8192)
"""


def size_of(path: Path) -> int:
    """Bytes of a file; 0 if it is gone."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def same_tables(directory: Path, expected: Path) -> bool:
    names = sorted(path.name for path in directory.glob("*.table"))
    return bool(names) and all((directory / name).read_bytes() == (expected / name).read_bytes() for name in names)


def killed(directory: Path) -> Path:
    """Kills a build of the class with eight stones while its positions are being solved. Its folder of parts."""
    parts = directory / "awari-8.parts"

    def threshold() -> int:
        """What the manifest says: behind the header of the table, with its length, and the length of the parts."""
        try:
            return int.from_bytes((parts / "manifest").read_bytes()[272:276], "little")
        except FileNotFoundError:
            return 0

    for _ in range(20):  # until a kill comes before the end
        with subprocess.Popen([sys.executable, "-c", BUILD, str(directory)]) as process:
            while process.poll() is None and threshold() == 0:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if threshold() > 0:
            return parts
        (directory / "awari-8.table").unlink(missing_ok=True)
    raise AssertionError("no build was killed while it solved a class")


# --- The same tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threads", "checkpoint_seconds"), [(1, 60.0), (2, 0.0)])
def test_tables_in_parts_are_those_of_the_ordinary_builder(
    folder: Path, tmp_path: Path, threads: int, checkpoint_seconds: float
) -> None:
    work = TableWork(GAME, str(copy_of(folder, tmp_path, 5)), 8, threads)
    assert [entry.build_parts for entry in work.plan(longest_part=LEAST)] == [0] * 6 + [2, 4, 10]
    assert work.build(checkpoint_seconds, longest_part=LEAST)
    assert len(list(tmp_path.glob("*.table"))) == 9 and same_tables(tmp_path, folder)
    assert not list(tmp_path.glob("*.parts"))


def test_pairs_of_classes_in_parts_keep_to_the_disk(tmp_path: Path) -> None:
    """Both classes of a pair are cut through. The queues of updates reach their limit, and the files do not pass it."""
    game, whole, parts = open_game("mens-morris:6"), tmp_path / "whole", tmp_path / "parts"
    assert TableWork(game, str(whole), 9, threads=2).build()
    parts.mkdir()
    left_out = ("5-3", "5-4", "6-3")
    for path in whole.glob("*.table"):
        if path.stem.partition("_6-")[2] not in left_out:
            (parts / path.name).write_bytes(path.read_bytes())
    work, seen = TableWork(game, str(parts), 9, threads=2), [0]
    limits = {"memory": 2_700_000, "longest_part": LEAST}
    missing = [entry for entry in work.plan(**limits) if not entry.present]
    assert [(entry.class_name, entry.build_parts) for entry in missing] == [("5-3", 12), ("5-4", 23), ("6-3", 15)]

    def watch() -> None:
        while thread.is_alive():
            # A folder may go while it is read, which os.walk passes over.
            files = [Path(at, name) for at, _, names in os.walk(parts) if at.endswith(".parts") for name in names]
            seen[0] = max(seen[0], sum(map(size_of, files)))

    thread = Thread(target=lambda: work.build(**limits))
    thread.start()
    watch()
    assert same_tables(parts, whole)
    assert 0 < seen[0] <= max(entry.build_checkpoint for entry in missing)


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
    parts = killed(copy_of(folder, tmp_path, 7))
    for _ in range(2):  # what a killed build left over counts as little as what it did not finish
        with subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)]) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGKILL)
    if not (tmp_path / "awari-8.table").exists():
        (parts / "states-3-9999").write_bytes(b"left over")
    path = tmp_path / "awari-6.table"
    sound, values = path.read_bytes(), read_values(path)
    rewrite(path, [-value for value in values])
    assert TableWork(GAME, str(tmp_path), 8).build()  # without limits: a class that was begun in parts goes on so
    path.write_bytes(sound)
    assert same_tables(tmp_path, folder) and (tmp_path / "awari-8.table").exists()
    assert not parts.exists()


@pytest.mark.parametrize("damage", ["states", "updates", "manifest", "missing", "shorter parts"])
def test_parts_that_are_not_whole_cost_only_work(folder: Path, tmp_path: Path, damage: str) -> None:
    parts = killed(copy_of(folder, tmp_path, 7))
    longest_part = LEAST
    if damage == "missing":
        max(parts.glob("states-*")).unlink()
    elif damage == "shorter parts":  # those that there are do not fit into the memory any more
        manifest = parts / "manifest"
        data = bytearray(manifest.read_bytes())
        data[264:272] = (1 << 40).to_bytes(8, "little")
        manifest.write_bytes(data)
    else:
        files = [path for path in parts.iterdir() if path.name.startswith(damage) and path.stat().st_size > 0]
        for path in files or [parts / "manifest"]:  # updates, if any are there just now
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            path.write_bytes(data)
    assert TableWork(GAME, str(tmp_path), 8, threads=2).build(longest_part=longest_part)
    assert same_tables(tmp_path, folder) and (tmp_path / "awari-8.table").exists()
    assert not parts.exists()
