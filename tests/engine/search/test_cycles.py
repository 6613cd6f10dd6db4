"""Native searches of graphs with cycles: pn-cyclic (Schijf 1993, 5.4) and pn-base-twin (Breuker et al. 2001)."""

from __future__ import annotations

import math
import threading
import time
from random import Random
from typing import Any

import pytest
from awari_positions.endgames import endgames
from drawn_graphs import random_graph
from search_combinations import assert_solution

from proofbase.engine import _core, open_rules
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.and_or_graph import AndOrGraph, graph_of_figure, question_graph
from proofbase.engine.papers.reference.base_twin import BaseTwinSearch, TwinNode
from proofbase.engine.papers.reference.base_twin_sets import BaseTwinSetSearch
from proofbase.engine.papers.reference.cyclic_search import LOST, CyclicSearch
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph, values
from proofbase.engine.papers.reference.truncated_sets import TruncatedSets
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS

TWIN = ("pn-base-twin+unit", "pn-base-twin+mobility")
SETS = ("pss+unit+p-all+d-all", "pss+mobility+p-4+d-2", "pss+unit+p-2+d-0+favour-50+newest")
"""Proof-set search, in games with cycles in the graph of pn-base-twin."""
CYCLIC = ("pn-cyclic+unit", "pn-cyclic+mobility+stack")
CONVERSIONS = ("pn-cyclic+unit+conversions", "pn-cyclic+mobility+stack+conversions")
"""Never wrong, and never without an answer."""

# Schijf's Fig. 5.7 where d is lost and g would be won. The order of moves, and z (which is won), make the search expand
# e first, then d, and h by way of f.
FIGURE_5_7 = graph_of_figure(
    "a | b c", "b & e d", "c & f z", "d | x", "e | h g", "f | h", "g & y", "h & e", "z | w", won="yw", lost="x"
)
# Breuker et al., Fig. 4: F is a repetition by way of C, and none by way of D.
FIGURE_4 = graph_of_figure("A | B", "B & C D", "C | E F", "D | F G", "F & C", won="EG")
# Breuker et al., Figs. 6 to 10: all that can be played from C leads back to C.
FIGURE_10 = graph_of_figure("A | B", "B & C", "C | D E", "D & C", "E & F", "F | D E")


def game_of(drawn: AndOrGraph) -> ExplicitGame:
    """A drawn graph in which the sides take turns, as a game: the first player wants 1, repetition is worth 0."""
    edges = [[Edge(move, child) for move, child in enumerate(out)] for out in drawn.children]
    ends = [
        None if won is None else 1 if won == is_max else -1 for won, is_max in zip(drawn.won, drawn.is_max, strict=True)
    ]
    keys = [node.to_bytes(4, "big") for node in range(len(drawn))]
    assert all(drawn.is_max[edge.child] != drawn.is_max[node] for node, out in enumerate(edges) for edge in out)
    return ExplicitGame(Graph(edges, ends, [0] * len(drawn), keys))


def run(game: Any, position: Any, at_least: int, algorithm: str, known: RecordTable | None = None) -> Search:
    search = Search(game, position, at_least, algorithm=algorithm, known=known)
    search.run()
    return search


@pytest.mark.parametrize("order", ["", "+stack"])
def test_schijf_figure_5_7_pn_cyclic_misses_the_win_and_says_that_it_does_not_know(order: str) -> None:
    rules = game_of(FIGURE_5_7)
    assert values(rules.graph)[0] == 1
    reference = CyclicSearch(FIGURE_5_7)
    assert not reference.run() and reference.root.numbers == LOST
    search = run(_core.python_game(rules), 0, 1, f"pn-cyclic+unit{order}")
    assert search.progress().expansions == len(reference.expansions)
    assert (search.progress().proof, search.progress().disproof) == (2**32 - 1, 0)  # what it would have said
    assert (search.status, search.reason) == ("unknown", "repetition")
    assert len(search.solution()) == 0
    assert search.run().reason == "repetition"


