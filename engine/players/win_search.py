"""A proof-number search that asks whether the side to move wins the game as a whole. It can always be continued."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from proofbase.engine.records import decode_record
from proofbase.engine.rules.game import Game

if TYPE_CHECKING:
    from proofbase.engine._core import Search

__all__ = ["WinSearch"]

FILTER_NODES = 1_000
"""Nodes of the search for threats behind each move, where the other side threatens to win."""
MOVES_AT_ONCE = 16
MEMORY = 1 << 28
"""Bytes of one search."""
FIRST_SEARCH_NODES = 5_000
"""Nodes of the search for a win by threats that comes first, in games that have such threats: some 20 ms."""
THREATS_NODE_RATIO, MOST_THREATS_NODES = 20, 1_200_000
"""For one node of another search `threats` may take so many, in one run at the most these: it visits some 4 million in
a second."""


class WinSearch:
    """Whether the side to move wins a position.

    Args:
        game: with native rules, or wrapped by the native core.
        position: of the game.
        lead: what its side to move is ahead so far, in rewards.

    Attributes:
        won: the answer; None as long as it is not known.
        nodes_for_one: so many nodes the search may take for each that `run` is given.
    """

    def __init__(self, game: Game[Any], position: Any, lead: int = 0) -> None:
        self._game = game
        self._position = position
        self._search: Search | None = None
        self.nodes_for_one = 1
        self._threat_nodes = 0
        self._move: int | None = None
        self.won: bool | None = None
        least, end, limit = 1 - lead, game.terminal(position), game.limit(position)
        if end is not None:
            self.won = end >= least
        elif least > limit or least <= -limit:
            self.won = least <= -limit
        else:
            from proofbase.engine._core import Search, choose_algorithm

            # That with which `auto` goes on when a first search has found nothing quickly.
            algorithm = choose_algorithm(game, position, nodes_used_up=True)[0]  # type: ignore[arg-type]
            self._search = Search(game, position, least, algorithm=algorithm)  # type: ignore[arg-type]
            self.nodes_for_one = THREATS_NODE_RATIO if algorithm == "threats" else 1

    def run(self, nodes: int, seconds: float) -> bool | None:
        """Goes on with the search. The answer, if there is one.

        Args:
            nodes: by so many more at the most, by 20 times as many where the search is `threats`.
            seconds: of time at the most.
        """
        if self._search is None or self.won is not None or nodes <= 0 or seconds <= 0:
            return self.won
        if not self._threat_nodes:
            self._look_for_threats(min(nodes, FIRST_SEARCH_NODES))
        if self.won is None:
            if self.nodes_for_one > 1:
                nodes = min(nodes * self.nodes_for_one, MOST_THREATS_NODES)
            total = self._search.progress().nodes + nodes
            outcome = self._search.run(nodes=total, seconds=seconds, memory=MEMORY)
            if outcome.status in ("proved", "disproved"):
                self.won = outcome.status == "proved"
        return self.won

    def is_threatened(self) -> bool:
        """Whether the other side would win by threes and fours if the side to move passed (an implicit threat)."""
        return self._search is not None and self._threats(FIRST_SEARCH_NODES, opponent=True)[0] is not None

    def lost_to_threats(self, moves: Sequence[int], seconds: float) -> dict[int, int]:
        """The moves after which the other side is found to win by threes and fours, each with the size of that win.

        Args:
            moves: of the position. Those that are not looked at in time are left out of the answer.
            seconds: for all of them.
        """
        deadline, losing = time.monotonic() + seconds, dict[int, int]()
        for first in range(0, len(moves), MOVES_AT_ONCE):
            if first and time.monotonic() >= deadline:
                break
            some = moves[first : first + MOVES_AT_ONCE]
            children = [self._game.play(self._position, move) for move in some]
            answers = _find_threats(self._game, children, FILTER_NODES, opponent=False)
            losing |= {move: len(tree) for move, (tree, _) in zip(some, answers, strict=True) if tree is not None}
        return losing

    def _look_for_threats(self, nodes: int) -> None:
        """Sets the answer where the side to move wins by threes and fours."""
        tree, self._threat_nodes = self._threats(nodes, opponent=False)
        # Where the tree has no move, the game is over after three plies: the other search finds that at once.
        if tree is not None and tree[0]:
            self.won, self._move = True, tree[0] - 1

    def _threats(self, nodes: int, *, opponent: bool) -> tuple[list[int] | None, int]:
        """The tree of a win, if one was found, and the nodes, at least 1."""
        return _find_threats(self._game, [self._position], nodes, opponent=opponent)[0]

    @property
    def nodes(self) -> int:
        """The nodes of the searches so far."""
        return 0 if self._search is None else self._search.progress().nodes + self._threat_nodes

    @property
    def ratio(self) -> float:
        """Proof over disproof number: 0 where the position is won, infinite where it is not."""
        if self.won is not None or self._search is None:
            return 0.0 if self.won else inf
        progress = self._search.progress()
        return progress.proof / max(1, progress.disproof)

    def winning_move(self) -> int | None:
        """A move that keeps a win that the search has proved; None where its records do not say one."""
        if self._move is not None or not self.won or self._search is None:
            return self._move
        game = self._game
        record = self._search.solution(small_search_nodes=0).get(game.key(self._position))
        lower = None if record is None else decode_record(record).lower
        if lower is None or lower.witness is None:
            return None
        canonical = game.position(game.key(self._position))
        after = game.key(game.play(canonical, lower.witness))
        return next(move for move in game.moves(self._position) if game.key(game.play(self._position, move)) == after)


def _find_threats(
    game: Game[Any], positions: Sequence[Any], nodes: int, *, opponent: bool
) -> list[tuple[list[int] | None, int]]:
    """For each position the tree of a win by threes and fours, if one was found, and the nodes, at least 1."""
    find = getattr(game, "winning_threats", None)
    try:
        answers = () if find is None else find(positions, "threes", nodes, opponent)[0]
    except ValueError:  # the game has no such threats
        answers = ()
    results = [(tree, max(1, visited)) for _, tree, visited in answers]
    return results or [(None, 1)] * len(positions)
