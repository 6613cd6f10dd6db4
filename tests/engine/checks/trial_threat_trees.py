"""Changed threat trees against plain definitions.

    python tests/engine/checks/trial_threat_trees.py [--mutants 10000] [--seed 1]

Takes random positions of small boards of go-moku that are lost by threats, changes the trees that show it, and holds
all checks with and without zones against `PlainLines` (tests/threat_claims.py): a list of lines, and every reply on its
own.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from threat_claims import (
    VARIANTS,
    Example,
    PlainLines,
    changed_threats,
    game_of,
    is_proved,
    random_example,
    upper_claim,
)

from proofbase.engine import open_game
from proofbase.engine._core import RecordTable
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Claim, Record, encode_record


def verdicts(example: Example, claim: Claim, lines: PlainLines) -> dict[str, bool]:
    """Who accepts the claim."""
    game = example.game
    key = game.key(example.position)
    records = {**example.children, key: encode_record(Record.of([claim]))}
    table: Any = RecordTable(open_game(game.name))
    table.load(records.items())
    found: dict[str, bool] = {"plain": is_proved(example, claim, lines)}
    for zones in (False, True):
        check = LocalCheck(game, zones=zones)
        found[f"native, zones {zones}"] = table.check([key], zones=zones).failed == 0
        found[f"python, zones {zones}"] = not [*check.findings([(key, records[key])], lambda k: [*map(records.get, k)])]
    return found


def run(mutants: int, seed: int, *, each: int = 50) -> Counter[str]:
    """Counts mutants, those that all accept, and disagreements, which it prints."""
    counts: Counter[str] = Counter()
    random = Random(seed)
    while counts["mutants"] < mutants:
        game = game_of(random.choice(VARIANTS))
        example = random_example(game, random)
        if example.threats.nodes < 3:
            continue
        lines = PlainLines(game)
        for _ in range(each):
            threats = changed_threats(example, random)
            found = verdicts(example, upper_claim(game, example.position, threats), lines)
            counts["mutants"] += 1
            counts["accepted"] += found["plain"]
            if len(set(found.values())) > 1:
                counts["disagreements"] += 1
                print(game.name, game.text(example.position), threats, found, flush=True)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    counts = run(options.mutants, options.seed)
    print(
        f"{counts['mutants']:,} mutants, {counts['accepted']:,} accepted by all checks and right, "
        f"{counts['disagreements']} disagreements, {time.perf_counter() - began:.0f} s"
    )
    return 1 if counts["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
