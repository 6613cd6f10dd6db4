"""Victoria's own search (Allis 1994, 5.4) beside our search `threats`, from positions with two stones of go-moku.

The thesis prints totals only: 5.3 million nodes for all 35 replies to the first move, of searches that were divided by
hand and shared what they had proved. Here every reply is one search of its own from nothing.
"""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, Any, cast

from proofbase.engine._core import Search
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.victoria import Victoria, native_wins
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, until_stopped

if TYPE_CHECKING:
    from proofbase.engine.rules.gomoku import Gomoku

__all__ = ["two_stones"]

POSITIONS, NODES, SECONDS = 35, 20_000, 60.0
"""Replies to the first move; nodes and seconds of each of Victoria's searches."""
SLICE = 0.2
"""Seconds after which the processor's time is looked at."""
DB_NODES = 10_000
"""Nodes of one db-search."""


def two_stones(options: Options, progress: Progress) -> Report:
    """Each reply by both searches: `positions` replies, the farthest first, with `nodes` and `seconds` for each."""
    name = "gomoku"
    game: Any = open_game(name)
    rules = cast("Gomoku", open_game(name, "python"))
    first = game.play(game.initial(), game.moves(game.initial())[0])
    replies = {game.key(game.play(first, reply)): reply for reply in game.moves(first)}
    chosen = sorted(replies.values(), reverse=True)[: options.positions or POSITIONS]
    most, seconds = options.nodes or NODES, options.seconds or SECONDS
    rows, sizes, proved, beside = list[Row](), list[tuple[int, int]](), 0, 0
    with until_stopped(sizes) as stopped:
        for number, reply in enumerate(chosen):
            label = f"h8 {game.move_text(first, reply)}"
            progress(number / len(chosen), label)
            position = game.play(first, reply)
            search = Victoria(rules, rules.parse(game.text(position)), native_wins(game, rules, DB_NODES))
            end = time.process_time() + seconds
            answer = search.run(most, lambda end=end: time.process_time() >= end)  # type: ignore[misc]
            spent = time.process_time() - end + seconds
            ours = Search(game, position, 1, algorithm="threats")
            began = time.process_time()
            while ours.run(seconds=SLICE).status == "unknown" and time.process_time() - began < max(spent, 1.0):
                pass
            proved += answer is True
            beside += ours.status == "proved"
            sizes.append((search.nodes, ours.progress().nodes))
            rows += [
                Row(f"{label}: Victoria, proved", None, int(answer is True)),
                Row(f"{label}: Victoria, nodes", None, search.nodes),
                Row(f"{label}: Victoria, positions given to db-search", None, search.evaluations),
                Row(f"{label}: Victoria, time", None, spent, "s"),
                Row(f"{label}: threats, proved in the same time", None, int(ours.status == "proved")),
                Row(f"{label}: threats, nodes", None, ours.progress().nodes),
                Row(f"{label}: threats, of these opened", None, ours.progress().expansions),
                Row(f"{label}: threats, time", None, time.process_time() - began, "s"),
            ]
    rows += [
        Row("replies proved by Victoria", None, proved),
        Row("replies proved by threats in the same time", None, beside),
        Row("median of Victoria's nodes", None, int(median(nodes for nodes, _ in sizes))),
        Row("median of the nodes of threats", None, int(median(nodes for _, nodes in sizes))),
        Row("nodes of Victoria in all", 5_300_000, sum(nodes for nodes, _ in sizes), tolerance=None),
    ]
    notes = [
        *stopped,
        f"Each of {len(sizes)} replies alone: at most {most:,} nodes and {seconds:g} s of the processor for Victoria.",
        "5.3 million nodes are printed for all 35 replies, with several hundred moves chosen by hand.",
        f"Victoria is in Python, its db-search is native: at most {DB_NODES:,} nodes for a position.",
    ]
    return Report("Allis (1994), 5.4: Victoria's search from two stones", rows, notes)
