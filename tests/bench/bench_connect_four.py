"""Real connect-four problems through a real server: solved by proof-number search, stored, verified, exported, checked.

    python tests/bench/bench_connect_four.py [SET ...] [--memory BYTES] [--keep DIR]

Sets: `L3` (500 endgames), `L2` (200), `L1` (100), `uci` (the first 5 positions after 8 plies) from the independent data
beside the repository (PROOFBASE_SHARED, else ../shared); `boards` (4x4, 5x4, 4x5, 5x5 from the empty board), `6x5`,
and any WIDTHxHEIGHT. Without a set: all of the named ones.

Every answer is held against the data or the literature, every stored record is verified natively, those of L3 with the
Python rules too, and every board's solution is exported and checked by the certificate checker. One line of figures a
set; exit status 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from proofbase.engine.checking.checker import check_certificate
from proofbase.service.client import Budget, Client, connect

SETS = {
    "L3": ("c4_pons_Test_L3_R1.txt", 500),
    "L2": ("c4_pons_Test_L2_R1.txt", 200),
    "L1": ("c4_pons_Test_L1_R1.txt", 100),
}
UCI = ("c4_uci_8ply.txt", 5)
BOARDS = ("4x4", "5x4", "4x5", "5x5")
VALUES = {
    "4x4": 0,
    "5x4": 0,
    "4x5": 0,
    "5x5": 0,
    "6x5": 0,
    "6x4": -1,
    "7x4": 0,
    "5x6": 0,
    "7x5": 0,
    "6x6": -1,
    "7x6": 1,
}
"""Width x height. Source: Tromp's table of connect-four results."""


@dataclass
class Figures:
    """What a set took."""

    solved: int
    seconds: list[float]
    nodes: int
    records: int


def problems(name: str) -> Iterator[tuple[str, int]]:
    """(move list, sign of the value for the side to move)."""
    file, count = UCI if name == "uci" else SETS[name]
    folder = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[3] / "shared"))
    with (folder / "data" / file).open() as lines:
        rows = (line.split() for line in lines if not line.startswith("#"))
        for row in islice(rows, count):
            score = int(row[2] if name == "uci" else row[1])
            yield row[0], (score > 0) - (score < 0)


@contextmanager
def server(store: Path, memory: int) -> Iterator[Client]:
    """A client of a server in a process of its own."""
    program = (
        "import sys\nfrom proofbase.service.limits import Limits\nfrom proofbase.service.server import serve\n"
        "serve(sys.argv[1], '127.0.0.1:0', limits=Limits(job_memory_bytes=int(sys.argv[2])), "
        "on_ready=lambda at: print(at.grpc, flush=True))\n"
    )
    command = [sys.executable, "-c", program, str(store), str(memory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with connect(process.stdout.readline().strip()) as client:
                yield client
        finally:
            process.terminate()


def solve_all(client: Client, game: str, questions: list[tuple[str, int]], memory: int) -> Figures:
    """Exact values, one job after the other, each right."""
    figures = Figures(0, [], 0, 0)
    for moves, sign in questions:
        started = time.perf_counter()
        result = client.solve(game, moves or None, budget=Budget(memory_bytes=memory)).result
        figures.seconds.append(time.perf_counter() - started)
        assert result.status == "exact", f"{game} {moves}: {result}"
        assert result.value.lower == result.value.upper == sign, f"{game} {moves}: {result.value}, not {sign}"
        figures.solved += 1
        figures.nodes += result.nodes
    figures.records = client.statistics(game).games[0].records
    return figures


def verify(client: Client, records: int, rules: str) -> str:
    """Every record passes; gives the rate."""
    result = client.verify(rules=rules).result
    assert result.failed == 0 and result.checked == records, result
    return (
        f"{result.checked:,} records verified ({rules}) in {result.seconds:.2f} s: {result.records_per_second:,.0f}/s"
    )


def report(name: str, figures: Figures, *more: str) -> None:
    times = sorted(figures.seconds)
    print(
        f"{name}: {figures.solved} solved in {sum(times):.1f} s (median {statistics.median(times) * 1e3:.0f} ms, "
        f"longest {times[-1]:.2f} s), {figures.nodes:,} nodes, {figures.records:,} records; " + "; ".join(more),
        flush=True,
    )


def run_positions(name: str, folder: Path, memory: int) -> None:
    with server(folder / name, memory) as client:
        figures = solve_all(client, "connect-four", list(problems(name)), memory)
        checks = [verify(client, figures.records, "native")]
        if name == "L3":
            checks.append(verify(client, figures.records, "python"))
        report(name, figures, *checks)


def run_board(board: str, folder: Path, memory: int) -> None:
    game = f"connect-four:{board}"
    with server(folder / board, memory) as client:
        figures = solve_all(client, game, [("", VALUES[board])], memory)
        check = verify(client, figures.records, "native")
        file = folder / f"{board}.certificate"
        client.export_to(file, game, "-")
        started = time.perf_counter()
        result = check_certificate(file.read_bytes())
        assert not result.findings, result.findings[:3]
        seconds = time.perf_counter() - started
        report(game, figures, check, f"certificate of {file.stat().st_size:,} bytes checked in {seconds:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=[*SETS, "uci", "boards", "6x5"])
    parser.add_argument("--memory", type=int, default=12 << 30, help="bytes of a search (default 12 GiB)")
    parser.add_argument("--keep", type=Path, help="keep the stores and certificates there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.sets:
            if name in SETS or name == "uci":
                run_positions(name, folder, options.memory)
            else:
                for board in BOARDS if name == "boards" else [name]:
                    run_board(board, folder, options.memory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
