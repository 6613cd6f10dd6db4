"""One changed bit in each of many stored records: none is served in any way, all are found by `verify`.

    python tests/service/trial_flipped_bits.py [--records 5000] [--seed 1] [--rules native python]

Solves tic-tac-toe, small boards of connect-four and random games with cycles into an LMDB store and into a PostgreSQL
database, changes one bit in each of so many of their records, and reads each of them in every way that there is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "storage")]

from flipped_bits import damage_and_read, solve_games  # noqa: E402
from postgres_server import run_server  # noqa: E402

from proofbase.migrations import migrate  # noqa: E402

GAMES = [
    "tic-tac-toe",
    "connect-four:4x4",
    "connect-four:5x4",
    "random-graph:nodes=200,ends=20,values=5,rewards=2,group=8,seed=7",
]


def main() -> int:
    """Command line; exit status 1 when a record was served or missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", nargs="+", choices=["native", "python"], default=["native", "python"])
    parser.add_argument("--stores", nargs="+", choices=["lmdb", "postgresql"], default=["lmdb", "postgresql"])
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="proofbase-trial-") as directory, run_server() as server:
        for kind in arguments.stores:
            url = str(Path(directory) / "store")
            if kind == "postgresql":
                url = server.create_database()
                migrate(url)
            solve_games(url, GAMES)
            started = time.monotonic()
            outcome = damage_and_read(url, arguments.records, arguments.seed, tuple(arguments.rules))
            print(
                f"{kind}: {outcome.damaged} records damaged, {len(outcome.served)} served, "
                f"{len(outcome.changed)} sound answers changed, {len(outcome.missed)} missed by verify "
                f"({time.monotonic() - started:.0f} s)",
                flush=True,
            )
            for problem in (*outcome.served, *outcome.changed, *outcome.missed)[:20]:
                print("  ", *problem)
            failed |= bool(outcome.served or outcome.changed or outcome.missed)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
