"""How fast a server answers: batches of packed keys over a large store, single lookups, and those beside a solve.

    python tests/bench/bench_service.py [--records N] [--seconds S] [--store DIR]

Makes a LMDB store of connect-four positions from random play (5 million by default) with records that depend on the key
in a known way, serves it in a process of its own, and asks from this one. Every answer is held against what was stored.
Lookups have all moves. They are made twice: with nothing else under way, and while the server runs a solve of another
game on one thread.

The bars: 1.2 million positions a second in batches of 1,000; half of the single lookups below 1 ms, beside the solve 99
of 100 below 3 ms as well. Exit status 1 below. They are meant for two idle cores.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

from served import served

from proofbase.engine.games import open_game
from proofbase.service.client import Budget, Client, PackedAnswers
from proofbase.storage import Claim, Record, Side, encode_record, open_store

GAME = "connect-four"
BATCH = 1000
BATCH_BAR = 1_200_000
LOOKUP_BAR, LOOKUP_BAR_99 = 0.001, 0.003
LOOKUPS = 5000
SOLVED = ("connect-four:8x7", "null-window")
"""The game that is solved beside the lookups, which takes longer than they do, and by what."""
LEAST_PLIES = 12


def record_of(key: bytes) -> tuple[bytes, int, int, int, int]:
    """A record that the key determines, with its lower, upper, and their ranks (0: the bound is not known)."""
    kind, rank = key[-1] % 4, 1 + key[-2] % 40
    if kind == 0:
        return encode_record(Record.of([Claim(Side.LOWER, 1, rank, witness=0)])), 1, 1, rank, 0
    if kind == 1:
        return encode_record(Record.of([Claim(Side.UPPER, -1, rank)])), -1, -1, 0, rank
    if kind == 2:
        claims = [Claim(Side.LOWER, 0, rank, witness=3), Claim(Side.UPPER, 0, rank + 1)]
        return encode_record(Record.of(claims)), 0, 0, rank, rank + 1
    return encode_record(Record.of([Claim(Side.LOWER, 0, rank, witness=2)])), 0, 1, rank, 0


def random_keys(count: int, seed: int) -> list[bytes]:
    """Distinct keys of positions that random games of connect-four visit, ascending."""
    game, chance = open_game(GAME), random.Random(seed)
    keys: set[bytes] = set()
    while len(keys) < count:
        position, ply = game.initial(), 0
        while game.terminal(position) is None:
            if ply >= LEAST_PLIES:
                keys.add(game.key(position))
            position = game.play(position, chance.choice(game.moves(position)))
            ply += 1
    return sorted(keys)[:count]


def build(directory: Path, count: int) -> list[bytes]:
    """The store, and its keys."""
    started = time.perf_counter()
    keys = random_keys(count, seed=1)
    drawn = time.perf_counter()
    with open_store(str(directory)) as store:
        items = ((key, record_of(key)[0]) for key in keys)
        result = store.put_many(GAME, items, source="bench_service", rules_version=1)
        assert result.added == count, result
    report(f"{count} positions drawn in {drawn - started:.0f} s, stored in {time.perf_counter() - drawn:.0f} s")
    return keys


def check(keys: list[bytes], answers: PackedAnswers) -> None:
    """Every answer is the stored one."""
    expected = [record_of(key) for key in keys]
    columns = zip(
        (answers.lowers, answers.uppers, answers.lower_ranks, answers.upper_ranks),
        zip(*[entry[1:] for entry in expected], strict=True),
        strict=True,
    )
    for found, wanted in columns:
        assert array("i", found).tolist() == list(wanted)
    assert all(state & 8 for state in answers.states)


def measure_batches(client: Client, keys: list[bytes], seconds: float) -> float:
    """Positions a second, keys spread over the whole store."""
    chance = random.Random(2)
    batches = [chance.sample(keys, BATCH) for _ in range(200)]
    packed = [b"".join(batch) for batch in batches]
    for batch, request in zip(batches[:20], packed, strict=False):
        check(batch, client.batch_lookup_packed(GAME, request))
    answered, rounds = [], 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        answered.append(client.batch_lookup_packed(GAME, packed[rounds % len(packed)]))
        rounds += 1
    elapsed = time.perf_counter() - started
    for index in range(0, len(answered), max(1, len(answered) // 200)):
        check(batches[index % len(packed)], answered[index])
    return rounds * BATCH / elapsed


def measure_lookups(client: Client, keys: list[bytes], count: int) -> list[float]:
    """Seconds of single lookups, ascending. Moves are answered too."""
    times = []
    for key in random.Random(3).sample(keys, count):
        started = time.perf_counter()
        answer = client.lookup(GAME, key)
        times.append(time.perf_counter() - started)
        _, lower, upper, *_ = record_of(key)
        assert (answer.value.lower, answer.value.upper) == (lower, upper)
    return sorted(times)


def serve_and_measure(directory: Path, keys: list[bytes], seconds: float) -> bool:
    """Starts server processes, prints the figures, and tells whether they reach the bars."""
    with served(directory) as client:
        loaded = wait_for_copy(client, keys)
        rate = measure_batches(client, keys, seconds)
        alone = measure_lookups(client, keys, LOOKUPS)
    with served(directory, read_only=False) as client:
        game, algorithm = SOLVED
        job = client.start_solve(game, at_least=1, algorithm=algorithm, budget=Budget(seconds=600))
        while not (progress := client.job(job.id).progress) or not progress.nodes:
            time.sleep(0.1)
        beside = measure_lookups(client, keys, LOOKUPS)
        assert client.job(job.id).state == "running", "the solve has ended before the lookups"
        client.cancel(job.id)
    report(f"the server's copy of the records was there after {loaded:.1f} s")
    report(f"batches of {BATCH}: {rate:,.0f} positions/s (bar {BATCH_BAR:,})")
    report(f"single lookups: {milliseconds(alone)} (bar p50 {LOOKUP_BAR * 1e3:.0f} ms)")
    bars = f"bar p50 {LOOKUP_BAR * 1e3:.0f} ms, p99 {LOOKUP_BAR_99 * 1e3:.0f} ms"
    report(f"single lookups beside a solve: {milliseconds(beside)} ({bars})")
    figures = {
        "positions_per_second": round(rate),
        "lookup_p50_ms": share(alone, 50) * 1e3,
        "lookup_beside_solve_p50_ms": share(beside, 50) * 1e3,
        "lookup_beside_solve_p99_ms": share(beside, 99) * 1e3,
        "records": len(keys),
    }
    print(json.dumps(figures))
    fast = max(share(alone, 50), share(beside, 50)) < LOOKUP_BAR and share(beside, 99) < LOOKUP_BAR_99
    return rate >= BATCH_BAR and fast


def share(times: list[float], percent: int) -> float:
    """What so many of 100 of the times, which ascend, are not above."""
    return times[len(times) * percent // 100]


def milliseconds(times: list[float]) -> str:
    return f"p50 {share(times, 50) * 1e3:.3f} ms, p99 {share(times, 99) * 1e3:.3f} ms"


def wait_for_copy(client: Client, keys: list[bytes]) -> float:
    """Asks until the server answers from memory. Before that it answers from the store, and rightly."""
    started = time.perf_counter()
    while client.statistics(GAME).games[0].cached < len(keys):
        check(keys[:10], client.batch_lookup_packed(GAME, b"".join(keys[:10])))
        time.sleep(0.1)
        assert time.perf_counter() - started < 120, "the server makes no copy of the records"
    return time.perf_counter() - started


def stored_keys(directory: Path) -> Iterator[bytes]:
    """The keys of a store that an earlier run made."""
    with open_store(str(directory), read_only=True) as store:
        for key, _ in store.scan(GAME):
            yield key


def report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=5_000_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="of batches")
    parser.add_argument("--store", type=Path, help="keep the store there, or use what is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = options.store or Path(folder) / "store"
        keys = list(stored_keys(directory)) if directory.exists() else build(directory, options.records)
        return 0 if serve_and_measure(directory, keys, options.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
