"""The check of a table of others: each value must follow from those after the moves, and each win must end.

What the reader says of a class and of those that its moves lead to is kept while the class is checked, three bytes a
number, so that each position is asked for once. A sample asks for its positions and for those after their moves.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from proofbase.engine.formats.foreign.tables.class_moves import (
    GOES_ON,
    NO_POSITION,
    ClassMoves,
    Moves,
    TableOfClass,
    class_moves_of,
)
from proofbase.engine.formats.foreign.tables.layers import awaited_moves, entries_without_layer
from proofbase.engine.formats.foreign.tables.processes import Alive, run_in_processes
from proofbase.engine.formats.foreign.tables.reader import ReaderError, TableReader
from proofbase.engine.rules.game import Game
from proofbase.engine.tables.numbered import NO_CLASS

__all__ = ["CheckedTable", "Failure", "ForeignCheck", "Sample"]

PART = 1 << 16
"""Numbers of a part, which one process works on."""
CALL = 1 << 13
"""Positions of one call of the reader."""


class Sample(NamedTuple):
    """Positions of all tables together, drawn by a seed."""

    positions: int
    seed: int


@dataclass(slots=True)
class CheckedTable:
    """What the check of a table has found so far."""

    table: TableOfClass
    positions: int = 0
    finished: int = 0
    """Positions in which the game is over: the rules say their values, and nobody is asked."""
    failing: dict[int, str] = field(default_factory=dict)
    """The rule that the entry of a number breaks."""


class Failure(NamedTuple):
    """An entry that fails, with what the table says of the positions after its moves."""

    table: str
    number: int
    position: str
    rule: str
    value: int
    plies: int | None
    moves: list[tuple[str, int, int | None]]
    """Each move, and value and plies of the position after it, for its side to move."""
    follows: bool
    """A move leads to an entry that fails too, from which this may follow."""


class _Task(NamedTuple):
    kind: str
    """`ask` fills in the answers, `check` compares them."""
    table: TableOfClass
    numbers: Any
    """A range of numbers, or an array of them."""


class _Part(NamedTuple):
    """What has come of a task."""

    kind: str
    table: str
    first: int
    positions: int
    finished: int
    plies: bool | None
    """Whether the reader says plies; None if it was not asked."""
    failing: dict[int, str]


class ForeignCheck:
    """The check of tables that a reader reads.

    Args:
        game: the rules.
        reader: file of the reader.
        directory: of the tables.
        work: a directory for what is kept while it runs; a check that was broken off goes on from it.
        size: all classes of so many men or stones, at most; None for all.
        names: of our tables of the classes that are checked; empty: of all of that size.
        sample: draws positions; None: all are checked.
        processes: how many ask the reader at a time.
        seconds: of a call of the reader.

    Attributes:
        tables: what was found so far.
        plies: whether the reader says plies; None before it has said anything.
        done, total: numbers of this and of all work.

    Raises:
        ValueError: there is no such class.
        NoTablesError: the game has no numbered classes.
    """

    def __init__(
        self,
        game: Game[Any],
        reader: Path,
        directory: Path,
        work: Path,
        *,
        size: int | None = None,
        names: tuple[str, ...] = (),
        sample: Sample | None = None,
        processes: int = 1,
        seconds: float = 60.0,
    ) -> None:
        self._game, self._reader, self._directory, self._work = game, reader, directory, work
        self._moves: ClassMoves = class_moves_of(game)
        self._by_number = {table.number: table for table in self._moves.classes(None)}
        known = {table.name: table for table in self._by_number.values()}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(f"{game.name} has no table {unknown[0]}; the first one is {next(iter(known))}")
        chosen = [known[name] for name in names] or self._moves.classes(size)
        self.tables = [CheckedTable(table) for table in chosen]
        self._sample, self._processes, self._seconds = sample, processes, seconds
        self.plies: bool | None = None
        needed = dict.fromkeys(c for table in chosen for c in (*table.needs, table.number))
        self._asked = [self._by_number[c] for c in needed]
        self.done, self.total = 0, sum(table.entries for table in chosen)
        if sample is None:
            self.total += sum(table.entries for table in self._asked)
        self._starts = np.zeros(NO_CLASS + 1, np.int64)
        """Of each class where its answers begin."""
        start = 0
        for table in self._asked:
            self._starts[table.number], start = start, start + table.entries
        self._answers = start

    @property
    def relies_on(self) -> list[str]:
        """The tables taken on trust: the reader is asked for them, and not all of their positions are checked."""
        checked = {one.table.number for one in self.tables} if self._sample is None else set[int]()
        return [table.name for table in self._asked if table.number not in checked]

    def library(self) -> Path | None:
        """The shared library that the reader names, if it does.

        Raises:
            ReaderError: the reader fails.
        """
        with closing(run_in_processes(self._start_naming, ["library"], 1, self._seconds)) as named:
            library: Path | None = next(named)[0]
        return library

    def _start_naming(self) -> Callable[[str, Alive], tuple[Path | None]]:
        library = TableReader(self._reader, self._directory, self._game.highest_value).library
        return lambda task, alive: (library,)

    def run(self, on_progress: Callable[[], None] = lambda: None) -> None:
        """Checks what is left of the tables. `on_progress` is called after each part.

        Raises:
            ReaderError: the reader fails.
            BrokenGameError: the rules of a game in Python do.
        """
        if self._sample is not None:
            return self._run(self._sampled(self._sample), on_progress)
        for name, width in (("values", 1), ("plies", 2)):
            with (self._work / name).open("ab") as file:
                file.truncate(self._answers * width)
        finished = {(part.kind, part.table, part.first) for part in self._parts_before()}
        on_progress()
        for kind, tables in (("ask", self._asked), ("check", [one.table for one in self.tables])):
            tasks = _parts(kind, tables)
            left = (task for task in tasks if (kind, task.table.name, task.numbers[0]) not in finished)
            self._run(left, on_progress)
        if not self.plies:
            for one in self.tables:
                self._find_progress(one)
        return None

    def _parts_before(self) -> Iterator[_Part]:
        """What an earlier process has done. A line that it has not finished is no part."""
        path = self._work / "parts.jsonl"
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        for line in lines:
            part = _Part(*json.loads(line))
            self._take(part._replace(failing={int(number): rule for number, rule in part.failing.items()}))
            yield part

    def _take(self, part: _Part) -> None:
        self.done += part.positions if self._sample else min(PART, self._of(part.table).entries - part.first)
        if None not in (part.plies, self.plies) and part.plies != self.plies:
            raise ReaderError(f"the reader gives plies of some positions and none of others: {part.table}")
        self.plies = part.plies if self.plies is None else self.plies
        if part.kind != "check":
            return
        (one,) = (one for one in self.tables if one.table.name == part.table)
        one.positions += part.positions
        one.finished += part.finished
        one.failing |= part.failing

    def _of(self, name: str) -> TableOfClass:
        return next(table for table in self._asked if table.name == name)

    def _run(self, tasks: Iterator[_Task], on_progress: Callable[[], None]) -> None:
        parts = run_in_processes(self._start, tasks, self._processes, self._seconds)
        with closing(parts), (self._work / "parts.jsonl").open("a") as kept:
            for part in parts:
                if self._sample is None:
                    kept.write(json.dumps(part) + "\n")
                    kept.flush()
                self._take(part)
                on_progress()

    def _start(self) -> Callable[[_Task, Alive], _Part]:
        """In a process of its own."""
        reader = TableReader(self._reader, self._directory, self._game.highest_value)
        answers = self._answers_of(reader)

        def work(task: _Task, alive: Alive) -> _Part:
            numbers = np.array(task.numbers, np.int64)
            table, first = task.table, int(numbers[0])
            if task.kind == "ask":
                partial_answers = _ask(self._moves, reader, table, numbers, alive)
                assert isinstance(answers, _Kept)
                answers.put(table.number, first, partial_answers)
                return _Part("ask", table.name, first, 0, 0, partial_answers.says_plies, {})
            moves = self._moves.moves(table, numbers)
            own = answers.of(np.full(len(numbers), table.number), numbers, alive)
            children = answers.of(moves.classes, moves.numbers, alive)
            says_plies = self.plies if own.says_plies is None else own.says_plies
            worth = moves.rewards - children.values
            wrong, late, right = _compared(moves, worth, own, children, bool(says_plies))
            if not says_plies and self._sample is None:
                awaited = awaited_moves(moves, own.values, worth, table.number, numbers, right)
                with self._awaited(table, first).open("wb") as file:
                    np.savez(file, **awaited)
                    file.flush()
                    os.fsync(file.fileno())
            exists = moves.ends != NO_POSITION
            finished = int((exists & (moves.ends != GOES_ON)).sum())
            failing = dict.fromkeys(numbers[wrong].tolist(), "value") | dict.fromkeys(numbers[late].tolist(), "plies")
            return _Part("check", table.name, first, int(exists.sum()), finished, says_plies, failing)

        return work

    def _answers_of(self, reader: TableReader) -> _Kept | _Asked:
        if self._sample is None:
            return _Kept(self._work, self._answers, self._starts)
        return _Asked(self._moves, self._by_number, reader)

    def _awaited(self, table: TableOfClass, first: int) -> Path:
        return self._work / f"{table.name}-{first}.npz"

    def _find_progress(self, one: CheckedTable) -> None:
        """Adds the entries whose win or loss rests on a cycle."""
        files = [self._awaited(one.table, first) for first in range(0, one.table.entries, PART)]
        for number in entries_without_layer(one.table.entries, [np.load(file) for file in files]):
            one.failing.setdefault(number, "progress")

    def _sampled(self, sample: Sample) -> Iterator[_Task]:
        """Parts of positions that are drawn and that go on, in the order of the tables."""
        drawing, total = random.Random(sample.seed), self.total
        ends = np.cumsum([one.table.entries for one in self.tables])
        seen, sampled = set[int](), list[tuple[int, int]]()
        while len(sampled) < sample.positions and len(seen) < total:
            drawn = {drawing.randrange(total) for _ in range(2 * sample.positions)} - seen
            seen |= drawn
            places = np.array(sorted(drawn), np.int64)
            of_table = np.searchsorted(ends, places, "right")
            for index in np.unique(of_table).tolist():
                table = self.tables[index].table
                numbers = places[of_table == index] - (ends[index] - table.entries)
                kinds, _ = self._moves.positions(table, numbers)
                sampled += [(index, number) for number in numbers[kinds == GOES_ON].tolist()]
        drawing.shuffle(sampled)
        sampled = sorted(sampled[: sample.positions])
        self.total = len(sampled)
        for index, one in enumerate(self.tables):
            numbers = np.array([number for of_table, number in sampled if of_table == index], np.int64)
            for start in range(0, len(numbers), CALL):
                yield _Task("check", one.table, numbers[start : start + CALL])

    def failures(self, most: int) -> list[Failure]:
        """The first entries that fail: before the others those with moves to right entries only."""
        failures = list[Failure]()
        with_own_fault = 0
        with closing(run_in_processes(self._start_looking, self._failing(), 1, self._seconds)) as looked_at:
            for failure in looked_at:
                failures.append(failure)
                with_own_fault += not failure.follows
                if with_own_fault >= most:
                    break
        return sorted(failures, key=lambda failure: failure.follows)[:most]

    def _failing(self) -> Iterator[tuple[TableOfClass, int, str]]:
        looked = 0
        for one in self.tables:
            for number, rule in sorted(one.failing.items()):
                looked += 1
                if looked > MOST_LOOKED:
                    return
                yield one.table, number, rule

    def _start_looking(self) -> Callable[[tuple[TableOfClass, int, str], Alive], Failure]:
        answers = self._answers_of(TableReader(self._reader, self._directory, self._game.highest_value))
        failing = {one.table.number: one.failing for one in self.tables}

        def look(task: tuple[TableOfClass, int, str], alive: Alive) -> Failure:
            table, number, rule = task
            numbers = np.array([number])
            moves = self._moves.moves(table, numbers)
            own = answers.of(np.array([table.number]), numbers, alive)
            after = answers.of(moves.classes, moves.numbers, alive)
            position = self._moves.positions(table, numbers)[1].objects[0]
            plies = after.plies.tolist() if self.plies else [None] * len(after.plies)
            names = [self._game.move_text(position, move) for move in self._game.moves(position)]
            rows = list(zip(names, after.values.tolist(), plies, strict=True))
            pairs = zip(moves.classes.tolist(), moves.numbers.tolist(), strict=True)
            follows = any(n in failing.get(c, ()) for c, n in pairs)
            answer = int(own.values[0]), int(own.plies[0]) if self.plies else None
            return Failure(table.name, number, self._game.text(position), rule, *answer, rows, follows)

        return look


MOST_LOOKED = 10_000
"""Failing entries that are looked at for counterexamples."""


def _parts(kind: str, tables: list[TableOfClass]) -> Iterator[_Task]:
    for table in tables:
        for first in range(0, table.entries, PART):
            yield _Task(kind, table, range(first, min(first + PART, table.entries)))


class _Answers(NamedTuple):
    values: Any
    plies: Any
    says_plies: bool | None = None
    """None: nobody was asked now."""


def _ask(moves: ClassMoves, reader: TableReader, table: TableOfClass, numbers: Any, alive: Alive) -> _Answers:
    """What the reader says of positions; of finished ones what the rules say."""
    values, plies = np.zeros(len(numbers), np.int8), np.zeros(len(numbers), np.uint16)
    says_plies: bool | None = None
    for start in range(0, len(numbers), CALL):
        numbers_of_call = numbers[start : start + CALL]
        ends, positions = moves.positions(table, numbers_of_call)
        goes_on = ends == GOES_ON
        slice_values, slice_plies = values[start : start + CALL], plies[start : start + CALL]
        slice_values[~goes_on] = np.where(ends == NO_POSITION, 0, ends)[~goes_on]
        if not len(positions):
            continue
        alive(f"{len(positions):,} positions of {table.name} from number {int(positions.numbers[0]):,} on")
        slice_values[goes_on], plies_read = reader.values(positions)
        if says_plies not in (None, plies_read is not None):
            raise reader.wrong("gives plies of some positions and none of others")
        says_plies = plies_read is not None
        if plies_read is not None:
            slice_plies[goes_on] = plies_read
    return _Answers(values, plies, says_plies)


class _Kept:
    """Answers in two files that all processes share."""

    def __init__(self, work: Path, count: int, starts: Any) -> None:
        self._values = np.memmap(work / "values", np.int8, "r+", shape=count)
        self._plies = np.memmap(work / "plies", np.uint16, "r+", shape=count)
        self._starts = starts

    def put(self, of_class: int, first: int, answers: _Answers) -> None:
        """Writes them to the disk, before a line says that they are there."""
        start = self._starts[of_class] + first
        self._values[start : start + len(answers.values)] = answers.values
        self._plies[start : start + len(answers.values)] = answers.plies
        self._values.flush()
        self._plies.flush()

    def of(self, classes: Any, numbers: Any, alive: Alive) -> _Answers:
        places = self._starts[classes] + numbers
        ended = classes == NO_CLASS
        places[ended] = 0
        values, plies = self._values[places], self._plies[places]
        values[ended], plies[ended] = numbers[ended], 0
        return _Answers(values, plies)


class _Asked:
    """Answers of the reader to what is asked."""

    def __init__(self, moves: ClassMoves, tables: dict[int, TableOfClass], reader: TableReader) -> None:
        self._moves, self._tables, self._reader = moves, tables, reader

    def of(self, classes: Any, numbers: Any, alive: Alive) -> _Answers:
        values, plies = np.zeros(len(numbers), np.int8), np.zeros(len(numbers), np.uint16)
        says_plies: bool | None = None
        for of_class in np.unique(classes).tolist():
            in_class = classes == of_class
            if of_class == NO_CLASS:
                values[in_class] = numbers[in_class]
                continue
            different, places = np.unique(numbers[in_class], return_inverse=True)
            child_answers = _ask(self._moves, self._reader, self._tables[of_class], different, alive)
            values[in_class], plies[in_class] = child_answers.values[places], child_answers.plies[places]
            says_plies = child_answers.says_plies if says_plies is None else says_plies
        return _Answers(values, plies, says_plies)


def _compared(moves: Moves, worth: Any, own: _Answers, children: _Answers, plies: bool) -> tuple[Any, Any, Any]:
    """Which entries have a wrong value, which have wrong plies, and which others are no draws.

    The value must be the best of the moves. With plies, a win takes one more than its soonest move that is worth as
    much, and a loss one more than its latest.
    """
    wrong, late, right = np.zeros((3, len(moves.ends)), bool)
    goes_on = moves.ends == GOES_ON
    if not goes_on.any():
        return wrong, late, right
    values, counts = own.values[goes_on].astype(np.int16), moves.counts[goes_on]
    starts = np.cumsum(counts) - counts
    wrong[goes_on] = np.maximum.reduceat(worth, starts) != values
    if plies:
        as_good = worth == np.repeat(values, counts)
        soonest = np.minimum.reduceat(np.where(as_good, children.plies, 65_535), starts)
        latest = np.maximum.reduceat(np.where(as_good, children.plies, 0), starts)
        due = np.where(values > 0, soonest, latest).astype(np.int64) + 1
        late[goes_on] = (values != 0) & (own.plies[goes_on] != due)
        late &= ~wrong
    right[goes_on] = values != 0
    return wrong, late, right & ~wrong
