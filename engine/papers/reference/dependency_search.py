"""Dependency-based search as printed (Allis 1994, chapter 3), on states that are sets of attributes.

An operator has a precondition set, a delete set and an add set. A *path* is a sequence of operators; paths with the
same operators in another order are one class, and a *key class* is one whose paths all end in the same operator, the
key. Dependency-based search visits exactly the key classes: in a dependency stage it adds operators that depend on the
key of a node; in a combination stage it joins two nodes that are not in conflict, where a further operator depends on
the keys of both. If all paths are monotonous and none is redundant, and goals are single attributes, it finds every
solution (theorem 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple

__all__ = [
    "Conditions",
    "DependencyGraph",
    "Node",
    "Operator",
    "State",
    "all_paths",
    "check_conditions",
    "dependency_search",
    "depth_first_nodes",
    "is_monotonous",
    "is_nonredundant",
]

State = frozenset[Any]
"""A set of attributes, whatever stands for them (hashable)."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Definition 3.2: applicable to states that hold `pre`; removes `delete`, a part of `pre`, and adds `add`."""

    pre: State
    delete: State
    add: State

    def __post_init__(self) -> None:
        if not self.delete <= self.pre:
            raise ValueError("an operator deletes only what it requires (definition 3.2)")

    def __call__(self, state: State) -> State:
        return (state - self.delete) | self.add


Applicable = Callable[[State], Iterable[Operator]]
"""The operators that are applicable to a state."""


@dataclass(eq=False, slots=True)
class Node:
    """A key class (`dependency`), the start (`root`), or two key classes joined (`combination`)."""

    kind: Literal["root", "dependency", "combination"]
    level: int
    state: State
    operators: frozenset[Operator]
    """The operators of the class: its key and the operators that the key depends on."""
    keys: tuple[Operator, ...]
    """None of the root, one of a dependency node, two or more of a combination."""
    parents: tuple[Node, ...] = ()
    """Two of a combination: the second one may be a combination of fewer classes, which is no node of the graph."""
    deleted: State = frozenset()
    """By its operators."""


@dataclass(slots=True)
class DependencyGraph:
    """The nodes of a search in the order of their creation; the root comes first."""

    nodes: list[Node] = field(default_factory=list)

    def states(self, kind: str, level: int) -> list[State]:
        return [node.state for node in self.nodes if (node.kind, node.level) == (kind, level)]


def dependency_search(initial: State, applicable: Applicable, *, most_joined: int = 2) -> DependencyGraph:
    """Tables 3.2 to 3.6: levels of a dependency stage and a combination stage, until a level adds nothing.

    Args:
        initial: the state to start from.
        applicable: gives the operators that are applicable to a state.
        most_joined: key classes that a combination joins at the most. The tables join two (3.5); an operator whose
            precondition comes from more operators needs more, such as four in go-moku.

    Raises:
        ValueError: fewer than two classes to join.
    """
    if most_joined < 2:
        raise ValueError(f"a combination of at most {most_joined} classes: at least 2 are joined")
    root = Node("root", 0, initial, frozenset(), ())
    graph = DependencyGraph([root])
    level, starts = 1, [root]
    while starts:
        before = len(graph.nodes)
        for start in starts:
            _add_dependent(graph, start, level, applicable)
        new = graph.nodes[before:]
        starts = []
        dependency = [node for node in graph.nodes if node.kind == "dependency"]
        indices = {id(node): index for index, node in enumerate(dependency)}
        for node in new:
            for combination in _combinations(node, dependency[: indices[id(node)]], level, initial, most_joined):
                if any(_depends(f, combination) for f in applicable(combination.state)):
                    starts.append(combination)
        graph.nodes += starts
        level += 1
    return graph


def _add_dependent(graph: DependencyGraph, node: Node, level: int, applicable: Applicable) -> None:
    """Table 3.4, without recursion: every new node is extended in turn."""
    waiting = [node]
    while waiting:
        parent = waiting.pop()
        children = [
            Node(
                "dependency", level, f(parent.state), parent.operators | {f}, (f,), (parent,), parent.deleted | f.delete
            )
            for f in applicable(parent.state)
            if _depends(f, parent)
        ]
        graph.nodes += children
        waiting += reversed(children)


def _depends(operator: Operator, node: Node) -> bool:
    """Whether each key of the node supports the operator: it adds something that the operator requires."""
    return all(operator.pre & key.add for key in node.keys)


def _combinations(node: Node, older: Sequence[Node], level: int, initial: State, most_joined: int) -> Iterator[Node]:
    """The merges of a key class, or of classes that are joined already, with up to so many older ones."""
    for index, partner in enumerate(older):
        joined = _combine(partner, node, level, initial)
        if joined is None:
            continue
        yield joined
        if len(joined.keys) < most_joined:
            yield from _combinations(joined, older[:index], level, initial, most_joined)


