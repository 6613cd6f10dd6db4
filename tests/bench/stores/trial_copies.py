"""A store of millions of records goes from a directory to PostgreSQL and back; then all fingerprints have to be equal.

    python tests/bench/stores/trial_copies.py --records 5000000

`PROOFBASE_TEST_POSTGRES_URL` names a server to use; otherwise one is started, as for the tests. What it prints goes to
docs/measurements.md. `tests/storage/hot_copies.py` is the trial of copies beside a writer.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "storage"))

from postgres_server import run_server

from proofbase.migrations import migrate
from proofbase.storage import Claim, Record, Side, compact_store, copy_store, encode_record, open_store

GAMES = 2


def items(number: int, seed: int) -> Iterator[tuple[bytes, bytes]]:
    """Records as a solve stores them: mostly one claim, a tenth with both sides; keys ascend."""
    chance = random.Random(seed)
    forms = []
    for rank in range(1, 200):
        lower, upper = Claim(Side.LOWER, 1, rank, witness=rank % 7), Claim(Side.UPPER, 0, rank)
        exact = [Claim(Side.LOWER, 0, rank, witness=rank % 7), upper]
        forms += [encode_record(Record.of([lower])), encode_record(Record.of([upper]))] * 2
        forms.append(encode_record(Record.of(exact if rank % 2 else [lower])))
    for key in range(number):
        yield (key * 97 + seed).to_bytes(8, "big"), forms[chance.randrange(len(forms))]


def main() -> None:
    """The trial; ends with an AssertionError where anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=5_000_000)
    records = parser.parse_args().records
    with tempfile.TemporaryDirectory() as place, run_server() as server:
        folder, url = Path(place), server.create_database()
        first, second = str(folder / "first"), str(folder / "second")
        began = time.monotonic()
        with open_store(first) as store:
            for game in range(GAMES):
                name, share = f"game-{game}", records // GAMES
                for part in range(2):
                    half = ((key, record) for key, record in items(share, game) if key[-1] % 2 == part)
                    store.put_many(name, half, source=f"part {part}", rules_version=1)
            expected = {game.name: (game.records, store.fingerprint(game.name)) for game in store.games()}
        assert sum(count for count, _ in expected.values()) == records // GAMES * GAMES
        say("filled", began, records)
        migrate(url)
        for source, target in ((first, url), (url, second), (second, str(folder / "third"))):
            began = time.monotonic()
            copied = copy_store(source, target, lambda copy: None)
            say(f"{source.partition(':')[0]} to {target.partition(':')[0]}", began, records)
            assert {game.name: (game.records, game.fingerprint) for game in copied} == expected
        for target in (first, url, second):
            with open_store(target, read_only=True) as store:
                assert {game.name: (game.records, store.fingerprint(game.name)) for game in store.games()} == expected
                if target == url:
                    print(f"in PostgreSQL {store.sizes().total_bytes / 2**20:,.0f} MiB")
        began = time.monotonic()
        before, after = compact_store(second)
        say(f"compacted from {before.total_bytes / 2**20:,.0f} to {after.total_bytes / 2**20:,.0f} MiB", began, records)
        server.drop_database(url)
    print(f"equal: {expected}")


def say(what: str, began: float, records: int) -> None:
    """A line with the time and the rate."""
    seconds = time.monotonic() - began
    print(f"{what}: {seconds:.1f} s, {records / seconds:,.0f} records a second", flush=True)


if __name__ == "__main__":
    main()
