"""Solutions of each family of searches in games with every kind of evidence: verified, exported, checked, imported.

A search chooses what its claims rest on. Small boards, first positions and positions near the end lead to lines,
threats, pairings, diagrams, tables, limits, rewards and cycles.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from proofbase.engine import _core
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.records import Evidence, decode_record, without_sources
from proofbase.service.application import Application
from proofbase.service.client.local import LocalClient
from proofbase.service.jobs.budget import Budget
from proofbase.storage import open_store

POSITIONS = {
    "lines": [
        ("gomoku:7x7", "......./......./..xx.../..ox.../...oo../......./......."),
        ("qubic", "moves:0 21 3 42 12 63"),
    ],
    "threats": [("gomoku:7x7-4", "moves:d4 a1"), ("gomoku:7x7-4", "moves:d4 a1 d5")],
    "pairings": [
        ("gomoku:4x4-4", "-"),
        ("gomoku:4x4-4", "..oo/..../..x./.x.."),
        ("gomoku:4x4-4", "..../...x/.o../..x."),
        ("gomoku:5x5", ".o..x/oo.x./...x./xoox./ox..."),
    ],
    "diagrams": [("connect-four:5x4", "-"), ("connect-four:4x4", "xx.x/oxox/xooo/oxox")],
    "limits": [("connect-four:4x4,score", "-"), ("othello:4x4", "-")],
    "rewards": [("awari", "0,0,0,2,1,0/1,0,0,0,0,1/S"), ("random-graph:nodes=400,group=8,rewards=2,values=3", "-")],
    "cycles": [
        ("random-graph:nodes=300,group=8,repetition=1,values=2", "-"),
        ("mens-morris:3", "moves:a1 b2"),
        ("chess", "8/8/8/8/8/2k5/7q/K7 b - - 0 1"),
    ],
    "within": [("within:7:connect-four:4x4", "-"), ("within:5:gomoku:6x6", "-")],
    "tables": [("awari", "0,0,0,2,1,0/1,0,0,0,0,1/S"), ("mens-morris:3", "moves:a1 b2 c3")],
}
NODES = 5_000
FAMILIES = [
    *("auto", "null-window", "null-window+threads-2", "df-pn", "df-pn+threads-2", "pn-dag", "pn-dag+drop-solved"),
    *("pn-dag+threats", "pn-tree", "pn-tree+delete-solved", "pn-tree+mst", "pn2", "pss", "pss+p-all+d-all", "forcing"),
    *("pn-base-twin", "pn-fixpoint", "pn-cyclic", "pn-cyclic+conversions", "alpha-beta", "threats"),
]
EXPECTED = {
    "lines": {Evidence.LINE},
    "threats": {Evidence.THREATS},
    "pairings": {Evidence.PAIRING},
    "diagrams": {Evidence.STRATEGY},
    "limits": {Evidence.SEARCH_TO_LIMITS},
    "rewards": {Evidence.SEARCH},
    "cycles": {Evidence.CHILDREN},
    "within": {Evidence.SEARCH},
    "tables": {Evidence.TABLE},
}


def test_every_family_is_among_them() -> None:
    families = {name for game in ("gomoku", "chess", "awari") for name, _ in _core.algorithms(_core.open_game(game))}
    assert families and families <= {name.partition("+")[0] for name in FAMILIES}


@pytest.mark.slow("threats", "lines", "limits", "rewards", "tables")
@pytest.mark.parametrize("kind", POSITIONS)
def test_what_a_solve_stores_passes_every_check(kind: str, tmp_path: Path) -> None:
    seen = Counter[Evidence]()
    solves = 0
    for game, position in POSITIONS[kind]:
        for algorithm in FAMILIES:
            store = open_store(str(tmp_path / f"{solves}") if kind == "tables" else "memory:")
            with Application(store) as app:
                client = LocalClient(app, "")
                if kind == "tables":
                    _build_tables(client, game)
                try:
                    found = client.solve(
                        game, position, algorithm=algorithm, budget=Budget(nodes=NODES, seconds=5)
                    ).result
                except UnknownAlgorithmError:
                    continue
                assert found is not None
                solves += 1
                if not found.records:
                    continue
                for rules in ("native", "python"):
                    verified = client.verify(game, rules=rules, sample=None if rules == "native" else 8).result
                    assert verified is not None and verified.failed == 0, (game, position, algorithm, verified.findings)
                records = [decode_record(without_sources(data)) for _, data in app.resources.store.scan(game)]
                seen.update(claim.evidence for record in records for claim in record.claims)
                if found.value.exact and kind != "tables":
                    certificate = b"".join(client.export(game, position))
                    assert check_certificate(certificate).valid, (game, position, algorithm)
                    with Application(open_store("memory:")) as other:
                        assert LocalClient(other, "").import_([certificate]).records > 0
    assert solves >= len(POSITIONS[kind]) * 8
    assert EXPECTED[kind] <= set(seen), seen


def _build_tables(client: LocalClient, game: str) -> None:
    if game == "awari":
        client.wait(client.start_table(game, 4).id)
    else:
        client.wait(client.start_table(game, 6).id)
