"""Go-moku from the empty board: the first replies one by one, beside the totals that Allis prints (1994, 5.5.3).

Black's first move, in the centre, is given; every other move is found by the search `threats`. Allis printed totals of
each set of rules only, and chose several hundred moves by hand.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofbase.engine.games import open_game
from proofbase.engine.records import decode_record
from proofbase.engine.reproduce.report import Options, Progress, Report, Row

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["first_replies", "openings"]

FIRST = "h8"
SECONDS = 600.0
"""For each reply, where the caller does not say."""
SLICE_SECONDS = 0.5
"""Between looks at the time of the processor."""
HOURS_A_DAY = 24


@dataclass(frozen=True)
class _Printed:
    """What chapter 5 prints of one set of rules."""

    days: float
    records: int
    depth: int = 35


RULES = {
    "gomoku": _Printed(11.9, 138_790),
    "gomoku:standard": _Printed(15.1, 153_284),
}


@dataclass
class _Solution:
    """What the replies of one set of rules came to."""

    game: Any
    proved: int = 0
    hours: float = 0.0
    keys: set[bytes] = field(default_factory=set)
    least_rank: int | None = None
    open: list[str] = field(default_factory=list)

    def add(self, search: Search) -> int:
        """Adds the records of a reply that is proved. Returns how many they are."""
        count = 0
        for chunk in search.solution().chunks(1000):
            for key, data in chunk:
                count += 1
                self.keys.add(key)
                rank = min(claim.rank for claim in decode_record(data).claims)
                self.least_rank = rank if self.least_rank is None else min(self.least_rank, rank)
        self.proved += 1
        return count


def openings(options: Options, progress: Progress) -> Report:
    """Every first reply of both sets of rules, or the first few of them: those far from the centre come first."""
    seconds = SECONDS if options.seconds is None else options.seconds
    rows: list[Row] = []
    notes = [
        "printed: totals of chapter 5, on workstations of 16 to 28 million instructions a second.",
        "Several hundred moves of his were chosen by hand; ours are found by the search, but for the first one.",
        "Every reply is solved from its position of two stones, with one thread.",
        f"Times are those of the processor. A reply is given up after {seconds:g} s.",
        "Depth: the stones on the board where the last move that makes no threat is played.",
    ]
    for number, (name, printed) in enumerate(RULES.items()):
        solution = _Solution(open_game(name))
        replies = first_replies(solution.game)
        asked = replies[: options.positions]
        for index, reply in enumerate(asked):
            share = (number + index / len(asked)) / len(RULES)
            progress(share, f"{name} {FIRST} {reply}")
            rows += _reply(solution, reply, seconds, options.nodes)
        rows += _totals(solution, printed, len(asked))
        if solution.open:
            notes.append(f"{name}: open are {', '.join(solution.open)}.")
        if len(asked) < len(replies):
            notes.append(f"{name}: {len(asked)} of {len(replies)} replies were asked, so the totals are of these.")
    progress(1.0, "done")
    return Report("allis-5", "Allis (1994), 5.5.3: go-moku from the empty board", rows, notes)


def first_replies(game: Any) -> list[str]:
    """White's replies to the first move in the centre, one of each class of symmetric ones, as moves are written."""
    after_first = game.play(game.initial(), game.parse_move(game.initial(), FIRST))
    centre_column, centre_row = _square(FIRST)

    def distance(move: int) -> tuple[int, int]:
        column, row = _square(game.move_text(after_first, move))
        steps = sorted((abs(column - centre_column), abs(row - centre_row)))
        return (steps[1], steps[0])

    classes: dict[bytes, int] = {}
    for move in game.moves(after_first):
        classes.setdefault(game.key(game.play(after_first, move)), move)
    return [game.move_text(after_first, move) for move in sorted(classes.values(), key=distance, reverse=True)]


def _square(text: str) -> tuple[int, int]:
    return ord(text[0]) - ord("a"), int(text[1:])


def _reply(solution: _Solution, reply: str, seconds: float, nodes: int | None) -> list[Row]:
    from proofbase.engine._core import Search

    game, label = solution.game, f"{solution.game.name} {FIRST} {reply}"
    position = game.initial()
    for move in (FIRST, reply):
        position = game.play(position, game.parse_move(position, move))
    search = Search(game, position, 1, algorithm="threats")
    began = time.process_time()
    while search.status == "unknown" and time.process_time() - began < seconds:
        if search.run(seconds=SLICE_SECONDS, nodes=nodes).reason != "seconds":
            break
    spent = time.process_time() - began
    solution.hours += spent / 3600
    rows = [
        Row(f"{label}: positions looked at", None, search.progress().nodes),
        Row(f"{label}: time", None, spent, "s"),
    ]
    if search.status != "proved":
        solution.open.append(reply)
        return rows
    return [*rows, Row(f"{label}: records", None, solution.add(search))]


def _totals(solution: _Solution, printed: _Printed, asked: int) -> list[Row]:
    depth = 0 if solution.least_rank is None else 15 * 15 - solution.least_rank
    name = solution.game.name
    return [
        Row(f"{name}: replies proved", asked, solution.proved, tolerance=0),
        Row(f"{name}: time in all", printed.days * HOURS_A_DAY, solution.hours, "h", tolerance=None),
        Row(f"{name}: records in all", printed.records, len(solution.keys), tolerance=None),
        Row(f"{name}: depth", printed.depth, depth, "plies", tolerance=None),
    ]
