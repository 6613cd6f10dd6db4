"""Evidence by threat trees: played out by the lines of the game, with or without zones (docs/zones.md)."""

from __future__ import annotations

from typing import Any

from proofbase.engine.records import ENDS, Claim, Side, ThreatNode, ThreatTrees
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.threats import ThreatRules

__all__ = ["broken_by_threats", "wins_by_move", "zone_of_tree"]


def zone_of_tree(rules: ThreatRules, node: ThreatNode, attacker: int, defender: int) -> int | None:
    """Plays a threat tree against every reply, the attacker to move.

    Returns:
        The zone of the tree, a set of squares: on every empty square outside, a further stone of the defender leaves
        the tree a win. None if the attacker does not win by the tree.
    """
    attack = rules.attack(attacker, defender)
    if attack.wins:
        return attack.wins & -attack.wins
    if attack.double_threats:
        defence = rules.defence(attacker, defender)
        if not defence.one:
            square, wins = attack.double_threats[0]
            return square | _lowest(wins, 2) | defence.two
    return _zone_after_move(rules, node, attacker, defender)


def wins_by_move(rules: ThreatRules, node: ThreatNode, attacker: int, defender: int) -> bool:
    """Whether the attacker, to move, wins by the move of a tree: what makes the witness of a lower claim right.

    Where the position ends, a tree wins whatever its move is.
    """
    move = 0 if node.move is None or node.move >= len(rules.squares) else rules.squares[node.move]
    if move & rules.attack(attacker, defender).wins:
        return True
    return _zone_after_move(rules, node, attacker, defender) is not None


def _zone_after_move(rules: ThreatRules, node: ThreatNode, attacker: int, defender: int) -> int | None:
    """The zone of a tree whose move is played; None if the attacker does not win by it."""
    if node.move is None or node.move >= len(rules.squares):
        return None
    move = rules.squares[node.move]
    if move & (attacker | defender):
        return None
    attacker |= move
    defence = rules.defence(attacker, defender)
    if defence.one:
        return None
    zone = move | defence.two
    attack = rules.attack(attacker, defender)
    if attack.wins & (attack.wins - 1):
        return zone | _lowest(attack.wins, 2)  # no reply meets both
    empty = rules.board & ~(attacker | defender)
    after = {rules.squares[reply]: child for reply, child in node.replies if reply < len(rules.squares)}
    after = {reply: child for reply, child in after.items() if reply & empty}
    if attack.wins:
        after = {attack.wins: after.get(attack.wins, ENDS)}
        zone |= attack.wins
    else:
        listed = sum(after)
        met = _double_threats_met(attack.double_threats, empty & ~listed)
        if met is None or defence.two & ~listed:
            return None
        zone |= met | defence.three
    for reply, child in after.items():
        below = zone_of_tree(rules, child, attacker, defender | reply)
        if below is None:
            return None
        zone |= below
    return zone


def _double_threats_met(double_threats: Any, replies: int) -> int | None:
    """Squares of enough double threats that each of the replies leaves one of them; None if one reply meets all."""
    zone, left = 0, replies
    for square, wins in double_threats:
        three = _lowest(wins, 3)
        meets = square if _lowest(wins, 2) != three else square | three
        if left & ~meets or not zone:
            zone |= square | three
            left &= meets
    return zone if zone and not left else None


def _lowest(squares: int, count: int) -> int:
    """The first squares of a set."""
    rest = squares
    for _ in range(count):
        rest &= rest - 1
    return squares ^ rest


def broken_by_threats(game: Game[Any], position: Any, claim: Claim, *, zones: bool) -> tuple[str, str] | None:
    """The rule that the trees of a claim break, with the particulars; None if they prove what is theirs to prove.

    The claims of the children that the claim names are not looked at.

    Args:
        position: of the claim, with its witness legal.
        claim: a claim by threats.
        zones: whether replies outside the zone of a tree need not be played out.
    """
    rules, threats = game.threat_rules(), claim.threats
    if rules is None or threats is None:
        return "evidence", f"{game.name} has no threats that trees could be checked by"
    if abs(claim.bound) > game.highest_value:
        return "threats", f"a win is worth {game.highest_value}"
    own, other = rules.stones(position)
    empty = rules.board & ~(own | other)
    if claim.side == Side.LOWER:
        tree = threats.passed or ENDS
        if tree.move != claim.witness:
            return "threats", "the tree does not begin with the witness"
        if min(tree.plies, empty.bit_count()) > claim.rank:
            return "threats", f"the tree takes more than {claim.rank} plies"
        if wins_by_move(rules, tree, own, other):
            return None
        if zone_of_tree(rules, tree, own, other) is not None:
            return "threats", "the side to move wins, not by the witness"
        return "threats", "the side to move does not win by the tree against every reply"
    return _UpperClaim(game, position, claim, rules, threats).broken_rule(zones=zones)


class _UpperClaim:
    """The trees of an upper claim: the attacker is the side that is not to move."""

    def __init__(self, game: Game[Any], position: Any, claim: Claim, rules: ThreatRules, threats: ThreatTrees) -> None:
        self._game, self._position, self._claim, self._rules = game, position, claim, rules
        self._defender, self._attacker = rules.stones(position)
        self._named = set(threats.named)
        self._trees = [(reply, tree) for reply, tree in [(None, threats.passed), *threats.trees] if tree is not None]
        self._wins = rules.defence(self._attacker, self._defender).one  # the defender wins there at once
        plies = (rules.board & ~(self._attacker | self._defender)).bit_count()
        self._usable = [(reply, tree) for reply, tree in self._trees if min(1 + tree.plies, plies) <= claim.rank]

    def broken_rule(self, *, zones: bool) -> tuple[str, str] | None:
        game, legal = self._game, self._game.moves(self._position)
        for reply in [*self._named, *(reply for reply, _ in self._trees if reply is not None)]:
            if reply not in legal:
                return "threats", f"reply {reply} is not legal"
        covered = self._outside_zones() if zones else 0
        for move in legal:
            square = self._rules.squares[move]
            if move in self._named or covered & square:
                continue
            child = game.play(self._position, move)
            value = game.terminal(child)
            if value is not None:
                if value < game.reward(self._position, move) - self._claim.bound:
                    return "threats", f"after move {game.move_text(self._position, move)} ({move}) the game is over"
            elif not self._answered(move, square):
                return "threats", f"after move {game.move_text(self._position, move)} ({move}) no tree wins"
        return None

    def _answered(self, move: int, square: int) -> bool:
        """Whether a tree wins against a reply: its own, that against a pass, or one against another reply."""
        own_first = sorted(self._usable, key=lambda item: item[0] != move)
        defender = self._defender | square
        return any(zone_of_tree(self._rules, tree, self._attacker, defender) is not None for _, tree in own_first)

    def _outside_zones(self) -> int:
        """The replies that need not be played out, by the theorem."""
        rules, covered = self._rules, 0
        for reply, tree in self._usable:
            stone = 0 if reply is None else rules.squares[reply]
            if stone & self._wins:
                continue
            zone = zone_of_tree(rules, tree, self._attacker, self._defender | stone)
            if zone is not None:
                covered |= rules.board & ~zone | stone
        return covered & ~self._wins
