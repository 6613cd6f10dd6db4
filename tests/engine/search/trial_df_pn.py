"""A trial of df-pn on random game graphs: acyclic, cyclic and with rewards, with tables from plenty to nearly none.

    python tests/engine/search/trial_df_pn.py [--graphs 10000] [--seed 1]

Every answer is compared with brute force, and every solution must pass the local check by itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[2]))

from drawn_graphs import random_graph

from proofbase.engine import _core
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Graph, values
from proofbase.engine.records import decode_record

TABLES = ("", "+table-kib-1", "+table-kib-4")
POLICIES = ("+unit", "+mobility", "+unit+weak", "+mobility+weak")


def draw(random: Random) -> Graph:
    rho = random.choice((None, 0, 0, 1))
    return random_graph(
        random,
        random.choice((random.randint(4, 14), random.randint(10, 40), random.randint(30, 90))),
        rewards=random.choice((0, 0, 1, 2)),
        rho=rho,
        highest_terminal=random.choice((1, 1, 3)),
    )


def assert_settled(table: RecordTable, key: bytes, at_least: int, status: str) -> None:
    """The table holds a claim that answers the question, and all of its records pass the local check."""
    report = table.check()
    assert report.failed == 0, report.findings[:3]
    record = table.get(key)
    assert record is not None
    claims = decode_record(record).claims
    if status == "proved":
        assert max(claim.bound for claim in claims if claim.side == 0) >= at_least
    else:
        assert min(claim.bound for claim in claims if claim.side == 1) < at_least


def trial(random: Random) -> Counter[str]:
    """One graph, one question, one algorithm; what it was."""
    graph = draw(random)
    worth = values(graph)
    highest = max(1, *map(abs, worth))
    game = _core.python_game(ExplicitGame(graph, highest))
    at_least = min(highest, max(1 - highest, worth[0] + random.choice((-1, 0, 0, 1, 1, 2))))
    algorithm = "df-pn" + random.choice(POLICIES) + random.choice(TABLES)
    if random.randrange(2):
        algorithm += f"+order-{random.randint(1, 99)}"
    search = Search(game, 0, at_least, algorithm=algorithm)
    search.run(nodes=3_000_000)
    expected = "proved" if worth[0] >= at_least else "disproved"
    assert search.status == expected, (algorithm, at_least, search.status, worth[0], graph)
    if graph.terminal[0] is None:
        for table in (search.solution(small_search_nodes=0), search.solution(random.choice((2, 8, 10_000)))):
            assert_settled(table, game.key(0), at_least, expected)
    safe = graph.rho[0] is not None and (at_least <= graph.rho[0]) == (expected == "proved")
    return Counter(
        graphs=1,
        cyclic=graph.rho[0] is not None,
        rewards=any(edge.reward for out in graph.edges for edge in out),
        proved=expected == "proved",
        by_repetition=safe,
        expansions=search.progress().expansions,
    )


def run(graphs: int, seed: int) -> Counter[str]:
    """Trials of graphs number 0, 1, ... of a seed; every graph can be repeated by itself."""
    counts: Counter[str] = Counter()
    for number in range(graphs):
        counts += trial(Random(f"df-pn:{seed}:{number}"))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    for name, count in run(options.graphs, options.seed).items():
        print(f"{name:36}{count:>12,}")
    print(f"{'seconds':36}{time.perf_counter() - start:>12.1f}")


if __name__ == "__main__":
    main()
