"""The 82 problems of Reinfeld: each solved, its certificate written, and the certificate checked by the Python rules.

    python tests/bench/chess/bench_reinfeld_certificates.py --directory DIR [--seconds 3600] [--first 105]

Solves by `pn-base-twin+mobility` what has no certificate in DIR yet, then gives the certificates to the checker, which
imports the rules in plain Python and nothing else of proofbase: the problem `--first` first, then by the number of
records. What was checked is kept in DIR/checked.jsonl, so that the same command goes on where it was ended; nothing new
is begun after `--seconds`. Exit status 1: a certificate is not valid, or some are not checked yet.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from mate_searches import Kept

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.checking.certificate import CertificateReader, write_certificate
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS, Problem

MOST_NODES = 20_000_000
ALGORITHM = "pn-base-twin+mobility"


def certificate_of(problem: Problem, directory: Path) -> Path:
    """The certificate of a problem, which is solved if there is none yet.

    Raises:
        AssertionError: it is not solved.
    """
    file = directory / f"{problem.name}.proofbase"
    if not file.exists():
        game, rules = open_game("chess"), open_rules("chess")
        position = game.parse(problem.fen)
        search = Search(game, position, 1, algorithm=ALGORITHM)
        search.run(nodes=MOST_NODES)
        assert search.status == "proved", problem.name
        solution = search.solution().trimmed(game.key(position))
        items = sorted(item for chunk in solution.chunks(10_000) for item in chunk)
        with file.with_suffix(".part").open("wb") as out:
            write_certificate(out, rules, rules.parse(problem.fen), items)
        file.with_suffix(".part").rename(file)
    return file


def records_of(file: Path) -> int:
    """The number of records that a certificate has."""
    with file.open("rb") as source:
        return CertificateReader(source).header.records


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--first", type=int, default=105, help="number of the problem that is checked first")
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    files = {problem: certificate_of(problem, options.directory) for problem in PROBLEMS}
    sizes = {problem: records_of(file) for problem, file in files.items()}
    print(f"{len(files)} certificates, {sum(sizes.values()):,} records, {time.monotonic() - started:.0f} s", flush=True)
    kept = Kept(options.directory / "checked.jsonl")
    for problem in sorted(PROBLEMS, key=lambda entry: (entry.number != options.first, sizes[entry])):
        if problem.name in kept.results or time.monotonic() - started > options.seconds:
            continue
        begun = time.monotonic()
        result = check_certificate(files[problem].read_bytes())
        seconds = time.monotonic() - begun
        valid = result.valid and result.header["game"] == "chess" and result.header["lower"] == 1
        kept.add(problem.name, valid=valid, records=result.records, seconds=round(seconds, 1))
        told = "valid" if valid else f"NOT VALID: {result.findings[:1]}"
        print(f"{problem.name}: {result.records:,} records, {told}, {seconds:.1f} s", flush=True)
    checked = [kept.results[problem.name] for problem in PROBLEMS if problem.name in kept.results]
    invalid = sum(not entry["valid"] for entry in checked)
    records, seconds = (sum(entry[name] for entry in checked) for name in ("records", "seconds"))
    left = sum(sizes[problem] for problem in PROBLEMS if problem.name not in kept.results)
    print(f"checked: {len(checked)} of {len(PROBLEMS)}, {records:,} records in {seconds:.0f} s; {invalid} not valid")
    if left:
        print(f"left: {left:,} records, about {left * seconds / max(1, records):.0f} s")
    return int(invalid > 0 or left > 0)


if __name__ == "__main__":
    sys.exit(main())
