"""Verifications that are stopped or killed, and go on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from awari_positions.tables import GAME, copy_of, folder
from table_files import read_values, rewrite

from proofbase.engine._core import TableWork
from proofbase.service.resources.verified_tables import VerifiedTables

__all__ = ["folder"]

VERIFY = """
import sys
from proofbase.engine._core import TableWork, open_game
print(TableWork(open_game("awari"), sys.argv[1], 9, threads=2).verify(9, checkpoint_seconds=0))
"""


def outcome(work: TableWork, stones: int) -> tuple[object, ...]:
    report = work.verify(stones)
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def stopped(directory: Path) -> Path:
    """Kills a verification that has written a checkpoint of the class with nine stones."""
    checkpoint = directory / "awari-9.verification"
    for _ in range(20):  # until a kill comes between a checkpoint and the end
        with subprocess.Popen([sys.executable, "-c", VERIFY, str(directory)], stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not checkpoint.exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if checkpoint.exists():
            return checkpoint
    raise AssertionError("no verification was killed between a checkpoint and its end")


def spoil(directory: Path) -> None:
    path = directory / "awari-9.table"
    values = read_values(path)
    for place in (7, 100_000, len(values) - 1):
        values[place] -= 2
    rewrite(path, values)


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_killed_verification_goes_on(folder: Path, tmp_path: Path, spoiled: bool) -> None:
    copy_of(folder, tmp_path, 9)
    if spoiled:
        spoil(tmp_path)
    work = TableWork(GAME, str(tmp_path), 9, threads=2)
    expected = outcome(work, 9)
    assert bool(expected[1]) == spoiled
    checkpoint = stopped(tmp_path)
    assert outcome(work, 9) == expected
    assert not checkpoint.exists()


def test_a_checkpoint_is_used(folder: Path, tmp_path: Path) -> None:
    """One whose checksum is right is believed, so the findings that somebody wrote into it are reported."""
    import zlib

    checkpoint = stopped(copy_of(folder, tmp_path, 9))
    data = bytearray(checkpoint.read_bytes()[:-4])
    failed = 8 + int.from_bytes(data[:8], "little") + 24  # behind the text and three numbers
    assert data[failed : failed + 16] == bytes(16)
    data[failed] = 5
    checkpoint.write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    assert outcome(TableWork(GAME, str(tmp_path), 9), 9)[1] == 5


@pytest.mark.parametrize("damage", ["a byte", "cut off", "longer", "empty", "other tables"])
def test_a_checkpoint_that_is_not_whole_costs_only_work(folder: Path, tmp_path: Path, damage: str) -> None:
    checkpoint = stopped(copy_of(folder, tmp_path, 9))
    data = bytearray(checkpoint.read_bytes())
    if damage == "a byte":
        data[len(data) // 2] ^= 1
    elif damage == "other tables":
        spoil(tmp_path)
    else:
        data = {"cut off": data[:-1], "longer": data + b"\0", "empty": bytearray()}[damage]
    checkpoint.write_bytes(data)
    reference = tmp_path / "reference"
    reference.mkdir()
    for stones in range(10):
        name = f"awari-{stones}.table"
        (reference / name).write_bytes((tmp_path / name).read_bytes())
    expected = outcome(TableWork(GAME, str(reference), 9), 9)
    assert outcome(TableWork(GAME, str(tmp_path), 9), 9) == expected
    assert bool(expected[1]) == (damage == "other tables")


def test_a_second_verification_beside_the_first_goes_without_checkpoints(folder: Path, tmp_path: Path) -> None:
    import fcntl

    copy_of(folder, tmp_path, 9)
    with (tmp_path / "verify.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = TableWork(GAME, str(tmp_path), 9).verify(9, checkpoint_seconds=0)
    assert report is not None and report.failed == 0
    assert not list(tmp_path.glob("*.verification*"))


def test_outcomes_are_kept_while_the_tables_are_the_same(tmp_path: Path) -> None:
    sums = {"awari-0": 1, "awari-1": 2}
    VerifiedTables(tmp_path, "awari", sums).add("awari-0", {"row": {"failed": 0}, "findings": []})
    assert VerifiedTables(tmp_path, "awari", sums).outcomes == {"awari-0": {"row": {"failed": 0}, "findings": []}}
    assert VerifiedTables(tmp_path, "awari", {"awari-0": 1}).outcomes.keys() == {"awari-0"}
    assert VerifiedTables(tmp_path, "awari", {**sums, "awari-1": 3}).outcomes == {}
    assert VerifiedTables(tmp_path, "awari", {"awari-1": 2}).outcomes == {}
    assert VerifiedTables(tmp_path, "gomoku:9", sums).outcomes == {}
    file = tmp_path / "awari.verified"
    for content in (
        "",
        "[]",
        "{}",
        '{"checksums": {}, "outcomes": 3}',
        '{"checksums": 1, "outcomes": {"awari-0": {}}}',
    ):
        file.write_text(content)
        assert VerifiedTables(tmp_path, "awari", sums).outcomes == {}
    VerifiedTables(tmp_path, "awari", sums).forget()
    assert not list(tmp_path.iterdir())
