"""Go-moku from the empty board: the first replies one by one, beside the totals that Allis prints (1994, 5.5.3).

Black's first move, in the centre, is given; every other move is found by the search `threats`, which answers one reply
after the other and learns from those before. Allis printed totals of each set of rules only, and chose several hundred
moves by hand.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofbase.engine._core import Search
from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce.report import STOPPED, Options, Progress, Report, Row
from proofbase.engine.records import decode_record

if TYPE_CHECKING:
    from proofbase.engine._core import Progress as SearchProgress
    from proofbase.engine._core import RecordTable

__all__ = ["openings", "reply_by_reply", "size_rows"]

SECONDS = 3600.0
"""For one set of rules, where the caller does not say."""
SLICE_SECONDS = 0.1
"""Between looks at the reply that is being answered."""
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
class _Course:
    """The course of a search that answers all replies to the first move."""

    replies: int = 0
    proved: int = 0
    costs: dict[tuple[int, int], tuple[int, float]] = field(default_factory=dict)
    """Nodes and seconds by first move and reply, in the order in which they were begun."""
    nodes: int = 0
    seconds: float = 0.0
    _reply: tuple[int, int] | None = None

    def note(self, now: SearchProgress, seconds: float) -> None:
        """What came after the last call is put down to the reply that is being answered.

        Args:
            now: the progress of the search.
            seconds: of the processor, since the search began.
        """
        self.replies = now.replies or self.replies
        self.proved = max(self.proved, now.replies_proved)
        if len(now.best_line) >= 2:
            self._reply = (now.best_line[0], now.best_line[1])
        if self._reply is not None:
            nodes, spent = self.costs.get(self._reply, (0, 0.0))
            self.costs[self._reply] = nodes + now.nodes - self.nodes, spent + seconds - self.seconds
        self.nodes, self.seconds = now.nodes, seconds


def openings(options: Options, progress: Progress) -> Report:
    """Every first reply of both sets of rules; those far from the centre come first."""
    seconds = SECONDS if options.seconds is None else options.seconds
    rows: list[Row] = []
    notes = [
        "printed: totals of chapter 5, on workstations of 16 to 28 million instructions a second.",
        "Several hundred moves of his were chosen by hand; ours are found by the search, but for the first one.",
        "One search with one thread answers all replies; it learns from each of them for the next ones.",
        f"Times are those of the processor. A set of rules is given up after {seconds:g} s.",
        "Depth: the stones on the board where the last move that makes no threat is played.",
    ]
    for name, printed in RULES.items():
        own_rows, own_notes = reply_by_reply(name, seconds, options, progress, printed)
        rows += own_rows
        notes += own_notes
        if STOPPED in own_notes:
            break
    return Report("Allis (1994), 5.5.3: go-moku from the empty board", rows, notes)


def reply_by_reply(
    name: str, seconds: float, options: Options, progress: Progress, printed: _Printed | None = None
) -> tuple[list[Row], list[str]]:
    """Solves a game from its first move in the centre.

    Args:
        name: of a game of go-moku, with any board and length.
        seconds: of the processor, after which the search is given up.
        options: `positions` is the number of replies after which it ends; `nodes` limits what it looks at.
        progress: told which reply is being answered. The share is 0: two of the replies take nearly all of the time, so
            nothing can be said of what is left.
        printed: figures to compare with.

    Returns:
        The rows, and what is to be said of them. Ctrl-C ends the search; both are then of what was proved by then.
    """
    game: Any = open_game(name)
    search = Search(game, game.initial(), 1, algorithm="threats")
    course, notes = _Course(), list[str]()
    try:
        for now, spent in _slices(search, seconds, options):
            course.note(now, spent)
            if now.best_line:
                sentence = f"{course.proved} of {course.replies} replies proved"
                progress(0.0, f"{_label(game, now.best_line[:2])}, {sentence}")
            if options.positions is not None and course.proved >= options.positions:
                break
    except KeyboardInterrupt:
        notes.append(STOPPED)
    solved = search.status == "proved"
    proof, squares = search.solution(), len(game.moves(game.initial()))
    rows: list[Row] = []
    for (first, reply), (nodes, spent) in course.costs.items():
        label = _label(game, [first, reply])
        rows.append(Row(f"{label}: positions looked at", None, nodes))
        rows.append(Row(f"{label}: time", None, spent, "s"))
    if solved:
        replies = list(_first_replies(game, proof))
        course.replies = course.proved = len(replies)
        for key, label in replies:
            rows += size_rows(proof, key, squares, label)
    wanted = course.replies if options.positions is None else options.positions
    rows.append(Row(f"{name}: replies proved", wanted, min(course.proved, wanted), tolerance=0))
    hours = None if printed is None else printed.days * HOURS_A_DAY
    rows.append(Row(f"{name}: time in all", hours, course.seconds / 3600, "h", tolerance=None))
    if solved:
        return [*rows, *size_rows(proof, game.key(game.initial()), squares, name, printed)], notes
    what = f"{course.proved} of {course.replies} replies were proved"
    return rows, [*notes, f"{name}: {what}, so nothing is said of the records of the whole."]


def _slices(search: Search, seconds: float, options: Options) -> Iterator[tuple[SearchProgress, float]]:
    """Searches until the question is settled or a limit is reached.

    Yields:
        Ten times a second the progress, and the seconds of the processor so far.
    """
    began, spent = time.process_time(), 0.0
    while search.status == "unknown" and spent < seconds:
        reason = search.run(seconds=SLICE_SECONDS, nodes=options.nodes).reason
        spent = time.process_time() - began
        yield search.progress(), spent
        if reason != "seconds":
            return


def size_rows(proof: RecordTable, key: bytes, squares: int, label: str, printed: _Printed | None = None) -> list[Row]:
    """How many records a position of a board of so many squares rests on, and how deep they go.

    A position that a threat tree of its parent's record proves has no record of its own, and no depth.
    """
    keys = proof.below(key)
    if not keys:
        return [Row(f"{label}: records", None, 0)]
    records = [decode_record(data) for data in map(proof.get, keys) if data is not None]
    # The rank of a record is the number of empty squares.
    last = min(claim.rank for record in records for claim in record.claims)
    depth = squares - last
    return [
        Row(f"{label}: records", None if printed is None else printed.records, len(keys), tolerance=None),
        Row(f"{label}: depth", None if printed is None else printed.depth, depth, "plies", tolerance=None),
    ]


def _first_replies(game: Any, proof: RecordTable) -> Iterator[tuple[bytes, str]]:
    """Keys and moves of the replies to the first move of a proof, one of each class of symmetric ones."""
    root = proof.get(game.key(game.initial()))
    first = None if root is None else decode_record(root).claims[0].witness
    if first is None:
        return
    after = game.play(game.initial(), first)
    classes: dict[bytes, int] = {}
    for reply in game.moves(after):
        classes.setdefault(game.key(game.play(after, reply)), reply)
    for key, reply in classes.items():
        yield key, _label(game, [first, reply])


def _label(game: Any, moves: Sequence[int]) -> str:
    position, words = game.initial(), [game.name]
    for move in moves:
        words.append(game.move_text(position, move))
        position = game.play(position, move)
    return " ".join(words)
