"""Damages the files of an LMDB store in many ways, and looks what processes make of them.

    python tests/storage/damage_files.py --damages 2500

Each round takes a copy of one store, damages it, and has a new process use it: look up every record, list the jobs and
the sources, count, verify, put records, solve. A third of the damages are done while the process has the store open.
No process may be ended by a signal, no lookup may give a wrong value, and a record may be missing only where the store
was refused, an error named the damage, or the verification failed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from proofbase.engine.errors import EngineError
from proofbase.service.client import connect
from proofbase.service.errors import ServiceError
from proofbase.storage import Job, StoreError, open_store

GAMES = ("tic-tac-toe", "connect-four:4x4")
PAGE = 4096
SECONDS = 120
EXAMPLES = 8

Truth = dict[str, dict[bytes, tuple[int, int]]]


def make_store(directory: Path) -> Truth:
    """A store with records of two games, jobs, checkpoints, a quarantined record, and pages that are free again.

    Returns:
        The bounds of every record.
    """
    truth: Truth = {}
    with connect(str(directory)) as client:
        for game in GAMES:
            client.solve(game)
    with open_store(str(directory)) as store:
        for number in range(8):
            job = Job(f"old-{number}", "export", "done", float(number), float(number), result={"value": number})
            store.put_job(job)
            store.append_checkpoint(job.id, bytes([number]) * 20_000)
        for number in range(0, 8, 2):
            store.drop_checkpoint(f"old-{number}")
        keys = [key for key, _ in store.scan(GAMES[0], limit=3)]
        store.quarantine(GAMES[0], keys[:1], "a test")
    with connect(str(directory), read_only=True) as client, open_store(str(directory), read_only=True) as store:
        for game in GAMES:
            keys = [key for key, _ in store.scan(game)]
            found = client.batch_lookup_keys(game, keys).bounds()
            truth[game] = {key: (low, high) for key, (low, high) in zip(keys, found, strict=True)}
    return truth


# Damages: each changes files of a directory, and says what it did.


def flip_bit(directory: Path, chance: random.Random) -> str:
    data = directory / "data.mdb"
    place = chance.randrange(data.stat().st_size)
    return _change(data, place, lambda old: bytes([old[0] ^ 1 << chance.randrange(8)]), 1)


def flip_bit_of_a_head(directory: Path, chance: random.Random) -> str:
    """In the first bytes of a page, where its type and its size are, and where its entries lie."""
    data = directory / "data.mdb"
    page = chance.randrange(data.stat().st_size // PAGE)
    return _change(data, page * PAGE + chance.randrange(64), lambda old: bytes([old[0] ^ 1 << chance.randrange(8)]), 1)


def flip_bit_of_a_meta_page(directory: Path, chance: random.Random) -> str:
    place = chance.randrange(2) * PAGE + chance.randrange(152)
    return _change(directory / "data.mdb", place, lambda old: bytes([old[0] ^ 1 << chance.randrange(8)]), 1)


def overwrite(directory: Path, chance: random.Random) -> str:
    data, size = directory / "data.mdb", chance.randint(2, 200)
    return _change(data, chance.randrange(data.stat().st_size - size), lambda _: chance.randbytes(size), size)


def clear_page(directory: Path, chance: random.Random) -> str:
    data = directory / "data.mdb"
    return _change(data, PAGE * chance.randrange(data.stat().st_size // PAGE), lambda _: bytes(PAGE), PAGE)


def swap_pages(directory: Path, chance: random.Random) -> str:
    data = directory / "data.mdb"
    first, second = chance.sample(range(data.stat().st_size // PAGE), 2)
    with data.open("rb+") as file:
        pages = []
        for page in (first, second):
            file.seek(page * PAGE)
            pages.append(file.read(PAGE))
        for page, content in zip((second, first), pages, strict=True):
            file.seek(page * PAGE)
            file.write(content)
    return f"pages {first} and {second} swapped"


def copy_page(directory: Path, chance: random.Random) -> str:
    """As a write that went to a wrong place, or an old version of a page that came back."""
    data = directory / "data.mdb"
    source, target = chance.sample(range(data.stat().st_size // PAGE), 2)
    with data.open("rb") as file:
        file.seek(source * PAGE)
        content = file.read(PAGE)
    _change(data, target * PAGE, lambda _: content, PAGE)
    return f"page {source} copied over page {target}"


def truncate(directory: Path, chance: random.Random) -> str:
    data = directory / "data.mdb"
    size = chance.randrange(data.stat().st_size)
    if chance.random() < 0.5:
        size -= size % PAGE
    os.truncate(data, size)
    return f"cut to {size} bytes"


def empty(directory: Path, chance: random.Random) -> str:
    os.truncate(directory / "data.mdb", 0)
    return "emptied"


def lose(directory: Path, chance: random.Random) -> str:
    name = chance.choice(["data.mdb", "lock.mdb", "writer.lock"])
    (directory / name).unlink()
    return f"{name} deleted"


def damage_locks(directory: Path, chance: random.Random) -> str:
    name = chance.choice(["lock.mdb", "writer.lock"])
    file = directory / name
    if chance.random() < 0.3:
        file.write_bytes(chance.randbytes(chance.randrange(1, 9000)))
        return f"{name} overwritten"
    size = file.stat().st_size
    return _change(file, chance.randrange(size), lambda old: bytes([old[0] ^ 1 << chance.randrange(8)]), 1)


def _change(file: Path, place: int, change: Callable[[bytes], bytes], size: int) -> str:
    with file.open("rb+") as opened:
        opened.seek(place)
        old = opened.read(size)
        opened.seek(place)
        opened.write(change(old))
    return f"{file.name}: {size} bytes at {place} (page {place // PAGE})"


DAMAGES = (
    (flip_bit, 8), (flip_bit_of_a_head, 6), (flip_bit_of_a_meta_page, 2), (overwrite, 4), (clear_page, 2),
    (swap_pages, 2), (copy_page, 2), (truncate, 3), (empty, 1), (lose, 1), (damage_locks, 2),
)  # fmt: skip
# Whoever has the store open trusts the table of readers, which LMDB shares between processes.
NOT_WHILE_OPEN = (damage_locks, lose)


# What a process does with a store


@dataclass
class Report:
    """What a process found. Texts of errors are kept; a lookup that gives less than is known counts as missing."""

    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missing: int = 0
    verified: dict[str, int] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        """Whether something is missing, and nothing says so."""
        return self.missing > 0 and not self.errors and not any(self.verified.values())


def use_store(directory: Path, truth: Truth, before: Callable[[], None]) -> Report:
    """Uses a store in every way, first reading, then writing.

    Args:
        directory: of the store.
        truth: the bounds of all records.
        before: called when the store is open for the first time.
    """
    report = Report()

    def attempt(action: Callable[[], Any]) -> Any:
        try:
            return action()
        except (StoreError, ServiceError, EngineError, OSError) as error:
            report.errors.append(f"{type(error).__name__}: {error}")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            report.foreign.append(f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})")
        return None

    for read_only in (True, False):
        client = attempt(partial(connect, str(directory), read_only=read_only))
        if read_only:
            before()
        if client is not None:
            with client:
                _use_client(client, truth, report, attempt, writing=not read_only)
    attempt(lambda: _read_everything(directory, truth))
    return report


def _use_client(
    client: Any, truth: Truth, report: Report, attempt: Callable[[Callable[[], Any]], Any], *, writing: bool
) -> None:
    for game, bounds in truth.items():
        attempt(partial(look_up, client, game, bounds, report))
    attempt(client.statistics)
    jobs = attempt(client.jobs)
    if jobs is not None:
        check_jobs(jobs[0], report)
    if writing:
        attempt(lambda: client.solve("tic-tac-toe"))
    for game in truth:
        job = attempt(partial(client.verify, game))
        if job is not None:
            report.verified[game] = report.verified.get(game, 0) + job.result.failed


def look_up(client: Any, game: str, known: dict[bytes, tuple[int, int]], report: Report) -> None:
    found = client.batch_lookup_keys(game, list(known)).bounds()
    for (key, (low, high)), (lower, upper) in zip(known.items(), found, strict=True):
        if lower > low or upper < high or lower > upper:
            report.wrong.append(f"{game} {key.hex()}: {lower}..{upper} instead of {low}..{high}")
        elif (lower, upper) != (low, high):
            report.missing += 1


def check_jobs(jobs: list[Any], report: Report) -> None:
    for job in jobs:
        if job.id.startswith("old-") and job.state != "done":
            report.wrong.append(f"job {job.id} is {job.state}")


def _read_everything(directory: Path, truth: Truth) -> None:
    with open_store(str(directory), read_only=True) as store:
        store.sources()
        for game in truth:
            list(store.quarantined(game))
        for number in range(1, 8, 2):
            chunks = list(store.checkpoint(f"old-{number}"))
            if chunks and chunks != [bytes([number]) * 20_000]:
                raise AssertionError(f"the checkpoint of old-{number} is another one")


# The rounds


@dataclass
class Outcome:
    """Numbers of all rounds, and the first rounds that went wrong, with what was done."""

    rounds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    without_effect: int = 0
    refused: int = 0
    bad: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    seconds: float = 0.0


def run(
    work: Path, damages: int, seed: int, report: Callable[[int, Outcome], None] = lambda done, so_far: None
) -> Outcome:
    """Damages copies of one store, and has processes use them."""
    chance = random.Random(seed)
    began = time.monotonic()
    outcome = Outcome()
    truth = make_store(work / "sound")
    for number in range(damages):
        directory = work / "damaged"
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(work / "sound", directory)
        damage = chance.choices([kind for kind, _ in DAMAGES], [weight for _, weight in DAMAGES])[0]
        while_open = chance.random() < 0.33 and damage not in NOT_WHILE_OPEN
        status, found, what = _round(directory, truth, damage, chance, while_open)
        outcome.rounds += 1
        outcome.kinds[f"{damage.__name__}{' while open' if while_open else ''}"] += 1
        verdict = judge(status, found)
        if verdict is None and found is not None:
            outcome.refused += bool(found.errors)
            outcome.without_effect += not found.errors and not found.missing
        elif verdict is not None:
            outcome.bad[verdict] += 1
            if outcome.bad[verdict] <= EXAMPLES:
                outcome.examples.append(
                    f"{verdict}: round {number}, {damage.__name__}, {what}, {while_open=}: {found}"[:1500]
                )
        report(number + 1, outcome)
    outcome.seconds = time.monotonic() - began
    return outcome


def judge(status: int, found: Report | None) -> str | None:
    """What went wrong in a round, None if nothing."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    if found is None:
        return f"ended with status {status}"
    if found.wrong:
        return "a wrong value"
    if found.foreign:
        return "an exception that is not of the store"
    return "a silent loss" if found.silent else None


