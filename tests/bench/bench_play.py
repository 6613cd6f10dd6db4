"""Matches of the player against others: python tests/bench/bench_play.py [--games 100] [--seconds 2] [--game NAME].

`--nodes N` limits the player by nodes in place of seconds: N of each search for a win (20 N where that is `threats`,
whose nodes take less than a twentieth of the time), and a twentieth of N of alpha-beta. The results then do not depend
on how busy the machine is.

The others are a player of random moves, and alpha-beta of fixed depth (4 plies) with the game's own evaluation. Colours
alternate, and against alpha-beta the first two moves of the game are random moves of the other side, so that
games differ. A position that is on the board for the third time ends a game. The share of games that are won has to
reach the bar, 0.95.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random
from typing import Any

from proofbase.engine.games import open_game
from proofbase.engine.players import AlphaBeta, Player

OPENING_PLIES = 2
DEPTH = 4
BAR = 0.95


def make_player(name: str, number: int, seconds: float, nodes: int | None) -> Player:
    game: Any = open_game(name)
    rules: Any = open_game(name, "python")
    if nodes is None:
        return Player(game, rules, seconds=seconds, seed=number)
    return Player(game, rules, seconds=3600, nodes=nodes, seed=number, positions=max(1, nodes // 20))


def result(name: str, other: str, number: int, player: Player) -> tuple[int, float]:
    """The result of one game for the player, and its longest time for a move."""
    game: Any = open_game(name)
    rules: Any = open_game(name, "python")
    random = Random(number)
    searched = rules if rules.evaluates() else game
    alpha_beta = AlphaBeta(searched, None, DEPTH)
    position, side, own, seen, longest = game.initial(), 0, number % 2, Counter[Any](), 0.0
    while (end := game.terminal(position)) is None:
        seen[position] += 1
        if seen[position] == 3:
            end = game.repetition(position)
            break
        if side == own:
            started = time.perf_counter()
            move = player.choose(position, game.score(position)).move
            longest = max(longest, time.perf_counter() - started)
        elif other == "random" or sum(seen.values()) <= OPENING_PLIES:
            move = random.choice(game.moves(position))
        else:
            there = position if searched is game else rules.parse(game.text(position))
            move = alpha_beta.rank(there, seed=1_000 * number + sum(seen.values())).best[0]
        position, side = game.play(position, move), 1 - side
    whole = game.score(position) + end
    return (whole if side == own else -whole), longest


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--first", type=int, default=0, help="number of the first game; even: the player begins")
    parser.add_argument("--game", action="append", choices=["awari", "gomoku"])
    parser.add_argument("--other", action="append", choices=["random", "alpha-beta"])
    given = parser.parse_args()
    for name in given.game or ["awari", "gomoku"]:
        for other in given.other or ["random", "alpha-beta"]:
            results = []
            for number in range(given.first, given.first + given.games):
                player = make_player(name, number, given.seconds, given.nodes)
                results.append(result(name, other, number, player))
                print(f"game {number}: {results[-1][0]:+}", file=sys.stderr, flush=True)
            won, lost = sum(points > 0 for points, _ in results), sum(points < 0 for points, _ in results)
            as_first = sum(points > 0 for points, _ in results[given.first % 2 :: 2])
            limit = f"{given.seconds} s" if given.nodes is None else f"{given.nodes:,} nodes"
            longest = max(seconds for _, seconds in results)
            print(
                f"{name} against {other}: {won} won ({as_first} as first player), {given.games - won - lost} drawn, "
                f"{lost} lost of {given.games}; {limit} a move, the longest {longest:.1f} s",
                flush=True,
            )
            assert won >= BAR * given.games


if __name__ == "__main__":
    main()
