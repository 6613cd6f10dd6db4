"""Conspiracy-number search, its alpha-beta form and SSS*: against brute force on random games, and by figures."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

from drawn_graphs import random_graph
from hypothesis import given
from hypothesis.strategies import integers
from small_graphs import graph_of

from proofbase.engine.papers.reference.conspiracy_search import AlphaBetaConspiracySearch, ConspiracySearch
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.papers.reference.sss_star import sss_star
from proofbase.engine.papers.reference.valued_tree import TreeNode, alpha_beta
from proofbase.engine.papers.reproduce import Options, reproduce

SEEDS = integers(0, 2**32)


def drawn(seed: int, rewards: int = 2) -> tuple[ExplicitGame, int]:
    """A random game, and the value of its root."""
    random = Random(seed)
    graph = random_graph(random, random.randint(3, 12), rewards=rewards, rho=None, highest_terminal=2)
    return ExplicitGame(graph, 40), values(graph)[0]


def minimax_of(node: TreeNode, changed: frozenset[TreeNode], to: int) -> int:
    """The value of a node with some leaves changed; others that are open count as 0."""
    if node.children:
        return (max if node.is_max else min)(minimax_of(child, changed, to) for child in node.children)
    return to if node in changed else node.value if node.value is not None else node.gained


def leaves_of(node: TreeNode) -> list[TreeNode]:
    return [leaf for child in node.children for leaf in leaves_of(child)] if node.children else [node]


@given(SEEDS)
def test_all_of_them_give_the_value(seed: int) -> None:
    game, value = drawn(seed)
    for threshold in (None, value, value + 1):
        highest, worth = (40, value) if threshold is None else (1, 1 if threshold == value else -1)
        root = TreeNode(game, 0, threshold)
        by_window, by_bound = list[TreeNode](), list[TreeNode]()
        assert alpha_beta(root, -highest, highest, by_window) == worth
        assert sss_star(root, -highest, highest, by_bound) == worth
        leaves_of_alpha_beta, leaves_of_sss = (
            {node for node in nodes if node.value is not None} for nodes in (by_window, by_bound)
        )
        if threshold is None:
            assert leaves_of_sss <= leaves_of_alpha_beta
        else:
            assert leaves_of_sss == leaves_of_alpha_beta
        assert ConspiracySearch(TreeNode(game, 0, threshold), highest).run() == worth
        ranged = AlphaBetaConspiracySearch(TreeNode(game, 0, threshold), highest)
        assert ranged.run() == worth
        if threshold is not None:
            numbers = PnSearch(game, 0, threshold)
            assert numbers.run() is (threshold == value)
            assert ranged.nodes == numbers.nodes


@given(SEEDS)
def test_conspiracy_numbers_are_the_fewest_leaves_that_have_to_change(seed: int) -> None:
    random, (game, _) = Random(seed), drawn(seed, rewards=0)
    search = ConspiracySearch(TreeNode(game, 0), 2)
    for _ in range(3):
        open_leaves = [leaf for leaf in leaves_of(search.root) if leaf.value is None]
        if not open_leaves or len(open_leaves) > 6:
            break
        search._expand(random.choice(open_leaves))
    open_leaves = [leaf for leaf in leaves_of(search.root) if leaf.value is None]
    subsets = [frozenset(some) for n in range(len(open_leaves) + 1) for some in combinations(open_leaves, n)]
    for v, raised, lowered in zip(search.values, search.root.raise_to, search.root.lower_to, strict=True):
        up = (len(some) for some in subsets if minimax_of(search.root, some, 2) >= v)
        down = (len(some) for some in subsets if minimax_of(search.root, some, -2) <= v)
        assert (raised, lowered) == (min(up, default=math.inf), min(down, default=math.inf))
    assert search.plausible()[1] == minimax_of(search.root, frozenset(), 0)


def test_conspirators_end_a_search_before_the_value_is_proved() -> None:
    game = ExplicitGame(graph_of([[(1, 0), (2, 0)], [(3, 0), (4, 0)], [(5, 0), (6, 0)], *[[]] * 4], {3: 1, 4: 1}))
    game.graph.terminal[5:] = [-1, -1]
    search = ConspiracySearch(TreeNode(game, 0), 1)
    assert search.run(0) == 0 and search.nodes == 1
    assert search.run(1) == search.run() == 1


def test_in_figure_3_the_alpha_beta_form_turns_to_i() -> None:
    """Allis et al., 2.2: below d the upper bound of b may fall to 0, below e to 1 (pn-search turns to l there)."""
    a, b, c, d, e, f, g, h, i, j, k, ell = range(12)
    edges = [[b, c], [d, e], [f, g], [h, i, j], [k, ell], *[[]] * 7]

    class Figure(ExplicitGame):
        def terminal(self, position: int) -> int | None:
            return {f: 2, h: 0, k: -1}.get(position)  # for the side to move

    game = Figure(graph_of([[(child, 0) for child in out] for out in edges], {}), 3)
    search = AlphaBetaConspiracySearch(TreeNode(game, a), 3)
    waiting = [search.root]
    while waiting:
        node = waiting.pop()
        if edges[node.position]:
            search._expand(node)
            waiting += node.children
    assert search._conspirator(*search.plausible()).position == i


def test_one_table_of_small_boards() -> None:
    report = reproduce("allis-2.5", Options(positions=1))
    assert report.agrees
    found = {row.label.partition("? ")[2]: row.measured for row in report.rows}
    assert found["alpha-beta"] == found["SSS*"]
    assert (found["MST*"], found["smallest solution tree"]) == (2_620, 142)
