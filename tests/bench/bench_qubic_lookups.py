"""How fast a server answers about qubic: lookups of positions inside the solution of the whole game, with all moves.

    python tests/bench/bench_qubic_lookups.py [--lookups N] [--store DIR]

Solves qubic from the empty board into a store (half a minute; or uses the one that an earlier run kept), serves it in a
process of its own, and asks from this one for positions drawn from all records. Every answer must be the proved win and
hold a move of it. The bar: half of the lookups below 1 ms. Exit status 1 above.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from served import served

from proofbase.engine.games import open_game
from proofbase.service.client import Client, connect
from proofbase.storage import open_store

GAME = "qubic"
LOOKUP_BAR = 0.001


def solve(directory: Path) -> None:
    """The first player's win, proved into a store."""
    with connect(str(directory)) as client:
        job = client.wait(client.start_solve(GAME, at_least=1).id)
        assert client.lookup(GAME).value.lower == 1, job


def stored_keys(directory: Path) -> list[bytes]:
    with open_store(str(directory), read_only=True) as store:
        return [key for key, _ in store.scan(GAME)]


def measure(client: Client, keys: list[bytes], count: int) -> list[float]:
    """Seconds of single lookups, ascending. Of the side to move, every record says a win, or a loss."""
    game, times = open_game(GAME), []
    for key in random.Random(4).choices(keys, k=count):
        position = game.position(key)
        started = time.perf_counter()
        answer = client.lookup(GAME, position)
        times.append(time.perf_counter() - started)
        first_to_move = game.side(position) == 0
        assert (answer.value.lower, answer.value.upper) == ((1, 1) if first_to_move else (-1, -1)), game.text(position)
        assert len(answer.moves) == len(game.moves(position))
        assert not first_to_move or answer.moves[0].value.lower == 1
    return sorted(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lookups", type=int, default=5000)
    parser.add_argument("--store", type=Path, help="keep the store there, or use what is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = options.store or Path(folder) / "store"
        if not directory.exists():
            solve(directory)
        keys = stored_keys(directory)
        with served(directory) as client:
            times = measure(client, keys, options.lookups)
    half, most = times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3
    print(f"{len(keys)} records, {len(times)} lookups: p50 {half:.3f} ms, p99 {most:.3f} ms", file=sys.stderr)
    print(json.dumps({"records": len(keys), "lookup_p50_ms": half, "lookup_p99_ms": most}))
    return 0 if half < LOOKUP_BAR * 1e3 else 1


if __name__ == "__main__":
    sys.exit(main())
