"""The fact model on random game graphs, against brute force.

    python tests/engine/checks/trial_fact_model.py --graphs 6000 [--seed 1]

For every graph: exact records exist and pass; of many mutated record sets those that pass every local check hold no
false bound; the valid part of random claims holds none either; and merges of valid sets are valid. The check in Python
and the native one agree on every set. Any deviation raises AssertionError.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[2]))

from drawn_graphs import random_graph
from reference_records import exact_claims, passing_claims
from values_by_definition import value_by_strategies

from proofbase.engine._core import RecordTable, python_game
from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.errors import ContradictionError
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Graph, values
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, merge_claims, search_payload

ClaimSet = dict[int, tuple[Claim, ...]]


@dataclass
class Counts:
    graphs: int = 0
    cyclic: int = 0
    with_rewards: int = 0
    by_strategies: int = 0
    mutated: int = 0
    mutated_passing: int = 0
    mutated_false: int = 0
    random_claims: int = 0
    random_claims_false: int = 0
    random_claims_passing: int = 0
    merges: int = 0
    merged_records_with_several_claims: int = 0


def draw_graph(random: Random) -> tuple[ExplicitGame, list[int], list[Graph]]:
    """A random graph as a game, its values, and the same graph under other repetition values.

    The range of values is as narrow as it truly is; positions of every second graph have limits of their own.
    """
    kind = random.randrange(4)
    rewards = random.choice((0, 0, 1, 2))
    terminal = random.choice((1, 1, 3))
    drawn = random_graph(
        random,
        random.randint(4, 14),
        rewards=rewards,
        rho=(None, 0, 1, 1)[kind],
        highest_terminal=terminal,
    )
    graphs = [drawn]
    if kind >= 2:  # sides alternate in every cycle: repetition may be worth anything
        factors = random.sample((-2, -1, 0, 0, 1, 2), 3)
        graphs = [replace(drawn, rho=[factor * (rho or 0) for rho in drawn.rho]) for factor in factors]
    worth = values(graphs[0])
    highest = max(1, *map(abs, worth))
    limits = [random.randint(abs(value), highest) for value in worth] if random.random() < 0.5 else None
    return ExplicitGame(graphs[0], highest, limits), worth, graphs[1:]


def passes(game: ExplicitGame, claims: ClaimSet) -> bool:
    """The verdict of the checks in Python and in native code on a record set, held against each other."""
    records = {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
    findings = list(LocalCheck(game).findings(list(records.items()), lambda keys: [None] * len(keys)))
    # Where bounds of a record exclude each other, some claim fails too.
    assert all(finding.rule != "contradiction" for finding in findings) or len({f.rule for f in findings}) > 1
    table, faults = RecordTable(python_game(game)), list[Finding]()
    table.load(records.items(), faults)
    if not faults:  # a table does not take records whose bounds exclude each other
        assert {(f.key, f.rule) for f in table.check().findings} == {(f.key, f.rule) for f in findings}
    return not findings


def is_true(claim: Claim, value: int) -> bool:
    return claim.bound <= value if claim.side == Side.LOWER else claim.bound >= value


def falsehoods(claims: ClaimSet, worth: list[int]) -> int:
    return sum(not is_true(claim, worth[node]) for node, of_node in claims.items() for claim in of_node)


def mutated(random: Random, claims: ClaimSet) -> ClaimSet:
    """The set with one to four changes of bounds, ranks, witnesses and evidence, or with a claim missing."""
    result = dict(claims)
    shift = random.choice((-1, 1))
    for _ in range(random.randint(1, 4)):
        if not result:
            break
        node = random.choice(list(result))
        claim = random.choice(result[node])
        others = [other for other in result[node] if other is not claim]
        kind = random.randrange(6)
        if kind < 2:  # changes of several bounds fit each other when they go one way, seen by the same side
            claim = replace(claim, bound=claim.bound + shift * (1 if claim.side == Side.LOWER else -1))
        elif kind == 2:
            claim = replace(claim, rank=max(0, claim.rank + random.randint(-3, 3)))
        elif kind == 3 and claim.side == Side.LOWER:
            claim = replace(claim, witness=random.randrange(4))
        elif kind == 4:
            searched = random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS))
            claim = replace(claim, evidence=searched, payload=search_payload(random.randint(1, 30)))
        elif kind == 5:
            result[node] = tuple(others)
            if not others:
                del result[node]
            continue
        result[node] = as_record([claim, *others])
    return result


def misjudged(random: Random, graph: Graph, other: Graph) -> ClaimSet:
    """Exact claims under another repetition value: they fit each other everywhere, and only the ranks can tell."""
    result: ClaimSet = {}
    for node, claims in exact_claims(other).items():
        changed = []
        for claim in claims:
            rho = graph.rho[node] or 0
            safe = claim.bound <= rho if claim.side == Side.LOWER else claim.bound >= rho
            changed.append(replace(claim, rank=0 if safe else claim.rank or random.randint(1, 2 * len(graph))))
        result[node] = tuple(changed)
    return result


def as_record(claims: list[Claim]) -> tuple[Claim, ...]:
    """The undominated ones; a contradiction stays one, in the order of the encoding."""
    try:
        return merge_claims(claims).claims
    except ContradictionError:
        return Record.of(claims).claims


def random_claims(random: Random, graph: Graph, worth: list[int], exact: ClaimSet, falsity: float) -> ClaimSet:
    """Several claims a node: exact ones with more rank than needed, weaker ones, and false ones."""
    result: ClaimSet = {}
    deepest = 2 * len(graph)
    for node, known in exact.items():
        claims = [claim for claim in known if random.random() < 0.8]
        for _ in range(random.randint(0, 4)):
            side = random.choice((Side.LOWER, Side.UPPER))
            sign = 1 if side == Side.LOWER else -1
            false = random.random() < falsity
            bound = worth[node] + sign * (random.randint(1, 2) if false else -random.randint(0, 2))
            rho = graph.rho[node]
            safe = rho is not None and (bound <= rho if side == Side.LOWER else bound >= rho)
            witness = random.choice(graph.edges[node]).move if side == Side.LOWER else None
            claims.append(Claim(side, bound, 0 if safe else random.randint(1, deepest), witness=witness))
        if claims:
            result[node] = as_record(claims)
    return result


def trial(random: Random, counts: Counts, mutations: int = 30) -> None:
    """One graph."""
    game, worth, others = draw_graph(random)
    graph = game.graph
    counts.graphs += 1
    counts.cyclic += not game.acyclic
    counts.with_rewards += any(edge.reward for out in graph.edges for edge in out)
    choices = 1
    for out in graph.edges:
        choices *= max(1, len(out))
    if choices <= 40:
        counts.by_strategies += 1
        assert all(value_by_strategies(graph, node) == worth[node] for node in range(len(graph)))

    exact = exact_claims(graph)
    assert passes(game, exact)
    assert all(claim.bound == worth[node] for node in exact for claim in exact[node])

    bases = [exact, *(misjudged(random, graph, other) for other in others)]
    for number in range(mutations):
        base = bases[number % len(bases)]
        changed = base if 0 < number < len(bases) else mutated(random, base)
        false = falsehoods(changed, worth)
        passing = passes(game, changed)
        assert not (passing and false), (graph, changed)
        counts.mutated += 1
        counts.mutated_passing += passing
        counts.mutated_false += false > 0

    valid: list[ClaimSet] = []
    for falsity in (0.0, 0.0, 0.3, 0.8):
        claimed = random_claims(random, graph, worth, exact, falsity)
        kept = passing_claims(game, claimed)
        assert falsehoods(kept, worth) == 0, (graph, claimed)
        counts.random_claims += sum(map(len, claimed.values()))
        counts.random_claims_false += falsehoods(claimed, worth)
        counts.random_claims_passing += sum(map(len, kept.values()))
        valid.append(kept)
    for first, second in zip(valid, valid[1:] + valid[:1], strict=True):
        merged = {
            node: merge_claims((*first.get(node, ()), *second.get(node, ()))).claims
            for node in sorted({*first, *second})
        }
        assert passes(game, merged), (graph, first, second)
        counts.merges += 1
        counts.merged_records_with_several_claims += sum(len(claims) > 2 for claims in merged.values())


def run(graphs: int, seed: int, mutations: int = 30) -> Counts:
    """Trials of graphs number 0, 1, ... of a seed; every graph can be repeated by itself."""
    counts = Counts()
    for number in range(graphs):
        trial(Random(f"{seed}:{number}"), counts, mutations)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    for name, count in asdict(run(options.graphs, options.seed)).items():
        print(f"{name:36}{count:>10}")
    print(f"{'seconds':36}{time.perf_counter() - start:>10.1f}")


if __name__ == "__main__":
    main()