@pytest.mark.parametrize("algorithm", [*TWIN, *SETS, *CONVERSIONS, "pn-fixpoint+unit"])
def test_schijf_figure_5_7_others_find_the_win(algorithm: str) -> None:
    game = _core.python_game(game_of(FIGURE_5_7))
    search = run(game, 0, 1, algorithm)
    assert search.status == "proved"
    assert_solution(search, game.key(0), 1, search.status)


@pytest.mark.parametrize(("drawn", "won"), [(FIGURE_4, True), (FIGURE_10, False)], ids=["figure 4", "figure 10"])
def test_breuker_figures(drawn: AndOrGraph, won: bool) -> None:
    """Fig. 10 is a draw by repetition: its claims rest on a cycle, and have rank 0."""
    game = _core.python_game(game_of(drawn))
    reference = BaseTwinSearch(drawn)
    assert reference.run() == won
    search = run(game, 0, 1, "pn-base-twin+unit")
    assert search.status == ("proved" if won else "disproved")
    assert search.progress().nodes == reference.nodes
    assert search.progress().expansions == len(reference.expansions)
    assert_solution(search, game.key(0), 1, search.status)
    for algorithm in ("pn-cyclic+unit", "pn-fixpoint+unit"):
        assert run(game, 0, 1, algorithm).status == search.status


def test_both_kinds_are_their_references_node_by_node() -> None:
    given_up = 0
    for seed in range(250):
        random = Random(seed)
        rules = ExplicitGame(random_graph(random, random.randint(5, 40)))
        graph, game = question_graph(rules, 0, 1), _core.python_game(rules)
        twin = BaseTwinSearch(graph)
        won = twin.run()
        search = run(game, 0, 1, "pn-base-twin+unit")
        assert (search.status == "proved") == won
        assert (search.progress().nodes, search.progress().expansions) == (twin.nodes, len(twin.expansions))
        reference = CyclicSearch(graph)
        answer = reference.run()
        nodes = sum(1 + len(node.end_nodes) for node in reference.nodes.values())
        search = run(game, 0, 1, "pn-cyclic+unit+stack")
        assert (search.progress().nodes, search.progress().expansions) == (nodes, len(reference.expansions))
        assert (search.progress().proof == 0) == answer
        given_up += search.status == "unknown"
        assert answer == won or search.status == "unknown"
    assert given_up < 25


@pytest.mark.parametrize("size", ["0", "1", "3", "all"])
def test_proof_sets_over_twins_are_their_reference_node_by_node(size: str) -> None:
    """Müller 2001, 6.1. Ties go to the leaf that was created first."""
    expansions = expansions_by_numbers = 0
    for seed in range(120):
        random = Random(seed)
        rules = ExplicitGame(random_graph(random, random.randint(5, 60)))
        graph, game = question_graph(rules, 0, 1), _core.python_game(rules)
        proofs, disproofs = (TruncatedSets(math.inf if size == "all" else int(size)) for _ in range(2))
        place: dict[int, int] = {}
        proofs.order = disproofs.order = place.__getitem__
        reference = InOrderOfCreation(graph, proofs, disproofs, place)
        won = reference.run()
        search = run(game, 0, 1, f"pss+unit+p-{size}+d-{size}+oldest")
        assert (search.status == "proved") == won
        assert (search.progress().nodes, search.progress().expansions) == (reference.nodes, len(reference.expansions))
        expansions += len(reference.expansions)
        expansions_by_numbers += run(game, 0, 1, "pn-base-twin+unit").progress().expansions
    assert (expansions == expansions_by_numbers) if size == "0" else (expansions < expansions_by_numbers)


class InOrderOfCreation(BaseTwinSetSearch):
    """Notes in `place` in which order positions came."""

    def __init__(self, graph: AndOrGraph, proofs: TruncatedSets, disproofs: TruncatedSets, place: dict[int, int]):
        self.place = place
        super().__init__(graph, proofs, disproofs)

    def _create(self, position: int, parent: TwinNode | None) -> TwinNode:
        self.place.setdefault(position, len(self.place))
        return super()._create(position, parent)


