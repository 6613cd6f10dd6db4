"""What a solve costs beside its search: exact scores of connect-four into a store, and the empty board into LMDB.

    python tests/bench/bench_solve_costs.py [SET ...] [--sample N] [--seed S] [--store URL]

Sets: `L3_R1`, `L2_R1`, `L1_R1`, `L2_R2`, `L1_R2`, `L1_R3` of P. Pons from the independent data beside the repository
(PROOFBASE_SHARED, else ../shared), of which a sample of the second half is solved; and `7x6`, `proofbase solve
connect-four --at-least 1` in a process of its own. Without a set: all of them but L1_R3.

A row has the milliseconds a position of `client.solve`, those of the processor, those of storing, those of the
processor for the search alone (`solve_positions`), how many times these all of it is, and the records stored. Every
score is held against the data, every record that was stored is verified, and of the easy sets one certificate is
checked by the plain checker. Exit status 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage

from proofbase.engine import solve_positions
from proofbase.engine.checking.checker import check_certificate
from proofbase.service.client import connect
from proofbase.service.jobs.solve.model import SolveResult

GAME = "connect-four:7x6,score"
SETS = ("L3_R1", "L2_R1", "L1_R1", "L2_R2", "L1_R2", "L1_R3")
KNOWN = (*SETS, "7x6")


def problems(name: str, sample: int, seed: int) -> list[tuple[str, int]]:
    """(move list, exact score for the side to move), from the second half of a set."""
    folder = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[3] / "shared"))
    lines = (folder / "data" / f"c4_pons_Test_{name}.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    second_half = [(row[0], int(row[1])) for row in rows[len(rows) // 2 :]]
    return Random(seed).sample(second_half, min(sample, len(second_half)))


def solve_set(name: str, sample: int, seed: int, store: str) -> None:
    """Solves a sample of a set, and prints its row."""
    asked = problems(name, sample, seed)
    seconds = processor = storing = 0.0
    records = nodes = 0
    with tempfile.TemporaryDirectory() as directory, connect(store or directory) as client:
        client.solve("tic-tac-toe")  # imports modules
        for moves, score in asked:
            started, used = time.perf_counter(), time.process_time()
            result = client.solve(GAME, moves).result
            seconds += time.perf_counter() - started
            processor += time.process_time() - used
            assert isinstance(result, SolveResult) and result.status == "exact", result
            assert result.value.lower == result.value.upper == score, (moves, score, result.value)
            storing, records, nodes = storing + result.storing_seconds, records + result.records, nodes + result.nodes
        used = time.process_time()
        searched = solve_positions(GAME, [moves for moves, _ in asked])
        search = time.process_time() - used
        assert list(searched.lower) == list(searched.upper) == [score for _, score in asked]
        verified = client.verify(GAME).result
        assert verified.failed == 0 and verified.checked > 0, verified
        if not name.endswith("R2") and not name.endswith("R3"):  # Python would take minutes for its small searches
            checked = check_certificate(b"".join(client.export(GAME, asked[0][0])))
            assert checked.valid and checked.header["lower"] == checked.header["upper"] == asked[0][1]
    count = len(asked)
    print(
        f"{name:6} {count:4} positions: {1000 * seconds / count:9.2f} ms (processor {1000 * processor / count:8.2f}), "
        f"storing {1000 * storing / count:8.2f} ms, "
        f"search alone {1000 * search / count:7.2f} ms ({processor / search:.2f} times); "
        f"{nodes / count:11,.0f} nodes, {records / count:9,.1f} records",
        flush=True,
    )


def solve_empty_board() -> None:
    """The first player's win on 7x6 into LMDB, as a person asks for it."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "proofbase", "solve", "connect-four", "--at-least", "1", "--json"]
        started = time.perf_counter()
        done = subprocess.run([*command, "--store", directory], check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - started
        used = getrusage(RUSAGE_CHILDREN)
        found = json.loads(done.stdout)
        assert found["status"] == "proved", found
        print(
            f"7x6: {seconds:.2f} s (processor {used.ru_utime + used.ru_stime:.2f}), of them storing "
            f"{found['storing_seconds']:.2f} s; {found['nodes']:,} nodes, {found['records']:,} records",
            flush=True,
        )
        with connect(directory) as client:
            verified = client.verify("connect-four").result
            assert verified.failed == 0 and verified.checked == found["records"], verified
            data = b"".join(client.export("connect-four", "-"))
        size = sum(path.stat().st_size for path in Path(directory).rglob("*.mdb"))
        print(f"7x6: verified; the store has {size / 1e6:.1f} MB, the certificate {len(data) / 1e6:.2f} MB")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"{', '.join(KNOWN)}; none: all but L1_R3")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", default="memory:", help="an empty text: LMDB in a directory that is deleted then")
    args = parser.parse_args()
    unknown = [name for name in args.sets if name not in KNOWN]
    if unknown:
        parser.error(f"unknown set {unknown[0]}: there are {', '.join(KNOWN)}")
    for name in args.sets or [name for name in KNOWN if name != "L1_R3"]:
        if name == "7x6":
            solve_empty_board()
        else:
            solve_set(name, args.sample, args.seed, args.store)


if __name__ == "__main__":
    main()
