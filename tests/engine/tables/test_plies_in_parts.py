"""Tables of plies that are built in parts: the same files, within the memory and disk given, also after kills."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Thread

import pytest
from table_files import killed_build, open_bytes, read_values, rewrite, same_tables

from proofbase.engine import open_game
from proofbase.engine._core import TableWork

LEAST = 512
"""Positions of the shortest parts."""

SIZES = {"chess": 3, "giveaway": 2, "mens-morris:6": 10}
"""Games and the men that their tables have here; those of men's morris have a second column."""

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("chess"), sys.argv[1], 3, threads=2).build(checkpoint_seconds=0, longest_part=2048)
"""


def work_on(name: str, directory: Path, threads: int = 2) -> TableWork:
    return TableWork(open_game(name), str(directory), SIZES[name], threads, plies="morris" in name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables as they are built as a whole."""
    directory = tmp_path_factory.mktemp("whole")
    for name in SIZES:
        assert work_on(name, directory).build()
    return directory


def copy_of(folder: Path, directory: Path, without: str | tuple[str, ...]) -> Path:
    """All tables but those whose names end with a text."""
    for path in folder.glob("*.table"):
        if not path.stem.endswith(without):
            (directory / path.name).write_bytes(path.read_bytes())
    return directory


# --- The same tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threads", "checkpoint_seconds", "longest"), [(1, 60.0, LEAST), (2, 0.0, 4 * LEAST)])
@pytest.mark.parametrize("name", SIZES)
def test_tables_in_parts_are_those_of_the_ordinary_builder(
    name: str, threads: int, checkpoint_seconds: float, longest: int, folder: Path, tmp_path: Path
) -> None:
    if "morris" in name:  # its values, and the plies of the smaller classes
        copy_of(folder, tmp_path, ("-5-4-plies", "-6-4-plies"))
    work = work_on(name, tmp_path, threads)
    missing = [entry for entry in work.plan(longest_part=longest) if not entry.present]
    assert max(entry.build_parts for entry in missing) > 1
    assert work.build(checkpoint_seconds, longest_part=longest)
    assert all(entry.present for entry in work.plan()) and same_tables(tmp_path, folder)
    assert not list(tmp_path.glob("*.checkpoint")) + list(tmp_path.glob("scratch-*"))


@pytest.mark.parametrize(
    ("name", "end", "memory"), [("mens-morris:6", "-6-4-plies", None), ("chess", "-kq-k", 1_250_000)]
)
def test_little_memory_is_enough_and_the_disk_is_kept_to(
    name: str, end: str, memory: int | None, folder: Path, tmp_path: Path
) -> None:
    """The least memory of a class; and so little that the queues of updates reach their limit."""
    copy_of(folder, tmp_path, end)
    work = work_on(name, tmp_path, threads=1)
    (entry,) = (entry for entry in work.plan(memory=1) if not entry.present)
    if memory is None:
        memory = entry.build_least_memory
        assert memory < entry.build_memory
    (planned,) = (entry for entry in work.plan(memory, 16 * LEAST) if not entry.present)
    assert planned.build_parts > 7 and planned.build_memory <= memory
    seen = 0
    thread = Thread(target=lambda: work.build(0.0, memory=memory, longest_part=16 * LEAST))
    thread.start()
    while thread.is_alive():
        seen = max(seen, open_bytes(tmp_path))
        time.sleep(0.001)
    assert same_tables(tmp_path, folder) and (tmp_path / f"{entry.name}.table").exists()
    assert 2 * planned.entries < seen <= planned.build_checkpoint


# --- Plans -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "men"), [("chess", 4), ("mens-morris:9", 9)])
def test_a_class_that_does_not_fit_is_planned_in_parts(name: str, men: int, tmp_path: Path) -> None:
    memory = 8 << 20
    work = TableWork(open_game(name), str(tmp_path), men, threads=1, plies="morris" in name)
    whole = {entry.name: entry for entry in work.plan()}
    in_parts = 0
    for entry in work.plan(memory):
        if not entry.plies:
            continue
        assert entry.build_memory <= memory
        assert (entry.build_parts > 0) == (whole[entry.name].build_memory > memory)
        assert entry.build_least_memory <= entry.build_memory
        if entry.build_parts:
            in_parts += 1
            assert entry.build_checkpoint > 2 * entry.entries
            assert 2 * entry.entries / entry.build_parts < memory
    assert in_parts > 3


def test_too_little_memory_is_said_and_nothing_is_built(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"table chess-k-k needs \d+ bytes of memory at least"):
        work_on("chess", tmp_path).build(memory=1)
    assert not list(tmp_path.glob("*.table"))


# --- Kills -----------------------------------------------------------------------------------------------------------


def test_a_killed_build_goes_on(folder: Path, tmp_path: Path) -> None:
    """After the kill a table that the class was prepared with is changed: who begins anew gets other plies."""
    checkpoint = killed_build(copy_of(folder, tmp_path, "kp-k"), "chess-kp-k", BUILD, solved=20_000)
    path = tmp_path / "chess-kq-k.table"
    sound, entries = path.read_bytes(), read_values(path)
    rewrite(path, [min(entry, 1) for entry in entries])
    assert work_on("chess", tmp_path).build()  # without limits: a class that was begun in parts goes on so
    path.write_bytes(sound)
    assert same_tables(tmp_path, folder) and (tmp_path / "chess-kp-k.table").exists()
    assert not checkpoint.exists()


@pytest.mark.parametrize("damage", ["header", "states", "shorter", "longer parts"])
def test_a_checkpoint_that_is_not_whole_costs_only_work(damage: str, folder: Path, tmp_path: Path) -> None:
    checkpoint = killed_build(copy_of(folder, tmp_path, "kp-k"), "chess-kp-k", BUILD, solved=20_000)
    data = bytearray(checkpoint.read_bytes())
    if damage == "shorter":
        del data[-1000:]
    elif damage != "longer parts":
        data[100 if damage == "header" else len(data) // 2] ^= 1
    checkpoint.write_bytes(data)
    # Parts that are longer than they may be now do not fit into the memory any more.
    assert work_on("chess", tmp_path).build(longest_part=LEAST if damage == "longer parts" else 2048)
    assert same_tables(tmp_path, folder) and (tmp_path / "chess-kp-k.table").exists()
    assert not checkpoint.exists()
