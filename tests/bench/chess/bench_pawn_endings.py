"""Pawn endings with locked pawns: their values by `auto`, with all claims checked, and what another algorithm says.

    python tests/bench/chess/bench_pawn_endings.py [--algorithm auto] [--seconds 40] [--checks native|python|none]

A value has to be that of the list, and every stored record has to pass the local check: with `--checks python` by the
rules in plain Python. An algorithm that is named may leave values open. Seconds are those of the clock and of the
processor, without the check. Exit status 1: a value is wrong, a record fails, or `auto` has left a value open.
"""

from __future__ import annotations

import argparse
import sys
import time

from pawn_endings import ENDINGS

from proofbase.service.client import Budget, SolveResult, connect


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--seconds", type=float, default=40, help="for each ending")
    parser.add_argument("--checks", choices=["native", "python", "none"], default="native")
    arguments = parser.parse_args()
    failed = False
    print("| ending | value | move | algorithm | nodes | seconds | processor | records | in error |")
    print("|---|---:|---|---|---:|---:|---:|---:|---:|")
    for ending in ENDINGS:
        with connect("memory:") as client:
            started, processor = time.monotonic(), time.process_time()
            budget = Budget(seconds=arguments.seconds)
            result = client.solve("chess", ending.fen, algorithm=arguments.algorithm, budget=budget).result
            seconds, processor = time.monotonic() - started, time.process_time() - processor
            assert isinstance(result, SolveResult)
            exact = result.status == "exact"
            wrong = exact and result.value.lower != ending.value
            records = sum(game.records for game in client.statistics().games) if exact else 0
            errors = 0
            if exact and arguments.checks != "none":
                checked = client.verify("chess", rules=arguments.checks).result
                assert checked is not None and checked.checked > 0
                errors = checked.failed
            failed |= wrong or errors > 0 or (not exact and arguments.algorithm == "auto")
            value = f"{result.value.lower}" if exact else "unknown"
            best = client.lookup("chess", ending.fen).witness or ""
            algorithm = result.algorithm.partition("+")[0]
            print(
                f"| `{ending.fen.removesuffix(' - - 0 1')}` {ending.about} "
                f"| {value}{' WRONG' if wrong else ''} | {best} "
                f"| {algorithm} | {result.nodes:,} | {seconds:.1f} | {processor:.1f} | {records:,} | {errors} |",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
