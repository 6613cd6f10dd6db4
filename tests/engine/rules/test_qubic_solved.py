"""Qubic with winning threats as the evaluator: positions of the thesis, proved and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.rules.qubic import layers

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")


def position(white: list[int], black: list[int]) -> bytes:
    cubes = dict.fromkeys(white, "x") | dict.fromkeys(black, "o")
    return bytes(open_game("qubic").parse(layers("".join(cubes.get(c, ".") for c in range(64)))))


def solve(start: bytes, at_least: int = 1, known: Any = None) -> tuple[str, Any, int]:
    search = core.Search(open_game("qubic"), start, at_least, algorithm="pn-dag+threats", known=known)
    outcome = search.run(seconds=60)
    return outcome.status, search.solution(), search.progress().nodes


def test_four_ply_positions_are_wins(shared_data: Path) -> None:
    """A tenth of the 195 (Allis 1994, 4.5.1): proved, and every record passes the local check."""
    four_ply = json.loads((shared_data / "qubic_195_fourply.json").read_text())["four_ply"]
    assert len(four_ply) == 195
    for entry in four_ply[::20]:
        status, table, _ = solve(position(entry["white"], entry["black"]))
        assert status == "proved"
        assert table.check().failed == 0 and table.missing() == []


def test_the_hardest_four_ply_position() -> None:
    status, table, nodes = solve(position([0, 3], [21, 22]))
    assert (status, nodes) == ("proved", 13_536)
    assert len(table) == 562 and table.check().failed == 0


def test_the_small_solution_by_the_rules_in_python() -> None:
    _, table, _ = solve(position([0, 12], [1, 2]))
    records = [item for chunk in table.chunks(1000) for item in chunk]
    known = dict(records)
    check = LocalCheck(open_rules("qubic"))
    assert not list(check.findings(records[-3:], lambda keys: [known.get(key) for key in keys]))


def test_the_default_searches_for_threats_and_agrees_with_the_estimate() -> None:
    """Positions that both searches settle have the same answer; threats need fewer nodes."""
    game = open_game("qubic")
    start = game.initial()
    for cube in (0, 21, 1, 22, 2, 26):
        start = game.play(start, cube)
    assert core.Search(game, start, 1).algorithm == "pn-dag+threats"
    for at_least in (1, 0):
        by_effort = core.Search(game, start, at_least, algorithm="pn-dag+effort")
        assert by_effort.run(nodes=200_000).status == solve(start, at_least)[0]
    assert solve(start)[2] < 100


def test_a_stopped_search_goes_on_from_its_checkpoint() -> None:
    game = open_game("qubic")
    start = position([0, 3], [21, 22])
    search = core.Search(game, start, 1, algorithm="pn-dag+threats")
    assert search.run(nodes=3_000).reason == "nodes"
    resumed = core.Search(game, start, 1, algorithm="pn-dag+threats")
    resumed.restore([search.checkpoint()])
    assert resumed.progress().nodes == search.progress().nodes
    assert resumed.run().status == "proved"
    assert resumed.solution().check().failed == 0


def test_known_records_are_rested_on() -> None:
    game = open_game("qubic")
    start = position([0, 3], [21, 22])
    _, table, nodes = solve(start)
    _, again, few = solve(start, known=table)
    assert few == 1 < nodes and len(again) == 0
    before = position([0, 3], [21])  # one move before: the known position is one of 61
    child = game.key(start)
    assert table.get(child) is not None
    search = core.Search(game, before, 0, algorithm="pn-dag+threats", known=table)
    search.run(nodes=2_000)
    assert search.status in ("unknown", "disproved")
