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
from proofbase.service.jobs.table import TableFinding, TableOutcome
from proofbase.service.jobs.verified_tables import VerifiedTables

__all__ = ["folder"]

VERIFY = """
import sys
from proofbase.engine._core import TableWork, open_game
parts = int(sys.argv[2]) or None
print(TableWork(open_game("awari"), sys.argv[1], 9, threads=2).verify(9, checkpoint_seconds=0, longest_part=parts))
"""


def outcome(work: TableWork, stones: int, longest_part: int | None = None) -> tuple[object, ...]:
    report = work.verify(stones, longest_part=longest_part)
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def stopped(directory: Path, longest_part: int = 0) -> Path:
    """Kills a verification of the class with nine stones that has written a checkpoint. 0: it is one as a whole."""
    checkpoint = directory / "awari-9.verification"
    for _ in range(20):  # until a kill comes between a checkpoint and the end
        command = [sys.executable, "-c", VERIFY, str(directory), str(longest_part)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
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


@pytest.mark.parametrize("spoiled", [False, True])
@pytest.mark.parametrize("then", [8192, 20_000])
def test_a_killed_verification_goes_on_in_its_parts(folder: Path, tmp_path: Path, spoiled: bool, then: int) -> None:
    """Also where there is room for longer parts now. It leaves no other file than the checkpoint."""
    copy_of(folder, tmp_path, 9)
    if spoiled:
        spoil(tmp_path)
    work = TableWork(GAME, str(tmp_path), 9, threads=2)
    expected = outcome(work, 9)
    checkpoint = stopped(tmp_path, 8192)
    left = {path.name for path in tmp_path.iterdir() if path.suffix != ".table"}
    assert left - {"awari-9.verification.new"} == {checkpoint.name, "verify.lock"}
    assert outcome(work, 9, then) == expected
    assert not checkpoint.exists()


@pytest.mark.parametrize("phase", ["checking", "ranking"])
def test_a_checkpoint_in_parts_is_used(folder: Path, tmp_path: Path, phase: str) -> None:
    """One whose checksum is right is believed: the findings that it has are reported, and its layers are kept."""
    import zlib

    checkpoint = stopped(copy_of(folder, tmp_path, 9), 8192)
    data = bytearray(checkpoint.read_bytes()[:-4])
    start = 8 + int.from_bytes(data[:8], "little")  # behind the text: entries of a part, four numbers, the findings
    assert int.from_bytes(data[start : start + 8], "little") == 8192
    assert data[start + 32 : start + 48] == bytes(16)
    if phase == "checking":
        data[start + 32] = 5
    else:
        data[start + 24] ^= 1  # the sum of the fingerprints of the moves: the layers have to be compared one by one
    checkpoint.write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    work = TableWork(GAME, str(tmp_path), 9)
    assert outcome(work, 9, 8192)[1] == (5 if phase == "checking" else 0)


@pytest.mark.parametrize("damage", ["a byte", "cut off", "longer parts than there is room for", "as a whole"])
def test_a_checkpoint_in_parts_that_does_not_fit_costs_only_work(folder: Path, tmp_path: Path, damage: str) -> None:
    checkpoint = stopped(copy_of(folder, tmp_path, 9), 0 if damage == "as a whole" else 8192)
    data = bytearray(checkpoint.read_bytes())
    if damage == "a byte":
        data[len(data) // 2] ^= 1
    elif damage == "cut off":
        data = data[:-1]
    checkpoint.write_bytes(data)
    longest_part = 4096 if damage.startswith("longer") else 8192
    expected = outcome(TableWork(GAME, str(folder), 9), 9)
    assert outcome(TableWork(GAME, str(tmp_path), 9), 9, longest_part) == expected
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
    outcome = TableOutcome("awari-0", 1, failed=1, longest=3, seconds=0.5)
    findings = [TableFinding("awari-0", 0, 1, "value", "found before the kill")]
    VerifiedTables(tmp_path, "awari", sums).add(outcome, findings)
    assert VerifiedTables(tmp_path, "awari", sums).outcomes == {"awari-0": (outcome, findings)}
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
