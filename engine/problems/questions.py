"""Questions about one problem, whose proofs are kept in one table of records: that of its certificate."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any

from proofbase.engine._core import RecordTable, Search, Tables, choose_algorithm, open_game
from proofbase.engine.records import Side, decode_record
from proofbase.engine.rules.within import FAMILY

__all__ = ["OpenTables", "OutOfTimeError", "Questions"]

OpenTables = Callable[[Any], object]
"""Opens the tables of a game `within:N:GAME`. Searches use those of the native core alone."""

MEMORY = 1 << 30
SLICE_SECONDS = 0.2
"""Between two slices of a search Ctrl-C is heard."""
TREE_SECONDS = 1.0
"""So long beyond the time of a problem its tree may be read off the proofs."""


class OutOfTimeError(Exception):
    """The time of a problem is over, or the memory or nodes of one of its searches."""


class Questions:
    """Asks who wins within the plies that are left. Positions are those of `within:N:GAME`.

    Args:
        game: name of the inner game.
        plies: N.
        seconds: of all questions together; None: no limit.
        nodes: that the search of each question may create; None: no limit.
        open_tables: of the tables that settle positions; None: there are none.

    Attributes:
        game: `within:N:GAME`.
        table: the proofs.
        has_tables: whether they may rest on tables.
        asked: questions that were searched.
    """

    def __init__(
        self,
        game: str,
        plies: int,
        seconds: float | None,
        nodes: int | None = None,
        open_tables: OpenTables | None = None,
    ) -> None:
        self.game: Any = open_game(f"{FAMILY}:{plies}:{game}")
        self.table = RecordTable(self.game)
        tables = None if open_tables is None else open_tables(self.game)
        self.has_tables = isinstance(tables, Tables)
        if isinstance(tables, Tables):
            self.table.attach(tables)
        self.asked = 0
        self._end = None if seconds is None else monotonic() + seconds
        self._nodes = nodes
        self._answers = dict[tuple[bytes, int], bool]()

    def is_won(self, position: Any) -> bool:
        """Whether the side to move wins in time. Raises OutOfTimeError."""
        return self._at_least(position, 1)

    def is_lost(self, position: Any) -> bool:
        """Whether the side to move loses in time. Raises OutOfTimeError."""
        return not self._at_least(position, 0)

    def stop_reading(self) -> None:
        """Ends the reading of a tree, whose questions may all be proved. Raises OutOfTimeError."""
        if self._end is not None and monotonic() > self._end + TREE_SECONDS:
            raise OutOfTimeError

    def is_proved_not_won(self, position: Any) -> bool:
        """Whether that is known without a search."""
        end = self.game.terminal(position)
        return end < 1 if end is not None else self._proved(self.game.key(position), 1) is False

    def _at_least(self, position: Any, bound: int) -> bool:
        end = self.game.terminal(position)
        if end is not None:
            return bool(end >= bound)
        question = self.game.key(position), bound
        answer = self._answers.get(question)
        if answer is None:
            answer = self._proved(*question)
            if answer is None:
                answer = self._search(position, bound)
            self._answers[question] = answer
        return answer

    def _proved(self, key: bytes, bound: int) -> bool | None:
        """What the proofs so far say of a question; None where they are silent."""
        record = self.table.get(key)
        for claim in () if record is None else decode_record(record).claims:
            if claim.side is Side.LOWER and claim.bound >= bound:
                return True
            if claim.side is Side.UPPER and claim.bound < bound:
                return False
        return None

    def _search(self, position: Any, bound: int) -> bool:
        self.asked += 1
        algorithm = choose_algorithm(self.game, position)[0]
        search = Search(self.game, position, bound, algorithm=algorithm, known=self.table)
        while search.status == "unknown":
            seconds_left = inf if self._end is None else self._end - monotonic()
            if seconds_left <= 0:
                raise OutOfTimeError
            outcome = search.run(self._nodes, min(SLICE_SECONDS, seconds_left), MEMORY)
            if outcome.reason not in (None, "seconds"):
                raise OutOfTimeError
        for chunk in search.solution().chunks():
            self.table.load(chunk)
        return bool(search.status == "proved")
