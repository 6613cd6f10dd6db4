"""Makes the figures of docs/measurements.md again, as far as that takes ten minutes a command.

    python tests/bench/measurements.py [WORD ...] [--list] [--output FOLDER] [--seconds 600]

Runs the commands of COMMANDS, one after the other (with words only those that have one of them in their text). Each one
writes what it prints into a file of FOLDER (`measured`), behind the date, the commit and the load of the machine. A
command that has not ended after --seconds is ended. Those of LEFT_OUT are not run; on the page they have the sign LONG.

Sets of positions that were published are read from PROOFBASE_SHARED (else ../shared). Figures in seconds are worth
something on an idle machine only. Exit status 1 if a command failed or was ended.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONG = "\u2020"
COMMANDS = (
    "bench_solve_costs.py 7x6",
    "bench_solve_costs.py L3_R1 L2_R1 L1_R1 L2_R2 L1_R2 --sample 200",
    "bench_search.py",
    "bench_df_pn.py",
    "othello/bench_endings.py --records",
    "othello/bench_endings.py 21_22",
    "proofbase solve othello:6x6 --at-least -4",
    "bench_verify.py",
    "bench_connect_four.py L3",
    "bench_evidence.py",
    "bench_service.py",
    "rpc/bench_unary_calls.py",
    "bench_scores.py",
    "http/bench_http.py",
    "access/trial_strangers.py",
    "trial_table_damage.py --seed 7",
    "tests/storage/hot_copies.py --copies 50",
    "tests/engine/checks/test_changed_certificates.py",
    "tests/engine/formal/test_verified_checker.py",
    "tests/engine/checks/trial_pairings.py",
    "tests/engine/checks/trial_witnesses.py",
    "tests/engine/test_problems.py",
    "proofbase reproduce allis-4.5",
    "proofbase reproduce allis-operators",
    "proofbase reproduce schijf-3.4",
    "proofbase reproduce schijf-exact",
    "proofbase reproduce mueller-6.2",
    "bench_awari_searches.py",
    "proofbase solve qubic --at-least 1",
    "bench_play.py",
    "chess/bench_mates.py wac --most-moves 6 --exact 6",
    "chess/bench_search_rates.py",
    "chess/bench_pawn_endings.py",
    "simulate_manager.py --hours 6",
    "bench_two_workers.py --rounds 1",
)
LEFT_OUT = {
    "proofbase reproduce connect-four --data DIRECTORY": "needs a folder with the published positions",
    "peers.py --connect-four PROGRAM --othello PROGRAM --stockfish PROGRAM --popeye PROGRAM": "needs these programs",
    'questions.py --group "checkers problems" --tables DIRECTORY --nodes 4000000': "needs a folder with tables",
    "questions.py --seconds 60": "an hour",
    "questions.py questions/strangers.jsonl --seconds 60": "twenty minutes",
    "export connect-four - --smallest --seconds 1500": "25 minutes",
    "tests/storage/kill_writer.py --kills 1000": "long",
    "kills/trial_write_kills.py lmdb --kills 500 --seed 7": "long",
    "stores/trial_full_database.py": "needs a PostgreSQL and a small disk",
    "trial_mixed_load.py --requests 40000 --seconds 600 --settle 180": "13 minutes",
    "http/trial_fuzzed_http.py --requests 200000 --seed 12": "long",
    "tests/engine/checks/trial_check_and_import.py": "long",
    "tests/engine/checks/trial_record_mutants.py": "long",
    "tests/engine/checks/trial_fact_model.py --graphs 6000": "long",
    "chess/bench_problems.py --popeye PROGRAM": "needs Popeye",
    "chess/bench_shortest_mates.py --sample 120 --patience 2": "an hour",
    "proofbase reproduce breuker-1": "half an hour",
    "export --smallest --seconds 900": "15 minutes",
    "proofbase solve GAME --at-least 1 --memory 8G": "half an hour each",
    "tests/engine/threats/trial_zones.py --seed 7 --plain 1000": "long",
    "bench_renju_openings.py --nodes 400": "long",
    "chess/bench_reinfeld_certificates.py --directory DIR": "an hour, and a folder for certificates",
    "chess/trial_pawn_endings.py --engine stockfish --seconds 15": "needs Stockfish",
    "trial_cluster_kills.py --kills 200 --seed 5 --seconds 4000 --longest 30": "an hour, and a PostgreSQL",
    "simulate_manager.py --hours 60": "half an hour",
}
"""Commands that take longer, or need what the repository does not have, and why."""


def command_words(command: str) -> list[str]:
    """What is run for a command of the page."""
    first, *rest = shlex.split(command)
    if first == "proofbase":
        return [sys.executable, "-m", "proofbase", *rest]
    script = script_path(first)
    runner = ["-m", "pytest", "-q", "--all"] if script.name.startswith("test_") else []
    return [sys.executable, *runner, str(script), *rest]


def script_path(name: str) -> Path:
    """The file of a script as the page names it: below tests/bench, or from the root of the repository."""
    if name.startswith("tests/"):
        return ROOT / name
    bench = ROOT / "tests" / "bench"
    return next((path for path in (bench / name, bench / "managers" / name) if path.exists()), bench / name)


def measure(command: str, file: Path, seconds: float, folder: str) -> str:
    """Runs a command in a folder; how it ended, in words."""
    commit = subprocess.check_output(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True)
    began = time.monotonic()
    with file.open("w") as output:
        load = os.getloadavg()[0]
        output.write(f"{command}\n{time.strftime('%Y-%m-%d')}, commit {commit.strip()}, load {load:.1f} before\n\n")
        output.flush()
        try:
            done = subprocess.run(
                command_words(command),
                check=False,
                cwd=folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                env={**os.environ, "PYTHONPATH": f"{ROOT / 'tests'}:{os.environ.get('PYTHONPATH', '')}"},
            )
        except subprocess.TimeoutExpired:
            return f"ended after {seconds:g} s"
    return f"{'done' if done.returncode in (0, 1) else 'FAILED'} in {time.monotonic() - began:.0f} s"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only commands that have one of them")
    parser.add_argument("--list", action="store_true", help="print the commands, and what is left out and why")
    parser.add_argument("--output", type=Path, default=Path("measured"), help="a folder for what they print")
    parser.add_argument("--seconds", type=float, default=600.0, help="for one command (600)")
    args = parser.parse_args()
    chosen = [line for line in COMMANDS if not args.words or any(word in line for word in args.words)]
    if args.list:
        print("\n".join([*chosen, "", *(f"{line}: left out, {why}" for line, why in LEFT_OUT.items())]))
        return 0
    args.output.mkdir(parents=True, exist_ok=True)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for line in chosen:
            file = args.output / (re.sub(r"[^\w.-]+", "_", line) + ".txt")
            ended = measure(line, file, args.seconds, folder)
            failed |= not ended.startswith("done")
            print(f"{line}: {ended}, {file}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
