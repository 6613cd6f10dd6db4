"""What the questions of a solve have shown whose solutions are not stored, because another question follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofbase.service.answers import Value

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["UnstoredAnswers"]


@dataclass
class UnstoredAnswers:
    """The strongest bounds of a solve that are known and not stored.

    A later question may make the solution of an earlier one needless: then it is never stored. At the end the searches
    of the bounds that are left give their solutions, or their questions are asked again, which a table answers.

    Attributes:
        lower: the value is at least this; None: nothing is known that is not stored.
        upper: the value is at most this.
        seconds: of the searches that showed it.
        searches: by threshold, the searches that have no table to hand on.
    """

    lower: int | None = None
    upper: int | None = None
    seconds: float = 0.0
    searches: dict[int, Search] = field(default_factory=dict)

    @classmethod
    def restored(cls, state: dict[str, Any] | None) -> UnstoredAnswers:
        """The bounds whose `state` was stored; none without a state."""
        return cls(**state) if state else cls()

    def state(self) -> dict[str, Any]:
        """What has to be kept over a restart, as JSON values."""
        return {"lower": self.lower, "upper": self.upper, "seconds": self.seconds}

    def __bool__(self) -> bool:
        return self.lower is not None or self.upper is not None

    def add(self, threshold: int, search: Search) -> None:
        """A search has answered the question of this threshold."""
        self.seconds += search.progress().seconds
        if search.status == "proved":
            replaced, self.lower = self.lower, threshold
        else:
            replaced, self.upper = None if self.upper is None else self.upper + 1, threshold - 1
        if replaced is not None:
            self.searches.pop(replaced, None)
        if not search.has_table:
            self.searches[threshold] = search

    def narrow(self, stored: Value) -> Value:
        """What is known of the value, where the store knows this."""
        if self.lower is not None:
            stored = stored.narrowed(self.lower, proved=True)
        return stored if self.upper is None else stored.narrowed(self.upper + 1, proved=False)

    def next_to_store(self, stored: Value) -> int | None:
        """The threshold of a question whose solution is to be stored; None when the store knows every bound.

        Then nothing is left here.
        """
        if self.lower is not None and self.lower > stored.lower:
            return self.lower
        if self.upper is not None and self.upper < stored.upper:
            return self.upper + 1
        self.forget()
        return None

    def forget(self) -> None:
        """Forgets all bounds: their questions are open again."""
        self.lower = self.upper = None
        self.seconds = 0.0
        self.searches.clear()
