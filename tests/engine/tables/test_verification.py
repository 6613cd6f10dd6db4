"""Verification of tables: sound ones pass, and changed values are found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from awari_positions.endgames import endgames
from awari_positions.lies import consistent_lies
from awari_positions.tables import GAME, copy_of, expected_values, folder
from table_files import read_values, rewrite

from proofbase.engine._core import Tables, TableWork

__all__ = ["folder"]


def reports(directory: Path, size: int) -> list[Any]:
    work = TableWork(GAME, str(directory), size, threads=2)
    return [work.verify(entry.table_class) for entry in work.plan()]


def test_sound_tables_pass(folder: Path) -> None:
    found = reports(folder, 8)
    assert [(report.failed, report.findings) for report in found] == [(0, [])] * 9
    assert [report.checked for report in found] == [entry.entries for entry in Tables(GAME, str(folder)).entries()][:9]
    assert [report.longest for report in found[:6]] == [longest_line(stones) for stones in range(6)]


def longest_line(stones: int) -> int:
    """The highest layer of a class, by the definition: layers by rounds over the whole class."""
    graph, positions = endgames(5)
    worth = expected_values()
    inside = {node for node, p in enumerate(positions.values()) if sum(p.own) + sum(p.other) == stones}
    layers = {node: 0 for node in inside if graph.terminal[node] is not None}
    for layer in range(1, 1000):
        new = []
        for node in inside - layers.keys():
            ways = [edge for edge in graph.edges[node] if edge.reward - worth[edge.child] == worth[node]]
            inner = [edge.child in layers for edge in ways if edge.child in inside]
            if worth[node] > 0 and (len(inner) < len(ways) or any(inner)):
                new.append(node)
            if worth[node] < 0 and all(inner):
                new.append(node)
        if not new:
            break
        layers.update(dict.fromkeys(new, layer))
    return max(layers.values(), default=0)


def report_of(directory: Path, stones: int, threads: int) -> tuple[object, ...]:
    report = TableWork(GAME, str(directory), stones, threads=threads).verify(stones)
    assert report is not None
    findings = [(found.entry, found.value, found.rule, found.detail) for found in report.findings]
    return report.checked, report.failed, report.longest, report.longest_entry, findings


def test_the_same_report_with_any_number_of_threads(folder: Path, tmp_path: Path) -> None:
    assert report_of(folder, 9, 3) == report_of(folder, 9, 1)
    copy_of(folder, tmp_path, 8)
    path = tmp_path / "awari-8.table"
    wrong = read_values(path)
    for entry in random.Random(3).sample(range(len(wrong)), 200):
        wrong[entry] = -wrong[entry] or 1
    rewrite(path, wrong)
    report = report_of(tmp_path, 8, 3)
    assert report == report_of(tmp_path, 8, 1)
    assert isinstance(report[1], int) and isinstance(report[4], list)
    assert report[1] > 100 == len(report[4])


def test_a_wrong_value_is_found(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 6)
    rng = random.Random(2)
    path = tmp_path / "awari-6.table"
    sound = read_values(path)
    for _ in range(20):
        wrong, entry = list(sound), rng.randrange(len(sound))
        wrong[entry] += rng.choice([-1, 1])
        rewrite(path, wrong)
        report = reports(tmp_path, 6)[6]
        assert report.failed > 0
        assert any(finding.entry == entry and finding.rule == "value" for finding in report.findings)


def test_values_that_support_each_other_are_found(folder: Path, tmp_path: Path) -> None:
    """Every entry is what its moves are worth, and yet false: only a cycle supports it."""
    copy_of(folder, tmp_path, 5)
    planted = 0
    for stones in (2, 3, 4, 5):
        path = tmp_path / f"awari-{stones}.table"
        sound = read_values(path)
        for lie in consistent_lies(stones, sound):
            rewrite(path, lie)
            report = reports(tmp_path, stones)[stones]
            rules = {finding.rule for finding in report.findings}
            assert rules == {"progress"}
            assert all(lie[finding.entry] != sound[finding.entry] for finding in report.findings)
            planted += 1
        rewrite(path, sound)
    assert planted >= 5


def test_a_damaged_table_does_not_pass(folder: Path, tmp_path: Path) -> None:
    copy_of(folder, tmp_path, 4)
    path = tmp_path / "awari-4.table"
    data = bytearray(path.read_bytes())
    data[1000] ^= 4
    path.write_bytes(data)
    report = reports(tmp_path, 4)[4]
    assert [finding.rule for finding in report.findings] == ["damaged"]


def test_a_table_is_verified_with_those_that_it_needs(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "awari-4.table").write_bytes((folder / "awari-4.table").read_bytes())
    with pytest.raises(ValueError, match="table awari-0 is not there"):
        TableWork(GAME, str(tmp_path), 4).verify(4)
