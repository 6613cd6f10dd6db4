"""A kind of evidence that a game does not offer is refused by every reader, also where the claim is true.

The verified checker and the page of packages are asked in their own tests.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from certificates import certificate
from unoffered_evidence import PAGE_GAMES, VERIFIED_GAMES, plain_and_unoffered

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

OTHERS = ("renju:7x7", "gomoku:7x7,professional", "othello:4x4", "mens-morris:3", "chess", "checkers")
GAMES = sorted({*VERIFIED_GAMES, *PAGE_GAMES, *OTHERS, "within:60:tic-tac-toe", "random-graph"})


@pytest.mark.parametrize("name", GAMES)
def test_evidence_that_the_game_does_not_offer_is_refused(name: str) -> None:
    game, native = open_rules(name), open_game(name)

    def readers(position: Any, record: bytes) -> list[bool]:
        key = game.key(position)
        table, faults = core.RecordTable(native), list[Any]()
        table.load([(key, record)], faults)
        by_core = not faults and not table.check().findings
        by_python = not list(LocalCheck(game).findings([(key, record)], lambda keys: [None] * len(keys)))
        return [by_core, by_python, check_certificate(certificate(game, position, {key: record})).valid]

    plain, unoffered = plain_and_unoffered(game, Random(name))
    assert unoffered
    for position, record in plain:
        assert readers(position, record) == [True] * 3, (game.text(position), record.hex())
    for position, record in unoffered:
        assert readers(position, record) == [False] * 3, (game.text(position), record.hex())
