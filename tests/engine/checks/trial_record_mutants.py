"""Changed records with every kind of evidence through the native check, the Python check and the plain checker.

    python tests/engine/checks/trial_record_mutants.py [--mutants 20000] [--seed 1]

Each mutant is a solution in which a record was changed; the verdicts on that record have to be equal. A row names the
kinds of evidence of the records that were changed, how many pass, and a digest of all native findings: two builds that
judge alike print the same rows. Any deviation raises AssertionError with the mutant.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

from certificate_mutants import record_changed

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Search, Tables, TableWork
from proofbase.engine.checking import checker
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Evidence, MalformedRecordError, decode_record
from proofbase.engine.tables import PythonTables

SUBJECTS = {  # game, position, at least, algorithm, share of the mutants
    "lines": ("qubic", (0, 21, 3, 42, 12, 63), 1, "pn-dag+threats", 0.05),
    "threats": ("gomoku:7x7-4", (24, 0), 1, "threats", 0.05),
    "pairings": ("gomoku:4x4-4", (), 1, "null-window", 0.3),
    "diagrams": ("connect-four:5x4", (), 1, "null-window", 0.1),
    "limits": ("connect-four:4x4,score", (), 1, "null-window", 0.1),
    "children": ("connect-four:4x4", (), 0, "df-pn", 0.2),
    "tables": ("awari", "0,0,0,2,1,0/1,0,0,0,0,1/S", 1, "df-pn", 0.2),
}
STONES = 4
"""Of the tables of awari."""


def run(name: str, number: int, seed: int, folder: Path) -> Counter[str]:
    """Tries so many mutants of one solution."""
    game, start, at_least, algorithm, _ = SUBJECTS[name]
    native, rules, random = open_game(game), open_rules(game), Random(f"{name} {seed}")
    position = native.parse(start) if isinstance(start, str) else native.initial()
    for move in () if isinstance(start, str) else start:
        position = native.play(position, move)
    tables, python_tables = None, None
    if name == "tables":
        assert TableWork(native, str(folder), STONES).build()
        tables, python_tables = Tables(native, str(folder)), PythonTables(rules, folder)
    known = RecordTable(native)
    if tables is not None:
        known.attach(tables)
    search: Any = Search(native, position, at_least, algorithm=algorithm, known=known)
    assert search.run().status in ("proved", "disproved")
    # Small searches of a few hundred positions: Python repeats them for every mutant.
    solution = dict(item for chunk in search.solution(small_search_nodes=300).chunks(10_000) for item in chunk)
    table = RecordTable(native)
    if tables is not None:
        table.attach(tables)
    table.load(solution.items())
    decoded = {key: checker.read_record(data) for key, data in solution.items()}
    check = LocalCheck(rules, python_tables)
    keys = sorted(solution)
    by_kind: dict[Evidence, list[bytes]] = {}
    for key in keys:
        for claim in decode_record(solution[key]).claims:
            by_kind.setdefault(claim.evidence, []).append(key)
    counts: Counter[str] = Counter()
    digest = sha256()
    while counts["mutants"] < number:
        kind = random.choice(sorted(by_kind))
        key = random.choice(by_kind[kind])
        data = record_changed(solution[key], random)
        try:
            if decode_record(data).has_sources:  # the checker reads certificates, whose records have none
                continue
            table.remove([key])
            table.put(key, data)
        except (MalformedRecordError, ValueError):  # no record, or one that contradicts itself
            table.put(key, solution[key])
            continue
        by_native = [finding.rule for finding in table.check([key]).findings]
        table.remove([key])
        table.put(key, solution[key])
        changed = {**solution, key: data}
        found = check.findings([(key, data)], lambda wanted, changed=changed: [changed.get(k) for k in wanted])
        by_python = [finding.rule for finding in found]
        assert bool(by_native) == bool(by_python), (name, key.hex(), data.hex(), by_native, by_python)
        if tables is None:
            claims = checker.read_record(data)
            known = {**decoded, key: claims}
            by_checker = [finding.rule.split(":")[0] for finding in checker.check_record(rules, key, claims, known)]
            assert bool(by_native) == bool(by_checker), (name, key.hex(), data.hex(), by_native, by_checker)
        digest.update(repr((key, data, by_native)).encode())
        counts["mutants"] += 1
        counts["pass"] += not by_native
        counts[kind.name.lower()] += 1
    print(f"{name}: {dict(counts)}, {digest.hexdigest()[:16]}", flush=True)
    return counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, (*_, share) in SUBJECTS.items():
            total += run(name, round(share * options.mutants), options.seed, Path(folder))
    print(f"all: {dict(total)}; the verdicts are equal")


if __name__ == "__main__":
    main()
