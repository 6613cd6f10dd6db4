"""Changed pairings against brute force.

    python tests/engine/checks/trial_pairings.py [--mutants 10000] [--seed 1] [--empty 10]

Takes random positions of small boards, has pairings found for them, and changes the claims: squares, pairs, bounds,
ranks, witnesses. All checks must agree. What they accept must be true, and its witness must guarantee the bound, by
brute force. Any deviation raises AssertionError.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import Claim, Evidence, Side, decode_record, pairing_payload
from proofbase.engine.rules import Game

sys.path.append(str(Path(__file__).parents[2]))

from broken_claims import broken

GAMES = (
    "tic-tac-toe",
    "gomoku:4x3-3",
    "gomoku:4x4-4",
    "gomoku:5x4-4",
    "gomoku:5x4-3,standard",
    "gomoku:6x3-3,standard",
)


@cache
def worth(game: Game[Any], position: Any) -> int:
    """The true value, by brute force."""
    graph = explore(game, position)
    return dict(zip(graph.keys, values(graph), strict=True))[game.key(position)]


def is_true(game: Game[Any], position: Any, claim: Claim) -> bool:
    """Whether the bound is true, and the witness guarantees it."""
    if claim.witness is None:
        return worth(game, position) <= claim.bound
    child = game.play(position, claim.witness)
    value = game.terminal(child)
    return -(worth(game, child) if value is None else value) >= claim.bound


def draw_position(random: Random, empty: int) -> tuple[Game[Any], Any]:
    """A canonical position with at most so many empty squares."""
    game = open_rules(random.choice(GAMES))
    while True:
        position, left = game.initial(), random.randint(4, empty)
        while game.terminal(position) is None and game.text(position).count(".") > left:
            position = game.play(position, random.choice(list(game.moves(position))))
        if game.terminal(position) is None:
            return game, game.position(game.key(position))


def changed(game: Game[Any], position: Any, claim: Claim, random: Random) -> Claim:
    """The claim with one to three changes."""
    legal = list(game.moves(position))
    pairs = [list(pair) for pair in claim.pairing or ()]
    for _ in range(random.randint(1, 3)):
        kind = random.randrange(8)
        if kind < 3 and pairs:
            random.choice(pairs)[random.randrange(2)] = random.choice([*legal, random.randrange(30)])
        elif kind == 3 and pairs:
            pairs.remove(random.choice(pairs))
        elif kind == 4:
            pairs.append(random.sample(range(20), 2))
        elif kind == 5:
            claim = replace(claim, bound=claim.bound + random.choice((-1, 1)))
        elif kind == 6:
            claim = replace(claim, rank=max(0, claim.rank + random.choice((-2, -1, 1))))
        elif claim.side == Side.LOWER:
            claim = replace(claim, witness=random.choice(legal))
    kept, used = [], set[int]()
    for first, second in sorted(sorted(pair) for pair in pairs):
        if first < second and used.isdisjoint((first, second)):
            kept.append((first, second))
            used |= {first, second}
    return replace(claim, payload=pairing_payload(kept))


def run(mutants: int, seed: int, *, empty: int = 10, each: int = 20) -> Counter[str]:
    """Counts mutants and those that were accepted, all of which are true."""
    counts: Counter[str] = Counter()
    random = Random(seed)
    while counts["mutants"] < mutants:
        game, position = draw_position(random, empty)
        text, table = game.text(position), RecordTable(open_game(game.name))
        records = [table.by_pairing(game.key(position), at_least) for at_least in (0, 1)]
        found = [decode_record(record).claims[0] for record in records if record is not None]
        for claim in found:
            assert claim.evidence == Evidence.PAIRING
            assert broken(game.name, text, claim) == []
            assert is_true(game, position, claim), (game.name, text, str(claim))
        counts["pairings"] += len(found)
        for _ in range(each if found else 0):
            mutant = changed(game, position, random.choice(found), random)
            counts["mutants"] += 1
            if not broken(game.name, text, mutant):
                counts["accepted"] += 1
                assert is_true(game, position, mutant), (game.name, text, str(mutant), mutant.pairing)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--empty", type=int, default=10)
    options = parser.parse_args()
    began = time.perf_counter()
    counts = run(options.mutants, options.seed, empty=options.empty)
    print(
        f"{counts['mutants']:,} mutants of {counts['pairings']:,} pairings, {counts['accepted']:,} accepted by all "
        f"checks and true, {time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
