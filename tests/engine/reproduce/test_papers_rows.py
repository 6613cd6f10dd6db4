"""Rows of papers that need no long search: openings of qubic, pn^2-search, giveaway, mates, go-moku by depth."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.errors import EngineError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.forced_sequences import wins_by_force
from proofbase.engine.papers.reproduce import Options, Report, reproduce
from proofbase.engine.papers.reproduce.gomoku_solutions import PRINTED, RECORDS
from proofbase.engine.papers.reproduce.qubic_reductions import _cubes


def figures(report: Report) -> dict[str, float]:
    return {row.label: row.measured for row in report.rows}


def test_sets_of_openings_of_qubic_by_rows_and_by_planes() -> None:
    report = reproduce("allis-4.5", Options(positions=1))
    found = figures(report)
    assert report.agrees
    assert [found[f"planes: positions after four plies, set {number}"] for number in (1, 2, 3, 4)] == [
        219,
        229,
        229,
        240,
    ]
    assert found["rows: positions after four plies, set 1"] == 195
    assert found["db-searches"] > 50 and found["largest failed one"] > 0


def test_conventional_search_finds_what_plain_search_finds_with_more_nodes() -> None:
    game: Any = open_game("qubic")
    random, answers, more = Random(2), Counter[bool](), 0
    for _ in range(200):
        position = game.initial()
        for _ in range(random.randint(6, 24)):
            if game.terminal(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.terminal(position) is None:
            (line,), nodes, *_ = game.winning_lines([position], finder="sequences")
            won, visited = wins_by_force(*_cubes(game, position), 2_000)
            if won is None:
                continue
            assert won is (line is not None)
            answers[won] += 1
            more += visited - nodes if not won else 0
            assert won or visited >= nodes, "each set of stones at least once"
            if not won:
                assert wins_by_force(*_cubes(game, position), visited - 1)[0] is None
                assert wins_by_force(*_cubes(game, position), visited)[0] is False
    assert min(answers.values()) > 20 and more > 0


def test_db_search_beside_forced_sequences() -> None:
    found = figures(reproduce("allis-4.5.3", Options(positions=1)))
    assert found["found by db-search"] <= found["found by plain search"]
    assert found["conventional search over db-search: nodes, or more"] > 1
    assert found["found by plain search"] >= found["found by conventional search"] > 0


def test_pn2_takes_more_nodes_than_pn_search_on_awari() -> None:
    report = reproduce("allis-2.3.1", Options(positions=5, nodes=10_000))
    found = figures(report)
    assert 1 < found["mean of factors"] < 6
    assert found["pn2+unit, nodes in all"] > found["pn-tree+unit, nodes in all"]


def test_first_moves_of_giveaway_that_lose_within_32_plies() -> None:
    report = reproduce("schijf-3.4")
    assert report.agrees
    assert [figures(report)[f"1. {move}: plies"] for move in ("d2d4", "d2d3", "e2e4")] == [32, 32, 32]
    report = reproduce("schijf-3.4", Options(positions=1, nodes=100))
    assert [row.label for row in report.rows if row.off] == ["1. d2d4: proved"]  # given up


def test_depth_shortens_mates() -> None:
    found = figures(reproduce("allis-2.3.3", Options(positions=8, nodes=5_000)))
    label = next(label for label in found if label.startswith("unit: plies of the "))
    assert found[label] >= found[label.replace("unit", "depth")] > 5


def test_printed_nodes_by_depth_are_the_printed_records() -> None:
    assert {name: sum(counts) for name, counts in PRINTED.items()} == RECORDS
    assert {len(counts) for counts in PRINTED.values()} == {36}


def test_certificates_of_go_moku_are_counted_by_depth(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="give their directory with --data"):
        reproduce("allis-5.1")
    with pytest.raises(EngineError, match="no certificate of go-moku"):
        reproduce("allis-5.1", Options(data=tmp_path))
    game: Any = open_game("gomoku:4x4-3")
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    assert search.run().status == "proved"
    table = search.solution(small_search_nodes=0)
    rules = open_rules(game.name)
    with (tmp_path / "gomoku-4x4-3.proof").open("wb") as file:
        write_certificate(file, rules, rules.initial(), sorted(item for chunk in table.chunks(1000) for item in chunk))
    found = figures(reproduce("allis-5.1", Options(data=tmp_path)))
    assert found["gomoku:4x4-3, records"] == len(table)
    assert found["gomoku:4x4-3, depth 0"] == 1
