"""The combinations of policies of tree searches, and what every one of them must meet on a random game graph."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from drawn_graphs import random_graph

from proofbase.engine import _core, open_rules
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.records import Evidence, decode_record

PARTS = [
    *product(("+unit", "+mobility", "+depth"), ("",)),
    *product(("+unit", "+depth"), ("+delayed",)),
    *product(("+unit", "+mobility"), ("+mst",)),
    ("+unit", "+mst+delayed"),
]
SELECTIONS = ("", "+from-root")
TREES = [
    "pn-tree" + initialisation + others + selection + memory
    for initialisation, others in PARTS
    for selection in SELECTIONS
    for memory in ("", "+delete-solved", *(() if "mst" in others else ("+delete-least",)))
]
PN2 = [f"pn2+{parts}" for parts in ("unit", "mobility", "depth", "unit+delayed", "unit+from-root", "unit+cache-2")]
KINDS = ("acyclic", "acyclic with rewards", "cyclic", "cyclic with rewards", "repetition wins", "repetition loses")


def solved(game: Any, position: Any, at_least: int, algorithm: str, known: RecordTable | None = None) -> Search:
    """A search that has found its answer."""
    search = Search(game, position, at_least, algorithm=algorithm, known=known)
    search.run()
    assert search.status in ("proved", "disproved")
    return search


def stopped_and_restored(game: Any, algorithm: str) -> Search:
    """A search for "at least 1?" that was stopped three times, restored from its checkpoints and run to its end.

    It has the totals of the stopped search at first, and those of a search that never stopped at the end.
    """
    whole = solved(game, game.initial(), 1, algorithm)
    stopped = Search(game, game.initial(), 1, algorithm=algorithm)
    chunks = b""
    for share in (0.2, 0.5, 0.8):
        stopped.run(nodes=int(whole.progress().nodes * share))
        chunks += stopped.checkpoint()
    restored = Search(game, game.initial(), 1, algorithm=algorithm)
    restored.restore([chunks])
    for name in ("nodes", "expansions", "proof", "disproof"):
        assert getattr(restored.progress(), name) == getattr(stopped.progress(), name)
    restored.run()
    assert restored.status == whole.status
    assert restored.progress().nodes == whole.progress().nodes
    return restored


def assert_solution(search: Search, key: bytes, at_least: int, status: str) -> None:
    """Both the whole solution and the one with small searches answer the question and pass; the latter is no larger."""
    whole, small = search.solution(small_search_nodes=0), search.solution()
    for table in (whole, small):
        assert_settled(table, key, at_least, status)
    assert len(small) <= len(whole)


def assert_settled(table: RecordTable, key: bytes, at_least: int, status: str) -> None:
    """The table holds a claim that answers the question, and all of its records pass the local check."""
    report = table.check()
    assert report.failed == 0, report.findings[:3]
    assert report.checked == len(table)
    record = table.get(key)
    assert record is not None
    claims = decode_record(record).claims
    if status == "proved":
        assert max(c.bound for c in claims if c.side == 0) >= at_least
    else:
        assert min(c.bound for c in claims if c.side == 1) < at_least


def random_game(random: Random, kind: str, most_nodes: int = 20) -> tuple[ExplicitGame, int]:
    """A game of this kind and the exact value of its initial position."""
    rewards = 3 if "rewards" in kind else 0
    rho = {"acyclic": None, "cyclic": 0, "repetition wins": 1, "repetition loses": -1}[
        kind.removesuffix(" with rewards")
    ]
    graph = random_graph(random, random.randint(4, most_nodes), rewards=rewards, rho=rho, highest_terminal=2)
    worth = values(graph)
    limits = [abs(value) + random.randint(0, 2) for value in worth] if random.random() < 0.5 else None
    if limits is not None:
        limits[0] = 100  # so that no question is answered by the limit alone
    return ExplicitGame(graph, 100, limits), worth[0]


def brute_force_on_random_graphs(algorithm: str, graphs: int, most_nodes: int) -> int:
    """Searches acyclic graphs with and without rewards. Returns how many of the questions were proved."""
    random = Random(algorithm)
    proved = 0
    for number in range(graphs):
        size, highest = random.randint(4, most_nodes), 1 + number % 3
        graph = random_graph(random, size, rewards=number % 4, rho=None, highest_terminal=highest)
        exact = values(graph)[0]
        at_least = exact + random.choice((-1, 0, 0, 1, 1, 2))
        search = assert_right_on(ExplicitGame(graph, highest_value=100), exact, at_least, algorithm)
        proved += search.status == "proved"
    return proved


def assert_right_on(game: ExplicitGame, exact: int, at_least: int, algorithm: str) -> Search:
    """The search gives the answer of brute force, and its solution is closed and passes the local check."""
    native: Any = _core.python_game(game)
    search = Search(native, 0, at_least, algorithm=algorithm)
    search.run()
    assert search.status == ("proved" if exact >= at_least else "disproved"), (algorithm, search.reason)
    if game.terminal(0) is None:
        assert_solution(search, native.key(0), at_least, search.status)
    return search


def assert_node_counts(algorithm: str, tic_tac_toe: int | None, connect_four: int | None) -> None:
    """Disproving a win of the first player, on connect-four:4x4, takes exactly so many nodes; None: not asked."""
    for name, nodes in (("tic-tac-toe", tic_tac_toe), ("connect-four:4x4", connect_four)):
        if nodes is None:
            continue
        game = open_game(name)
        search = Search(game, game.initial(), 1, algorithm=algorithm)
        assert search.run().status == "disproved"
        assert search.algorithm == algorithm
        assert search.progress().nodes == nodes
        assert_solution(search, game.key(game.initial()), 1, "disproved")


def settled_by_effort(game: Any, position: Any) -> tuple[int, int] | None:
    """The value and the rank that a game's own estimate gives a new position; None where it settles nothing.

    It is checked as the records that rest on it, natively and by the rules in Python.
    """
    claims = []
    for at_least in (1, 0):
        search = Search(game, position, at_least, algorithm="pn-dag+effort")
        if search.status == "unknown":
            continue
        table = search.solution()
        assert table.check().failed == 0
        record = table.get(game.key(position))
        assert record is not None and len(table) == 1
        check = LocalCheck(open_rules(game.name))
        assert not list(check.findings([(game.key(position), record)], lambda keys: [None] * len(keys)))
        claims.append(decode_record(record).claims[0])
    if not claims:
        return None
    assert len(claims) == 2, "an estimate that settles a position gives its value"
    assert claims[0].rank == claims[1].rank
    assert all(claim.evidence == Evidence.SEARCH or claim.rank == 1 for claim in claims)
    return 1 if claims[0].side == 0 else -1, claims[0].rank
