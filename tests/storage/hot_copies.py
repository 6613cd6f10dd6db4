"""Copies a store again and again while a process writes to it; each copy has to open and to hold what it counts.

python tests/storage/hot_copies.py --copies 50
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from proofbase.storage import Claim, Record, Side, copy_store, encode_record, open_store

GAME = "hot"


@dataclass
class Outcome:
    """What the copies showed.

    Attributes:
        verified: copies that opened for writing, whose records are those that were written up to one commit.
        commits: commits of the writer meanwhile.
        records: in the last copy.
        slowest: seconds of the slowest copy, reading back included.
    """

    verified: int = 0
    commits: int = 0
    records: int = 0
    slowest: float = 0.0


def write(directory: str) -> None:
    """The writer: puts, improves and quarantines records for ever, and reports each commit."""
    chance = random.Random(7)
    with open_store(directory) as store:
        number = 0
        while True:
            claim = Claim(Side.LOWER, number % 3 - 1, number % 50 + 1, witness=1)
            record = encode_record(Record.of([claim]))
            keys = [chance.randrange(1 << 17).to_bytes(6, "big") for _ in range(500)]
            store.put_many(GAME, [(key, record) for key in keys], source=f"round {number}", rules_version=1)
            if number % 5 == 4:
                store.quarantine(GAME, keys[:100], "trial")
            number += 1
            os.write(1, b".")


def copy_beside_a_writer(folder: Path, copies: int, records: int, *, tell: bool = False) -> Outcome:
    """Makes copies one after the other.

    Args:
        folder: for the store and the copies.
        copies: how many.
        records: in the store before the writer begins.
        tell: print a line for every copy.

    Raises:
        AssertionError: a copy is not a sound store.
    """
    source, outcome = folder / "busy", Outcome()
    with open_store(str(source)) as store:
        filler = encode_record(Record.of([Claim(Side.UPPER, 1, 3)]))
        store.put_many(GAME, ((n.to_bytes(7, "big"), filler) for n in range(records)), source="before", rules_version=1)
    with subprocess.Popen(
        [sys.executable, __file__, "--write", str(source)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    ) as writer:
        assert writer.stdout is not None
        try:
            assert writer.stdout.read(1) == b"."
            os.set_blocking(writer.stdout.fileno(), False)
            for number in range(copies):
                target = folder / f"copy {number}"
                began = time.monotonic()
                copy_store(str(source), str(target), lambda copy: None)
                outcome.slowest = max(outcome.slowest, time.monotonic() - began)
                with open_store(str(target)) as copy:
                    audit = copy.audit(GAME)
                    assert audit.complete and not audit.damaged and audit.stored_fingerprint is not None, audit
                    sources = {source.number for source in copy.sources()}
                    assert sources == set(range(1, len(sources) + 1))
                    assert audit.records >= outcome.records or records == 0
                    copy.put_many(GAME, [(b"more", filler)], source="the copy is a store", rules_version=1)
                    assert copy.count(GAME) == audit.records + 1
                shutil.rmtree(target)
                outcome.verified += 1
                outcome.commits += len(writer.stdout.read() or b"")
                outcome.records = records
                if tell:
                    seconds = time.monotonic() - began
                    print(f"copy {number}: {audit.records} records verified, {seconds:.1f} s", flush=True)
                assert writer.poll() is None, "the writer has ended"
        finally:
            writer.kill()
    with open_store(str(source)) as store:
        assert store.audit(GAME).complete
    return outcome


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--copies", type=int, default=50)
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--write")
    given = parser.parse_args()
    if given.write:
        write(given.write)
    with tempfile.TemporaryDirectory() as place:
        print(copy_beside_a_writer(Path(place), given.copies, given.records, tell=True))
