"""Allis et al. (1994), 8; Schijf (1993), 3.4: initial numbers and alpha-beta on endings of other games than awari."""

from __future__ import annotations

from random import Random
from typing import Any

from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reproduce.answer import ask
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, until_stopped

__all__ = ["endings"]

GAMES = {"othello": ("pn-dag", 48), "checkers": ("pn-base-twin", 70), "mens-morris:9": ("pn-base-twin", 50)}
"""The graph of each game, and the random plies before a position."""
INITIALISATIONS = ("unit", "mobility", "effort")
ALPHA_BETA = "alpha-beta+table-64"
POSITIONS, NODES = 20, 50_000


def endings(options: Options, progress: Progress) -> Report:
    """Solved positions, and nodes of those that all searches of a game solve."""
    wanted, most = options.positions or POSITIONS, options.nodes or NODES
    rows = list[Row]()
    with until_stopped(rows) as stopped:
        for number, (name, (graph, plies)) in enumerate(GAMES.items()):
            game: Any = open_game(name)
            searches = [*(f"{graph}+{kind}" for kind in INITIALISATIONS if _has(game, f"{graph}+{kind}")), ALPHA_BETA]
            nodes: dict[str, list[int | None]] = {search: [] for search in searches}
            for seed in range(wanted):
                progress((number + seed / wanted) / len(GAMES), f"{name}, position {seed + 1}")
                position = _after(game, plies, Random(seed))
                for algorithm, counts in nodes.items():
                    answer = ask(game, position, algorithm, most)
                    counts.append(answer.nodes if answer.settled else None)
            by_all = [counts_of_all for counts_of_all in zip(*nodes.values(), strict=True) if None not in counts_of_all]
            for index, (algorithm, counts) in enumerate(nodes.items()):
                solved_positions = wanted - counts.count(None)
                rows.append(Row(f"{name}, {algorithm}: solved of {wanted}", None, solved_positions))
                total = sum(counts_of_all[index] or 0 for counts_of_all in by_all)
                rows.append(Row(f"{name}, {algorithm}: the {len(by_all)} that all solve", None, total, "nodes"))
    notes = [
        *stopped,
        f"Positions after random moves, at least 1?, at most {most:,} nodes. The papers have no figures.",
        "A game without a row of `effort` has no estimate of it.",
    ]
    return Report("Allis et al., Proof-number search (1994), 8; Schijf (1993), 3.4", rows, notes)


def _has(game: Any, algorithm: str) -> bool:
    try:
        Search(game, game.initial(), 1, algorithm=algorithm)
    except (EngineError, ValueError):
        return False
    return True


def _after(game: Any, plies: int, random: Random) -> Any:
    """A position after random moves; games that end earlier are played again."""
    while True:
        position = game.initial()
        for _ in range(plies):
            if game.terminal(position) is not None:
                break
            position = game.play(position, random.choice(list(game.moves(position))))
        if game.terminal(position) is None:
            return position
