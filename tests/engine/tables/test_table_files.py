"""Table files: builds that are stopped and go on, and damaged files."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from awari_positions.tables import GAME, RULES, copy_of, folder
from table_files import read_values, rewrite

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.engine.errors import DamagedTableError, NoTablesError
from proofbase.engine.tables import PythonTables

# --- Stopping and going on -------------------------------------------------------------------------------------------

BUILD = """
import sys
from proofbase.engine._core import TableWork, open_game
TableWork(open_game("awari"), sys.argv[1], 9, threads=2).build(checkpoint_seconds=0)
"""

__all__ = ["folder"]


def test_a_killed_build_goes_on(folder: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "awari-9.checkpoint"
    for _ in range(20):  # until a kill comes between a checkpoint of the largest class and its table
        with subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)]) as process:
            while process.poll() is None and not checkpoint.exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if checkpoint.exists():
            break
        (tmp_path / "awari-9.table").unlink(missing_ok=True)
    assert checkpoint.exists()
    assert not (tmp_path / "awari-9.table").exists()
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert (tmp_path / "awari-9.table").read_bytes() == (folder / "awari-9.table").read_bytes()
    assert not checkpoint.exists()


def test_a_damaged_checkpoint_costs_only_work(folder: Path, tmp_path: Path) -> None:
    test_a_killed_build_goes_on(folder, tmp_path)
    (tmp_path / "awari-9.table").unlink()
    (tmp_path / "awari-9.checkpoint").write_bytes(b"PBTABLE\n" + bytes(1000))
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert (tmp_path / "awari-9.table").read_bytes() == (folder / "awari-9.table").read_bytes()


def test_cancelled_work_stops_at_once(folder: Path, tmp_path: Path) -> None:
    from threading import Thread

    work = TableWork(GAME, str(tmp_path), 24, threads=2)
    outcome = list[bool]()
    thread = Thread(target=lambda: outcome.append(work.build()))
    thread.start()
    while work.before < 500_000:
        time.sleep(0.005)
    assert 0 <= work.done <= work.size <= work.total
    work.cancel()
    started = time.monotonic()
    thread.join()
    assert outcome == [False]
    assert time.monotonic() - started < 0.5  # 50 ms on a machine with nothing else to do
    assert TableWork(GAME, str(tmp_path), 9).build()
    assert work.verify(3) is None


def test_a_plan_says_what_building_takes(folder: Path, tmp_path: Path) -> None:
    """States and checkpoints have two bytes a position; tables are as large as their bits say, or as 7 bits do."""
    plan = {entry.table_class: entry for entry in TableWork(GAME, str(copy_of(folder, tmp_path, 6)), 8).plan()}
    assert [
        (entry.build_memory, entry.build_file, entry.build_checkpoint) for entry in plan.values() if entry.present
    ] == ([(0, 0, 0)] * 7)
    data = {stones: -(-entry.entries // 8192) * 1024 * (entry.bits or 7) for stones, entry in plan.items()}
    for stones in (7, 8):  # a capture takes two stones or more
        below = sum(data[fewer] for fewer in range(stones - 1))
        assert plan[stones].build_memory == 2 * plan[stones].entries + below
        assert plan[stones].build_checkpoint == 2 * plan[stones].entries + 268
        assert data[stones] < plan[stones].build_file < data[stones] + 1000


def test_one_builder_at_a_time(tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(RuntimeError, match="another process"):
            TableWork(GAME, str(tmp_path), 3).build()


# --- Damage ----------------------------------------------------------------------------------------------------------


def test_no_flipped_byte_is_ever_served(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "awari-7.table"  # four blocks
    whole = (folder / path.name).read_bytes()
    expected = read_values(folder / path.name)
    start = 320
    rng = random.Random(1)
    places = {*range(start), *range(len(whole) - 10, len(whole)), *rng.sample(range(start, len(whole)), 200)}
    for place in sorted(places):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
        reported = 0
        for make in (lambda: Tables(GAME, str(tmp_path)), lambda: PythonTables(RULES, tmp_path)):
            try:
                tables = make()
                for entry in range(0, len(expected), 4096):
                    position = RULES.table_position("awari-7", entry)
                    native = isinstance(tables, Tables)
                    assert tables.value(GAME.parse(RULES.text(position)) if native else position) == expected[entry]
            except DamagedTableError as error:
                reported += "awari-7.table" in str(error)
        assert reported == 2


@pytest.mark.parametrize("cut", [0, 100, 256, 4000, -1])
def test_a_cut_file_is_damaged(folder: Path, tmp_path: Path, cut: int) -> None:
    (tmp_path / "awari-5.table").write_bytes((folder / "awari-5.table").read_bytes()[:cut])
    with pytest.raises(DamagedTableError):
        Tables(GAME, str(tmp_path))


def test_tables_of_another_class_or_of_other_rules_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "awari-5.table"
    path.write_bytes((folder / "awari-6.table").read_bytes())
    with pytest.raises(DamagedTableError, match="it is the table of awari, 6"):
        Tables(GAME, str(tmp_path))
    path.write_bytes((folder / path.name).read_bytes())
    changed = bytearray(path.read_bytes())
    changed[40] ^= 1  # the fingerprint of the rules
    path.write_bytes(changed)
    rewrite(path, read_values(path))  # with the checksum of such a header
    with pytest.raises(DamagedTableError, match="other rules"):
        Tables(GAME, str(tmp_path))


def test_games_without_tables_say_so(tmp_path: Path) -> None:
    for name in ("tic-tac-toe", "connect-four"):
        with pytest.raises(NoTablesError, match=f"{name} has no tables"):
            Tables(open_game(name), str(tmp_path))
        with pytest.raises(NoTablesError):
            TableWork(open_game(name), str(tmp_path), 3)
    assert Tables(GAME, str(tmp_path / "nowhere")).entries() == []
