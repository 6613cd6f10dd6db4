"""The double-letter puzzle (Allis 1994, 3.2), and TRIANGLE, which solves it directly (Appendix A).

Two equal neighbours of a word over a, b, c, d, e may be replaced by one letter, the one before or the one after in the
circular alphabet. Which single letters can a word be reduced to?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from proofbase.engine.papers.reference.dependency_search import DependencyGraph, Operator, State

__all__ = [
    "graph_size",
    "initial_state",
    "operators",
    "solutions",
    "solutions_within",
    "table_size",
    "tree_size",
    "triangle",
    "triangle_entries",
    "word",
]

ALPHABET = "abcde"


def neighbours(letter: str) -> tuple[str, str]:
    """The letters before and after, in a circle."""
    index = ALPHABET.index(letter)
    return ALPHABET[index - 1], ALPHABET[(index + 1) % len(ALPHABET)]


# Attribute (i, j, z): the letter z stands for the letters i to j of the axiom.


def initial_state(axiom: str) -> State:
    """The axiom as attributes. Raises ValueError for a text that is no word over the alphabet."""
    if not axiom or set(axiom) - set(ALPHABET):
        raise ValueError(f"{axiom!r} is no word over {ALPHABET}")
    return frozenset((index, index, letter) for index, letter in enumerate(axiom))


def operators(state: State) -> Iterator[Operator]:
    """The operators that are applicable, from the left."""
    letters = sorted(state)
    for left, right in pairwise(letters):
        (first, _, letter), (_, last, other) = left, right
        if letter == other:
            pair = frozenset({left, right})
            for new in neighbours(letter):
                yield Operator(pair, pair, frozenset({(first, last, new)}))


def word(state: State) -> str:
    """The letters of a state."""
    return "".join(letter for _, _, letter in sorted(state))


def solutions(graph: DependencyGraph) -> set[str]:
    """The single letters among the states of a dependency-based search."""
    return {word(node.state) for node in graph.nodes if len(node.state) == 1}


def triangle(axiom: str) -> set[str]:
    """The letters that the axiom can be reduced to: the last entry of `triangle_entries`."""
    return triangle_entries(axiom)[0, len(axiom) - 1]


def triangle_entries(axiom: str) -> dict[tuple[int, int], set[str]]:
    """Appendix A: for every part of the axiom, shorter ones first, the letters that it can be reduced to."""
    size = len(axiom)
    table = {(index, index): {letter} for index, letter in enumerate(axiom)}
    for length in range(1, size):
        for start in range(size - length):
            end = start + length
            table[start, end] = {
                new
                for middle in range(start, end)
                for letter in table[start, middle] & table[middle + 1, end]
                for new in neighbours(letter)
            }
    return table


def graph_size(axiom: str) -> int:
    """How many nodes dependency-based search makes, counted by their keys.

    A key class is one way to reduce a part of the axiom to a letter. Two classes are combined where they reduce
    neighbouring parts to the same letter, so every class but the root is counted in the parts that it is made of.
    """
    ways = _ways(axiom)
    key_classes = sum(
        number for (first, last), by_letter in ways.items() if first < last for number in by_letter.values()
    )
    combinations = sum(
        number * ways[middle + 1, last].get(letter, 0)
        for (first, middle), by_letter in ways.items()
        if first < middle
        for last in range(middle + 2, len(axiom))
        for letter, number in by_letter.items()
    )
    return 1 + key_classes + combinations


def table_size(axiom: str) -> int:
    """How many nodes depth-first search with transpositions makes, counted: the root, and one for each state and pair.

    A state is a way to cut the axiom into parts that are reduced to a letter each.
    """
    ways, size = _ways(axiom), len(axiom)
    before = [1]
    for end in range(size):
        before.append(sum(before[start] * len(ways[start, end]) for start in range(end + 1)))
    behind = [1]
    for start in reversed(range(size)):
        behind.append(sum(len(ways[start, end]) * behind[size - 1 - end] for end in range(start, size)))
    pairs = 0
    for (start, middle), by_letter in ways.items():
        for end in range(middle + 1, size):
            equal = len(by_letter.keys() & ways[middle + 1, end].keys())
            pairs += before[start] * equal * behind[size - 1 - end]
    return 1 + 2 * pairs


def _ways(axiom: str) -> dict[tuple[int, int], Counter[str]]:
    """For every part of the axiom and every letter, in how many ways the part is reduced to the letter."""
    table = {(index, index): Counter({letter: 1}) for index, letter in enumerate(axiom)}
    for length in range(1, len(axiom)):
        for start in range(len(axiom) - length):
            by_letter = table[start, start + length] = Counter[str]()
            for middle in range(start, start + length):
                left, right = table[start, middle], table[middle + 1, start + length]
                for letter in left.keys() & right.keys():
                    for new in neighbours(letter):
                        by_letter[new] += left[letter] * right[letter]
    return table


def tree_size(axiom: str) -> int:
    """How many nodes depth-first search without transpositions visits: the paths from the axiom, the empty one counted.

    What can follow depends only on the letters that are left, so equal words are counted once; the search itself would
    visit thousands of millions of nodes for some words of 18 letters.
    """
    return _tree_size(axiom, {})


def solutions_within(axiom: str, most_nodes: int) -> set[str]:
    """The single letters that depth-first search without transpositions meets in its first so many nodes.

    Its operators are tried from the left. Subtrees that are visited whole are not visited here: `tree_size` says how
    large they are, and `triangle` what is in them.
    """
    solved, sizes, nodes_left = set[str](), dict[str, int](), most_nodes

    def visit(letters: str) -> None:
        nonlocal nodes_left
        size = _tree_size(letters, sizes)
        if size <= nodes_left:
            nodes_left -= size
            solved.update(triangle(letters))
        elif nodes_left > 0:
            nodes_left -= 1
            for following in _reductions(letters):
                visit(following)

    visit(axiom)
    return solved


def _reductions(letters: str) -> Iterator[str]:
    for index, (first, second) in enumerate(pairwise(letters)):
        if first == second:
            yield from (letters[:index] + new + letters[index + 2 :] for new in neighbours(first))


def _tree_size(letters: str, sizes: dict[str, int]) -> int:
    known = sizes.get(letters)
    if known is None:
        known = sizes[letters] = 1 + sum(_tree_size(following, sizes) for following in _reductions(letters))
    return known
