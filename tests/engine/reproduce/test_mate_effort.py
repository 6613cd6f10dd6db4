"""The effort of a mate, by mobility and by the king's flights: an option of searches in chess, and what it gains."""

from __future__ import annotations

import pytest

from proofbase.engine._core import Search, full_algorithm_name, open_game
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS
from proofbase.engine.rules import Chess

GAME = open_game("chess")


@pytest.mark.parametrize("family", ["df-pn", "pn-tree", "pn-base-twin", "pn-cyclic", "pn2"])
def test_mobility_stays_the_default(family: str) -> None:
    assert full_algorithm_name(GAME, family).startswith(f"{family}+mobility")
    assert full_algorithm_name(GAME, f"{family}+effort").startswith(f"{family}+effort")


def test_all_mates_of_reinfeld_are_found_with_60_000_nodes_each() -> None:
    """Mobility alone leaves two of them open with as many."""
    nodes = 0
    for problem in PROBLEMS:
        search = Search(GAME, GAME.parse(problem.fen), 1, algorithm="df-pn+effort+table-64")
        search.run(nodes=60_000)
        assert search.status == "proved", problem.name
        nodes += search.progress().nodes
    assert nodes < 350_000


def test_a_proof_by_effort_is_checked_by_the_python_rules() -> None:
    fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
    for algorithm in ("df-pn+effort", "pn-tree+effort", "pn-base-twin+effort"):
        search = Search(GAME, GAME.parse(fen), 1, algorithm=algorithm)
        search.run(nodes=100_000)
        assert search.status == "proved"
        records = sorted(item for chunk in search.solution().chunks(1000) for item in chunk)
        rules = Chess()
        data = b"".join(certificate_chunks(rules, rules.parse(fen), records))
        assert check_certificate(data).valid
