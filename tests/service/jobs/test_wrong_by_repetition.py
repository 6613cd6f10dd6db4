"""Won positions of giveaway chess that pn-cyclic takes for no win, by a repetition: the store never gets that."""

from __future__ import annotations

import pytest
from services import Service

from proofbase.engine._core import Search
from proofbase.engine.games import open_game
from proofbase.service.client import SolveResult, VerificationResult

GAME = "giveaway"
WRONG = [
    ("1K6/2k5/8/8/8/8/8/1n6 w - - 0 1", "pn-cyclic+unit"),
    ("1Kk5/6n1/8/8/8/8/8/8 w - - 0 1", "pn-cyclic+mobility"),
    ("1kK5/8/8/8/1N6/8/8/8 b - - 0 1", "pn-cyclic+unit"),
]


@pytest.mark.parametrize(("position", "algorithm"), WRONG)
def test_pn_cyclic_believes_in_a_repetition_where_base_twin_proves_the_win(position: str, algorithm: str) -> None:
    game = open_game(GAME)
    cyclic = Search(game, game.parse(position), 1, algorithm=algorithm)
    cyclic.run(nodes=10_000)
    believed = cyclic.progress()
    assert believed.disproof == 0 and believed.proof == 2**32 - 1  # its own answer: no win
    assert (cyclic.status, cyclic.reason) == ("unknown", "repetition")  # which its solution does not bear out
    assert len(cyclic.solution()) == 0
    twin = Search(game, game.parse(position), 1, algorithm="pn-base-twin")
    twin.run(nodes=100_000)
    assert twin.status == "proved"
    assert twin.solution().check().failed == 0


def test_the_store_never_gets_the_wrong_answer(service: Service) -> None:
    position, algorithm = WRONG[0]
    result = service.client.solve(GAME, position, at_least=1, algorithm=algorithm).result
    assert isinstance(result, SolveResult)
    assert (result.status, result.unknown_reason, result.records) == ("unknown", "repetition", 0)
    answer = service.client.lookup(GAME, position)
    assert not answer.stored and not answer.known and answer.claims == ()
    result = service.client.solve(GAME, position, at_least=1, algorithm="pn-base-twin").result
    assert isinstance(result, SolveResult)
    assert result.status == "proved" and result.value.lower == 1
    verified = service.client.verify(GAME, rules="python").result
    assert isinstance(verified, VerificationResult)
    assert verified.checked == result.records and verified.failed == 0
