"""The tree of questions of a proof manager: proof-number search whose leaves are the tasks of workers.

A node is a question: a key and a bound. Its proof number is the smallest disproof number of its children, and its
disproof number the sum of their proof numbers, as in every search here (docs/search.md). In a game without cycles a
question has one node however it is reached. In a game with cycles every way to it has its own, and a question that an
ancestor asks already ends the line with what repetition is worth. A node that is settled only by such an end is settled
on that path alone, which is no fact: it becomes a leaf for good, to be searched as a question of its own.

Workers get different leaves. Where all children of a node have to be answered they spread over them, and where one
child is enough they stay together below the best one. Which of the two holds is not known before the end: the more a
node's numbers say that it is disproved, the more its children count as larger for each worker below them. While the
answer to a leaf is being checked and stored it counts as settled where leaves are chosen, and nowhere else: nothing is
settled by what is only believed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from proofbase.storage.estimates import INFINITE

__all__ = ["INFINITE", "Child", "Node", "Question", "QuestionTree", "Questions", "Standing"]

SPREAD = 2.0
"""How much workers spread over children that all have to be answered (`simulate_manager.py` has compared some)."""
Question = tuple[bytes, int]


@dataclass(frozen=True, slots=True)
class Child:
    """What a move leads to.

    Attributes:
        move: its number in the rules, in the orientation of the parent's position.
        position: the position after it.
        question: the key of that position, and the bound that the other side asks for there.
        settled: the answer, if it is known.
    """

    move: int
    position: Any
    question: Question
    settled: bool | None


class Questions(Protocol):
    """What the tree has to know of a game."""

    @property
    def acyclic(self) -> bool:
        """Whether no line of play comes back to a position."""

    def children(self, position: Any, bound: int) -> list[Child]:
        """The questions after each move. Moves that lead to one and the same question are listed once."""

    def by_repetition(self, position: Any, bound: int) -> bool:
        """Whether repetition itself is worth the bound for the side to move."""


class Standing(IntEnum):
    """What the answer of a node rests on, the firmest last. Answers between `ALONE` and `REPETITION` are believed."""

    OPEN = 0
    """There is no answer."""
    ALONE = 1
    """Nor here: the node was settled on its path only, and is a leaf for good."""
    FOLLOWS = 2
    """Answers of its children that are believed."""
    TRUSTED = 3
    """A search whose solution was not taken out."""
    BROUGHT = 4
    """What a worker has brought, which is to be checked and stored."""
    REPETITION = 5
    """It ends a line by repetition."""
    FACT = 6
    """Claims of the store, the tables or the rules."""


class Node:
    """A question of the tree.

    Attributes:
        position: where it is asked.
        question: its key and its bound.
        move: the move that leads here from the first parent.
        parents: nodes that rest on it; more than one in games without cycles only.
        children: None while it is a leaf.
        answer: as far as there is one; None while the node is open.
        standing: what the answer rests on.
        proof, disproof: its numbers.
        work: nodes that were searched for it, in tasks of its own and below it.
        own_work: in tasks of its own.
        under_way: a worker searches it.
        workers: how many search it or were sent below it.
        free: there is a leaf at or below it that a worker may get.
        searched_by: the algorithm of its last task.
    """

    __slots__ = (
        "answer",
        "children",
        "disproof",
        "free",
        "move",
        "own_work",
        "parents",
        "position",
        "proof",
        "question",
        "searched_by",
        "standing",
        "under_way",
        "work",
        "workers",
    )

    def __init__(self, position: Any, question: Question, move: int | None = None) -> None:
        self.position = position
        self.question = question
        self.move = move
        self.parents: list[Node] = []
        self.children: list[Node] | None = None
        self.answer: bool | None = None
        self.standing = Standing.OPEN
        self.proof = 1
        self.disproof = 1
        self.work = 0
        self.workers = 0
        self.own_work = 0
        self.under_way = False
        self.free = True
        self.searched_by = ""

    @property
    def is_open(self) -> bool:
        """Whether it has no answer, be it one that is only believed."""
        return self.answer is None

    @property
    def settled(self) -> bool | None:
        """The answer, when it is a fact."""
        return self.answer if self.standing is Standing.FACT else None

    @property
    def believed(self) -> bool | None:
        """The answer, while it is no fact, nor what repetition is worth."""
        return self.answer if self.standing < Standing.REPETITION else None

    def hold(self, answer: bool | None, standing: Standing) -> None:
        """Takes an answer, unless a firmer one is there."""
        if standing >= self.standing:
            self.answer, self.standing = answer, standing

    def release(self, most: Standing, instead: Standing = Standing.OPEN) -> None:
        """Gives up an answer that has no better standing than this."""
        if self.standing <= most:
            self.answer, self.standing = None, instead

    def line(self) -> tuple[int, ...]:
        """Moves that lead from the root to it, by the first parent of each node."""
        moves, node = list[int](), self
        while node.parents and node.move is not None:
            moves.append(node.move)
            node = node.parents[0]
        return tuple(reversed(moves))

    def numbers(self, *, believe: bool = True) -> tuple[int, int]:
        """Proof and disproof number as the parents count them, with what is believed or without it."""
        if self.answer is not None and (believe or self.standing >= Standing.REPETITION):
            return (0, INFINITE) if self.answer else (INFINITE, 0)
        return self.proof, self.disproof


class QuestionTree:
    """The tree below one question.

    Args:
        questions: the game.
        position: of the root.
        question: of the root.
        settle: called for a node whose children settle it, with the answer: makes a fact of it, and tells whether that
            was possible. Not called for what repetition alone settles.
    """

    def __init__(
        self, questions: Questions, position: Any, question: Question, settle: Callable[[Node, bool], bool]
    ) -> None:
        self._questions = questions
        self._settle = settle
        self._nodes: dict[Question, list[Node]] = {}
        self.root = Node(position, question)
        self._nodes[question] = [self.root]
        self._bounds: dict[bytes, set[int]] = {question[0]: {question[1]}}
        self.changed: set[Node] = set()
        """Nodes whose numbers or work have changed; who stores them clears it."""
        self.answered: list[Question] = []
        """Questions that were answered; who forgets their estimates clears it."""

    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        for nodes in self._nodes.values():
            yield from nodes

    def open_at(self, keys: set[bytes]) -> list[Node]:
        """The open nodes of some positions, one of each question."""
        nodes = []
        for key in keys & self._bounds.keys():
            for bound in self._bounds[key]:
                nodes += [node for node in self._nodes[key, bound] if node.settled is None][:1]
        return nodes

    # Growing

    def expand(self, node: Node) -> list[Node]:
        """Gives a leaf its children, and returns them; none where they settle it at once, if only on its path.

        New ones begin with a share of its numbers, so that these stay as they are.
        """
        children = self._questions.children(node.position, node.question[1])
        share = max(1, node.disproof // max(1, sum(child.settled is None for child in children)))
        node.children = []
        for child in children:
            below = self._node_of(node, child, share)
            below.parents.append(node)
            node.children.append(below)
        self.update([node])
        return node.children or []

    def _node_of(self, parent: Node, child: Child, share: int) -> Node:
        known = self._nodes.get(child.question, ())
        if self._questions.acyclic and known:
            return known[0]
        node = Node(child.position, child.question, child.move)
        node.proof, node.disproof = share, max(1, parent.proof)
        if child.settled is not None:
            node.hold(child.settled, Standing.FACT)
        elif not self._questions.acyclic and self._asked_above(parent, child.question):
            node.hold(self._questions.by_repetition(child.position, child.question[1]), Standing.REPETITION)
        elif known:
            # On another path: what is known of the question is known here as well.
            first = known[0]
            node.proof, node.disproof, node.work, node.own_work = (
                first.proof,
                first.disproof,
                first.work,
                first.own_work,
            )
            node.under_way = first.under_way
            if first.standing in (Standing.ALONE, Standing.BROUGHT):
                node.hold(first.answer, first.standing)
        node.free = node.is_open and not node.under_way
        self._nodes.setdefault(child.question, []).append(node)
        self._bounds.setdefault(child.question[0], set()).add(child.question[1])
        return node

    def _asked_above(self, node: Node, question: Question) -> bool:
        above: Node | None = node
        while above is not None:
            if above.question == question:
                return True
            above = above.parents[0] if above.parents else None
        return False

    def _collapse(self, node: Node) -> None:
        """Makes a node that only its path settles a leaf for good. What is below it is no part of the tree any more."""
        edges = [(node, child) for child in node.children or ()]
        node.children = None
        node.release(Standing.FOLLOWS, Standing.ALONE)
        while edges:
            above, gone = edges.pop()
            gone.parents.remove(above)
            if not gone.parents:
                self._nodes[gone.question].remove(gone)
                self.changed.discard(gone)
                edges += [(gone, child) for child in gone.children or ()]

    # Changes

    def settle(self, question: Question, answer: bool) -> None:
        """A question was answered, by a fact."""
        self.update(self._answer(question, answer))

    def _answer(self, question: Question, answer: bool) -> list[Node]:
        """Marks the nodes of a question, and returns those that rest on them."""
        nodes = [node for node in self._nodes.get(question, ()) if node.settled is None]
        for node in nodes:
            node.free = False
            node.hold(answer, Standing.FACT)
        if nodes:
            self.answered.append(question)
        return [parent for node in nodes for parent in node.parents]

    def start(self, node: Node) -> None:
        """A worker gets a leaf."""
        self._mark(node, under_way=True)

    def believe(self, node: Node, answer: bool) -> None:
        """A worker has brought the answer to a leaf, which is to be checked and stored."""
        self._hold(node, answer, Standing.BROUGHT)

    def trust(self, node: Node, answer: bool) -> None:
        """A search has answered a question, and its solution is to be taken out later, if at all."""
        nodes = self._nodes.get(node.question, ())
        for same in nodes:
            same.proof, same.disproof = (1, INFINITE) if answer else (INFINITE, 1)  # an estimate has no 0
        self.changed.update(nodes)
        self._hold(node, answer, Standing.TRUSTED)

    def _hold(self, node: Node, answer: bool, standing: Standing) -> None:
        nodes = self._nodes.get(node.question, ())
        for same in nodes:
            same.hold(answer, standing)
            same.free = False
        self.update([parent for same in nodes for parent in same.parents])

    def stop(self, node: Node) -> None:
        """No worker searches it any more, and no answer to it is being checked."""
        brought = [same for same in self._nodes.get(node.question, ()) if same.standing is Standing.BROUGHT]
        for same in brought:
            same.release(Standing.BROUGHT)
        self._mark(node, under_way=False)
        self.update([parent for same in brought for parent in same.parents])

    def _mark(self, node: Node, *, under_way: bool) -> None:
        nodes = self._nodes.get(node.question, ())
        for same in nodes:
            same.under_way = under_way
        self.update(list(nodes))

    def searched(self, path: Sequence[Node], proof: int, disproof: int, work: int, algorithm: str) -> None:
        """A task has left the question at the end of a path open.

        Args:
            path: from the root to the node of the task.
            proof, disproof: what its search believes.
            work: nodes it has created.
            algorithm: of the search.
        """
        for node in path[:-1]:
            node.work += work
        self.changed.update(path)
        nodes = self._nodes.get(path[-1].question, ())
        for node in nodes:
            node.work += work
            node.own_work += work
            node.searched_by = algorithm
            if node.children is None:
                node.proof, node.disproof = max(1, proof), max(1, disproof)
                self.changed.add(node)
        self.update(list(nodes))

    def update(self, nodes: Sequence[Node]) -> None:
        """Brings nodes, and what rests on them, up to date."""
        waiting = deque(nodes)
        while waiting:
            node = waiting.popleft()
            if node.settled is None:
                waiting.extend(self._refreshed(node))

    def _refreshed(self, node: Node) -> Sequence[Node]:
        """Takes the numbers of a node from its children. Returns the nodes that have to follow."""
        if node.children is None:
            node.free = node.is_open and not node.under_way
            return node.parents
        proof, disproof = _numbers_above(child.numbers(believe=False) for child in node.children)
        if proof == 0 or disproof == 0:
            if self._settle(node, proof == 0):
                return self._answer(node.question, proof == 0)
            self._collapse(node)
            self.changed.add(node)
            return self._refreshed(node)  # as a leaf: what was believed of it rested on its children
        before = node.answer
        node.release(Standing.FOLLOWS)
        if any(child.believed is not None for child in node.children):
            proof, disproof = _numbers_above(child.numbers() for child in node.children)
            if proof == 0 or disproof == 0:
                node.hold(proof == 0, Standing.FOLLOWS)
        if not node.is_open:
            node.free = False
            return node.parents if node.answer != before else ()
        free = any(child.free for child in node.children)
        if (proof, disproof, free, None) == (node.proof, node.disproof, node.free, before):
            return ()
        if (proof, disproof) != (node.proof, node.disproof):
            self.changed.add(node)
        node.proof, node.disproof, node.free = proof, disproof, free
        return node.parents

    # Choosing

    def most_proving_path(self, *, free: bool = True, spread: bool = True) -> list[Node] | None:
        """The way from the root to the best leaf; None if there is none.

        Args:
            free: only leaves that no worker has. Otherwise a leaf that is under way is found, if there is any.
            spread: away from where workers are already.
        """
        if not self.root.is_open or (free and not self.root.free):
            return None
        path = [self.root]
        while (children := path[-1].children) is not None:
            candidates = [child for child in children if (child.free if free else child.is_open)]
            if not candidates:
                return None
            path.append(_best_child(path[-1], candidates, spread=spread))
        return path


def _best_child(node: Node, candidates: Sequence[Node], *, spread: bool) -> Node:
    """The child with the smallest disproof number; with `spread` each counts as larger with the workers below it."""
    if not spread or len(candidates) == 1:
        return min(candidates, key=lambda child: child.disproof)
    # 2 where the node is as good as disproved and all children have to be answered, 0 where it is as good as proved.
    weight = SPREAD / (1.0 + (node.disproof / node.proof) ** 2)
    return min(candidates, key=lambda child: child.disproof * (1 + child.workers) ** weight)


def _numbers_above(numbers: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Proof and disproof number of a node from those of its children."""
    proof, disproof = INFINITE, 0
    for below_proof, below_disproof in numbers:
        proof = min(proof, below_disproof)
        disproof += below_proof
    return proof, min(INFINITE, disproof)