def _combine(first: Node, second: Node, level: int, initial: State) -> Node | None:
    """The merge of two nodes; None if they are in conflict, or one is a part of the other."""
    if any(key.add <= second.deleted for key in first.keys) or any(key.add <= first.deleted for key in second.keys):
        return None  # the attributes that a key added are deleted: no further operator can depend on it
    if not first.deleted.isdisjoint(second.deleted):
        shared = first.operators & second.operators
        both: State = frozenset().union(*(operator.delete for operator in shared))
        if not first.deleted & second.deleted <= both:
            return None  # both delete an attribute that only one of them can delete
        if shared in (first.operators, second.operators):
            return None
    operators = first.operators | second.operators
    deleted = first.deleted | second.deleted
    added: State = frozenset().union(*(operator.add for operator in operators))
    state = (initial | added) - deleted
    return Node("combination", level, state, operators, (*first.keys, *second.keys), (first, second), deleted)


# --- The conditions of theorem 3.1, and conventional search --------------------------------------------------------


def all_paths(initial: State, applicable: Applicable) -> Iterator[tuple[Operator, ...]]:
    """Every path from a state, the empty one first, depth first (for small instances)."""
    waiting: list[tuple[State, tuple[Operator, ...]]] = [(initial, ())]
    while waiting:
        state, path = waiting.pop()
        yield path
        waiting += [(f(state), (*path, f)) for f in applicable(state)]


def is_monotonous(path: tuple[Operator, ...], initial: State) -> bool:
    """Definition 3.12: no attribute is added twice, and none that was there at the start."""
    seen = set(initial)
    for operator in path:
        if not seen.isdisjoint(operator.add):
            return False
        seen |= operator.add
    return True


class Conditions(NamedTuple):
    """Whether a domain keeps the conditions of theorem 3.1: then dependency-based search finds every solution.

    Attributes:
        not_monotonous: a path that adds an attribute that was there before; None: there is none.
        redundant: a path that goes on after a solution; None: there is none.
        not_singular: a goal of several attributes; None: there is none.
        complete: whether all paths were looked at.
    """

    not_monotonous: tuple[Operator, ...] | None
    redundant: tuple[Operator, ...] | None
    not_singular: State | None
    complete: bool

    @property
    def hold(self) -> bool:
        """Whether all of them are shown to hold."""
        broken = self.not_monotonous is not None or self.redundant is not None or self.not_singular is not None
        return self.complete and not broken


def check_conditions(
    initial: State, applicable: Applicable, goals: Iterable[State], *, most_paths: int = 100_000
) -> Conditions:
    """Holds a domain against the three conditions, by all its paths from a state.

    Args:
        initial: the state.
        applicable: gives the operators that are applicable to a state.
        goals: a state that contains one of them is a solution.
        most_paths: the check ends after so many; it then shows no condition to hold.
    """
    wanted = list(goals)

    def solved(state: State) -> bool:
        return any(goal <= state for goal in wanted)

    paths = all_paths(initial, applicable)
    not_monotonous = redundant = None
    for path in islice(paths, most_paths):
        if not_monotonous is None and not is_monotonous(path, initial):
            not_monotonous = path
        if redundant is None and not is_nonredundant([path], initial, solved):
            redundant = path
    complete = next(paths, None) is None
    return Conditions(not_monotonous, redundant, next((goal for goal in wanted if len(goal) != 1), None), complete)


def is_nonredundant(paths: Iterable[tuple[Operator, ...]], initial: State, solved: Callable[[State], bool]) -> bool:
    """Definition 3.14: no path continues after a solution."""
    for path in paths:
        state = initial
        for operator in path:
            if solved(state):
                return False
            state = operator(state)
    return True


def depth_first_nodes(
    initial: State, applicable: Applicable, *, transpositions: bool, limit: int | None = None
) -> tuple[int, set[State]]:
    """Conventional search of the whole space (section 3.6).

    Args:
        transpositions: whether a state that was visited before is not visited again.
        limit: the search ends when there are more nodes than this.

    Returns:
        The number of nodes, the root included, and the states met that have no applicable operator.
    """
    nodes, ends, seen, waiting = 0, set[State](), {initial}, [initial]
    while waiting and (limit is None or nodes <= limit):
        state = waiting.pop()
        nodes += 1
        operators = list(applicable(state))
        if not operators:
            ends.add(state)
        for operator in operators:
            child = operator(state)
            if transpositions:
                if child in seen:
                    continue
                seen.add(child)
            waiting.append(child)
    return nodes, ends
