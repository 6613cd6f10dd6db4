"""The algorithm of the next search: the one that was asked for by name, or what `auto` stands for by now."""

from __future__ import annotations

from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.resources.native import ChosenAlgorithm, choose_algorithm

__all__ = ["AlgorithmChoice"]


class AlgorithmChoice:
    """Chooses for each question about a position.

    Args:
        game: its properties decide.
        named: what was asked for.
        state: what has been tried, as JSON values; kept up to date. A job stores it.
    """

    def __init__(self, game: Game[Any], named: str, state: dict[str, Any]) -> None:
        self._game = game
        self._named = named
        self._state = state

    def for_question(self, threshold: int) -> ChosenAlgorithm:
        """The algorithm to answer this question with; an algorithm that was named has no reason."""
        if self._named != "auto":
            return ChosenAlgorithm(self._named, None)
        memory_used_up = bool(self._state.get("memory_used_up"))
        nodes_used_up = threshold in self._state.get("nodes_used_up", ())
        if not memory_used_up and threshold in self._state.get("exhausted", ()):
            # What follows a search without memory answers any question, given the time.
            last = choose_algorithm(self._game, memory_used_up=True)
            return last._replace(reason="the search before had nothing left to try")
        return choose_algorithm(self._game, nodes_used_up=nodes_used_up, memory_used_up=memory_used_up)

    def nodes_used_up(self, threshold: int) -> None:
        """The first choice has been tried on this question, and did not answer it."""
        self._state["nodes_used_up"] = [*self._state.get("nodes_used_up", ()), threshold]

    def exhausted(self, threshold: int) -> bool:
        """The search has nothing left to try on this question. Returns whether there is another algorithm for it."""
        tried = self._state.get("exhausted", [])
        if self._named != "auto" or threshold in tried:
            return False
        self._state["exhausted"] = [*tried, threshold]
        return True

    def memory_used_up(self) -> bool:
        """The search has used up its memory. Returns whether there is another algorithm to go on with."""
        if self._named != "auto" or self._state.get("memory_used_up"):
            return False
        self._state["memory_used_up"] = True
        return True
