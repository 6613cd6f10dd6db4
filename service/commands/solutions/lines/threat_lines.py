"""Moves below a record that rests on threat trees: nothing is stored there, the moves are those of the trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.records import ENDS, ThreatNode, ThreatTrees
from proofbase.engine.rules import Game
from proofbase.engine.rules.threats import ThreatRules
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.commands.solutions.lines.forcing_lines import ForcedPlay, answer_that_leads_to
from proofbase.service.positions.probe import Probe, Records
from proofbase.storage import Evidence

__all__ = ["ThreatLine", "attack_of_tree", "first_move_of_threats", "longest_defence"]


class ThreatLine(NamedTuple):
    """Play along a threat tree (docs/zones.md): the attacker wins, the other side holds out as long as it can.

    Attributes:
        game: the rules in Python, which know what a threat is.
        position: the position of these rules in the orientation of the tree.
        node: of the tree. With the other side to move, its move has been played, or a move of the attacker that
            follows from the board alone.
        attacking: whether the attacker is to move.
        win: what a win is worth.
    """

    game: Game[Any]
    position: Any
    node: ThreatNode
    attacking: bool
    win: int

    @property
    def ended(self) -> bool:
        return False

    def next_move(
        self, game: Game[Any], position: Any, answers: Sequence[MoveAnswer]
    ) -> tuple[MoveAnswer, ForcedPlay] | None:
        rules = self.game.threat_rules()
        if rules is None or self.game.terminal(self.position) is not None:
            return None
        own, other = rules.stones(self.position)
        if self.attacking:
            square, node = attack_of_tree(rules, self.node, own, other)
            value, plies = self.win, _plies(rules, self.node, own, other)
        else:
            square, node = longest_defence(rules, self.node, own, other)
            value, plies = -self.win, 1 + _plies(rules, node, other, own | square)
        if not square:
            return None
        after = self.game.play(self.position, rules.squares.index(square))
        answer = answer_that_leads_to(game, position, answers, self.game.key(after))
        if answer is None:
            return None
        played = replace(answer, value=Value.of(value), rank=plies, known=True)
        return played, ThreatLine(self.game, after, node, not self.attacking, self.win)


def attack_of_tree(rules: ThreatRules, node: ThreatNode, attacker: int, defender: int) -> tuple[int, ThreatNode]:
    """The attacker's move, and the node whose replies count after it; no square if the tree has no move."""
    attack = rules.attack(attacker, defender)
    if attack.wins:
        return attack.wins & -attack.wins, ENDS
    if attack.double_threats and not rules.defence(attacker, defender).one:
        return attack.double_threats[0][0], ENDS
    return (0, ENDS) if node.move is None else (rules.squares[node.move], node)


def longest_defence(rules: ThreatRules, node: ThreatNode, defender: int, attacker: int) -> tuple[int, ThreatNode]:
    """The reply after which the attacker needs most plies, and the node after it."""
    empty = rules.board & ~(attacker | defender)
    after = {rules.squares[reply]: child for reply, child in node.replies if rules.squares[reply] & empty}
    wins = rules.attack(attacker, defender).wins
    if wins:  # every other reply loses at once
        square = wins & -wins
        return square, after.get(square, ENDS)
    if not after:
        return empty & -empty, ENDS
    return max(after.items(), key=lambda item: _plies(rules, item[1], attacker, defender | item[0]))


def _plies(rules: ThreatRules, node: ThreatNode, attacker: int, defender: int) -> int:
    """Plies within which the attacker, who is to move, wins by a tree."""
    empty = rules.board & ~(attacker | defender)
    if rules.attack(attacker, defender).wins:
        return 1
    return min(attack_of_tree(rules, node, attacker, defender)[1].plies, empty.bit_count())


def first_move_of_threats(
    game: Game[Any],
    position: Any,
    probe: Probe,
    answers: Sequence[MoveAnswer],
    store: Records,
    open_python: Callable[[], Game[Any]],
) -> tuple[MoveAnswer, ForcedPlay | None] | None:
    """The best move in a position whose exact value rests on threat trees, and the play behind that move.

    The side that loses plays the reply that holds out longest, by the trees and by the stored records; behind a reply
    that has a record of its own there is no such play.

    Args:
        game, position, probe, answers, store: the position, what is known of it, its moves, and the records.
        open_python: gives the rules of the game in Python; asked where a claim rests on threats.

    Returns:
        None if the position's value does not rest on threats, or the trees do not show it.
    """
    record = probe.record_of_value
    if record is None or not probe.value.exact:
        return None
    lower, upper, win = record.lower, record.upper, game.highest_value
    if Evidence.THREATS not in {claim.evidence for claim in (lower, upper) if claim is not None}:
        return None
    python = open_python()
    rules, canonical = python.threat_rules(), python.position(probe.key)
    if rules is None:
        return None
    if lower is not None and lower.evidence == Evidence.THREATS and lower.bound == probe.value.lower == win:
        tree = (lower.threats and lower.threats.passed) or ENDS
        return ThreatLine(python, canonical, tree, attacking=True, win=win).next_move(game, position, answers)
    if upper is None or upper.evidence != Evidence.THREATS or not upper.bound == probe.value.upper == -win:
        return None
    assert upper.threats is not None
    # A loss says of every reply that it loses; only those named, and some by chance, have records to go on with.
    keys = [game.key(game.play(position, answer.number)) for answer in answers]
    records = store.get_many(game.name, keys)
    known = [answer for answer, data in zip(answers, records, strict=True) if data is not None]
    lost = [answer for answer in known if answer.known and not answer.terminal and answer.value.upper == -win]
    stored = max(lost, key=lambda answer: answer.rank or 0, default=None)
    by_tree = _longest_by_tree(python, rules, canonical, upper.threats)
    if by_tree is not None and (stored is None or by_tree[0] > (stored.rank or 0)):
        plies, after, tree = by_tree
        answer = answer_that_leads_to(game, position, answers, python.key(after))
        if answer is not None:
            played = replace(answer, value=Value.of(-win), rank=plies, known=True)
            return played, ThreatLine(python, after, tree, attacking=True, win=win)
    return None if stored is None else (stored, None)


def _longest_by_tree(
    game: Game[Any], rules: ThreatRules, position: Any, threats: ThreatTrees
) -> tuple[int, Any, ThreatNode] | None:
    """The reply without a record of its own that loses in most plies: these plies, the position after it, the tree."""
    defender, attacker = rules.stones(position)
    candidates = sorted(_replies_with_trees(game, position, threats), key=lambda reply: -reply[1].plies)
    for move, tree in candidates:
        stones = defender | rules.squares[move]
        if zone_of_tree(rules, tree, attacker, stones) is not None:
            return 1 + _plies(rules, tree, attacker, stones), game.play(position, move), tree
    return None


def _replies_with_trees(game: Game[Any], position: Any, threats: ThreatTrees) -> Iterator[tuple[int, ThreatNode]]:
    yield from threats.trees
    if threats.passed is not None:
        answered = {*threats.named, *(move for move, _ in threats.trees)}
        yield from ((move, threats.passed) for move in game.moves(position) if move not in answered)
