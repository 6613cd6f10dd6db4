"""Ours beside the best public programs on the same questions, one core each: a table in Markdown.

    python tests/bench/peers.py [--connect-four PROGRAM ...] [--othello PROGRAM] [--stockfish PROGRAM]
        [--popeye PROGRAM] [--sets WORD ...] [--rounds 3] [--seconds 5] [--core 1]

The programs are built elsewhere, from public sources; a program that is not given has a row that says so.

* Connect-four: programs that read columns and print scores, a line each, `-w`: the outcome. So do P. Pons's
  `c4solver`, and C. Steininger's solver with `connect_four/solver_of_lines.cpp`, which also says how it is built. Both
  sides have huge pages: our tables and Steininger's ask for them, Pons's gets them by GLIBC_TUNABLES. The sizes of
  peers' tables are set when they are compiled (Steininger's: 1 GiB); the page shows what a peer held, and how much of
  it in huge pages. Its start, the clearing of its table and one easy position are not counted, ours are.
* Othello: Edax (github abulmo/edax-reversi), in a folder with `data/eval.dat`. Its evaluation is in no package. With a
  file of zeros after the header it runs all the same; the row says so then.
* Chess: "a mate in N?" and "a mate in N - 1?", of published shortest mates. Ours: the questions of `solve --shortest`,
  `client.solve` of `within:PLIES:chess`; the proof is taken out, checked and stored within these seconds. Popeye: the
  stipulation #N until the first key. Stockfish: `go mate N`; its yes is a line and no proof, and it never says no, so
  that it is not asked for N - 1. A question has `--seconds` by the clock.

The sides take turns, --rounds times; figures are medians, in seconds of the processor. Where a side leaves a question
open, seconds are those of the questions that both answer. Positions are those of PROOFBASE_SHARED (else ../shared).
Exit status 1: an answer differs from the known one, and so from the other side's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

import chess

sys.path.extend(str(Path(__file__).parent / folder) for folder in ("chess", "othello"))
from bench_endings import problems
from mate_searches import DATA, claimed_mates
from popeye import keys_by_popeye

from proofbase.engine import solve_positions
from proofbase.service.client import Budget, connect

EASY = "32164625"
SETS = {"L1_R1": 500, "L1_R2": 100, "L1_R3": 20}
"""Sets of positions of P. Pons, and how many of each."""
CONNECT_FOUR_MIB, OTHELLO_MIB, CHESS_MIB = 1024, 256, 256
EDAX_BITS = 22
"""Edax: about 210 MiB of tables."""
MATES, MOST_MOVES = {"matetrack": 24, "Reinfeld": 12}, 8


@dataclass
class Run:
    """What a program answered, None where it did not in time, and its seconds: of each question, or of all in one."""

    answers: Sequence[int | None]
    seconds: Sequence[float]
    memory: str = ""

    def spent(self, which: Sequence[int]) -> float:
        return sum(self.seconds) if len(self.seconds) == 1 else sum(self.seconds[place] for place in which)


Program = Callable[[Sequence[Any]], Run]


class Table:
    """The rows, printed as they come."""

    def __init__(self, rounds: int, sets: Sequence[str]) -> None:
        self.rounds, self.sets, self.wrong = rounds, sets, 0
        print("| questions | peer | answered: ours; peer | ours, CPU s | peer | ratio | memory: ours; peer |")
        print("|---|---|---:|---:|---:|---:|---|", flush=True)

    def say(self, questions: str, text: str) -> None:
        print(f"| {questions} | {text} | | | | | |", flush=True)

    def add(
        self, name: str, peer: str, asked: Sequence[Any], known: Sequence[int], programs: tuple[Program, Program]
    ) -> None:
        """Lets ours and the peer answer in turn. Later rounds ask what both answered in the first one."""
        if self.sets and not any(word in name for word in self.sets):
            return
        first = [self.checked(program(asked), known, name) for program in programs]
        both = [i for i in range(len(asked)) if all(run.answers[i] is not None for run in first)]
        seconds = [[run.spent(both)] for run in first]
        for _ in range(self.rounds - 1 if both else 0):
            for side, program in zip(seconds, programs, strict=True):
                run = self.checked(program([asked[i] for i in both]), [known[i] for i in both], name)
                side.append(run.spent(range(len(both))))
        ours, theirs = (median(side) for side in seconds)
        answered = "; ".join(str(sum(answer is not None for answer in run.answers)) for run in first)
        figures = f"{ours:.3g} | {theirs:.3g} | {ours / theirs:.2g}" if both else "| | "
        memory = "; ".join(run.memory for run in first)
        print(f"| {name} | {peer} | {answered} of {len(asked)} | {figures} | {memory} |", flush=True)

    def checked(self, run: Run, known: Sequence[int], name: str) -> Run:
        for place, (answer, right) in enumerate(zip(run.answers, known, strict=True)):
            if answer is not None and answer != right:
                self.wrong += 1
                print(f"WRONG: {name}, question {place}: {answer}, known {right}", file=sys.stderr)
        return run


def processor_seconds(process: int) -> float:
    """Of all threads of a process that runs."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{process}/task").glob("*/schedstat")) / 1e9


