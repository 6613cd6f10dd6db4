"""Kills a writing process at random moments and looks at what it left: nothing committed may be lost.

    python tests/storage/kill_writer.py --kills 1000

Each round starts a child on the same store. The child puts batches and reports each on a pipe once `put_many` has
returned. The parent kills it with SIGKILL at a random moment, opens the store (the dead child's lock must not linger),
and checks that every batch ever reported is there, whole, and that no batch is there in part. At the end every record
is decoded.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import lmdb.verify

from proofbase.storage import Claim, Record, Side, decode_record, encode_record, open_store

GAME = "kill-test"
BATCH = 40


def batch_items(number: int) -> Iterator[tuple[bytes, bytes]]:
    """The records of a batch: their keys and contents follow from its number."""
    chance = random.Random(number)
    for part in range(BATCH):
        key = chance.randbytes(6) + number.to_bytes(4, "big") + bytes([part])
        claim = Claim(Side.LOWER, number % 5, number % 1000 + 1, witness=part)
        yield key, encode_record(Record.of([claim]))


def write(directory: str, first: int) -> None:
    """The child: puts batches for ever, and reports each that is committed."""
    with open_store(directory) as store:
        number = first
        while True:
            store.put_many(GAME, batch_items(number), source=f"writer {number % 3}", rules_version=1)
            os.write(1, b"%d\n" % number)
            number += 1


@dataclass
class Outcome:
    """What the rounds showed.

    Attributes:
        kills: rounds in which a writer was killed.
        batches: batches reported committed.
        unreported: batches that were committed in the moment of the kill, before they could be reported.
        records: records in the store at the end, all decoded.
        seconds: time taken.
    """

    kills: int = 0
    batches: int = 0
    unreported: int = 0
    records: int = 0
    seconds: float = 0.0


def run(directory: str, kills: int, seed: int, report: Callable[[int], None] = lambda done: None) -> Outcome:
    """Kills `kills` writers of one store.

    Raises:
        AssertionError: something committed was lost, or something was stored in part.
    """
    chance = random.Random(seed)
    outcome = Outcome()
    start = time.monotonic()
    committed: set[int] = set()
    following = 0
    for done in range(kills):
        if done % 10 == 9:
            _kill_founder(f"{directory}-{done}", chance)
            outcome.kills += 1
            continue
        reported = _round(directory, following, chance)
        committed.update(reported)
        outcome.batches += len(reported)
        last = max(reported, default=following - 1)
        with open_store(directory) as store:
            # The batches of this round, and the next one, which may be committed and unreported: whole or not at all.
            for number in (*reported, last + 1):
                items = dict(batch_items(number))
                found = store.get_many(GAME, items)
                present = sum(data is not None for data in found)
                if number == last + 1:
                    assert present in (0, BATCH), f"batch {number} was stored in part: {present} of {BATCH}"
                    if present:
                        committed.add(number)
                        outcome.unreported += 1
                else:
                    assert present == BATCH, f"batch {number} was reported committed, and {BATCH - present} are lost"
        following = last + 2
        outcome.kills += 1
        report(done + 1)
    outcome.records = check_whole(directory, committed)
    outcome.seconds = time.monotonic() - start
    return outcome


def _kill_founder(directory: str, chance: random.Random) -> None:
    """Kills a writer about the time it makes a new store; the next one must be able to go on."""
    reported = _round(directory, 0, chance, wait=0.05 + chance.random() * 0.15)
    with open_store(directory) as store:
        for number in reported:
            assert None not in store.get_many(GAME, dict(batch_items(number)))
        store.put_many(GAME, batch_items(999), source="the next one", rules_version=1)


def check_whole(directory: str, committed: set[int]) -> int:
    """Checks all pages, decodes every record, and compares the store with everything that was committed.

    Returns:
        The number of records.
    """
    problems = lmdb.verify.verify(directory)
    assert not problems, problems
    expected = {key: record for number in committed for key, record in batch_items(number)}
    with open_store(directory, read_only=True) as store:
        records = 0
        for key, data in store.scan(GAME):
            assert encode_record(decode_record(data).with_source(None)) == expected.pop(key), key.hex()
            records += 1
        assert not expected, f"{len(expected)} committed records are lost"
        assert store.count(GAME) == records
        audit = store.audit(GAME)
        assert audit.complete and audit.stored_fingerprint is not None, audit
    return records


def _round(directory: str, first: int, chance: random.Random, wait: float | None = None) -> list[int]:
    """Runs a writer, kills it, and returns the batches that it reported.

    Args:
        directory: of the store.
        first: number of the first batch to write.
        chance: when to kill.
        wait: seconds after its start to kill it, instead.
    """
    child = subprocess.Popen(
        [sys.executable, __file__, "--write", directory, "--first", str(first)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    try:
        # Now and then while it opens the store, mostly among its first puts.
        if wait is not None:
            time.sleep(wait)
        elif chance.random() < 0.9:
            ready = select.select([child.stdout], [], [], 60)[0]
            assert ready, "the writer does not write"
            time.sleep(chance.random() * 0.03)
        else:
            time.sleep(chance.random() * 0.3)
    finally:
        child.send_signal(signal.SIGKILL)
        output = child.stdout.read()
        child.stdout.close()
        status = child.wait()
    assert status == -signal.SIGKILL, f"the writer ended by itself with {status}"
    # A last line without its end was cut off by the kill.
    return [int(line) for line in output.split(b"\n")[:-1]]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", help="of the store to make; a temporary one when not given")
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, arguments.first)
    with tempfile.TemporaryDirectory(prefix="proofbase-kill-") as temporary:
        directory = arguments.directory or str(Path(temporary) / "store")

        def report(done: int) -> None:
            if done % 100 == 0:
                print(f"{done} kills", file=sys.stderr, flush=True)

        print(run(directory, arguments.kills, arguments.seed, report))


if __name__ == "__main__":
    main()
