"""Changed claims by searches to limits against brute force.

    python tests/engine/checks/trial_searches_to_limits.py [--mutants 10000] [--seed 1] [--empty 12]

Takes random positions of small boards of connect-four with scores and of random graphs with limits, rewards and cycles,
makes true claims that rest on searches to limits, and changes them: bounds, ranks, witnesses, numbers of nodes. All
checks must agree. What they accept must be true, and its witness must guarantee the bound, by brute force. Every mutant
is also sealed in a certificate, of which the checker must say the same. Any deviation raises AssertionError.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from trial_strategies import Example

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate, small_search_visits
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, search_payload

BOARDS = ("connect-four:4x4,score", "connect-four:4x5,score", "connect-four:5x4,score")
GRAPHS = ("random-graph:nodes=40,values=6,rewards=2,group=3,seed={}", "random-graph:nodes=30,values=9,seed={}")


def draw_example(random: Random, empty: int) -> Example:
    """A position with at most so many empty squares, or a graph, with the values of all that is below it."""
    if random.random() < 0.3:
        game = open_rules(random.choice(GRAPHS).format(random.randrange(1_000)))
        position = game.initial()
    else:
        game = open_rules(random.choice(BOARDS))
        position, left = game.initial(), random.randint(4, empty)
        while game.terminal(position) is None and game.text(position).count(".") > left:
            position = game.play(position, random.choice(list(game.moves(position))))
    if game.terminal(position) is not None:
        return draw_example(random, empty)
    graph = explore(game, game.position(game.key(position)))
    return Example(game, dict(zip(graph.keys, values(graph), strict=True)), {})


def accepted(example: Example, key: bytes, claim: Claim) -> bool:
    """What the checks in Python and in native code say; they must agree."""
    game, record = example.game, encode_record(Record.of([claim]))
    table = RecordTable(open_game(game.name))
    table.load([(key, record)])
    answers = {
        not table.check([key]).findings,
        not list(LocalCheck(game).findings([(key, record)], lambda keys: [None] * len(keys))),
    }
    assert len(answers) == 1, (game.name, game.text(game.position(key)), str(claim))
    return answers.pop()


def is_true(example: Example, key: bytes, claim: Claim) -> bool:
    """Whether the bound is true, and the witness guarantees it."""
    game = example.game
    if claim.witness is None:
        return example.known[key] <= claim.bound
    position = game.position(key)
    child = game.play(position, claim.witness)
    over = game.terminal(child)
    value = example.known[game.key(child)] if over is None else over
    return game.reward(position, claim.witness) - value >= claim.bound


def true_claims(example: Example, random: Random, count: int) -> Iterator[tuple[bytes, Claim]]:
    """Claims by searches to limits that pass."""
    game = example.game
    open_keys = [key for key in example.known if game.terminal(game.position(key)) is None]
    for _ in range(count):
        key, depth = random.choice(open_keys), random.randint(1, 14)
        position, value = game.position(key), example.known[key]
        rho = game.repetition(position)
        slack = random.choice((0, 0, 1, 2))
        if random.random() < 0.5:
            if rho is not None and value + slack >= rho:
                continue  # a safety claim has the rank 0
            nodes = small_search_visits(game, position, value + slack, depth, 10_000, to_limits=True)
            if nodes is not None:
                payload = search_payload(nodes)
                yield key, Claim(Side.UPPER, value + slack, depth, Evidence.SEARCH_TO_LIMITS, payload=payload)
            continue
        bound = value - slack
        if rho is not None and bound <= rho:
            continue
        for move in game.moves(position):
            upper, child = game.reward(position, move) - bound, game.play(position, move)
            nodes = small_search_visits(game, child, upper, depth - 1, 10_000, to_limits=True)
            if nodes is not None:
                yield key, Claim(Side.LOWER, bound, depth, Evidence.SEARCH_TO_LIMITS, move, search_payload(nodes))
                break


def changed(example: Example, key: bytes, claim: Claim, random: Random) -> Claim:
    """The claim with one or two changes."""
    for _ in range(random.randint(1, 2)):
        kind = random.randrange(5)
        if kind == 0:
            claim = replace(claim, bound=claim.bound + random.choice((-1, 1)))
        elif kind == 1:
            claim = replace(claim, rank=max(0, claim.rank + random.randint(-2, 2)))
        elif kind == 2 and claim.side == Side.LOWER:
            claim = replace(claim, witness=random.choice(list(example.game.moves(example.game.position(key)))))
        elif kind == 3:
            claim = replace(claim, payload=search_payload(random.choice((1, max(1, (claim.nodes or 0) - 1), 10_000))))
        elif kind == 4:
            claim = replace(claim, evidence=random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS)))
    return claim


def certified(example: Example, key: bytes, claim: Claim) -> bool:
    """Whether a sealed certificate of the claim alone is valid."""
    game = open_game(example.game.name)
    items = [(key, encode_record(Record.of([claim])))]
    return check_certificate(b"".join(certificate_chunks(game, game.position(key), items))).valid


def run(mutants: int, seed: int, *, empty: int = 10, each: int = 40) -> Counter[str]:
    """Counts mutants and those that were accepted, all of which are true."""
    counts: Counter[str] = Counter()
    random = Random(seed)
    while counts["mutants"] < mutants:
        example = draw_example(random, empty)
        bases = list(true_claims(example, random, each))
        for key, claim in bases:
            assert accepted(example, key, claim), (example.game.text(example.game.position(key)), str(claim))
            assert is_true(example, key, claim)
        counts["claims"] += len(bases)
        for _ in range(each if bases else 0):
            key, claim = random.choice(bases)
            mutant = changed(example, key, claim, random)
            passes = accepted(example, key, mutant)
            assert passes == certified(example, key, mutant), str(mutant)
            counts["mutants"] += 1
            counts["accepted"] += passes
            counts["to limits alone"] += passes and not accepted(
                example, key, replace(mutant, evidence=Evidence.SEARCH)
            )
            assert not passes or is_true(example, key, mutant), (
                example.game.text(example.game.position(key)),
                str(mutant),
            )
    return counts


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--empty", type=int, default=12)
    options = parser.parse_args()
    began = time.perf_counter()
    counts = run(options.mutants, options.seed, empty=options.empty)
    print(
        f"{counts['mutants']:,} mutants of {counts['claims']:,} claims, {counts['accepted']:,} accepted by all checks "
        f"and true, {counts['to limits alone']:,} of them by no plain search, {time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
