"""The algorithm of the next search: the one that was asked for by name, or what `auto` stands for by now."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.rules import Game
from proofbase.service.resources.native import ChosenAlgorithm, choose_algorithm, full_algorithm_name

__all__ = ["ABOVE_TABLES", "AlgorithmChoice", "is_automatic"]

_AUTOMATIC = re.compile(r"auto(?P<threads>\+threads-([1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5]))?")

ABOVE_TABLES = "the game estimates effort, and tables settle the small endings, where lines come back most"
"""Why df-pn is chosen in a game with cycles that has tables."""


def is_automatic(name: str) -> bool:
    """Whether the service chooses the algorithm: `auto`, or `auto+threads-N`.

    N threads, 1 to 255, are for those algorithms that can use them.
    """
    return _AUTOMATIC.fullmatch(name) is not None


def _is_df_pn_quicker_above_tables(game: Game[Any]) -> bool:
    """Whether the effort of a game with cycles leads df-pn to wins, and its small endings alone to repetitions."""
    return not game.acyclic and game.highest_value == 1 and full_algorithm_name(game, "df-pn").endswith("+effort")


class AlgorithmChoice:
    """Chooses for each question about a position.

    Args:
        game: its properties decide.
        named: what was asked for: an algorithm, `auto`, or `auto+threads-N`.
        state: what has been tried, as JSON values; kept up to date. A job stores it.
        position: what is asked about; None: not known.
        has_tables: says whether there are tables of the game. What this decides is decided once, where `state` is
            empty: so a job goes on with its search, whatever tables come and go.
    """

    def __init__(
        self,
        game: Game[Any],
        named: str,
        state: dict[str, Any],
        position: Any = None,
        *,
        has_tables: Callable[[], bool] = lambda: False,
    ) -> None:
        self._game = game
        self._position = position
        self._named = named
        self._state = state
        automatic = _AUTOMATIC.fullmatch(named)
        self._automatic = automatic is not None
        self._threads = "" if automatic is None else automatic["threads"] or ""
        if not state and _is_df_pn_quicker_above_tables(game) and has_tables():
            state["above_tables"] = True
        self._choices: dict[tuple[bool, bool], ChosenAlgorithm] = {}
        """What was chosen, by whether the nodes and the memory of the first choice are used up."""

    def for_question(self, threshold: int) -> ChosenAlgorithm:
        """The algorithm to answer this question with; an algorithm that was named has no reason."""
        if not self._automatic:
            return ChosenAlgorithm(self._named, None)
        return self._with_threads(self._chosen(threshold))

    def after_first_nodes(self) -> ChosenAlgorithm | None:
        """What searches without a limit of nodes, when the first choice has taken its own; None where one was named."""
        if not self._automatic:
            return None
        return self._with_threads(choose_algorithm(self._game, self._position, nodes_used_up=True))

    def _chosen(self, threshold: int) -> ChosenAlgorithm:
        memory_used_up = bool(self._state.get("memory_used_up"))
        tried = self._state.get("nodes_used_up", ())
        # With many values the second choice has a table by now, which helps with every question.
        nodes_used_up = bool(tried) if self._game.highest_value > 1 else threshold in tried
        if not memory_used_up and threshold in self._state.get("exhausted", ()):
            # What follows a search without memory answers any question, given the time.
            last = choose_algorithm(self._game, memory_used_up=True)
            return last._replace(reason="the search before had nothing left to try")
        if self._state.get("above_tables"):
            return ChosenAlgorithm("df-pn", ABOVE_TABLES)
        used_up = nodes_used_up, memory_used_up
        if used_up not in self._choices:
            self._choices[used_up] = choose_algorithm(
                self._game, self._position, nodes_used_up=nodes_used_up, memory_used_up=memory_used_up
            )
        return self._choices[used_up]

    def _with_threads(self, chosen: ChosenAlgorithm) -> ChosenAlgorithm:
        """The same with the threads that were asked for, where the algorithm can use them."""
        if not self._threads:
            return chosen
        try:
            full_algorithm_name(self._game, chosen.name + self._threads)
        except UnknownAlgorithmError:
            return chosen
        return chosen._replace(name=chosen.name + self._threads)

    def note_nodes_used_up(self, threshold: int) -> None:
        """The nodes of the first choice are used up, by itself or by a search for the value, and gave no answer."""
        self._state["nodes_used_up"] = [*self._state.get("nodes_used_up", ()), threshold]

    def note_exhausted(self, threshold: int) -> bool:
        """The search has nothing left to try on this question. True if there is another algorithm for it."""
        before = self.for_question(threshold).name
        tried = self._state.get("exhausted", [])
        if not self._automatic or threshold in tried:
            return False
        self._state["exhausted"] = [*tried, threshold]
        return self.for_question(threshold).name != before

    def note_memory_used_up(self, threshold: int) -> bool:
        """The search of this question has used up its memory. True if there is another algorithm to go on with."""
        before = self.for_question(threshold).name
        if not self._automatic or self._state.get("memory_used_up"):
            return False
        self._state["memory_used_up"] = True
        return self.for_question(threshold).name != before