@pytest.mark.parametrize(
    ("name", "text", "at_least", "missed"),
    [
        ("chess", "k7/8/1K6/8/8/8/7P/8 w - - 0 1", 0, True),
        ("chess", "8/8/8/8/8/5K1k/8/6R1 w - - 0 1", 1, False),
        ("checkers", "B:W32:B1,K10", 1, False),
        ("mens-morris:3", "", 1, False),
    ],
)
def test_where_conversions_alone_are_merged_every_answer_holds(
    name: str, text: str, at_least: int, missed: bool
) -> None:
    """Schijf 1993, 5.4; Allis 1994, 2.3.4. `missed`: pn-cyclic gives no answer there."""
    game = open_game(name)
    position = game.parse(text) if text else game.initial()
    assert (run(game, position, at_least, "pn-cyclic").reason == "repetition") == missed
    search = run(game, position, at_least, "pn-cyclic+conversions")
    assert search.status == run(game, position, at_least, "pn-base-twin").status
    assert_solution(search, game.key(position), at_least, search.status)


def test_mates_of_chess_by_proof_sets() -> None:
    """The graph has many transpositions and repetitions: sets find the mate with fewer nodes, and the proof holds."""
    game = open_game("chess")
    position = game.parse(next(problem.fen for problem in PROBLEMS if problem.number == 6))
    by_numbers, by_sets = (run(game, position, 1, name) for name in ("pn-base-twin+mobility", "pss+mobility+p-4+d-4"))
    assert by_numbers.status == by_sets.status == "proved"
    assert_solution(by_sets, game.key(position), 1, "proved")


@pytest.mark.parametrize("algorithm", TWIN + CYCLIC + SETS + CONVERSIONS)
def test_values_of_random_graphs_with_cycles_rewards_and_repetition(algorithm: str) -> None:
    given_up = proved = 0
    for seed in range(200):
        random = Random(f"{algorithm} {seed}")
        graph = random_graph(
            random,
            random.randint(4, 40),
            rewards=seed % 4,
            rho=(0, 0, None, 1, -1)[seed % 5],
            highest_terminal=1 + seed % 3,
        )
        game = _core.python_game(ExplicitGame(graph, highest_value=100))
        exact = values(graph)[0]
        at_least = exact + random.choice((-1, 0, 0, 1, 1, 2))
        known = None
        if seed % 3 == 0:  # on top of what is known from another question
            known = run(game, 0, exact, "pn-base-twin").solution()
        search = run(game, 0, at_least, algorithm, known)
        if algorithm in CYCLIC and search.status == "unknown":
            assert search.reason == "repetition" and len(search.solution()) == 0
            given_up += 1
            continue
        assert search.status == ("proved" if exact >= at_least else "disproved"), seed
        proved += search.status == "proved"
        solution = search.solution()
        if known is not None:
            solution.load(pair for chunk in known.chunks(1000) for pair in chunk)
        assert solution.check().failed == 0
    assert 50 < proved < 150 and given_up < 20


@pytest.mark.parametrize("algorithm", ["pn-base-twin", "pn-cyclic", "pn-cyclic+conversions"])
def test_awari_endgames(algorithm: str) -> None:
    """Rewards, cycles and many values: every answer holds natively and by the Python rules."""
    game, rules = open_game("awari"), open_rules("awari")
    graph, _ = endgames(4)
    worth = values(graph)
    random = Random("awari")
    answers = []
    for node in random.sample([n for n in range(len(graph)) if graph.terminal[n] is None], 25):
        for at_least in (worth[node], worth[node] + 1):
            search = run(game, graph.keys[node], at_least, algorithm)
            answers.append(search.status)
            if search.status == "unknown":
                assert algorithm == "pn-cyclic" and search.reason == "repetition", algorithm
                continue
            assert search.status == ("proved" if worth[node] >= at_least else "disproved")
            if abs(at_least - 0.5) > game.limit(graph.keys[node]):  # the limits of a value need no claim
                assert len(search.solution()) == 0
                continue
            assert_solution(search, graph.keys[node], at_least, search.status)
            records = dict(pair for chunk in search.solution().chunks(1000) for pair in chunk)
            found = LocalCheck(rules).findings(
                list(records.items()), lambda keys, stored=records: [stored.get(k) for k in keys]
            )  # type: ignore[misc]
            assert not list(found)
    assert answers.count("unknown") < len(answers) / 2
    assert algorithm == "pn-cyclic" or "unknown" not in answers


