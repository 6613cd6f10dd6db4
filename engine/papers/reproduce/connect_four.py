"""Connect-four: what positions take, beside the fastest programs that are known; every answer is checked.

The printed times are those of the best public solver, a C++ program of 2025 with one thread and a table of 1 GiB,
measured on a machine of the kind that this was developed on. bitbully (a package) is measured in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from proofbase.engine.many_positions import PositionStatus, solve_positions
from proofbase.engine.papers.reproduce.connect_four_sets import EMPTY_BOARDS, SETS, Question, read_set
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, until_stopped

__all__ = ["solving_times"]

TABLE_MIB = 1024
SECONDS = 60.0
"""For each row, where the caller does not say."""
BITBULLY_ON_EMPTY_BOARD = 300.0
"""Seconds from which on bitbully solves the empty board: it takes about 200, and cannot be interrupted."""
PROGRAM = "the best public solver, a C++ program of 2025"

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass
class _Measured:
    """Rows and remarks, as they come."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answers: int = 0
    wrong: list[str] = field(default_factory=list)

    def check(self, question: Question, lowers: Sequence[int], count: int) -> None:
        for position, expected, value in zip(question.positions[:count], question.values, lowers, strict=False):
            self.answers += 1
            if question.checked(value) != expected:
                where = "".join(str(move + 1) for move in position) or "the empty board"
                self.wrong.append(f"{question.name}, {where}: {value} and not {expected}")


def solving_times(options: Options, progress: Progress) -> Report:
    """The empty boards, and the sets of positions of a directory of data."""
    seconds = SECONDS if options.seconds is None else options.seconds
    questions = list(_questions(options))
    other = _bitbully()
    measured = _Measured()
    with until_stopped(measured.rows) as stopped:
        for number, question in enumerate(questions):
            progress(number / len(questions), question.name)
            _measure(question, seconds, other, measured)
    measured.rows.append(Row("wrong answers", 0, len(measured.wrong)))
    measured.rows.append(Row("answers checked", None, measured.answers))
    their_note = "bitbully is not installed: `pip install bitbully` adds its times."
    if other is not None:
        their_note = "bitbully: the package, without its opening book, in this run; its boards are made before that."
    notes = [
        *stopped,
        f"printed: {PROGRAM}, one thread and a table of 1 GiB, on the kind of machine where this was developed.",
        f"ours: solve_positions, one thread, a table of {TABLE_MIB} MiB for all of a row; reading is included.",
        their_note,
        "Times are seconds of the processor, so that other programs on the machine disturb them little.",
        f"A row ends after {seconds:g} s; its mean is over the positions solved by then, in the order of the set.",
    ]
    if options.data is None:
        notes.append("Only empty boards: --data DIRECTORY names the sets of positions.")
    notes += measured.notes + [f"WRONG: {text}" for text in measured.wrong[:10]]
    return Report("Connect-four at the limit: positions of public test sets", measured.rows, notes)


def _questions(options: Options) -> Iterator[Question]:
    yield from EMPTY_BOARDS
    if options.data is None:
        return
    if not options.data.is_dir():
        raise NotADirectoryError(f"{options.data} is no directory with sets of positions")
    sets_present = [entry for entry in SETS if (options.data / entry.file).is_file()]
    if not sets_present:
        names = ", ".join(entry.file for entry in SETS[:3])
        raise FileNotFoundError(f"{options.data} has none of the sets of positions ({names}, ...)")
    for entry in sets_present:
        question = read_set(entry, options.data / entry.file)
        if entry.sample is not None:
            question = question.sample(min(entry.sample, options.positions or entry.sample), Random(1))
        yield question.first(options.positions)


def _measure(question: Question, seconds: float, other: Callable[..., Any] | None, out: _Measured) -> None:
    lowers, count, spent = _ours(question, seconds)
    out.check(question, lowers, count)
    if not count:
        out.notes.append(f"{question.name}: not solved within {seconds:g} s.")
        return
    if count < len(question.positions):
        out.notes.append(f"{question.name}: {count:,} of {len(question.positions):,} positions.")
    unit = UNITS[question.unit]
    single = len(question.positions) == 1
    label = question.name if single else f"{question.name}, mean"
    out.rows.append(Row(label, question.printed, spent / count / unit, question.unit, tolerance=None))
    if other is None or question.board != (7, 6) or (single and seconds < BITBULLY_ON_EMPTY_BOARD):
        return
    theirs, their_count, their_time = _theirs(question, other, seconds)
    out.check(question.as_score(), theirs, their_count)
    if their_count < count:  # ours on the same positions
        _, count, spent = _ours(question.first(their_count), seconds)
    out.rows.append(Row("   bitbully", None, their_time / their_count / unit, question.unit))
    out.rows.append(Row("   ours over bitbully's", None, spent / count / (their_time / their_count)))


def _ours(question: Question, seconds: float) -> tuple[Sequence[int], int, float]:
    """Values, how many positions were solved before the first that was not, and the time."""
    texts = question.texts()
    started = time.process_time()
    solved = solve_positions(question.game, texts, total_seconds=seconds, table_mib=TABLE_MIB)
    spent = time.process_time() - started
    status = solved.status.tolist()
    count = next((i for i, entry in enumerate(status) if entry != PositionStatus.EXACT), len(status))
    return solved.lower.tolist(), count, spent


def _theirs(question: Question, solver: Callable[..., Any], seconds: float) -> tuple[list[int], int, float]:
    board = import_module("bitbully").Board
    boards = [board(list(position)) for position in question.positions]
    values: list[int] = []
    program = solver(opening_book=None)
    end = time.monotonic() + seconds
    started = time.process_time()
    for one in boards:
        values.append(program.mtdf(one))
        if time.monotonic() > end:
            break
    return values, len(values), time.process_time() - started


def _bitbully() -> Callable[..., Any] | None:
    return None if find_spec("bitbully") is None else import_module("bitbully").BitBully
