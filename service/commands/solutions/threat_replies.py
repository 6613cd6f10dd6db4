"""Replies that have no record of their own: a threat tree in the record of the position before answers them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.records import MalformedRecordError, ThreatNode, ThreatTrees, decode_stored
from proofbase.engine.rules import Game
from proofbase.service.answers import MoveAnswer, Searched
from proofbase.service.commands.solutions.lines.threat_lines import ThreatLine
from proofbase.service.resources import Resources

__all__ = ["ThreatReplies", "WinByTree"]


class WinByTree(NamedTuple):
    """A win of the side to move.

    Attributes:
        move: that the tree plays, with the value and the plies of the win.
        searched: counts the nodes of the tree.
    """

    move: MoveAnswer
    searched: Searched


class ThreatReplies:
    """The threat trees that a store holds against replies of a game.

    Args:
        resources: the store and what belongs to it.
        game: one of the built-in games; of others no tree is looked for.
    """

    def __init__(self, resources: Resources, game: Game[Any]) -> None:
        self._store = resources.store
        self._game = game
        self._python = None if resources.games.is_users_own(game.name) else resources.games.open_python(game.name)
        self._rules = None if self._python is None else self._python.threat_rules()

    @property
    def possible(self) -> bool:
        """Whether wins of the game can rest on threat trees."""
        return self._rules is not None

    def win(self, position: Any, moves: Sequence[MoveAnswer], deadline: float) -> WinByTree | None:
        """The win of a position whose last move is answered by a threat tree of the record before that move.

        The last move is any stone of the side that is not to move. The tree is checked by the rules. Damaged records
        are passed over, as in a search.

        Args:
            position: one whose value is not known.
            moves: all its moves.
            deadline: on the clock of `time.monotonic`.

        Returns:
            None if no stored tree answers the position, or the time is over.
        """
        if self._python is None or self._rules is None or not moves:
            return None
        python, rules, key = self._python, self._rules, self._game.key(position)
        before = list(dict.fromkeys(map(python.key, rules.positions_before(python.position(key)))))
        for key_before, threats in self._losses_by_threats(before):
            canonical = python.position(key_before)
            reply = next((m for m in python.moves(canonical) if python.key(python.play(canonical, m)) == key), None)
            if reply is None or reply in threats.named:
                continue
            after = python.play(canonical, reply)
            attacker, defender = rules.stones(after)
            for tree in _trees_for(threats, reply):
                if time.monotonic() >= deadline:
                    return None
                if zone_of_tree(rules, tree, attacker, defender) is not None:
                    line = ThreatLine(python, after, tree, attacking=True, win=python.highest_value)
                    played = line.next_move(self._game, position, moves)
                    return None if played is None else WinByTree(played[0], Searched(tree.nodes, "threats"))
        return None

    def _losses_by_threats(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, ThreatTrees]]:
        """Those positions that the side to move loses by threats."""
        name, lowest = self._game.name, -self._game.highest_value
        for key, data in zip(keys, self._store.get_many(name, keys, faults=[]), strict=True):
            try:
                upper = None if data is None else decode_stored(name, key, data).upper
            except MalformedRecordError:
                continue
            if upper is not None and upper.threats is not None and upper.bound == lowest:
                yield key, upper.threats


def _trees_for(threats: ThreatTrees, reply: int) -> Iterator[ThreatNode]:
    """The trees that may answer a reply, its own first."""
    yield from (tree for move, tree in threats.trees if move == reply)
    if threats.passed is not None:
        yield threats.passed
    yield from (tree for move, tree in threats.trees if move != reply)
