"""Questions about one problem, whose proofs are kept in one table of records: that of its certificate."""

from __future__ import annotations

from time import monotonic
from typing import Any

from proofbase.engine._core import RecordTable, Search, choose_algorithm, open_game
from proofbase.engine.rules.within import FAMILY

__all__ = ["OutOfTimeError", "Questions"]

MEMORY = 1 << 30


class OutOfTimeError(Exception):
    """The time of a problem is over."""


class Questions:
    """Asks who wins within the plies that are left. Positions are those of `within:N:GAME`.

    Args:
        game: name of the inner game.
        plies: N.
        seconds: of all questions together; None: no limit.

    Attributes:
        game: `within:N:GAME`.
        table: the proofs.
        asked: questions that were searched.
    """

    def __init__(self, game: str, plies: int, seconds: float | None) -> None:
        self.game: Any = open_game(f"{FAMILY}:{plies}:{game}")
        self.table = RecordTable(self.game)
        self.asked = 0
        self._end = None if seconds is None else monotonic() + seconds
        self._answers = dict[tuple[bytes, int], bool]()

    def is_won(self, position: Any) -> bool:
        """Whether the side to move wins in time. Raises OutOfTimeError."""
        return self._at_least(position, 1)

    def is_lost(self, position: Any) -> bool:
        """Whether the side to move loses in time. Raises OutOfTimeError."""
        return not self._at_least(position, 0)

    def _at_least(self, position: Any, bound: int) -> bool:
        end = self.game.terminal(position)
        if end is not None:
            return bool(end >= bound)
        question = self.game.key(position), bound
        if question not in self._answers:
            self._answers[question] = self._search(position, bound)
        return self._answers[question]

    def _search(self, position: Any, bound: int) -> bool:
        self.asked += 1
        algorithm = choose_algorithm(self.game, position)[0]
        search = Search(self.game, position, bound, algorithm=algorithm, known=self.table)
        seconds = None if self._end is None else self._end - monotonic()
        if seconds is None or seconds > 0:
            search.run(seconds=seconds, memory=MEMORY)
        if search.status == "unknown":
            raise OutOfTimeError
        for chunk in search.solution().chunks():
            self.table.load(chunk)
        return bool(search.status == "proved")
