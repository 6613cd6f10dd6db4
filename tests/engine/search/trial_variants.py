"""Every named variant of every search on random graphs, against brute force.

    python tests/engine/search/trial_variants.py --graphs 10000 [--first 0] [--seed 1] [--algorithm NAME ...]
        [--processes N]

For every graph the values come from `papers/reference/graph.py` and the Python rules. Every variant that treats the
graph answers a question near the value of its root; half of the searches list moves in a random order, a quarter go on
from records of another question. The answer must be that of the values, and the solution, with the records that it
rests on, must pass the native local check (for one search in `PYTHON_SHARE` also the check by the Python rules) and
answer the question. Solutions are taken out without small searches, or with those of up to a few or 10,000 positions.
The same is asked of what `RecordTable.trimmed` makes of a solution and its records. Deviations, and what raises an
error, are listed with what repeats them, and the exit status is 1.

A search that gives up (`unknown` within its budget) is counted by itself: only families in `MAY_GIVE_UP` may.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from proofbase.engine import open_rules
from proofbase.engine._core import RecordTable, Search, algorithms, full_algorithm_name, open_game
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import decode_record

SHAPES = (
    "ends=20",
    "ends=10,degree=6,span=4",
    "ends=25,values=3,rewards=2",
    "ends=25,group=5",
    "ends=10,group=100,degree=3",
    "ends=25,values=2,rewards=2,group=4",
    "ends=20,values=3,rewards=1,group=8,repetition=1",
    "ends=35,degree=5,span=20,values=2,group=30,repetition=-2",
)
"""Acyclic ones and cyclic ones, without and with rewards, draws and values of repetition."""
NUMBERS: dict[str, Sequence[int]] = {
    "p": (1, 3),
    "d": (0, 2),
    "favour": (50,),
    "table": (1,),
    "table-kib": (1,),
    "threads": (),
}
"""Numbers for the policies `PREFIX-N`; where none are given, 1 and 2."""
MOST_COMBINATIONS = 100
"""Of a family."""
MAY_GIVE_UP = {"alpha-beta": 200_000, "pn-cyclic": 200_000}
"""Families that may find no answer, and within how many nodes: without a table, alpha-beta plays out every path;
pn-cyclic ends without one where a line that comes back hides it."""
BUDGET = 10_000_000
"""Nodes for all other searches. Of them only MST* in a tree may find no answer: it has needed more than these."""
EVERY_PATH = {"stack", "full-updates"}
"""Policies that together carry an update along every path to the root: exponential in dense graphs (one with 80
positions took more than 5 minutes over one update), so these variants get smaller ones."""
EVERY_PATH_NODES = 40
PYTHON_SHARE = 40
SMALL_SEARCHES = (0, 0, 2, 4, 8, 16, 10_000)
"""Positions of small searches. Most of these graphs have fewer than 80 positions, and few of them are trees."""
SHARE = 200
"""Graphs that a process takes at a time."""


@dataclass
class Tally:
    """What became of the searches of one variant."""

    searches: int = 0
    proved: int = 0
    given_up: int = 0
    records: int = 0
    nodes: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.searches += other.searches
        self.proved += other.proved
        self.given_up += other.given_up
        self.records += other.records
        self.nodes += other.nodes
        self.wrong += other.wrong


@dataclass(frozen=True)
class Case:
    """One graph with a question."""

    name: str
    value: int
    at_least: int
    other: int
    """The threshold of the question whose records are known."""
    order: int
    """Seed of the order of moves; 0 for that of the rules."""
    with_known: bool
    small_search_nodes: int


def combinations(game: Any, most: int = MOST_COMBINATIONS) -> list[str]:
    """Names of all variants that treat a game, by their policies; those that mean the same are there once.

    Where a family has more than `most` combinations, the single policies and others drawn at random.
    """
    named: dict[str, None] = {}
    for family, kinds in algorithms(game):
        choices = [["", *_spelled(names)] for kind, names in kinds if kind != "order of moves"]
        policies = list(product(*choices))
        if len(policies) > most:
            few = [combination for combination in policies if sum(map(bool, combination)) <= 1]
            policies = few + Random(family).sample(policies, max(0, most - len(few)))
        for combination in policies:
            name = "+".join([family, *filter(None, combination)])
            try:
                named[full_algorithm_name(game, name)] = None
            except UnknownAlgorithmError:  # policies that do not go together, or not with this game
                continue
    return list(named)


def _spelled(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if name.endswith("-N"):
            yield from (f"{name[:-1]}{number}" for number in NUMBERS.get(name[:-2], (1, 2)))
        else:
            yield name


def cases(numbers: Iterable[int], seed: int) -> Iterator[Case]:
    """The graphs with these numbers of a seed."""
    for number in numbers:
        random = Random(f"{seed}:{number}")
        shape = SHAPES[number % len(SHAPES)]
        name = f"random-graph:nodes={random.randint(4, 80)},{shape},seed={random.randrange(1 << 32)}"
        game = open_rules(name)
        value = values(explore(game))[0]
        highest = game.highest_value
        asked = [min(max(value + random.choice((-1, 0, 0, 1, 1, 2)), 1 - highest), highest) for _ in range(2)]
        order, with_known = random.choice((0, 3)), random.random() < 0.25
        yield Case(game.name, value, asked[0], asked[1], order, with_known, random.choice(SMALL_SEARCHES))


def solve(case: Case, algorithm: str, tally: Tally, by_python: bool) -> None:
    """One search; what is wrong with it goes to the tally."""
    game = open_game(case.name)
    name = algorithm + (f"+order-{case.order}" if case.order else "")
    budget = MAY_GIVE_UP.get(algorithm.partition("+")[0], BUDGET)
    known = RecordTable(game)
    tally.searches += 1
    try:
        if case.with_known:
            first = Search(game, game.initial(), case.other, algorithm=name)
            first.run(nodes=budget)
            _join(known, first.solution(case.small_search_nodes))
        search = Search(game, game.initial(), case.at_least, algorithm=name, known=known)
        search.run(nodes=budget)
        tally.nodes += search.progress().nodes
        fault = _fault(case, search, known, by_python)
    except RuntimeError as error:  # what the core says of itself
        fault = repr(error)
    if fault is None:
        tally.proved += search.status == "proved"
        tally.records += len(known)
    elif fault == "given up":
        tally.given_up += 1
    else:
        known_from = f", known: at least {case.other}" if case.with_known else ""
        question = f"{name} on {case.name}, value {case.value}, at least {case.at_least}{known_from}"
        tally.wrong.append(f"{question}, small searches of {case.small_search_nodes}: {fault}")


def _fault(case: Case, search: Search, known: RecordTable, by_python: bool) -> str | None:
    """What is wrong with a search and its solution, which is added to `known`."""
    game = open_game(case.name)
    solution = search.solution(case.small_search_nodes)
    if search.status == "unknown":
        return "given up" if len(solution) == 0 else "no answer, but records"
    if search.status != ("proved" if case.value >= case.at_least else "disproved"):
        return search.status
    _join(known, solution)
    root = game.key(game.initial())
    trimmed = known.trimmed(root, case.small_search_nodes)
    if len(trimmed) > len(known):
        return f"trimmed to {len(trimmed)} records, more than {len(known)}"
    return _fault_of_records(case, search, known, by_python) or _fault_of_records(case, search, trimmed, by_python)


def _fault_of_records(case: Case, search: Search, records: RecordTable, by_python: bool) -> str | None:
    game = open_game(case.name)
    report = records.check()
    if report.failed:
        return f"local check: {report.findings[0]}"
    if by_python:
        items = [item for chunk in records.chunks(1000) for item in chunk]
        finding = next(LocalCheck(open_rules(case.name)).findings(items, lambda keys: [None] * len(keys)), None)
        if finding is not None:
            return f"check by the Python rules: {finding}"
    record = records.get(game.key(game.initial()))
    claims = decode_record(record).claims if record is not None else ()
    if search.status == "proved":
        answered = any(claim.side == 0 and claim.bound >= case.at_least for claim in claims)
    else:
        answered = any(claim.side == 1 and claim.bound < case.at_least for claim in claims)
    return None if answered else f"the solution does not answer the question: {claims}"


def _join(table: RecordTable, other: RecordTable) -> None:
    for chunk in other.chunks(1000):
        table.load(chunk)


def run(numbers: range, seed: int, only: Sequence[str] = (), most: int = MOST_COMBINATIONS) -> dict[str, Tally]:
    """All variants (or `only` these) on the graphs with these numbers; acyclic games on acyclic graphs only."""
    shapes = [open_game(f"random-graph:{shape}") for shape in SHAPES]
    suitable = [[name for name in combinations(game, most) if not only or name in only] for game in shapes]
    tallies: dict[str, Tally] = {name: Tally() for names in suitable for name in names}
    for number, case in zip(numbers, cases(numbers, seed), strict=True):
        small = int(case.name.partition("nodes=")[2].partition(",")[0]) <= EVERY_PATH_NODES
        for place, algorithm in enumerate(suitable[number % len(SHAPES)]):
            if not small and set(algorithm.split("+")) >= EVERY_PATH:
                continue
            solve(case, algorithm, tallies[algorithm], (number + place) % PYTHON_SHARE == 0)
    return tallies


def faults(tallies: dict[str, Tally]) -> list[str]:
    """Everything that must not be."""
    found = [wrong for tally in tallies.values() for wrong in tally.wrong]
    for algorithm, tally in tallies.items():
        family, *policies = algorithm.split("+")
        if tally.given_up and family not in MAY_GIVE_UP and "mst" not in policies:
            found.append(f"{algorithm} gave up {tally.given_up} times")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--algorithm", nargs="*", default=[], help="these only, by their full names")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    end = options.first + options.graphs
    shares = [range(first, min(first + SHARE, end)) for first in range(options.first, end, SHARE)]
    tallies: dict[str, Tally] = {}
    with ProcessPoolExecutor(options.processes) as pool:
        parts = pool.map(run, shares, *([same] * len(shares) for same in (options.seed, options.algorithm)))
        for numbers, part in zip(shares, parts, strict=True):
            for name, tally in part.items():
                tallies.setdefault(name, Tally()).add(tally)
            print(f"{numbers.stop} graphs", *faults(part), sep="\n", file=sys.stderr, flush=True)
    print(f"{'variant':<50}{'searches':>9}{'proved':>8}{'gave up':>8}{'wrong':>6}{'nodes':>10}{'records':>10}")
    for algorithm, tally in tallies.items():
        print(
            f"{algorithm:<50}{tally.searches:>9}{tally.proved:>8}{tally.given_up:>8}{len(tally.wrong):>6}"
            f"{tally.nodes:>10}{tally.records:>10}"
        )
    found = faults(tallies)
    for fault in found[:50]:
        print(fault)
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    print(f"{len(tallies)} variants, {total.searches} searches, {total.nodes} nodes, {total.records} records checked")
    print(f"{len(found)} faults, {time.perf_counter() - start:.0f} seconds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
