"""Claims that rest on a small search: what the search counts, and that Python and native code agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from drawn_graphs import random_graph

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import small_search_visits
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    encode_record,
    search_payload,
)
from proofbase.engine.rules import Game

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")


def findings(game: Game[int], records: dict[bytes, bytes]) -> list[tuple[bytes, str]]:
    found = LocalCheck(game).findings(list(records.items()), lambda keys: [None] * len(keys))
    return [(finding.key, finding.rule) for finding in found]


def test_a_small_search_counts_what_it_enters() -> None:
    game = open_rules("tic-tac-toe")
    assert small_search_visits(game, game.parse("xxx/oo./..."), -1, 0, 1) == 1
    assert small_search_visits(game, game.parse("xx./oo./..."), 0, 9, 10_000) is None  # x wins at once
    # Two cells are left, o to move: 8 loses to 9, 9 draws. Entered: the root, 8, 8-9, 9, 9-8.
    ending = game.parse("xox/xxo/o..")
    assert small_search_visits(game, ending, 0, 2, 5) == 5
    assert small_search_visits(game, ending, 0, 2, 4) is None
    assert small_search_visits(game, ending, 0, 1, 5) is None
    assert small_search_visits(game, ending, -1, 2, 5) is None
    position = game.parse("x../.o./...")
    visits = small_search_visits(game, position, 0, 7, 10_000)
    assert visits is not None
    assert small_search_visits(game, position, 0, 7, visits) == visits
    assert small_search_visits(game, position, 0, 7, visits - 1) is None
    assert small_search_visits(game, position, 0, 4, 10_000) is None


def test_both_small_searches_agree() -> None:
    agreed = passed = 0
    for number in range(400):
        random = Random(f"search {number}")
        rho = random.choice((None, 0))
        graph = random_graph(random, random.randint(3, 10), rewards=random.choice((0, 1)), rho=rho)
        game = ExplicitGame(graph, 99)
        native = core.python_game(game)
        for node in range(len(graph)):
            if graph.terminal[node] is not None:
                continue
            side = random.choice((Side.LOWER, Side.UPPER))
            witness = random.choice(game.moves(node)) if side == Side.LOWER else None
            claim = Claim(
                side,
                random.randint(-2, 2),
                random.randint(0, 6),
                witness=witness,
                evidence=random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS)),
                payload=search_payload(random.randint(1, 25)),
            )
            record = {game.key(node): encode_record(Record.of([claim]))}
            by_python = not findings(game, record)
            table = core.RecordTable(native)
            table.load(record.items())
            by_native_code = not table.check().findings
            assert by_python == by_native_code
            agreed += 1
            passed += by_python
    assert agreed > 1000
    assert passed > 200
