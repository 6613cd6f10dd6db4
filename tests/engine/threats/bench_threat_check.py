"""How long the checks of threat trees take.

    python tests/engine/threats/bench_threat_check.py [--claims 200] [--stones 5] [--standard] [--slow 5]
    python tests/engine/threats/bench_threat_check.py --certificate FILE [--percent 1] [--seed 1]

Without a certificate: claims about random positions of go-moku on 15x15, found by a program that is built first
(threat_claims_of_gomoku.cpp): all natively, by the rules alone and with zones; all by the small checker with zones, and
`--slow` of them by the rules alone. With a certificate: the same of its records, a sample of `--percent` by the small
checker by the rules alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from native_programs import PARTS, build_program

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.checking import checker
from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.records import Claim, Evidence, Record, Side, decode_record, encode_record

CLAIMS = [f"records/claims/{name}.cpp" for name in ("claim", "pairings", "strategies")]


def random_claims(count: int, standard: bool, stones: int, seed: int) -> dict[bytes, bytes]:
    """Records of so many positions."""
    source = Path(__file__).with_name("threat_claims_of_gomoku.cpp")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "claims"
        if not build_program(source, program, "-O3", "-march=native", parts=[*PARTS, *CLAIMS]):
            raise SystemExit("no C++ compiler")
        command = [str(program), str(seed), str(count), str(int(standard)), str(stones)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    records = {}
    for key, rank, payload, _ in map(str.split, lines):
        claim = Claim(Side.UPPER, -1, int(rank), Evidence.THREATS, payload=bytes.fromhex(payload))
        records[bytes.fromhex(key)] = encode_record(Record.of([claim]))
    return records


def nodes_of(records: dict[bytes, bytes]) -> tuple[int, int]:
    """How many claims by threats there are, and the nodes of their trees."""
    trees = [claim.threats for data in records.values() for claim in decode_record(data).claims]
    return sum(t is not None for t in trees), sum(t.nodes for t in trees if t is not None)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--stones", type=int, default=5)
    parser.add_argument("--standard", action="store_true")
    parser.add_argument("--slow", type=int, default=5)
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--percent", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.certificate is None:
        name = "gomoku:standard" if options.standard else "gomoku"
        records = random_claims(options.claims, options.standard, options.stones, options.seed)
        slow = min(options.slow, len(records))
    else:
        reader = CertificateReader(options.certificate.open("rb"))
        name, records = reader.header.game, dict(reader)
        slow = round(len(records) * options.percent / 100)
    claims, nodes = nodes_of(records)
    size = sum(map(len, records.values()))
    print(
        f"{name}: {len(records):,} records of {size:,} bytes, {claims:,} by threats, {nodes:,} nodes of trees",
        flush=True,
    )
    failed = 0
    table: Any = RecordTable(open_game(name))
    table.load(records.items())
    for zones in (False, True):
        began = time.process_time()
        report = table.check(zones=zones)
        seconds = time.process_time() - began
        failed += report.failed
        print_check(
            f"native, {'with zones' if zones else 'by the rules alone'}", len(records), claims, seconds, report.failed
        )
    rules = open_rules(name)
    decoded = {key: checker.read_record(data) for key, data in records.items()}
    sample = Random(options.seed).sample(sorted(records), slow)
    for zones, keys in ((True, sorted(records)), (False, sample)):
        began = time.process_time()
        wrong = sum(any(checker.check_record(rules, key, decoded[key], decoded, None, zones)) for key in keys)
        seconds = time.process_time() - began
        failed += wrong
        by_threats = sum(any(claim.threats for claim in decoded[key]) for key in keys)
        print_check(
            f"checker, {'with zones' if zones else 'by the rules alone'}", len(keys), by_threats, seconds, wrong
        )
    return 1 if failed else 0


def print_check(what: str, records: int, claims: int, seconds: float, failed: int) -> None:
    each = 1000 * seconds / max(claims, 1)
    print(
        f"{what}: {records:,} records, {seconds:.2f} s, {each:.2f} ms a claim by threats, {failed} failed", flush=True
    )


if __name__ == "__main__":
    sys.exit(main())
