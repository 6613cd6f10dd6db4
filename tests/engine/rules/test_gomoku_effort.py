"""Go-moku: squares that complete a row, as the effort of new positions shows them."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.local_check import LocalCheck
from proofbase.engine.notation import read_position
from proofbase.engine.records import decode_record

EFFORT = "pn-dag+effort"


def wins_at_once(game: Any, position: bytes) -> bool:
    return any(game.terminal(game.play(position, move)) == -1 for move in game.moves(position))


def loses_to_every_move(game: Any, position: bytes) -> bool:
    children = [game.play(position, move) for move in game.moves(position)]
    return all(game.terminal(child) is None and wins_at_once(game, child) for child in children)


def settled(game: Any, position: bytes) -> tuple[int, int] | None:
    """The value and the depth that the estimate gives a new position, checked as the records that rest on it."""
    claims = []
    for at_least in (1, 0):
        search = Search(game, position, at_least, algorithm=EFFORT)
        if search.status == "unknown":
            continue
        table = search.solution()
        assert table.check().failed == 0
        record = table.get(game.key(position))
        assert record is not None and len(table) == 1
        rules = open_rules(game.name)
        assert not list(LocalCheck(rules).findings([(game.key(position), record)], lambda keys: [None] * len(keys)))
        claims.append(decode_record(record).claims[0])
    if not claims:
        return None
    assert len(claims) == 2, "an estimate that settles a position gives its value"
    return 1 if claims[0].side == 0 else -1, claims[0].rank


@pytest.mark.parametrize(
    "board", ["6x6-4", "6x6-4,standard", "8x7-4,standard", "7x5", "7x9,standard", "16x5-4", "17x5-3,standard", "5x5-3"]
)
def test_the_effort_settles_exactly_what_a_small_search_does(board: str) -> None:
    """By the rules alone: wins with the next move, and losses whatever it is."""
    game, random = open_game(f"gomoku:{board}"), Random(board)
    seen: Counter[tuple[int, int] | None] = Counter()
    for _ in range(40):
        position = game.initial()
        while (moves := game.moves(position)) and not (wins_at_once(game, position) and random.random() < 0.5):
            position = game.play(position, random.choice(moves[: random.choice((6, 20, 361))]))
            if game.terminal(position) is not None or random.random() < 0.6:
                continue
            found = settled(game, position)
            if wins_at_once(game, position):
                assert found == (1, 1), game.draw(position)
            elif loses_to_every_move(game, position):
                assert found == (-1, 2), game.draw(position)
            else:
                assert found is None, game.draw(position)
            seen[found] += 1
    assert seen[(1, 1)] > 5 and seen[None] > 5, seen


def test_large_boards_are_not_settled_by_searches_beyond_the_limit() -> None:
    """A loss on 15x15 takes more positions than a small search may enter: it is found in the tree."""
    game = open_game("gomoku")
    won, lost = "h8 a1 i8 a15 j8 o1 k8 o15", "h8 a1 i8 a15 j8 o1 k8"
    assert settled(game, read_position(game, won)) == (1, 1)
    position = read_position(game, lost)
    assert settled(game, position) is None
    outcome = Search(game, position, 0, algorithm=EFFORT)
    assert outcome.run(nodes=5_000).status == "disproved"
    assert outcome.solution().check().failed == 0
