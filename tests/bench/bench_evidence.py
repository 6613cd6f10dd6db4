"""How many records a second the native check makes, by kind of evidence, on one thread by the processor's time.

    python tests/bench/bench_evidence.py

Solves positions in games with each kind of evidence, and checks the records whose claims have that evidence alone. Each
row: the kind, the game, records checked, records a second, and of small searches their nodes. All records must pass.
Exit status 1 where a kind is below 20,000 records a second, lines of qubic below 60,000. Threats and strategies, whose
work is counted in positions, and searches of more than 500 nodes on average have no bar.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from proofbase.engine import open_game
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.records import Evidence, decode_record

SOLVES: Sequence[tuple[str, tuple[int, ...], int, str]] = (  # game, first moves, at least, algorithm
    ("tic-tac-toe", (), 0, "df-pn"),
    ("connect-four:6x5", (), 0, "df-pn"),
    ("connect-four", (3, 3, 3, 3, 3, 1), 0, "null-window"),
    ("connect-four:5x5,score", (), 1, "null-window"),
    ("othello:4x4", (), 1, "null-window"),
    ("qubic", (), 1, "pn-dag+threats"),
    ("gomoku:4x4-4", (), 1, "null-window"),
    ("gomoku:7x7-4", (24, 0), 1, "threats"),
    ("awari", (), 1, "df-pn"),
    ("random-graph:nodes=3000,group=8,repetition=1,values=2", (), 1, "pn-base-twin"),
)
BAR, BAR_OF_LINES = 20_000, 60_000
NO_BAR = {Evidence.THREATS, Evidence.STRATEGY}
LEAST_SECONDS = 0.3
LEAST_KEYS = 2_000
"""Of one call: a few records are checked again and again, so that the begin of a check does not count."""
LARGE_SEARCH = 500


def main() -> int:
    """Prints the rows."""
    good = True
    for name, moves, at_least, algorithm in SOLVES:
        game: Any = open_game(name)
        position = game.parse("0,0,0,2,1,0/1,0,0,0,0,1/S") if name == "awari" else game.initial()
        for move in moves:
            position = game.play(position, move)
        search: Any = Search(game, position, at_least, algorithm=algorithm)
        search.run(seconds=300)
        assert search.status in ("proved", "disproved"), (name, search.status)
        table: RecordTable = search.solution(small_search_nodes=10_000)
        keys: dict[Evidence, list[bytes]] = {}
        nodes: dict[Evidence, int] = {}
        for chunk in table.chunks(50_000):
            for key, record in chunk:
                claims = decode_record(record).claims
                if len({claim.evidence for claim in claims}) == 1:
                    kind = claims[0].evidence
                    keys.setdefault(kind, []).append(key)
                    nodes[kind] = nodes.get(kind, 0) + sum(claim.nodes or 0 for claim in claims)
        for kind, some in sorted(keys.items()):
            checked, started = 0, time.process_time()
            while (seconds := time.process_time() - started) < LEAST_SECONDS or checked == 0:
                report = table.check(some * (LEAST_KEYS // len(some) + 1))
                assert report.failed == 0, (name, kind, report.findings[:1])
                checked += report.checked
            rate = checked / seconds
            mean = nodes[kind] / len(some)
            searched = f", {mean:,.0f} nodes each, {rate * mean / 1e6:,.1f} million a second" if mean else ""
            print(
                f"{kind.name.lower():16} {name:24.24} {len(some):7,} records {rate:11,.0f} a second{searched}",
                flush=True,
            )
            bar = (
                0
                if kind in NO_BAR or mean > LARGE_SEARCH
                else BAR_OF_LINES
                if name == "qubic" and kind == Evidence.LINE
                else BAR
            )
            good &= rate >= bar
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
