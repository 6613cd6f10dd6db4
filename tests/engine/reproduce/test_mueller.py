"""`reproduce mueller-6.1`: Example 11, and a few mates by proof sets and by proof numbers."""

from __future__ import annotations

from proofbase.engine.papers.reproduce import Options, reproduce


def test_proof_sets_and_proof_numbers_on_a_few_mates() -> None:
    shares: list[float] = []
    report = reproduce("mueller-6.1", Options(positions=3, nodes=20_000), lambda share, what: shares.append(share))
    found = {row.label: row.measured for row in report.rows}
    assert report.agrees
    assert found["Example 11: leaves in the proof set of A"] == 1
    assert found["Example 11: the proof number of A"] == 2
    for kind in ("cycles", "no cycles"):
        for name in ("proof numbers", "proof sets"):
            assert found[f"{kind}, {name}: solved"] == 3
            assert 82 + 57 < found[f"{kind}, {name}: nodes of the 3 that both solve"] < 20_000
            assert found[f"{kind}, {name}: updates"] > 0
        assert found[f"{kind}: records of proofs that fail the local check"] == 0
    assert shares[-1] == 1.0 and shares == sorted(shares)


def test_a_search_that_is_given_up_is_not_compared() -> None:
    found = {row.label: row.measured for row in reproduce("mueller-6.1", Options(positions=2, nodes=100)).rows}
    assert found["cycles, proof sets: solved"] == 1
    assert found["cycles, proof sets: nodes of the 1 that both solve"] == 82


def test_small_boards_by_sizes_of_sets_and_orders_of_ties() -> None:
    found = {row.label: row.measured for row in reproduce("mueller-6.2-boards", Options(positions=2)).rows}
    assert found["tic-tac-toe, at least 1? p-4+d-4+oldest"] == 504
    assert found["tic-tac-toe, at least 1? p-4+d-4+newest"] == 573
    assert found["all of them, pn-search"] == 550 + 2_700
    assert found["tic-tac-toe, at least 1? nodes of the tree that the graph saves"] > 95
