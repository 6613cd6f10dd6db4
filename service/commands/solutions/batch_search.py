"""The searches of a batch: each open position is searched as a single lookup would, within the time of the call."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Searched
from proofbase.service.commands.solutions.lookup_budget import LookupBudget
from proofbase.service.commands.solutions.position_search import search_position
from proofbase.service.commands.solutions.threat_replies import ThreatReplies
from proofbase.service.positions.probe import Probe, probe_positions, probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.resources.search_table import SearchTable

__all__ = ["BatchSearch"]


class BatchSearch:
    """Searches the positions of one batch, one after the other.

    Args:
        resources: the store and what belongs to it.
        game: of the positions.
        budget: nodes of each position, and the time of all of them.

    Raises:
        InvalidRequestError, LimitExceededError: the budget is not one that a lookup may have.
    """

    def __init__(self, resources: Resources, game: Game[Any], budget: LookupBudget) -> None:
        self._resources = resources
        self._game = game
        self._nodes = budget.nodes
        self._deadline = budget.deadline(resources)
        self._table = SearchTable()
        self._threats = ThreatReplies(resources, game)

    def search(self, position: Any, probe: Probe) -> tuple[Probe, Searched | None]:
        """What is known of a position after its search, and what the search was; None where none was needed.

        The record of the result is that of the store alone: nothing of a search is stored.
        """
        if probe.value.exact:
            return probe, None
        if time.monotonic() >= self._deadline:
            return probe, Searched(0, "", "seconds")
        win = self._win_by_threats(position, probe)
        if win is not None:
            return win
        records, searched = search_position(
            self._resources, self._game, position, probe.value, self._nodes, self._deadline, self._table
        )
        probe_after = probe_positions(self._game, [position], records, self._resources.tables.of(self._game))[0]
        return replace(probe_after, record=probe.record), searched

    def _win_by_threats(self, position: Any, probe: Probe) -> tuple[Probe, Searched] | None:
        if not self._threats.possible:
            return None
        tables = self._resources.tables.of(self._game)
        moves = probe_with_moves(self._game, position, self._resources.store, tables)[1]
        win = self._threats.win(position, moves, self._deadline)
        if win is None or probe.value.upper != win.move.value.upper:
            return None
        plies = win.move.rank or 0
        won = replace(probe, value=win.move.value, lower_rank=plies, upper_rank=plies, witness=win.move.number)
        return won, win.searched
