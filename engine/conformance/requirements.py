"""What a game has to keep, by name, and how a breach of it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

__all__ = ["REQUIREMENTS", "Answers", "Broken", "Violation"]

REQUIREMENTS: dict[str, str] = {
    "attributes": "name, rules_version, highest_value and acyclic are what `Game` says",
    "errors": "no method raises anything but the errors that `Game` allows",
    "hashing": "positions are hashable, equal exactly when they are the same, and never change",
    "terminal": "terminal() is None or a value within highest_value",
    "moves": "moves() are numbers in [0, 2**31), each once, and not empty before the end of the game",
    "reward": "reward() is an integer that no limit of a value contradicts",
    "limit": "limit() is from 0 to highest_value, and no value is beyond it",
    "effort": "effort() is two whole numbers from 1 to 1,000,000, wherever a question can be asked",
    "key": "key() is 1 to 255 bytes, and the key of the position that it stands for",
    "position": "position() refuses all bytes but canonical keys, by InvalidKeyError",
    "symmetry": "positions of one key have equal values, repetition values and limits, and corresponding moves",
    "text": "text() is one line, and parse() reads it back",
    "parse": "parse() refuses by InvalidPositionError what it cannot read",
    "move-text": "move_text() is a word, different for different moves, and parse_move() reads it back",
    "side": "side() is 0 or 1, 0 at the start, and changes with every move (or is always 0)",
    "score": "score() follows the rewards (or is always 0)",
    "recurrence": "with acyclic = True no position comes back, up to symmetry",
    "repetition": "repetition() is None in an acyclic game; otherwise it changes its sign along moves without a reward",
    "cycle-reward": "in a cycle every reward is 0",
    "table-entry": "positions of one table entry have one value",
    "openspiel": "a game of OpenSpiel has its players, actions, ends and returns, in every state with the key",
    "determinism": "every method gives the same answer whenever and in whatever process it is asked",
}
"""Stable names, each with the requirement in one clause."""

Answers: TypeAlias = Iterator[tuple[str, str, Any, Any]]
"""Answers that a game gives by two ways: the requirement by which they are equal, what was asked, and both of them."""


class Violation(NamedTuple):
    """A requirement that a game breaks, and where that was seen."""

    requirement: str
    """A name in REQUIREMENTS."""
    detail: str
    """What was seen, in one sentence."""
    position: str | None = None
    """The offending position: its text, or what can be shown of it. None where no single position is to blame."""
    moves: tuple[str, ...] = ()
    """The moves from the initial position to it, where they are known."""

    @property
    def message(self) -> str:
        """Requirement, position, and what was seen."""
        where = "" if self.position is None else f"in {self.position}"
        if self.moves:
            shown = " ".join(self.moves[:30]) + (f" ... ({len(self.moves)} moves)" if len(self.moves) > 30 else "")
            where += f" (by the moves {shown})"
        return f"{self.requirement}: {where}{': ' if where else ''}{self.detail}"


class Broken(Exception):
    """Ends the check of a requirement: it is broken."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.message)
        self.violation = violation
