"""Changed strategies against brute force.

    python tests/engine/checks/trial_strategies.py [--mutants 10000] [--seed 1] [--empty 12]

Takes random positions of small boards, has strategies found for their solutions, and changes the claims that rest on
them: marks, named replies, bounds, ranks, witnesses. All checks must agree. What they accept must be true, and its
witness must guarantee the bound, by brute force. Any deviation raises AssertionError.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from reference_records import exact_records

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import (
    Claim,
    Evidence,
    Mark,
    Record,
    Side,
    Strategy,
    decode_record,
    encode_record,
    strategy_payload,
)
from proofbase.engine.rules import Game

GAMES = ("connect-four:4x4", "connect-four:4x5", "connect-four:5x4", "connect-four:5x4,score", "tic-tac-toe")


@dataclass(frozen=True)
class Example:
    """A solution with strategies, and the true values of all positions below its root."""

    game: Game[Any]
    known: dict[bytes, int]
    records: dict[bytes, bytes]

    def claims(self) -> Iterator[tuple[bytes, Claim]]:
        """Those that rest on a strategy."""
        for key, data in self.records.items():
            yield from ((key, claim) for claim in decode_record(data).claims if claim.strategy is not None)

    def is_true(self, key: bytes, claim: Claim) -> bool:
        """Whether the bound is true, and the witness guarantees it."""
        if claim.witness is None:
            return self.known[key] <= claim.bound
        child = self.game.play(self.game.position(key), claim.witness)
        value = self.game.terminal(child)
        return -(self.known[self.game.key(child)] if value is None else value) >= claim.bound


def draw_example(random: Random, empty: int) -> Example:
    """A solution of a random position with at most so many empty squares. In tic-tac-toe its root has a strategy."""
    game = open_rules(random.choice(GAMES))
    position = game.initial()
    left = random.randint(4, empty)
    while game.terminal(position) is None and game.text(position).count(".") > left:
        position = game.play(position, random.choice(list(game.moves(position))))
    if game.terminal(position) is not None:
        return draw_example(random, empty)
    position = game.position(game.key(position))
    graph = explore(game, position)
    known = dict(zip(graph.keys, values(graph), strict=True))
    table = RecordTable(open_game(game.name))
    table.load(exact_records(game, position).items())
    trimmed = table.trimmed(game.key(position), 2, strategy_seconds=30)
    records = dict(item for chunk in trimmed.chunks(1000) for item in chunk)
    assert trimmed.check().failed == 0
    if game.name == "tic-tac-toe":
        key = game.key(position)
        empty_payload = strategy_payload(Strategy(), lower=False)
        records[key] = encode_record(
            Record.of([Claim(Side.UPPER, known[key], 9, Evidence.STRATEGY, payload=empty_payload)])
        )
    return Example(game, known, records)


def changed(example: Example, key: bytes, claim: Claim, random: Random) -> Claim:
    """The claim with one to three changes."""
    strategy, lower = claim.strategy, claim.side == Side.LOWER
    assert strategy is not None
    rules = example.game.square_rules()
    assert rules is not None
    marks, named = dict(strategy.marks), set(strategy.named)
    legal = list(example.game.moves(example.game.position(key)))
    for _ in range(random.randint(1, 3)):
        kind = random.randrange(8)
        if kind < 4:
            marks[random.randrange(rules.board.bit_length())] = Mark(random.randrange(len(Mark)))
        elif kind == 4 and marks:
            del marks[random.choice(list(marks))]
        elif kind == 5 and not lower:
            named ^= {random.choice(legal)}
        elif kind == 6:
            claim = replace(claim, bound=claim.bound + random.choice((-1, 1)))
        elif random.random() < 0.5 or not lower:
            claim = replace(claim, rank=max(0, claim.rank - random.randint(1, 4)))
        else:
            claim = replace(claim, witness=random.choice(legal))
    kept = Strategy(tuple(sorted(named)), tuple(sorted(marks.items())))
    return replace(claim, payload=strategy_payload(kept, lower=lower))


def accepted(example: Example, key: bytes, claim: Claim) -> bool:
    """What the checks in Python and in native code say; they must agree."""
    game = example.game
    records = {**example.records, key: encode_record(Record.of([claim]))}
    table = RecordTable(open_game(game.name))
    table.load(records.items())
    answers = [
        [finding.rule for finding in table.check([key]).findings],
        [f.rule for f in LocalCheck(game).findings([(key, records[key])], lambda keys: [*map(records.get, keys)])],
    ]
    assert answers[0] == answers[1], (game.name, game.text(game.position(key)), str(claim), answers)
    return not answers[0]


def run(mutants: int, seed: int, *, empty: int = 10, each: int = 40) -> Counter[str]:
    """Counts mutants and those that were accepted, all of which are true."""
    counts: Counter[str] = Counter()
    random = Random(seed)
    while counts["mutants"] < mutants:
        example = draw_example(random, empty)
        bases = list(example.claims())
        if example.game.name == "tic-tac-toe":  # drawn, and not found
            bases = [(key, claim) for key, claim in bases if accepted(example, key, claim)]
        for key, claim in bases:
            assert accepted(example, key, claim), (example.game.text(example.game.position(key)), str(claim))
            assert example.is_true(key, claim)
        counts["strategies"] += len(bases)
        for _ in range(each if bases else 0):
            key, claim = random.choice(bases)
            mutant = changed(example, key, claim, random)
            counts["mutants"] += 1
            if accepted(example, key, mutant):
                counts["accepted"] += 1
                counts["by strategies alone"] += not mutant.named
                assert example.is_true(key, mutant), (example.game.text(example.game.position(key)), str(mutant))
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
        f"{counts['mutants']:,} mutants of {counts['strategies']:,} strategies, {counts['accepted']:,} accepted by all "
        f"checks and true, {counts['by strategies alone']:,} of them without named replies, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
