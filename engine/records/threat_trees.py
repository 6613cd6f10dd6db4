"""Threat trees: the payload of claims that rest on wins by threats (docs/record-encoding.md, docs/zones.md)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from proofbase.engine.records.varint import LIMIT, VarintError, encode_varint, read_varint

__all__ = ["ENDS", "MAX_TREE_DEPTH", "ThreatNode", "ThreatTrees", "read_threats", "threats_payload"]

MAX_TREE_DEPTH = 200
"""Moves of the attacker, one below the other, in a tree. (On 19x19 squares, 181 are possible.)"""


class ThreatNode(NamedTuple):
    """A node of a threat tree: the attacker is to move.

    Attributes:
        move: what he plays; None in a node that *ends*: he wins with at most two moves of his own.
        replies: replies of the other side, ascending, each with the node after it. Every other reply leaves a position
            that ends. Empty in a node that ends.
    """

    move: int | None = None
    replies: tuple[tuple[int, ThreatNode], ...] = ()

    @property
    def nodes(self) -> int:
        """Nodes of the tree, this one included."""
        count, pending = 0, [self]
        while pending:
            node = pending.pop()
            count += 1
            pending += [child for _, child in node.replies]
        return count

    @property
    def plies(self) -> int:
        """Plies within which the attacker has won at the latest: 3 where the tree ends, 2 more for each move."""
        if self.move is None:
            return 3
        return 2 + max([3, *(child.plies for _, child in self.replies)])


ENDS = ThreatNode()
"""The node without a move."""


class ThreatTrees(NamedTuple):
    """What a claim by threats rests on. Moves are those of the canonical position.

    Attributes:
        named: replies whose positions have records of their own, ascending. None in a lower claim.
        passed: an upper claim: the tree by which the attacker wins if the side to move passes; None if there is none.
            A lower claim: the tree by which its side wins.
        trees: further trees, each with the reply that it answers, by ascending replies. None in a lower claim.
    """

    named: tuple[int, ...] = ()
    passed: ThreatNode | None = None
    trees: tuple[tuple[int, ThreatNode], ...] = ()

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        passed = 0 if self.passed is None else self.passed.nodes
        return passed + sum(tree.nodes for _, tree in self.trees)


def threats_payload(threats: ThreatTrees) -> bytes:
    """Payload of a claim that rests on threat trees.

    Raises:
        ValueError: moves that do not ascend, or are outside 0..2**31-2, or a tree that is too deep.
    """
    numbers = [len(threats.named), *threats.named[:1]]
    numbers += [after - before for before, after in pairwise(threats.named)]
    if threats.passed is None:
        numbers.append(0)
    else:
        numbers.append(1)
        _write_node(threats.passed, numbers)
    numbers.append(len(threats.trees))
    for reply, tree in threats.trees:
        numbers.append(reply)
        _write_node(tree, numbers)
    data = b"".join(map(encode_varint, numbers))
    try:
        read_threats(data)
    except VarintError as error:
        raise ValueError(error.rule) from None
    return encode_varint(len(data)) + data


def _write_node(node: ThreatNode, numbers: list[int]) -> None:
    pending: list[ThreatNode | int] = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, int):
            numbers.append(item)
        elif item.move is None:
            numbers.append(0)
        else:
            numbers += [item.move + 1, len(item.replies)]
            for reply, child in reversed(item.replies):
                pending += [child, reply]


class _Numbers:
    """The numbers of a payload, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0
        self._start = 0

    def take(self) -> int:
        self._start = self.offset
        if self.offset >= len(self.data):
            raise VarintError("threat trees are cut off", self.offset)
        number = self.data[self.offset]
        if number < 0x80:
            self.offset += 1
        else:
            number, self.offset = read_varint(self.data, self.offset)
        return number

    def fault(self, rule: str) -> VarintError:
        """An error about the number that was taken last."""
        return VarintError(rule, self._start)


def read_threats(data: bytes, *, lower: bool = False) -> ThreatTrees:
    """The threat trees that bytes, without their length, encode.

    Args:
        data: the bytes.
        lower: whether they belong to a lower claim, which has one tree and nothing else.

    Raises:
        VarintError: they break a rule of the encoding.
    """
    numbers = _Numbers(data)
    named: list[int] = []
    for index in range(numbers.take()):
        move = numbers.take()
        if index:
            if move == 0:
                raise numbers.fault("named replies do not ascend")
            move += named[-1]
            if move >= LIMIT:
                raise numbers.fault("a named reply is 2**31 or more")
        named.append(move)
    has_passed = numbers.take()
    if has_passed > 1:
        raise numbers.fault(f"{has_passed} trees against a pass")
    passed = _read_tree(numbers) if has_passed else None
    trees: list[tuple[int, ThreatNode]] = []
    for _ in range(numbers.take()):
        reply = numbers.take()
        if trees and reply <= trees[-1][0]:
            raise numbers.fault("trees against replies do not ascend")
        trees.append((reply, _read_tree(numbers)))
    if numbers.offset < len(data):
        raise VarintError("bytes left over after the threat trees", numbers.offset)
    if lower and (named or passed is None or passed.move is None or trees):
        raise VarintError("a lower claim by threats has one tree, which begins with a move", 0)
    return ThreatTrees(tuple(named), passed, tuple(trees))


def _read_tree(numbers: _Numbers) -> ThreatNode:
    """One tree. The stack is explicit: what is read may be anything."""
    stack: list[tuple[int, int, list[tuple[int, ThreatNode]], int]] = []  # move, replies left, those read, next reply
    while True:
        move = numbers.take() - 1
        node = ENDS
        if move >= 0:
            if len(stack) == MAX_TREE_DEPTH:
                raise numbers.fault(f"a threat tree is deeper than {MAX_TREE_DEPTH} moves")
            count = numbers.take()
            if count:
                stack.append((move, count - 1, [], numbers.take()))
                continue
            node = ThreatNode(move)
        while stack:
            above, replies_left, replies, reply = stack.pop()
            replies.append((reply, node))
            if replies_left:
                following = numbers.take()
                if following <= reply:
                    raise numbers.fault("replies in a threat tree do not ascend")
                stack.append((above, replies_left - 1, replies, following))
                break
            node = ThreatNode(above, tuple(replies))
        else:
            return node
