"""Damages table files in every way, under a service that has them open and under one that opens them anew.

    python tests/bench/trial_table_damage.py [--damages N] [--seed S]

A child process holds a store with the tables of awari to nine stones, and answers in all ways: packed keys by the copy
of the records in memory and by the store, texts, single lookups with their moves, the Python reader. Before every
question a file is damaged: bits flipped, bytes overwritten, cut off, emptied, appended, pages of zeros, pieces swapped,
tables under other names, headers changed with the right checksum, files removed. Half of the damages happen in place,
while the child has read a part of the file; the others replace the file. Afterwards the file is restored.

Counted, and none may be: processes that ended, values that are not those of the undamaged tables, positions without a
value whose table nobody reports, damages that a reader of the whole file does not find, answers that are not whole
again after the file was restored. Exit status 1 if there are some.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofbase.engine._core import Tables, TableWork
from proofbase.engine.errors import DamagedTableError
from proofbase.engine.games import open_game
from proofbase.engine.rules import Awari
from proofbase.engine.tables import PythonTables
from proofbase.service.application import Application
from proofbase.service.client import Limits
from proofbase.service.client.local import LocalClient
from proofbase.storage import open_store

STONES = 9
FIRST = 4
"""Tables of fewer stones have one block of few entries; they are damaged as well, but seldom."""
SAMPLE = 40
"""Positions of each table that are asked for."""
PAGE = 4096
Change = Callable[[random.Random, Path, Path], object]
"""Damages the second path, a copy of a table; the first one is the folder with the undamaged tables."""


def _edit(change: Callable[[random.Random, bytearray], object]) -> Change:
    def run(chance: random.Random, whole: Path, path: Path) -> None:
        data = bytearray(path.read_bytes())
        change(chance, data)
        path.write_bytes(data)

    return run


def _flip(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _flip_header(chance: random.Random, data: bytearray) -> None:
    data[chance.randrange(256)] ^= 1 << chance.randrange(8)


def _header_with_its_checksum(chance: random.Random, data: bytearray) -> None:
    data[chance.choice([*range(8, 48), *range(64, 252)])] ^= 1 << chance.randrange(8)
    struct.pack_into("<I", data, 252, zlib.crc32(data[:252]))


def _overwrite(chance: random.Random, data: bytearray) -> None:
    start = chance.randrange(len(data))
    size = min(chance.choice([1, 16, 500, PAGE]), len(data) - start)
    data[start : start + size] = chance.randbytes(size)


def _zero_page(chance: random.Random, data: bytearray) -> None:
    start = chance.randrange(0, len(data), PAGE)
    data[start : start + PAGE] = bytes(min(PAGE, len(data) - start))


def _swap_blocks(chance: random.Random, data: bytearray) -> None:
    """Two pieces change places; in a small table that is a change of a few bytes."""
    size = min(512, len(data) // 4)
    one, two = sorted(chance.sample(range(0, len(data) - size, size), 2))
    data[one : one + size], data[two : two + size] = data[two : two + size], data[one : one + size]


def _cut(chance: random.Random, data: bytearray) -> None:
    del data[chance.choice([0, 1, 255, 256, len(data) - 1, chance.randrange(len(data)), chance.randrange(len(data))]) :]


def _append(chance: random.Random, data: bytearray) -> None:
    data += bytes(chance.choice([1, 8, PAGE])) if chance.random() < 0.5 else chance.randbytes(64)


def _swap_tables(chance: random.Random, whole: Path, path: Path) -> None:
    names = [f"awari-{stones}.table" for stones in range(STONES + 1)]
    shutil.copyfile(whole / chance.choice([name for name in names if name != path.name]), path)


def _remove(chance: random.Random, whole: Path, path: Path) -> None:
    path.unlink()


CHANGES: dict[str, Change] = {
    "flip": _edit(_flip),
    "flip in the header": _edit(_flip_header),
    "header with its checksum": _edit(_header_with_its_checksum),
    "overwrite": _edit(_overwrite),
    "page of zeros": _edit(_zero_page),
    "swap pieces": _edit(_swap_blocks),
    "cut off": _edit(_cut),
    "append": _edit(_append),
    "another table": _swap_tables,
    "remove": _remove,
}


@dataclass
class Outcome:
    """What the trial found."""

    damages: Counter[str] = field(default_factory=Counter)
    reported: int = 0
    unanswered: int = 0
    answers: int = 0
    failures: list[str] = field(default_factory=list)


class Questions:
    """Positions of every table with their values."""

    def __init__(self, whole: Path, chance: random.Random) -> None:
        game: Any = open_game("awari")
        tables = Tables(game, str(whole))
        self.keys = list[bytes]()
        self.values = dict[bytes, int]()
        self.stones = dict[bytes, int]()
        self.over = set[bytes]()
        for entry in tables.entries():
            for number in {chance.randrange(entry.entries) for _ in range(SAMPLE)}:
                position = tables.position(entry.table_class, number)
                key, value, terminal = game.key(position), tables.value(position), game.terminal(position)
                assert value is not None
                self.keys.append(key)
                self.values[key], self.stones[key] = (value if terminal is None else terminal), entry.table_class
                if terminal is not None:
                    self.over.add(key)


def run(damages: int, seed: int) -> Outcome:
    """Makes so many damages."""
    chance, outcome = random.Random(seed), Outcome()
    with tempfile.TemporaryDirectory() as folder:
        whole, store = Path(folder) / "whole", Path(folder) / "store"
        assert TableWork(open_game("awari"), str(whole), STONES).build()  # type: ignore[arg-type]
        shutil.copytree(whole, store / "tables")
        child = _Child(store)
        for number in range(damages):
            questions = Questions(whole, chance)
            change = list(CHANGES)[number % len(CHANGES)]
            stones = chance.randrange(FIRST, STONES + 1) if chance.random() < 0.9 else chance.randrange(FIRST)
            path = store / "tables" / f"awari-{stones}.table"
            in_place = chance.random() < 0.5
            label = f"{number}: {change} of {path.name}, {'in place' if in_place else 'replaced'}"
            read_before = chance.sample(questions.keys, chance.choice([0, len(questions.keys) // 2]))
            child.ask(read_before, outcome, label)
            new = path if in_place else path.with_suffix(".part")
            if not in_place:
                shutil.copyfile(path, new)
            CHANGES[change](chance, whole, new)
            if not in_place:
                new.replace(path) if new.exists() else path.unlink()
            outcome.damages[change] += 1
            damaged = not path.exists() or path.read_bytes() != (whole / path.name).read_bytes()
            _compare(questions, child.ask(questions.keys, outcome, label), outcome, label, damaged=stones)
            if damaged and path.exists():
                _verify(path, stones, whole, outcome, label)
            if in_place and path.exists():
                path.write_bytes((whole / path.name).read_bytes())
            else:
                shutil.copyfile(whole / path.name, new.with_suffix(".part"))
                new.with_suffix(".part").replace(path)
            _compare(questions, child.ask(questions.keys, outcome, label), outcome, f"{label}, restored", damaged=None)
        child.close()
    return outcome


def _compare(
    questions: Questions, found: dict[str, Any] | None, outcome: Outcome, label: str, *, damaged: int | None
) -> None:
    """Holds answers against the truth.

    Args:
        questions: what was asked.
        found: the values by the way of asking (None where there is none), and the tables that are reported.
        outcome: where failures go.
        label: names the damage.
        damaged: class of the table that was damaged; None: all answers have to be whole.
    """
    if found is None:
        return
    outcome.reported += bool(found["damaged"])
    ways: dict[str, list[int | None]] = found["values"]
    for way, values in ways.items():
        for key, value in zip(questions.keys, values, strict=True):
            outcome.answers += 1
            if value is not None:
                if value != questions.values[key]:
                    outcome.failures.append(f"{label}: {way} says {value} of {key.hex()}, not {questions.values[key]}")
                continue
            outcome.unanswered += 1
            stones = questions.stones[key]
            if key in questions.over or stones != damaged:
                outcome.failures.append(f"{label}: {way} has no value of {key.hex()}, with {stones} stones")
            elif f"awari-{stones}" not in found["damaged"] and f"awari-{stones}" in found["tables"]:
                outcome.failures.append(f"{label}: {way} lost awari-{stones} in silence")
        if values != next(iter(ways.values())):
            outcome.failures.append(f"{label}: {way} and {next(iter(ways))} differ")
    if damaged is None and found["damaged"]:
        outcome.failures.append(f"{label}: {found['damaged']} is still reported")


def _verify(path: Path, stones: int, whole: Path, outcome: Outcome, label: str) -> None:
    """Every reader that looks at the whole file has to refuse it."""
    game: Any = open_game("awari")
    try:
        Tables(game, str(path.parent)).histogram(stones)
        outcome.failures.append(f"{label}: the core reads the whole table without a finding")
    except DamagedTableError:
        pass
    rules = Awari()
    try:
        tables = PythonTables(rules, path.parent)
        entries = Tables(game, str(whole)).entries()[stones].entries
        for entry in range(0, entries, 8192):
            tables.value(rules.table_position(f"awari-{stones}", entry))
        outcome.failures.append(f"{label}: the Python reader reads the whole table without a finding")
    except DamagedTableError:
        pass


class _Child:
    """A process with a service on the store; started anew when it ends."""

    def __init__(self, store: Path) -> None:
        self._command = [sys.executable, __file__, "--serve", str(store)]
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, keys: list[bytes], outcome: Outcome, label: str) -> dict[str, Any] | None:
        """The answers; None, and a failure, if the process ended or raised an error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        answer = ""
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps([key.hex() for key in keys]) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            outcome.failures.append(f"{label}: the process ended with {self._process.wait(10)}")
            self._start()
            return None
        found: dict[str, Any] = json.loads(answer)
        if "error" in found:
            outcome.failures.append(f"{label}: {found['error']}")
            return None
        return found

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def serve(store: str) -> None:
    """What the child does: answers questions of standard input until there are no more."""
    logging.disable()
    opened = open_store(store)
    apps = [Application(opened), Application(opened, Limits(cache_bytes=1)), Application(opened, rules="python")]
    clients = [LocalClient(app, store) for app in apps]
    for line in sys.stdin:
        answer: dict[str, Any]
        try:
            apps[0].resources.cache.records("awari")
            answer = _answers(clients, [bytes.fromhex(key) for key in json.loads(line)])
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def _answers(clients: list[LocalClient], keys: list[bytes]) -> dict[str, Any]:
    game: Any = open_game("awari")
    values = dict[str, list[int | None]]()
    packed = b"".join(keys)
    for name, client in zip(("copy", "store"), clients, strict=False):
        values[name] = _exact(client.batch_lookup_packed("awari", packed).bounds())
    values["python"] = _exact(clients[2].batch_lookup_keys("awari", keys).bounds())
    items = clients[0].batch_lookup("awari", [game.text(game.position(key)) for key in keys])
    values["texts"] = _exact((item.value.lower, item.value.upper) for item in items if item.value is not None)
    for key, value in list(zip(keys, values["copy"], strict=True))[:: max(1, len(keys) // 20)]:
        answer = clients[0].lookup("awari", key)
        if (answer.value.lower if answer.known else None) != value:
            raise AssertionError(f"a lookup of {key.hex()} says {answer.value}, a batch {value}")
    for key in keys[:: max(1, len(keys) // 3)]:
        clients[0].line("awari", key, max_plies=5)
    tables = clients[0].statistics().tables
    return {
        "values": values,
        "damaged": {entry.name: entry.damage for entry in tables if entry.damage},
        "tables": [entry.name for entry in tables],
    }


def _exact(bounds: Iterable[tuple[int, int]]) -> list[int | None]:
    return [lower if lower == upper else None for lower, upper in bounds]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damages", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    started = time.monotonic()
    outcome = run(options.damages, options.seed)
    for failure in list(dict.fromkeys(outcome.failures))[:50]:
        print(failure, file=sys.stderr)
    figures = {
        "damages": sum(outcome.damages.values()),
        "kinds": dict(outcome.damages),
        "answers": outcome.answers,
        "without a value": outcome.unanswered,
        "questions with a report": outcome.reported,
        "failures": len(outcome.failures),
        "seconds": round(time.monotonic() - started, 1),
    }
    print(json.dumps(figures))
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main())
