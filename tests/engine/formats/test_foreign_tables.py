"""Tables of others: faults that a test plants are found, and no others; readers that fail end in one message."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heap_game import Heap

from proofbase.engine._core import TableWork
from proofbase.engine.formats.foreign.tables.check import ForeignCheck, Sample
from proofbase.engine.formats.foreign.tables.class_moves import GOES_ON, ClassMoves, class_moves_of
from proofbase.engine.formats.foreign.tables.reader import ReaderError
from proofbase.engine.games import open_game
from proofbase.engine.openspiel import open_openspiel
from proofbase.engine.rules import ConnectFour, EnumeratedGame, Game, RandomGraph

READER = """
import numpy as np

def open_tables(directory):
    global tables
    tables = np.load(directory + "/tables.npz")
    assert tables.files

def values(positions):
    return tables[positions.table][positions.numbers]
"""

Tables = dict[str, Any]
"""By table what it says of each number: a value, or value and plies."""


class Pairs(EnumeratedGame[int]):
    """40 pairs of positions between which one may go to and fro for ever; the first of each can be left for a draw.

    A table in which the first of a pair is won and the second lost is consistent, and wrong: nobody ever wins.
    """

    name = "pairs"
    acyclic = False
    pairs = 40

    def initial(self) -> int:
        return 0

    def repetition(self, position: int) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return 0 if position == 2 * self.pairs else None

    def moves(self, position: int) -> range:
        return range(1 if position % 2 else 3)

    def play(self, position: int, move: int) -> int:
        following = (position + 2) % (2 * self.pairs)
        return position - 1 if position % 2 else (position + 1, 2 * self.pairs, following)[move]

    def key(self, position: int) -> bytes:
        return bytes([position])

    def position(self, key: bytes) -> int:
        return key[0]

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        return int(text)


class Graph(EnumeratedGame[int], RandomGraph):
    """A random graph with cycles, whose finished positions are lost or drawn."""

    def terminal(self, position: int) -> int | None:
        value = super().terminal(position)
        return None if value is None else min(value, 0)

    def table_positions(self) -> range:
        return range(self.nodes)


@cache
def right_tables(name: str, size: int, directory: Path) -> Tables:
    """Tables of the game as our own builder makes them."""
    game = open_game(name)
    assert TableWork(game, str(directory), size).build()
    from proofbase.engine._core import Tables as OwnTables

    own, moves, out = OwnTables(game, str(directory)), class_moves_of(game), dict[str, Any]()
    for table in moves.classes(size):
        ends, positions = moves.positions(table, np.arange(table.entries))
        values = np.array([own.value(position) for position in positions.objects], np.int64)
        plies = [own.own_plies(position) for position in positions.objects]
        rows = values if None in plies else np.stack((values, np.array(plies, np.int64)), 1)
        out[table.name] = np.zeros((table.entries, *rows.shape[1:]), np.int64)
        out[table.name][ends == GOES_ON] = rows
    return out


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("built")


def checked(game: Game[Any], tables: Tables, place: Path, reader: str = READER, **more: Any) -> ForeignCheck:
    (place / "work").mkdir(parents=True)
    (place / "reader.py").write_text(reader)
    np.savez(place / "tables.npz", **tables)
    check = ForeignCheck(game, place / "reader.py", place, place / "work", **more)
    check.run()
    return check


def found(check: ForeignCheck) -> set[tuple[str, int]]:
    return {(one.table.name, number) for one in check.tables for number in one.failing}


def planted(game: Game[Any], right: Tables, count: int, seed: int) -> tuple[Tables, set[tuple[str, int]]]:
    """A copy with so many wrong entries: another value, or plies that are one or more beside the right ones.

    No move leads from one of them to another, which might make both agree.
    """
    drawing, moves = random.Random(seed), class_moves_of(game)
    wrong, faults = {name: array.copy() for name, array in right.items()}, set[tuple[str, int]]()
    near = set[tuple[str, int]]()
    tables = {table.name: table for table in moves.classes(None)}
    while len(faults) < count:
        name = drawing.choices(list(right), [len(array) for array in right.values()])[0]
        number = drawing.randrange(len(right[name]))
        ends, _ = moves.positions(tables[name], np.array([number]))
        after = set(entries_after(moves, name, number))
        if ends[0] != GOES_ON or (name, number) in faults | near or after & faults:
            continue
        entry = wrong[name][number]
        if right[name].ndim == 1:
            high = max(1, int(np.abs(right[name]).max()))
            wrong[name][number] = drawing.choice([v for v in range(-high, high + 1) if v != entry])
        elif entry[0] and drawing.random() < 0.5:
            entry[1] = max(0, entry[1] + drawing.choice((-2, -1, 1, 2, 7)))
        else:
            value = drawing.choice([v for v in (-1, 0, 1) if v != entry[0]])
            wrong[name][number] = value, 0 if value == 0 else 2 * drawing.randrange(20) + (value > 0) + 1
        if (wrong[name][number] == right[name][number]).all():
            continue
        faults.add((name, number))
        near |= after
    return wrong, faults


def entries_after(moves: ClassMoves, name: str, number: int) -> Iterator[tuple[str, int]]:
    tables = {table.name: table for table in moves.classes(None)}
    names = {table.number: table.name for table in tables.values()}
    listed = moves.moves(tables[name], np.array([number]))
    for c, n in zip(listed.classes.tolist(), listed.numbers.tolist(), strict=True):
        yield names.get(c, ""), n


GAMES = [("awari", 5), ("awari:oware", 4), ("chess", 3), ("checkers", 3), ("giveaway", 2), ("mens-morris:3", 6)]


@pytest.mark.slow("seed2", "seed3", "seed4", "seed5", "chess", "checkers")
@pytest.mark.parametrize("seed", range(1, 6), ids=lambda seed: f"seed{seed}")
@pytest.mark.parametrize(("name", "size"), GAMES)
def test_planted_faults_are_found_and_no_others(name: str, size: int, seed: int, built: Path, tmp_path: Path) -> None:
    """5 x 204 faults: each fails, and whatever else fails rests on one."""
    game, right = open_game(name), right_tables(name, size, built)
    assert not found(checked(game, right, tmp_path / "right", size=size))
    wrong, faults = planted(game, right, 34, seed)
    check = checked(game, wrong, tmp_path / "wrong", size=size)
    failing = found(check)
    assert faults <= failing
    rules = {(one.table.name, number): rule for one in check.tables for number, rule in one.failing.items()}
    for table, number in failing - faults:  # a win that a fault has left to a cycle takes others with it
        nearest = failing if rules[table, number] == "progress" else faults
        assert nearest & set(entries_after(class_moves_of(game), table, number))
    examples = check.failures(10)
    assert len(examples) == 10 and all((one.table, one.number) in failing for one in examples)
    assert {(one.table, one.number) for one in examples if not one.follows} <= faults


def test_a_win_that_never_comes_is_found(tmp_path: Path) -> None:
    """No entry of these disagrees with its moves."""
    right = {"pairs-all": np.zeros(81, np.int64)}
    assert not found(checked(Pairs(), right, tmp_path / "right"))
    wrong = {"pairs-all": right["pairs-all"].copy()}
    for pair in (3, 17, 18):
        wrong["pairs-all"][2 * pair : 2 * pair + 2] = 1, -1
    for pair in (2, 16):  # a move into the next pair loses, so it is not made
        assert wrong["pairs-all"][2 * pair] == 0
    check = checked(Pairs(), wrong, tmp_path / "wrong")
    assert check.tables[0].failing == {
        number: "progress" for pair in (3, 17, 18) for number in (2 * pair, 2 * pair + 1)
    }
    assert not found(checked(Pairs(), right, tmp_path / "sample", sample=Sample(20, 1)))


@pytest.mark.parametrize("seed", range(4))
def test_a_game_in_python_is_checked_as_brute_force_does(seed: int, tmp_path: Path) -> None:
    game = Graph(f"nodes=300,degree=4,ends=12,group=1,seed={seed}")
    drawing = random.Random(seed)
    claimed = [drawing.choice((-1, 0, 1)) if drawing.random() < 0.2 else 0 for _ in range(300)]
    name = game.table_names(0)[0]
    number = {position: game.table_entry(position)[1] for position in range(300)}  # type: ignore[index]
    said = np.zeros(300, np.int64)
    for position, value in enumerate(claimed):
        said[number[position]] = value
    wrong = set()
    for position in range(300):
        if game.terminal(position) is not None:
            continue
        children = [game.play(position, move) for move in game.moves(position)]
        ends = [game.terminal(child) for child in children]
        if claimed[position] != max(-(claimed[c] if e is None else e) for c, e in zip(children, ends, strict=True)):
            wrong.add(number[position])
    check = checked(game, {name: said}, tmp_path, processes=2)
    assert {n for n, rule in check.tables[0].failing.items() if rule == "value"} == wrong


def test_a_broken_off_check_goes_on(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.engine.formats.foreign.tables.check.PART", 1 << 12)
    game, right = open_game("chess"), right_tables("chess", 3, built)
    wrong, faults = planted(game, right, 5, 9)
    (tmp_path / "work").mkdir()
    (tmp_path / "reader.py").write_text(READER)
    np.savez(tmp_path / "tables.npz", **wrong)

    def new() -> ForeignCheck:
        return ForeignCheck(game, tmp_path / "reader.py", tmp_path, tmp_path / "work", size=3)

    first = new()

    def stop() -> None:
        if first.done > first.total * 2 // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(stop)
    with (tmp_path / "work" / "parts.jsonl").open("a") as parts:  # the process was killed there
        parts.write('["check", "chess-')
    second, starts = new(), list[int]()
    second.run(lambda: starts.append(second.done))
    assert first.total // 2 < starts[0] < second.total == second.done
    assert faults <= found(second)


def test_answers_are_on_the_disk_before_a_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.engine.formats.foreign.tables.check.PART", 16)
    work = tmp_path / "work"
    flush, fsync = np.memmap.flush, os.fsync

    def note(what: str) -> None:
        with (tmp_path / "flushed").open("a") as file:
            file.write(what + "\n")

    monkeypatch.setattr(np.memmap, "flush", lambda array: (flush(array), note(array.dtype.name)))
    monkeypatch.setattr(os, "fsync", lambda file: (fsync(file), note("awaited")))
    work.mkdir()
    (tmp_path / "reader.py").write_text("def values(positions):\n    return [0] * len(positions)\n")
    said = list[tuple[list[str], list[str]]]()

    def kinds() -> None:
        if (tmp_path / "flushed").exists():
            lines = (work / "parts.jsonl").read_text().splitlines()
            said.append(([json.loads(line)[0] for line in lines], (tmp_path / "flushed").read_text().split()))

    ForeignCheck(Pairs(), tmp_path / "reader.py", tmp_path, work).run(kinds)
    assert len(said) == 12
    for lines, flushed in said:
        assert flushed.count("int8") == flushed.count("uint16") >= lines.count("ask") > 0
        assert flushed.count("awaited") >= lines.count("check")


BAD = {
    "raise KeyError('kqk')": "values() raised KeyError: 'kqk' (reader.py, line 3, in values)",
    "return [0]": r"shape (1,) for",
    "return [0.5] * len(positions)": "whole numbers",
    "return [[0], [0, 1]]": "no array",
    "return ['win'] * len(positions)": "whole numbers",
    "return [7] * len(positions)": "gives the value 7 for",
    "return [[1, -3]] * len(positions)": "gives the plies -3 for",
    "import time; time.sleep(60)": "has not answered in 0.5 s: 80 positions of pairs-all from number 0 on",
    "import os; os._exit(3)": "ended its process with the exit status 3: 80 positions of pairs-all from number 0 on",
    "import os; os.kill(os.getpid(), 9)": "ended its process by SIGKILL",
    "raise SystemExit": "raised SystemExit",
}


@pytest.mark.parametrize("body", BAD)
def test_a_bad_reader_ends_in_one_message(body: str, tmp_path: Path) -> None:
    with pytest.raises(ReaderError) as failure:
        checked(Pairs(), {"none": np.zeros(1)}, tmp_path, f"\ndef values(positions):\n    {body}\n", seconds=0.5)
    assert BAD[body] in str(failure.value)


def test_a_file_without_a_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="neither a function values nor the name of a library"):
        checked(Pairs(), {"none": np.zeros(1)}, tmp_path / "1", "x = 1\n")
    with pytest.raises(ReaderError, match="cannot be imported"):
        checked(Pairs(), {"none": np.zeros(1)}, tmp_path / "2", "import nothing_of_that_name\n")
    with pytest.raises(ReaderError, match="cannot open shared object"):
        checked(Pairs(), {"none": np.zeros(1)}, tmp_path / "3", "library = 'missing.so'\n")


class Stones(EnumeratedGame[int], Heap):
    """Take one to three of 50 stones; who takes the last one wins."""

    def __init__(self) -> None:
        super().__init__("50")


def test_a_shared_library_is_a_reader(tmp_path: Path) -> None:
    """Losing takes two plies for four stones; a win takes one more than the loss that it leads to."""
    source = """
        #include <stdlib.h>
        int wrong;
        void open_tables(const char *directory) { wrong = directory[0] == '/' ? WRONG : 0; }
        int probe(const char *text) {
            int n = atoi(text);
            if (n == wrong) return 0;
            return n % 4 ? 2 * (n / 4) + 1 : -2 * (n / 4);
        }"""
    for wrong, failing in ((0, set()), (21, {21, 22, 23, 24} - {22, 23})):
        place = tmp_path / str(wrong)
        place.mkdir()
        command = ["cc", "-shared", "-fPIC", f"-DWRONG={wrong}", "-x", "c", "-", "-o", str(place / "probe.so")]
        subprocess.run(command, input=source, text=True, check=True)
        check = checked(Stones(), {"none": np.zeros(1)}, place, "library = 'probe.so'\nplies = True\n")
        assert {number for _, number in found(check)} == failing
        assert check.plies


class LateConnectFour(EnumeratedGame[Any], ConnectFour):
    """Connect-four 7x6 from a position with twelve empty squares on."""

    def initial(self) -> Any:
        drawing = random.Random(3)
        while True:
            position = super().initial()
            for _ in range(30):
                if self.terminal(position) is not None:
                    break
                position = self.play(position, drawing.choice(self.moves(position)))
            else:
                return position


def test_the_scores_of_another_connect_four_program_pass(tmp_path: Path) -> None:
    reader = """