def _round(
    directory: Path, truth: Truth, damage: Callable[[Path, random.Random], str], chance: random.Random, while_open: bool
) -> tuple[int, Report | None, str]:
    what = "" if while_open else damage(directory, chance)
    ready, go, result = os.pipe(), os.pipe(), tempfile.TemporaryFile("w+")  # noqa: SIM115
    child = os.fork()  # a new process with everything imported
    if child == 0:
        _child(directory, truth, ready[1], go[0] if while_open else None, result)
    for end in (ready[1], go[0]):
        os.close(end)
    if while_open:
        os.read(ready[0], 1)
        what = damage(directory, chance)
        os.write(go[1], b"x")
    for end in (ready[0], go[1]):
        os.close(end)
    deadline = time.monotonic() + SECONDS
    while (waited := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.002)
    result.seek(0)
    text = result.read()
    result.close()
    return os.waitstatus_to_exitcode(waited[1]), Report(**json.loads(text)) if text else None, what


def _child(directory: Path, truth: Truth, ready: int, go: int | None, result: Any) -> None:
    status = 1
    try:
        signal.alarm(SECONDS - 10)

        def damage_now() -> None:
            os.write(ready, b"x")
            if go is not None:
                os.read(go, 1)

        json.dump(vars(use_store(directory, truth, damage_now)), result)
        result.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damages", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    def report(done: int, so_far: Outcome) -> None:
        if done % 50 == 0:
            print(f"{done} damages, bad: {dict(so_far.bad)}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="proofbase-damage-") as work:
        outcome = run(Path(work), arguments.damages, arguments.seed, report)
    print("\n".join(outcome.examples))
    outcome.examples.clear()
    print(outcome)


if __name__ == "__main__":
    main()
