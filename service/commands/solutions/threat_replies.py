"""Replies that have no record of their own: a threat tree in the record of the position before answers them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from proofbase.engine.records import ThreatNode, ThreatTrees, decode_stored
from proofbase.engine.rules import Game
from proofbase.engine.threat_evidence import zone_of_tree
from proofbase.service.answers import PositionAnswer, Searched, Value
from proofbase.service.commands.solutions.lines.threat_lines import ThreatLine
from proofbase.service.resources import Resources
from proofbase.storage import Evidence

__all__ = ["answer_by_threats_before"]


def answer_by_threats_before(
    resources: Resources, game: Game[Any], position: Any, answer: PositionAnswer
) -> PositionAnswer | None:
    """The win of a position whose last move is answered by a threat tree of the record before that move.

    The last move is any stone of the side that is not to move. The tree is checked by the rules.

    Args:
        resources: the store and what belongs to it.
        game: of the position.
        position: one whose value is not known.
        answer: what is known of it.

    Returns:
        The answer with the win, its plies and the move of the tree; `searched` counts the nodes of the tree. None if
        no stored tree answers the position.
    """
    python = resources.games.open_python(game.name)
    rules = python.threat_rules()
    if rules is None or answer.terminal:
        return None
    same = python.parse(game.text(position))
    before = {python.key(earlier): earlier for earlier in rules.positions_before(same)}
    for key, data in zip(before, resources.store.get_many(game.name, before), strict=True):
        upper = None if data is None else decode_stored(game.name, key, data).upper
        if upper is None or upper.evidence != Evidence.THREATS or upper.bound != -game.highest_value:
            continue
        assert upper.threats is not None
        canonical = python.position(key)
        reply = next((m for m in python.moves(canonical) if python.key(python.play(canonical, m)) == answer.key), None)
        if reply is None or reply in upper.threats.named:
            continue
        after = python.play(canonical, reply)
        attacker, defender = rules.stones(after)
        for tree in _trees_for(upper.threats, reply):
            if zone_of_tree(rules, tree, attacker, defender) is not None:
                line = ThreatLine(python, after, tree, True, game.highest_value)
                return _won_by(game, position, answer, line)
    return None


def _trees_for(threats: ThreatTrees, reply: int) -> Iterator[ThreatNode]:
    """The trees that may answer a reply, its own first."""
    yield from (tree for move, tree in threats.trees if move == reply)
    if threats.passed is not None:
        yield threats.passed
    yield from (tree for move, tree in threats.trees if move != reply)


def _won_by(game: Game[Any], position: Any, answer: PositionAnswer, line: ThreatLine) -> PositionAnswer | None:
    played = line.next_move(game, position, answer.moves)
    if played is None:
        return None
    best = played[0]
    others = tuple(move for move in answer.moves if move.number != best.number)
    return replace(
        answer,
        value=Value(line.win, line.win, True, True),
        rank=best.rank,
        witness=best.move,
        moves=(best, *others),
        estimates=(),
        searched=Searched(line.node.nodes, "threats"),
    )
