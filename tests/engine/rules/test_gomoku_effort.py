"""Go-moku: squares that complete a row, as the effort of new positions shows them."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from search_combinations import settled_by_effort

from proofbase.engine._core import Search, open_game
from proofbase.engine.formats.notation import read_position

EFFORT = "pn-dag+effort"


def wins_at_once(game: Any, position: bytes) -> bool:
    return any(game.terminal(game.play(position, move)) == -1 for move in game.moves(position))


def loses_to_every_move(game: Any, position: bytes) -> bool:
    children = [game.play(position, move) for move in game.moves(position)]
    return all(game.terminal(child) is None and wins_at_once(game, child) for child in children)


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
            settled = settled_by_effort(game, position)
            if wins_at_once(game, position):
                assert settled == (1, 1), game.draw(position)
            elif loses_to_every_move(game, position):
                assert settled == (-1, 2), game.draw(position)
            else:
                assert settled is None, game.draw(position)
            seen[settled] += 1
    assert seen[(1, 1)] > 5 and seen[None] > 5, seen


def test_large_boards_are_not_settled_by_searches_beyond_the_limit() -> None:
    """A loss on 15x15 takes more positions than a small search may enter: it is found in the tree."""
    game = open_game("gomoku")
    won, lost = "h8 a1 i8 a15 j8 o1 k8 o15", "h8 a1 i8 a15 j8 o1 k8"
    assert settled_by_effort(game, read_position(game, won)) == (1, 1)
    position = read_position(game, lost)
    assert settled_by_effort(game, position) is None
    outcome = Search(game, position, 0, algorithm=EFFORT)
    assert outcome.run(nodes=5_000).status == "disproved"
    assert outcome.solution().check().failed == 0