import numpy as np
from bitbully import BitBully, Board

solver = BitBully(opening_book=None)

def values(positions):
    boards = []
    for text in positions:
        rows = text.split(" ")[0].split("/")
        boards.append(Board([[".xo".index(square) for square in row] for row in rows]))
    return np.sign([solver.mtdf(board) for board in boards])
"""
    check = checked(LateConnectFour(), {"none": np.zeros(1)}, tmp_path, reader)
    assert not found(check) and check.tables[0].positions > 300


class SpielTicTacToe(EnumeratedGame[Any], type(open_openspiel("tic_tac_toe"))):  # type: ignore[misc]
    """Tic-tac-toe by the rules of OpenSpiel."""

    def __init__(self) -> None:
        vars(self).update(vars(open_openspiel("tic_tac_toe")))


def test_the_values_of_the_solver_of_openspiel_pass(tmp_path: Path) -> None:
    reader = """
import pyspiel

found = {}

def best(state):
    if state.is_terminal():
        return state.returns()[0]
    text = str(state).replace(chr(10), "/")
    if text not in found:
        values = [best(state.child(action)) for action in state.legal_actions()]
        found[text] = max(values) if state.current_player() == 0 else min(values)
    return found[text]

best(pyspiel.load_game("tic_tac_toe").new_initial_state())

def values(positions):
    return [int(found[text.split()[0]] * (1 if text.split()[1] == "x" else -1)) for text in positions]
"""
    check = checked(SpielTicTacToe(), {"none": np.zeros(1)}, tmp_path, reader)
    assert not found(check) and check.tables[0].positions == 5478
