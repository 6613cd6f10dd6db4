"""How many moves of played games are scored a second, where the store is asked: python tests/bench/bench_scores.py.

Random games of tic-tac-toe, whose positions come again and again, and of connect-four, most of whose positions are
different. Of tic-tac-toe every value is stored before, and the regrets are checked. Seconds are those of the processor.
"""

from __future__ import annotations

import time
from random import Random

from proofbase.engine import open_game
from proofbase.service.client import Budget, connect


def random_games(name: str, number: int) -> list[list[int]]:
    game, random = open_game(name), Random(1)
    games = []
    for _ in range(number):
        position, moves = game.initial(), list[int]()
        while game.terminal(position) is None:
            moves.append(random.choice(game.moves(position)))
            position = game.play(position, moves[-1])
        games.append(moves)
    return games


def main() -> None:
    with connect("memory:") as client:
        client.solve_all_moves("tic-tac-toe", budget=Budget(seconds=60))
        client.solve("connect-four", "moves:4444442222", at_least=1, budget=Budget(nodes=2_000))
        for name, number in (("tic-tac-toe", 15_000), ("connect-four", 4_000)):
            games = random_games(name, number)
            client.score_games(name, games[:10])
            time.sleep(1)  # the copy of the records in memory is made meanwhile
            started = time.process_time()
            scores = client.score_games(name, games)
            seconds = time.process_time() - started
            assert len(scores) == sum(map(len, games))
            if name == "tic-tac-toe":
                assert all(row.regret == 0 for row in scores if row.ply == 1)
            print(f"{name}: {len(scores):,} moves in {seconds:.2f} s: {len(scores) / seconds:,.0f} a second")


if __name__ == "__main__":
    main()