def memory_of(process: int) -> str:
    """What a process holds, and in huge pages."""
    rows = (row.split() for row in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:])
    sizes = {row[0]: int(row[1]) // 1024 for row in rows}
    return f"{sizes['Rss:']:,} MiB, {sizes['AnonHugePages:']:,} huge"


def started(command: list[str], **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)


def said(process: subprocess.Popen[str], line: str) -> str:
    """A line is given to a process; the next one that it prints."""
    assert process.stdin is not None and process.stdout is not None
    print(line, file=process.stdin, flush=True)
    return process.stdout.readline()


def our_values(game: str, table_mib: int) -> Program:
    def run(positions: Sequence[str]) -> Run:
        began = time.process_time()
        found = solve_positions(game, list(positions), table_mib=table_mib)
        seconds = time.process_time() - began
        assert list(found.lower) == list(found.upper)
        return Run([int(value) for value in found.lower], [seconds], f"table {table_mib:,} MiB")

    return run


def one_by_one(program: Program) -> Program:
    """Asks each question alone, so that no table is kept."""

    def run(asked: Sequence[Any]) -> Run:
        runs = [program([question]) for question in asked]
        return Run([run.answers[0] for run in runs], [run.seconds[0] for run in runs], runs[0].memory)

    return run


def solver_of_lines(program: str, *options: str) -> Program:
    def run(positions: Sequence[str]) -> Run:
        environment = os.environ | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
        process = started([program, *options], env=environment, stderr=subprocess.DEVNULL)
        said(process, EASY)
        before = processor_seconds(process.pid)
        answers = [int(said(process, position).split()[-1]) for position in positions]
        seconds, memory = processor_seconds(process.pid) - before, memory_of(process.pid)
        process.communicate()
        return Run(answers, [seconds], memory)

    return run


def connect_four(table: Table, programs: list[str]) -> None:
    if not programs:
        return table.say("connect-four 7x6", "no program given (--connect-four)")
    for program in programs:
        peer = Path(program).name
        for name, game, options in (("outcome", "connect-four", ["-w"]), ("score", "connect-four:7x6,score", [])):
            sides = (our_values(game, CONNECT_FOUR_MIB), solver_of_lines(program, *options))
            table.add(f"empty 7x6, {name}", peer, [""], [1], sides)
        for name, count in SETS.items():
            rows = (DATA / f"c4_pons_Test_{name}.txt").read_text(encoding="utf-8").splitlines()
            chosen = [row.split() for row in rows if row and not row.startswith("#")][:count]
            asked, known = [row[0] for row in chosen], [int(row[1]) for row in chosen]
            table.add(f"Pons {name}, scores, the first {count}", peer, asked, known, sides)
    return None


def edax(program: Path) -> Program:
    def run(positions: Sequence[str]) -> Run:
        with tempfile.NamedTemporaryFile("w", suffix=".obf") as file:
            file.writelines(f"{position};\n" for position in positions)
            file.flush()
            options = ["-solve", file.name, "-level", "60", "-n-tasks", "1", "-hash-table-size", str(EDAX_BITS)]
            done = subprocess.run([program, *options], cwd=program.parent, capture_output=True, text=True, check=True)
        scores = [int(score) for score in re.findall(r"^ *\d+\| +\d+ +([+-]\d+) ", done.stdout, re.MULTILINE)]
        hours, minutes, rest = re.search(r"cpu = *(?:(\d+):)??(\d+):([\d.]+)", done.stdout).groups("0")  # type: ignore[union-attr]
        return Run(scores, [3600 * int(hours) + 60 * int(minutes) + float(rest)], f"2^{EDAX_BITS} entries")

    return run


def othello(table: Table, program: Path | None) -> None:
    name, evaluation = "FFO 40 to 44, exact", None if program is None else program.parent / "data" / "eval.dat"
    if program is None or evaluation is None:
        return table.say(name, "no program given (--othello)")
    if not evaluation.exists():
        return table.say(name, f"{program.name} has no data/eval.dat, which is in no package")
    peer = program.name if any(evaluation.read_bytes()[28:]) else f"{program.name}, an evaluation of zeros"
    asked, known = zip(*problems("fforum-40-59"), strict=True)
    return table.add(
        name, peer, asked, known, (one_by_one(our_values("othello", OTHELLO_MIB)), edax(program.resolve()))
    )


def mates(name: str) -> list[tuple[chess.Board, int]]:
    """Published shortest mates in 2 to so many moves, in even steps through the file."""
    if name == "Reinfeld":
        entries = json.loads((DATA / "chess_reinfeld82.json").read_text(encoding="utf-8"))["positions"]
        claims = [(entry["fen"], entry["dm_engine"] or 0) for entry in entries]
    else:
        claims = [(claim.fen, claim.moves) for claim in claimed_mates(DATA / "chess_matetrack_pv.epd")]
    claims = [claim for claim in claims if 1 < claim[1] <= MOST_MOVES]
    chosen = [claims[number * len(claims) // MATES[name]] for number in range(MATES[name])]
    return [(chess.Board(f"{fen} 0 1"), moves) for fen, moves in chosen]


def our_mates(seconds: float) -> Program:
    def run(asked: Sequence[tuple[chess.Board, int]]) -> Run:
        done = Run([], [], f"{CHESS_MIB} MiB")
        for board, moves in asked:
            plies = 2 * moves - 1
            with connect("memory:") as client:
                position, budget = client.lookup("chess", board.epd()).position, Budget(None, seconds, CHESS_MIB << 20)
                began, game = time.process_time(), f"within:{plies}:chess"
                result: Any = client.solve(game, f"{position} plies={plies}", at_least=1, budget=budget).result
                done.seconds = [*done.seconds, time.process_time() - began]
            done.answers = [*done.answers, {"proved": 1, "disproved": 0}.get(result.status)]
        return done

    return run


def stockfish(program: str, seconds: float) -> Program:
    def run(asked: Sequence[tuple[chess.Board, int]]) -> Run:
        process = started([program])
        options = "".join(f"setoption name {name}\n" for name in ("Threads value 1", f"Hash value {CHESS_MIB}"))
        lines_until(process, f"{options}isready", "readyok")
        done = Run([], [], f"hash {CHESS_MIB} MiB")
        for board, moves in asked:
            lines_until(process, "ucinewgame\nisready", "readyok")
            before = processor_seconds(process.pid)
            question = f"position fen {board.fen()}\ngo mate {moves} movetime {round(1000 * seconds)}"
            found = re.findall(r" score mate (\d+) ", "".join(lines_until(process, question, "bestmove")))
            done.seconds = [*done.seconds, processor_seconds(process.pid) - before]
            done.answers = [*done.answers, 1 if any(0 < int(length) <= moves for length in found) else None]
        process.communicate("quit\n")
        return done

    return run


def lines_until(process: subprocess.Popen[str], question: str, last: str) -> Iterator[str]:
    """What a process prints about a question, without the last line."""
    line, lines = said(process, question), []
    while not line.startswith(last):
        lines.append(line)
        assert process.stdout is not None
        line = process.stdout.readline()
    return iter(lines)


def popeye(program: str, seconds: float) -> Program:
    def run(asked: Sequence[tuple[chess.Board, int]]) -> Run:
        done = Run([], [], f"{CHESS_MIB} MiB")
        for board, moves in asked:
            before = getrusage(RUSAGE_CHILDREN).ru_utime
            keys = keys_by_popeye(program, board, moves, round(seconds), one=True, memory=f"{CHESS_MIB}M")
            done.seconds = [*done.seconds, getrusage(RUSAGE_CHILDREN).ru_utime - before]
            done.answers = [*done.answers, None if keys is None else int(bool(keys))]
        return done

    return run


def chess_mates(table: Table, with_stockfish: str | None, with_popeye: str | None, seconds: float) -> None:
    for program, option in ((with_stockfish, "--stockfish"), (with_popeye, "--popeye")):
        if program is None:
            table.say("chess mates", f"no program given ({option})")
    for name in MATES:
        asked, ours = mates(name), our_mates(seconds)
        title = f"{name}, #2 to #{MOST_MOVES}"
        sooner = [(board, moves - 1) for board, moves in asked]
        if with_stockfish:
            sides = (ours, stockfish(with_stockfish, seconds))
            table.add(f"{title}: mate in N?", "Stockfish", asked, [1] * len(asked), sides)
        if with_popeye:
            sides = (ours, popeye(with_popeye, seconds))
            table.add(f"{title}: mate in N?", "Popeye", asked, [1] * len(asked), sides)
            table.add(f"{title}: in N - 1?", "Popeye", sooner, [0] * len(asked), sides)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connect-four", action="append", default=[], metavar="PROGRAM")
    parser.add_argument("--othello", type=Path, metavar="PROGRAM")
    parser.add_argument("--stockfish", metavar="PROGRAM")
    parser.add_argument("--popeye", metavar="PROGRAM")
    parser.add_argument("--sets", nargs="+", default=[], metavar="WORD", help="only rows with one of these words")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="of a question about chess, by the clock")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the processor that all run on")
    args = parser.parse_args()
    os.sched_setaffinity(0, {args.core})
    began = os.getloadavg()[0]
    table = Table(args.rounds, args.sets)
    connect_four(table, args.connect_four)
    othello(table, args.othello)
    chess_mates(table, args.stockfish, args.popeye, args.seconds)
    print(
        f"\n{time.strftime('%Y-%m-%d')}, load {began:.1f} before, {os.getloadavg()[0]:.1f} after; {table.wrong} wrong"
    )
    return int(table.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