def test_base_twin_does_not_walk_along_every_path() -> None:
    """As printed, the choice of a leaf goes on for ever in a dense set of positions that all repeat each other."""
    game = open_game("awari")
    key = bytes.fromhex("000000000000205a")
    graph, _ = endgames(5)
    worth = values(graph)[list(graph.keys).index(key)]
    for at_least in range(-4, 6):
        search = run(game, key, at_least, "pn-base-twin+mobility")
        assert search.status == ("proved" if worth >= at_least else "disproved")
        assert_solution(search, key, at_least, search.status)


@pytest.mark.parametrize("algorithm", [*TWIN, "pss+unit+p-3+d-3"])
def test_a_look_at_the_whole_graph_is_broken_off_and_goes_on(algorithm: str) -> None:
    """The search of a dense set of positions looks at its whole graph: in pieces by the clock it is what it is."""
    game = open_game("awari")
    position = game.parse("1,1,0,0,0,1/0,2,1,0,0,2/S")
    uninterrupted = run(game, position, 8, algorithm)
    search = Search(game, position, 8, algorithm=algorithm)
    pieces = 0
    while search.run(seconds=1e-4).status == "unknown":
        assert search.reason == "seconds"
        pieces += 1
    assert pieces > 10
    assert search.status == uninterrupted.status
    assert search.progress().nodes == uninterrupted.progress().nodes
    assert search.progress().expansions == uninterrupted.progress().expansions
    assert_solution(search, game.key(position), 8, search.status)


@pytest.mark.parametrize("algorithm", ["pn-base-twin", "pn-cyclic", "pn-cyclic+conversions", "pss+unit+p-0+d-0"])
def test_searches_go_on_from_checkpoints_and_are_cancelled(algorithm: str) -> None:
    game = open_game("awari")
    position = game.parse("1,1,2,0,1,2/2,0,1,1,2,1/S")
    first = Search(game, position, 1, algorithm=algorithm)
    assert first.run(nodes=2000).reason == "nodes"
    chunks = [first.checkpoint()]
    first.run(nodes=4000)
    chunks.append(first.checkpoint())
    second = Search(game, position, 1, algorithm=algorithm)
    second.restore(chunks)
    assert second.progress().nodes == first.progress().nodes
    assert second.progress().expansions == first.progress().expansions
    timer = threading.Timer(0.3, second.cancel)
    timer.start()
    started = time.perf_counter()
    outcome = second.run(seconds=20)
    assert outcome.status != "unknown" or outcome.reason == "cancelled"
    assert time.perf_counter() - started < 10
    timer.join()


def test_acyclic_games_are_solved_as_well() -> None:
    game = open_game("tic-tac-toe")
    for algorithm in (
        "pn-cyclic+unit",
        "pn-base-twin+unit",
        "pn-cyclic+unit+no-symmetry",
        "pn-base-twin+unit+no-symmetry",
    ):
        for at_least in (0, 1):
            search = run(game, game.initial(), at_least, algorithm)
            assert search.status == ("disproved" if at_least else "proved")
            assert_solution(search, game.key(game.initial()), at_least, search.status)


def test_an_acyclic_graph_is_searched_as_by_pn_dag() -> None:
    game = open_game("tic-tac-toe")
    cyclic, dag = (run(game, game.initial(), 1, name).progress() for name in ("pn-cyclic+unit", "pn-dag+unit+queue"))
    assert (cyclic.nodes, cyclic.updates) == (dag.nodes, dag.updates)


def test_updates_of_cyclic_graphs_have_to_stop() -> None:
    with pytest.raises(UnknownAlgorithmError, match="no policy of pn-cyclic"):
        Search(open_game("awari"), open_game("awari").initial(), 1, algorithm="pn-cyclic+full-updates")
