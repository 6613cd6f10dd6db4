"""Victoria's search: what it proves is won, the points of its moves, and its table beside `threats`."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, cast

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.papers.reference.victoria import Victoria, native_wins, points
from proofbase.engine.papers.reproduce import Options, reproduce
from proofbase.engine.rules.gomoku import Gomoku


def rules_of(name: str) -> Gomoku:
    return cast("Gomoku", open_rules(name))


def after(game: Any, moves: str) -> Any:
    position = game.initial()
    for text in moves.split():
        position = game.play(position, game.parse_move(position, text))
    return position


def victoria(name: str, moves: str) -> Victoria:
    rules = rules_of(name)
    return Victoria(rules, after(rules, moves), native_wins(open_game(name), rules, 10_000))


@pytest.mark.parametrize(
    ("moves", "move", "expected"),
    [
        ("", "h8", 0),
        ("h8 a1", "i8", 2),  # an open two
        ("h8 a1", "j8", 1),  # a broken two
        ("h8 a1", "k8", 0),
        ("h8 a1 i8 a15", "j8", 4),  # a three with two replies
        ("h8 e8 i8 a15", "j8", 4),
        ("h8 f8 i8 a15", "j8", 3),  # one with three replies
        ("h8 g8 i8 a15", "j8", 0),
        ("h8 a1 i8 a15", "k8", 2),  # a broken three
        ("h8 a1 i9 a15", "h9", 4),  # open twos on two lines
        ("c1 a15 d1 o15", "b1", 3),
        ("c1 a15 b1 o15", "a1", 0),  # the edge
    ],
)
def test_points_are_those_of_the_thesis(moves: str, move: str, expected: int) -> None:
    rules = rules_of("gomoku")
    position = after(rules, moves)
    assert points(rules, position, rules.parse_move(position, move)) == expected


def test_a_frontier_node_costs_one_more_for_each_move_of_a_side() -> None:
    search = victoria("gomoku", "h8 a1")
    search.run(500)
    frontier, waiting, seen = list[Any](), [search.root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            waiting += node.children or []
            frontier += [node] if node.children is None else []
    assert len(seen) <= search.nodes and len({node.depth for node in frontier}) > 1
    assert all((node.proof, node.disproof) == (1 + node.depth // 2,) * 2 for node in frontier)


@pytest.mark.parametrize("name", ["gomoku", "gomoku:standard"])
@pytest.mark.parametrize("moves", ["h8 a1 i9 o1", "h8 a1 j9 h15", "h8 h9 i9 a15 k9 o1"])
def test_what_victoria_proves_is_won(name: str, moves: str) -> None:
    search, game = victoria(name, moves), open_game(name)
    assert search.run(3_000) and search.nodes > 1
    assert (
        Search(cast("Any", game), after(game, moves), 1, algorithm="threats").run(nodes=50_000_000).status == "proved"
    )


def test_nothing_that_is_not_won_is_proved() -> None:
    """Positions of a small board near their end, against a search of all moves."""
    game: Any = open_game("gomoku:6x6-4")
    random, values, rules = Random(4), Counter[bool](), rules_of("gomoku:6x6-4")
    for _ in range(20):
        position = game.initial()
        while len(game.moves(position)) > 20:
            position = game.play(position, random.choice(game.moves(position)))
        if game.terminal(position) is None:
            search = Victoria(rules, rules.parse(game.text(position)), native_wins(game, rules, 10_000))
            won = Search(game, position, 1, algorithm="pn-dag").run(nodes=300_000).status == "proved"
            proved = search.run(150) is True
            assert won or not proved
            values[proved] += 1
    assert len(values) == 2


def test_the_table_compares_it_with_threats() -> None:
    report = reproduce("allis-5.4", Options(positions=2, nodes=400, seconds=1.0))
    figures = {row.label: row.measured for row in report.rows}
    assert report.agrees and figures["nodes of Victoria in all"] >= 2
    assert sum("Victoria, nodes" in label for label in figures) == 2
    assert 0 <= figures["replies proved by Victoria"] <= 2
