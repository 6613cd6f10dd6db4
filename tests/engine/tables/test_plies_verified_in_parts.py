"""Tables of plies that are verified in parts: the same reports, also where tables are false, or after a kill."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from table_files import read_values, rewrite

from proofbase.engine import open_game
from proofbase.engine._core import TableEntry, TableReport, TableWork

LEAST = 512
"""Entries of the shortest parts."""

SIZES = {"chess": 3, "giveaway": 2, "mens-morris:6": 9}
LARGEST = {"chess": "kp-k", "giveaway": "q-p", "mens-morris:6": "5-3"}
"""Games with the men that their tables have here, and a class of each with many entries."""

VERIFY = """
import sys
from proofbase.engine._core import TableWork, open_game
work = TableWork(open_game("chess"), sys.argv[1], 3, threads=2)
print(work.verify(int(sys.argv[2]), checkpoint_seconds=0, longest_part=512))
"""

Outcome = tuple[int, int, int, int, list[tuple[int, int, str, str]]]


def work_on(name: str, directory: Path, threads: int = 2) -> TableWork:
    return TableWork(open_game(name), str(directory), SIZES[name], threads, plies="morris" in name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("plies")
    for name in SIZES:
        assert work_on(name, directory).build()
    return directory


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """A copy of them to spoil."""
    for path in folder.glob("*.table"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def largest(name: str, directory: Path) -> tuple[TableEntry, Path]:
    """The table of the class with many entries, and its file."""
    end = f"-{LARGEST[name]}" + ("-plies" if "morris" in name else "")
    (entry,) = (
        entry for entry in work_on(name, directory).plan() if entry.name.endswith(end) and "hand" not in entry.name
    )
    return entry, directory / f"{entry.name}.table"


def outcome(report: TableReport | None) -> Outcome:
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def same_reports(name: str, directory: Path, table_class: int) -> Outcome:
    """The report of a class as a whole, which has to be that in parts: in short ones, and in longer ones."""
    one, two = (work_on(name, directory, threads) for threads in (1, 2))
    whole = outcome(two.verify(table_class))
    assert outcome(one.verify(table_class, longest_part=LEAST)) == whole
    assert outcome(two.verify(table_class, longest_part=20_000)) == whole
    assert not list(directory.glob("*.verification"))
    return whole


@pytest.mark.parametrize("name", SIZES)
def test_sound_tables_pass(name: str, folder: Path) -> None:
    work = work_on(name, folder)
    entries = [entry for entry in work.plan(longest_part=LEAST) if entry.plies]
    assert max(entry.verify_parts for entry in entries) > 1
    for entry in entries[-4:]:
        assert same_reports(name, folder, entry.table_class)[1] == 0
    entry, path = largest(name, folder)
    assert same_reports(name, folder, entry.table_class)[2] == max(read_values(path)) - 2  # an entry is plies + 2


@pytest.mark.slow("chess")
@pytest.mark.parametrize("name", SIZES)
def test_wrong_plies_are_found_wherever_they_are(name: str, own: Path) -> None:
    entry, path = largest(name, own)
    sound, rng = read_values(path), random.Random(5)
    # At both ends, and beside the borders of parts and of blocks of the table.
    for place in sorted(
        {place for place in (0, LEAST - 1, LEAST, 8191, 8192) if place < len(sound)} | {len(sound) - 1}
    ):
        wrong = list(sound)
        wrong[place] = rng.choice(
            [plies for plies in (0, 1, 2, sound[place] + 1, sound[place] + 2) if plies != sound[place]]
        )
        rewrite(path, wrong)
        found = same_reports(name, own, entry.table_class)
        assert place in {finding[0] for finding in found[4]}
    wrong = list(sound)
    for place in rng.sample(range(len(sound)), 300):
        wrong[place] = 0 if sound[place] > 1 else 7
    rewrite(path, wrong)
    assert same_reports(name, own, entry.table_class)[1] >= 300


def test_lies_that_support_each_other_are_found(own: Path) -> None:
    """All plies above a number are two too many: only the entries next to it, in many parts, tell."""
    (entry,) = (entry for entry in work_on("chess", own).plan() if entry.class_name == "kr-k")
    path = own / "chess-kr-k.table"
    sound = read_values(path)
    for last in (7, 14, 23):
        rewrite(path, [plies + 2 if plies > last else plies for plies in sound])
        report = same_reports("chess", own, entry.table_class)
        places = [place for place, plies in enumerate(sound) if plies == last + 1]
        assert report[1] == len(places) and [found[0] for found in report[4]] == places[:100]
        assert len({place // LEAST for place in places}) > 5


def test_a_wrong_entry_of_a_smaller_table_is_found(own: Path) -> None:
    entry, _ = largest("chess", own)
    path = own / "chess-kq-k.table"
    rewrite(path, [plies + 2 if plies > 3 else plies for plies in read_values(path)])
    assert same_reports("chess", own, entry.table_class)[1] > 0


def test_a_damaged_block_is_reported(own: Path) -> None:
    entry, path = largest("chess", own)
    for damaged in (path, own / "chess-kr-k.table"):
        sound = damaged.read_bytes()
        data = bytearray(sound)
        data[20_000] ^= 4
        damaged.write_bytes(data)
        assert [found[2] for found in same_reports("chess", own, entry.table_class)[4]] == ["damaged"]
        damaged.write_bytes(sound)


def test_parts_are_no_longer_than_asked_for(folder: Path) -> None:
    work = work_on("chess", folder)
    assert {entry.verify_parts for entry in work.plan()} == {0}
    for longest in (LEAST, 8192):
        plan = work.plan(longest_part=longest)
        assert [entry.verify_parts for entry in plan] == [-(-entry.entries // longest) for entry in plan]


def test_too_little_memory_is_said(folder: Path) -> None:
    entry, _ = largest("chess", folder)
    with pytest.raises(ValueError, match=r"table chess-kp-k needs \d+ bytes of memory at least to be verified"):
        work_on("chess", folder).verify(entry.table_class, memory=1000)


@pytest.mark.parametrize("longest", [None, 8192])
def test_a_killed_verification_goes_on(longest: int | None, own: Path) -> None:
    """With what it had found. A checkpoint whose checksum is right is believed; a damaged one costs only work."""
    entry, path = largest("chess", own)
    sound = read_values(path)
    rewrite(path, [9 if place < 3 else plies for place, plies in enumerate(sound)])
    work = work_on("chess", own)
    expected = outcome(work.verify(entry.table_class))
    assert expected[1] >= 3
    checkpoint = path.with_suffix(".verification")
    for _ in range(20):  # until a kill comes between a checkpoint and the end
        command = [sys.executable, "-c", VERIFY, str(own), str(entry.table_class)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not checkpoint.exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if checkpoint.exists():
            break
    saved = bytearray(checkpoint.read_bytes())
    assert outcome(work.verify(entry.table_class, longest_part=longest)) == expected
    assert not checkpoint.exists()
    at = 8 + int.from_bytes(saved[:8], "little") + 8  # behind the text, and how many entries were checked
    assert 0 < int.from_bytes(saved[at - 8 : at], "little") <= entry.entries
    saved[at : at + 4] = (1000).to_bytes(4, "little")  # plies of the longest line
    checkpoint.write_bytes(saved)
    assert outcome(work.verify(entry.table_class, longest_part=longest)) == expected
    saved[-4:] = zlib.crc32(saved[:-4]).to_bytes(4, "little")
    checkpoint.write_bytes(saved)
    report = work.verify(entry.table_class, longest_part=longest)
    assert report is not None and report.longest == 1000
