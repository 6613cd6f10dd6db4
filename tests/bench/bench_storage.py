"""How quick the LMDB store is: puts, gets, batches and scans over millions of records.

    python tests/bench/bench_storage.py [--records 5000000] [--directory DIR] [--postgres URL] [--json]

Every figure comes with a check of what was read. Keys are 7 bytes as connect-four has them; records are those of wins
and losses within 42 plies.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from proofbase.storage import Claim, PutResult, Record, Side, SolutionStore, encode_record, open_store, without_sources

GAME = "connect-four"
BATCH = 1000
_MIX = 0x9E3779B97F4A7C15 & ((1 << 56) - 1) | 1

RECORDS = [
    encode_record(
        Record.of([Claim(Side.LOWER, 1, rank, witness=rank % 7) if rank % 2 else Claim(Side.UPPER, -1, rank)])
    )
    for rank in range(1, 43)
]


def key_of(number: int) -> bytes:
    """The key of a record: a bijection of 0..2**56-1 that scatters consecutive numbers."""
    return (number * _MIX & ((1 << 56) - 1)).to_bytes(7, "big")


def record_of(number: int) -> bytes:
    """The record of a number."""
    return RECORDS[number % len(RECORDS)]


def items(numbers: range) -> Iterator[tuple[bytes, bytes]]:
    """Keys and records in random order of the keys."""
    return ((key_of(number), record_of(number)) for number in numbers)


class Figures:
    """Collects and prints rates."""

    def __init__(self) -> None:
        self.rates: dict[str, float] = {}
        self._start = 0.0

    def start(self) -> None:
        """Starts the clock."""
        self._start = time.perf_counter()

    def stop(self, name: str, number: int) -> None:
        """Stops it: `number` operations were done."""
        self.rates[name] = number / (time.perf_counter() - self._start)
        print(f"{name:44} {self.rates[name]:12,.0f} /s", flush=True)


def measure(store: SolutionStore, records: int, prefix: str, figures: Figures) -> None:
    """Fills the store with `records` records and reads them back in every way."""
    first = records // 5
    given = sorted(items(range(first)))
    figures.start()
    outcome = store.put_many(GAME, given, source="bench", rules_version=1)
    figures.stop(f"{prefix} put, ascending keys", first)
    assert outcome == PutResult(added=first)
    figures.start()
    outcome = store.put_many(GAME, given, source="bench", rules_version=1)
    figures.stop(f"{prefix} put of what is known", first)
    assert outcome == PutResult(unchanged=first)
    del given
    rest = list(items(range(first, records)))
    figures.start()
    outcome = store.put_many(GAME, rest, source="bench", rules_version=1)
    figures.stop(f"{prefix} put, random keys", len(rest))
    assert outcome == PutResult(added=len(rest))
    del rest
    assert store.count(GAME) == records

    chance = random.Random(1)
    singles = [chance.randrange(records) for _ in range(min(50_000, records))]
    keys = [key_of(number) for number in singles]
    figures.start()
    got = [store.get(GAME, key) for key in keys]
    figures.stop(f"{prefix} get, decoded", len(keys))
    assert all(
        record is not None and encode_record(record.with_source(None)) == record_of(number)
        for record, number in zip(got, singles, strict=True)
    )

    numbers = [chance.randrange(records * 2) for _ in range(min(500_000, records))]
    batches = [[key_of(number) for number in numbers[i : i + BATCH]] for i in range(0, len(numbers), BATCH)]
    figures.start()
    found = [data for batch in batches for data in store.get_many(GAME, batch)]
    figures.stop(f"{prefix} get_many of {BATCH}, half unknown", len(numbers))
    assert len(found) == len(numbers)
    for data, number in zip(found, numbers, strict=True):
        assert (None if data is None else without_sources(data)) == (record_of(number) if number < records else None)

    known = [number % records for number in numbers]
    batches = [[key_of(number) for number in known[i : i + BATCH]] for i in range(0, len(known), BATCH)]
    figures.start()
    found = [data for batch in batches for data in store.get_many(GAME, batch)]
    figures.stop(f"{prefix} get_many of {BATCH}, all known", len(known))
    assert all(data and without_sources(data) == record_of(n) for data, n in zip(found, known, strict=True))

    figures.start()
    count, last, size = 0, b"", 0
    for key, record in store.scan(GAME):
        assert key > last
        last = key
        count += 1
        size += len(record)
    figures.stop(f"{prefix} scan", count)
    assert count == records
    assert size == sum(len(record_of(number)) + 1 for number in range(records))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=5_000_000)
    parser.add_argument("--directory", help="for the store; a temporary one when not given")
    parser.add_argument("--postgres", metavar="URL", help="an empty database to measure as well, with a tenth of it")
    parser.add_argument("--json", action="store_true", help="print the rates as JSON in the end")
    arguments = parser.parse_args()
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="proofbase-bench-", dir=arguments.directory) as directory:
        with open_store(directory) as store:
            measure(store, arguments.records, "lmdb", figures)
        size = (Path(directory) / "data.mdb").stat().st_size
        print(f"{'lmdb bytes a record':44} {size / arguments.records:12.1f}")
    if arguments.postgres:
        from proofbase.migrations import migrate

        migrate(arguments.postgres)
        with open_store(arguments.postgres) as store:
            measure(store, arguments.records // 10, "postgresql", figures)
    if arguments.json:
        print(json.dumps(figures.rates))


if __name__ == "__main__":
    main()
