"""Nodes a second and bytes a node of every kind of search, on connect-four and on random graphs, as one table.

    python tests/bench/bench_variants.py [--nodes N] [--seconds S] [--algorithm NAME ...]

Rows are the families, initialised by `unit` where they have a choice, with one more policy each; columns are
connect-four 7x6 from the empty board and two random graphs, one acyclic and one with cycles. Each search goes to N
nodes or S seconds; rates are also given as ratios to `pn-dag+unit` on the same game. On games with cycles, where that
one does not play, the first search that does is 1.0.

Before it is timed, every variant answers questions with known answers: both about connect-four 4x3, which is a draw,
and some about small random graphs, against brute force. Node counts of searches that settle their question are shown
with a star. Alpha-beta counts nodes as its paper does: those at the depth of the search only.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proofbase.engine import open_rules
from proofbase.engine._core import Search, algorithms, full_algorithm_name, open_game
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.papers.reference.graph import explore, values

GAMES = (
    "connect-four",
    "random-graph:nodes=1099511627776,degree=8,span=3000000,ends=2",
    "random-graph:nodes=1099511627776,degree=8,span=3000000,ends=2,rewards=3,values=5,group=6",
)
SMALL = (
    "random-graph:nodes=80,ends=20,values=2,rewards=1,seed=5",
    "random-graph:nodes=60,ends=25,values=2,rewards=1,group=6,seed=8",
)
BASE = "pn-dag+unit"
NUMBERS: dict[str, int] = {"table": 256}
"""N of the policies `PREFIX-N`; 1 where it is not given. Tables are in MiB."""


@dataclass(frozen=True)
class Rate:
    """One search."""

    nodes: int
    seconds: float
    bytes_a_node: float
    settled: bool

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / max(self.seconds, 1e-9)


def variants(only: Sequence[str]) -> Iterator[str]:
    """Each family by itself and with every single policy, on whatever game it treats; resolved names, each once."""
    seen: dict[str, None] = {}
    for game in map(open_game, (*GAMES, *SMALL)):
        for family, kinds in algorithms(game):
            plain = "+unit" if any("unit" in names for _, names in kinds) else ""
            names = [family + plain]
            for kind, policies in kinds:
                if kind != "order of moves":
                    names += [family + ("" if kind == "initialisation" else plain) + "+" + name for name in policies]
            for form in names:
                prefix = form.rpartition("+")[2].removesuffix("-N")
                name = f"{form[:-1]}{NUMBERS.get(prefix, 1)}" if form.endswith("-N") else form
                try:
                    seen[full_algorithm_name(game, name)] = None
                except UnknownAlgorithmError:
                    continue
    yield from (only or seen)


def treats(algorithm: str, name: str) -> bool:
    """Whether the algorithm takes the game."""
    try:
        full_algorithm_name(open_game(name), algorithm)
    except UnknownAlgorithmError:
        return False
    return True


def assert_answers(algorithm: str) -> None:
    """The known answers; a search may give up where its family does not promise one."""
    questions = [("connect-four:4x3", 0, True), ("connect-four:4x3", 1, False)]
    for name in SMALL:
        value = values(explore(open_rules(name)))[0]
        questions += [(name, value, True), (name, value + 1, False)]
    for name, at_least, answer in questions:
        if treats(algorithm, name):
            game = open_game(name)
            search = Search(game, game.initial(), at_least, algorithm=algorithm)
            search.run(seconds=60)
            assert search.status == ("proved" if answer else "disproved"), (algorithm, name, at_least, search.status)


def rate(algorithm: str, name: str, nodes: int, seconds: float) -> Rate | None:
    """The search for "at least 1?" from the initial position, if the algorithm takes the game."""
    if not treats(algorithm, name):
        return None
    game = open_game(name)
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.run(nodes=nodes, seconds=seconds)
    progress = search.progress()
    settled = search.status != "unknown"
    return Rate(progress.nodes, progress.seconds, progress.memory / max(progress.nodes, 1), settled)


def cell(found: Rate | None, base: Rate | None) -> str:
    """Million nodes a second, the ratio, bytes a node."""
    if found is None:
        return "| | | "
    ratio = f"{found.nodes_per_second / base.nodes_per_second:.2f}" if base else ""
    star = f" ({found.nodes:,}*)" if found.settled else ""
    return f"| {found.nodes_per_second / 1e6:.2f}{star} | {ratio} | {found.bytes_a_node:.0f} "


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3_000_000, help="of a search (default 3,000,000)")
    parser.add_argument("--seconds", type=float, default=20, help="of a search (default 20)")
    parser.add_argument("--algorithm", nargs="*", default=[], help="these only")
    options = parser.parse_args()
    for name in GAMES:
        print(f"`{name}`")
    print("| variant" + " | million nodes/s | ratio | bytes a node" * len(GAMES) + " |")
    print("|---" + "|---:|---:|---:" * len(GAMES) + "|")
    for _ in range(2):  # the first touch of memory is not the time of a search
        bases = [rate(BASE, name, options.nodes, options.seconds) for name in GAMES]
    for algorithm in variants(options.algorithm):
        assert_answers(algorithm)
        rates = [rate(algorithm, name, options.nodes, options.seconds) for name in GAMES]
        bases = [base or found for base, found in zip(bases, rates, strict=True)]
        row = "".join(cell(found, base) for found, base in zip(rates, bases, strict=True))
        print(f"| `{algorithm}` {row}|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
