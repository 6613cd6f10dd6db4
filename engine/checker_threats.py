"""Threat trees, the second file of `checker.py`: reads them, and plays them out by the lines of the game.

docs/zones.md says what a tree proves and why replies outside of its zone need not be played. Like the first file it
imports nothing of proofbase but the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from proofbase.engine.rules import Game
from proofbase.engine.rules.threats import ThreatRules

__all__ = ["Threats", "by_threats", "read_threats"]

DEEPEST = 200  # moves of the attacker, one below the other
Squares = int  # a set with a bit for each square


class Node(NamedTuple):
    """The attacker's move and, by reply, what follows. A move of -1: the position ends."""

    move: int
    after: dict[int, Node]
    plies: int  # until the attacker has won, at the latest


ENDS = Node(-1, {}, 3)


class Threats(NamedTuple):
    """The payload of a claim by threats."""

    named: list[int]
    trees: dict[int, Node]  # by the reply that they answer; -1: against a pass, or the tree of a lower claim


def read_threats(numbers: Iterator[int], side: str) -> Threats:
    """All numbers of a payload, in their order."""
    try:
        named, trees = list[int](), dict[int, Node]()
        for index in range(next(numbers)):
            named.append(next(numbers) + (named[-1] if index else 0))
        if named != sorted(set(named)) or (named and named[-1] >= 2**31):
            raise ValueError("named replies do not ascend")
        if passes := next(numbers):
            trees[-1] = read_node(numbers, 0)
        for _ in range(next(numbers)):
            if (reply := next(numbers)) <= max(trees, default=-1):
                raise ValueError("trees do not ascend")
            trees[reply] = read_node(numbers, 0)
    except StopIteration:
        raise ValueError("threat trees are cut off") from None
    if passes > 1 or next(numbers, None) is not None:
        raise ValueError("two trees against a pass, or numbers behind the trees")
    if side == "lower" and (named or list(trees) != [-1] or trees[-1] is ENDS):
        raise ValueError("a lower claim by threats has one tree, which begins with a move")
    return Threats(named, trees)


def read_node(numbers: Iterator[int], depth: int) -> Node:
    move, after, plies = next(numbers) - 1, dict[int, Node](), 3
    if move < 0:
        return ENDS
    if depth == DEEPEST:
        raise ValueError(f"a threat tree of more than {DEEPEST} moves")
    for _ in range(next(numbers)):
        if (reply := next(numbers)) <= max(after, default=-1):
            raise ValueError("replies do not ascend")
        after[reply] = read_node(numbers, depth + 1)
        plies = max(plies, after[reply].plies)
    return Node(move, after, plies + 2)


def by_threats(game: Game[Any], position: Any, claim: Any, zones: bool) -> str:
    """What is wrong with a claim by threats, apart from the claims of the replies that it names."""
    rules, threats = game.threat_rules(), claim.threats
    if rules is None:
        return "evidence: this game has no threats"
    if abs(claim.bound) > game.highest_value:
        return "threats: a win is worth less"
    mover, other = rules.stones(position)
    empty = rules.board & ~mover & ~other
    if claim.side == "lower":
        tree = threats.trees[-1]
        if tree.move != claim.witness or min(tree.plies, empty.bit_count()) > claim.rank:
            return f"threats: not a tree of at most {claim.rank} plies that begins with the witness"
        return "" if wins(rules, tree, mover, other) is not None else "threats: a reply escapes from the tree"
    legal = set(game.moves(position))
    if not legal.issuperset(threats.named) or not legal.issuperset(reply for reply in threats.trees if reply >= 0):
        return "threats: a reply is not legal"
    quick = {r: tree for r, tree in threats.trees.items() if min(tree.plies + 1, empty.bit_count()) <= claim.rank}
    lost = rules.defence(other, mover).one  # squares on which the side to move wins
    settled: Squares = 0
    for reply, tree in quick.items() if zones else ():
        stone = rules.squares[reply] if reply >= 0 else 0
        zone = None if stone & lost else wins(rules, tree, other, mover | stone)
        settled |= 0 if zone is None else stone | rules.board & ~zone
    for move in sorted(legal.difference(threats.named)):
        stone = rules.squares[move]
        if stone & settled & ~lost:
            continue
        child = game.play(position, move)
        if (value := game.terminal(child)) is not None:
            if value < game.reward(position, move) - claim.bound:
                return f"threats: move {game.move_text(position, move)} ends the game"
        elif all(wins(rules, quick[r], other, mover | stone) is None for r in sorted(quick, key=lambda r: r != move)):
            return f"threats: after move {game.move_text(position, move)} no tree wins"
    return ""


def wins(rules: ThreatRules, tree: Node, attacker: Squares, defender: Squares) -> Squares | None:
    """The zone of a tree by which the attacker, to move, wins; None if he does not."""
    found = ended(rules, attacker, defender)
    if found is not None or tree.move not in range(len(rules.squares)):
        return found
    stone = rules.squares[tree.move]
    if stone & (attacker | defender):
        return None
    attacker |= stone
    empty, defence = rules.board & ~attacker & ~defender, rules.defence(attacker, defender)
    fives, double_threats = rules.attack(attacker, defender)
    zone = stone | defence.two
    listed = {rules.squares[r]: child for r, child in tree.after.items() if r < len(rules.squares)}
    if defence.one:
        return None
    if fives:
        one, more = split(fives)
        if more:
            return zone | one | split(more)[0]
        answers = {one: listed.get(one, ENDS)}  # the attacker wins on it after any other reply
        zone |= one
    else:
        answers = {reply: child for reply, child in listed.items() if reply & empty}
        unlisted = empty & ~sum(answers)
        if unlisted & defence.two or not double_threats:
            return None
        zone |= defence.three
        for number, (square, after) in enumerate(double_threats):
            first, rest = split(after)
            second, rest = split(rest)
            used = square | first | second | split(rest)[0]
            stops = used if not rest else square
            if number == 0 or unlisted & ~stops:  # after some reply it is this double threat that wins
                zone, unlisted = zone | used, unlisted & stops
        if unlisted:
            return None
    for reply, child in answers.items():
        below = wins(rules, child, attacker, defender | reply)
        if below is None:
            return None
        zone |= below
    return zone


def ended(rules: ThreatRules, attacker: Squares, defender: Squares) -> Squares | None:
    """Whether the attacker wins at once, or by a double threat that the defender cannot forestall; then its zone."""
    fives, double_threats = rules.attack(attacker, defender)
    if fives:
        return split(fives)[0]
    if not double_threats:
        return None
    defence = rules.defence(attacker, defender)
    if defence.one:
        return None
    square, after = double_threats[0]
    first, rest = split(after)
    return square | first | split(rest)[0] | defence.two


def split(squares: Squares) -> tuple[Squares, Squares]:
    """The first square of a set, and the others."""
    first = squares & -squares
    return first, squares ^ first
