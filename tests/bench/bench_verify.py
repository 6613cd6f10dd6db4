"""How fast records are verified natively, read from LMDB and all, on one core.

    python tests/bench/bench_verify.py [--records N] [--seed S] [--store DIR]

Solves late positions of connect-four 7x6 until a LMDB store holds N records (1 million by default), then times a scan
of the store, loading into a record table, and the local check of every record; then answers for batches of 1,000 keys
in random order. All records must pass, and one changed rank must be found. The bars: 300,000 records a second for scan,
load and check together; 1.5 million loaded and 5 million answered a second. Exit status 1 below them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record
from proofbase.storage import SolutionStore, open_store

GAME = "connect-four"
PLIES = 18
VERIFY_BAR = 300_000
ANSWERS_BAR = 5_000_000
LOAD_BAR = 1_500_000


def fill(store: SolutionStore, records: int, seed: int) -> None:
    """Solves positions after PLIES random moves and stores what settles them."""
    from proofbase.engine._core import RecordTable, Search

    game, chance = open_game(GAME), random.Random(seed)
    table = RecordTable(game)  # type: ignore[arg-type]
    while len(table) < records:
        position = game.initial()
        for _ in range(PLIES):
            if game.terminal(position) is None:
                position = game.play(position, chance.choice(game.moves(position)))
        if game.terminal(position) is not None:
            continue
        for threshold in (0, 1):
            search = Search(game, position, threshold)  # type: ignore[arg-type]
            if search.run(seconds=5, memory=2 << 30).status == "unknown":
                continue
            for chunk in search.solution(small_search_nodes=0).chunks(50_000):
                table.load(chunk)
    for chunk in table.chunks(50_000):
        store.put_many(GAME, chunk, source="bench_verify", rules_version=1)


def weakened(items: list[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """The records with one `upper` claim that claims to be realised a ply too early."""
    done = False
    for key, record in items:
        claims = decode_record(record).claims
        if (
            not done
            and len(claims) == 1
            and claims[0].side == Side.UPPER
            and claims[0].rank > 3
            and not claims[0].evidence
        ):
            done = True
            yield key, encode_record(Record.of([Claim(Side.UPPER, claims[0].bound, 1)]))
        else:
            yield key, record


def measure(store: SolutionStore, seed: int) -> dict[str, float]:
    from proofbase.engine._core import RecordTable

    game = open_game(GAME)
    started = time.perf_counter()
    table = RecordTable(game)  # type: ignore[arg-type]
    loaded = table.load(store.scan(GAME))
    read = time.perf_counter()
    report = table.check()
    ended = time.perf_counter()
    assert loaded == report.checked == store.count(GAME) and report.failed == 0, report.findings[:3]
    assert table.missing() == []

    items = list(store.scan(GAME))
    copy = RecordTable(game)  # type: ignore[arg-type]
    started_load = time.perf_counter()
    copy.load(items)
    load = time.perf_counter() - started_load
    bad = RecordTable(game)  # type: ignore[arg-type]
    bad.load(weakened(items))
    assert [finding.rule for finding in bad.check().findings if finding.claim and finding.claim.rank == 1] == ["child"]

    keys = [key for key, _ in items]
    random.Random(seed).shuffle(keys)
    batches = [b"".join(keys[start : start + 1000]) for start in range(0, len(keys), 1000)]
    started_answers = time.perf_counter()
    states = b"".join(table.answers(batch)[0] for batch in batches)
    answers = time.perf_counter() - started_answers
    assert all(state & 8 for state in states)
    return {
        "records": loaded,
        "bytes_per_record": round(table.nbytes / loaded, 1),
        "verified_per_second": round(loaded / (ended - started)),
        "scanned_and_loaded_per_second": round(loaded / (read - started)),
        "checked_per_second": round(loaded / (ended - read)),
        "loaded_per_second": round(loaded / load),
        "answers_per_second": round(loaded / answers),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000, help="at least so many records (default: 1 million)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", type=Path, help="keep the store here, or use the one that is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_store(str(options.store or Path(folder) / "store")) as store:
        if store.count(GAME) < options.records:
            fill(store, options.records, options.seed)
        figures = measure(store, options.seed)
    print(json.dumps(figures, indent=2))
    good = (
        figures["verified_per_second"] >= VERIFY_BAR
        and figures["loaded_per_second"] >= LOAD_BAR
        and figures["answers_per_second"] >= ANSWERS_BAR
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
