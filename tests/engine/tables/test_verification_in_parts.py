"""Classes that are verified in parts: the same reports as by a verification as a whole, also where tables are false."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from awari_positions.lies import consistent_lies
from awari_positions.tables import GAME, copy_of, folder
from table_files import read_values, rewrite

from proofbase.engine import open_game
from proofbase.engine._core import TableReport, TableWork

__all__ = ["folder"]

LEAST = 512
"""Entries of the shortest parts; the class of awari with seven stones has 63 of them."""

Outcome = tuple[int, int, int, int, list[tuple[int, int, str, str]]]


def outcome(report: TableReport | None) -> Outcome:
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def same_reports(directory: Path, stones: int) -> Outcome:
    """The report of a class as a whole, which has to be that in parts: with tables in memory and through a cache."""
    one, two = (TableWork(GAME, str(directory), stones, threads) for threads in (1, 2))
    whole = outcome(two.verify(stones))
    assert outcome(one.verify(stones, longest_part=LEAST)) == whole
    assert outcome(two.verify(stones, longest_part=8192)) == whole
    (entry,) = (entry for entry in one.plan(memory=1) if entry.table_class == stones)
    if entry.verify_least_memory < entry.verify_memory:
        assert outcome(one.verify(stones, memory=entry.verify_least_memory)) == whole
    assert not list(directory.glob("scratch-*")) + list(directory.glob("*.verification"))
    return whole


def test_sound_tables_pass(folder: Path) -> None:
    for stones in (0, 3, 6, 8):
        assert same_reports(folder, stones)[1] == 0


def test_wrong_values_are_found_wherever_they_are(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 7)
    path = tmp_path / "awari-7.table"
    sound = read_values(path)
    rng = random.Random(16)
    # At both ends, beside the borders of blocks of states and of tables, and anywhere; upwards, downwards, other signs.
    places = [0, 1, 511, 512, 8191, 8192, len(sound) - 1, rng.randrange(len(sound))]
    for place in places:
        wrong = list(sound)
        wrong[place] = rng.choice([wrong[place] - 1, wrong[place] + 1, -wrong[place] or 1])
        rewrite(path, wrong)
        findings = same_reports(tmp_path, 7)[4]
        assert any(found[0] == place and found[2] == "value" for found in findings)
    wrong = list(sound)
    for place in rng.sample(range(len(sound)), 400):
        wrong[place] = -wrong[place] or 1
    rewrite(path, wrong)
    assert same_reports(tmp_path, 7)[1] > 300


def test_a_wrong_value_in_a_smaller_table_is_found(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 7)
    path = tmp_path / "awari-5.table"
    rewrite(path, [-value for value in read_values(path)])
    assert same_reports(tmp_path, 7)[1] > 0


def test_values_that_support_each_other_are_found(folder: Path, tmp_path: Path) -> None:
    """Every entry is what its moves are worth, and yet false: only a cycle, which leads through parts, supports it."""
    copy_of(folder, tmp_path, 4)
    path = tmp_path / "awari-4.table"
    sound = read_values(path)
    assert len(sound) > 2 * LEAST
    lies = consistent_lies(4, sound)
    assert lies
    for lie in lies:
        assert len({entry // LEAST for entry, value in enumerate(lie) if value != sound[entry]}) > 1
        rewrite(path, lie)
        found = same_reports(tmp_path, 4)
        assert found[1] > 0 and {finding[2] for finding in found[4]} == {"progress"}
        assert all(lie[finding[0]] != sound[finding[0]] for finding in found[4])


def test_pairs_of_classes_have_the_same_reports(tmp_path: Path) -> None:
    """Those of six men's morris with up to nine men, and one in which all draws are said to be wins."""
    game = open_game("mens-morris:6")
    work = TableWork(game, str(tmp_path), 9, threads=2)
    assert work.build()
    for entry in work.plan():
        if 40_000 < entry.entries < 100_000:
            assert outcome(work.verify(entry.table_class, longest_part=LEAST)) == outcome(
                work.verify(entry.table_class)
            )
    entry = next(entry for entry in work.plan() if entry.class_name == "5-4")
    path = tmp_path / "mens-morris_6-5-4.table"
    values = read_values(path)
    rewrite(path, [value or 1 for value in values])
    whole = outcome(work.verify(entry.table_class))
    assert whole[1] > 0 and outcome(work.verify(entry.table_class, longest_part=8192)) == whole


def test_a_damaged_block_is_reported(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 8)
    for stones, rest in ((8, 20_000), (5, 1000)):
        path = tmp_path / f"awari-{stones}.table"
        sound = path.read_bytes()
        data = bytearray(sound)
        data[rest] ^= 4
        path.write_bytes(data)
        assert [found[2] for found in same_reports(tmp_path, 8)[4]] == ["damaged"]
        path.write_bytes(sound)


def test_a_missing_table_is_said(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "awari-8.table").write_bytes((folder / "awari-8.table").read_bytes())
    with pytest.raises(ValueError, match="table awari-0 is not there"):
        TableWork(GAME, str(tmp_path), 8).verify(8, longest_part=LEAST)


def test_plans_keep_to_the_memory(folder: Path) -> None:
    work = TableWork(GAME, str(folder), 9, threads=1)
    whole = {entry.name: entry for entry in work.plan()}
    assert {entry.verify_parts for entry in whole.values()} == {0}
    memory = whole["awari-9"].verify_memory // 2
    for entry in work.plan(memory):
        assert (entry.verify_parts > 0) == (whole[entry.name].verify_memory > memory >= entry.verify_memory)
        assert entry.verify_least_memory <= entry.verify_memory
    assert [entry.verify_parts for entry in work.plan(longest_part=8192)] == [1] * 6 + [2, 4, 10, 21]


def test_too_little_memory_is_said(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"table awari-9 needs \d+ bytes of memory at least to be verified"):
        TableWork(GAME, str(folder), 9).verify(9, memory=1000)
