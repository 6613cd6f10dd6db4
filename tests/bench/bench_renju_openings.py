"""What `threats` says of the openings of professional renju, and of professional go-moku.

    python tests/bench/bench_renju_openings.py [--seconds 20] [--nodes N] [--store DIRECTORY]

The first table has the 24 positions of three stones with which professional renju begins. Of each it asks whether Black
wins against every reply, and whether he wins where White plays far away (a1). The second one has the two replies of
professional go-moku. Every question has its own search of so many seconds of the processor, or nodes.

A proof is stored, and every record of it is checked by the native rules and by those in Python: a record that does not
pass ends the program. What is not found may still be won.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from typing import Any

from proofbase.engine.games import open_game
from proofbase.service.client import connect
from proofbase.service.jobs.budget import Budget

FAR = "a1"


def openings() -> dict[str, str]:
    """The 24 positions of three stones: their moves, and as a position of renju."""
    game: Any = open_game("renju:professional")
    found, texts = set[bytes](), dict[str, str]()
    first = game.play(game.initial(), game.moves(game.initial())[0])
    for reply in ("h9", "i9"):  # direct, and indirect
        second = game.play(first, game.parse_move(first, reply))
        for move in game.moves(second):
            third = game.play(second, move)
            if game.key(third) not in found:
                found.add(game.key(third))
                texts[f"h8 {reply} {game.move_text(second, move)}"] = game.text(third)
    return texts


def ask(client: Any, game: str, position: str, least: int, budget: Budget) -> str:
    """The answer in words. `least`: 1 where Black is to move, 0 where White is."""
    began = time.process_time()
    job = client.solve(game, position, at_least=least, algorithm="threats", budget=budget)
    seconds = time.process_time() - began
    if job.result.status == "unknown":
        return f"not found ({job.result.unknown_reason}, {job.result.nodes:,} nodes, {seconds:.1f} s)"
    for rules in ("native", "python"):
        report = client.verify(game, position, rules=rules).result
        assert report.checked == job.result.records and not report.failed, report
    return f"won for Black ({job.result.nodes:,} nodes, {job.result.records:,} records, {seconds:.1f} s)"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--store")
    parser.add_argument("--openings", type=int, default=24, help="so many of them")
    given = parser.parse_args()
    budget = Budget(nodes=given.nodes, seconds=None if given.nodes else given.seconds)
    with tempfile.TemporaryDirectory() as directory, connect(given.store or directory) as client:
        game: Any = open_game("renju")
        for name, text in list(openings().items())[: given.openings]:
            far = game.play(game.parse(text), game.parse_move(game.parse(text), FAR))
            answers = ask(client, "renju", text, 0, budget), ask(client, "renju", game.text(far), 1, budget)
            print(f"renju  {name:9}  every reply: {answers[0]:40}  {FAR}: {answers[1]}", flush=True)
        for moves in ("h8 h9", "h8 i9"):
            print(f"gomoku:professional  {moves}: {ask(client, 'gomoku:professional', moves, 1, budget)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
