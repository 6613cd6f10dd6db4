"""The double-letter puzzle (Allis 1994, 3.2), and TRIANGLE, which solves it directly (Appendix A).

Two equal neighbours of a word over a, b, c, d, e may be replaced by one letter, the one before or the one after in the
circular alphabet. Which single letters can a word be reduced to?
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from proofbase.engine.papers.reference.dependency_search import DependencyGraph, Operator, State

__all__ = ["goals", "initial_state", "operators", "solutions", "tree_size", "triangle", "word"]

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


def goals(axiom: str) -> list[State]:
    """A single letter for the whole axiom."""
    return [frozenset({(0, len(axiom) - 1, letter)}) for letter in ALPHABET]


def operators(state: State) -> Iterator[Operator]:
    """Those that are applicable, from the left."""
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
    return table[0, size - 1]


def tree_size(axiom: str) -> int:
    """How many nodes depth-first search without transpositions visits: the paths from the axiom, the empty one counted.

    What can follow depends only on the letters that are left, so equal words are counted once; the search itself would
    visit thousands of millions of nodes for some words of 18 letters.
    """
    sizes: dict[str, int] = {}

    def size(letters: str) -> int:
        known = sizes.get(letters)
        if known is None:
            known = sizes[letters] = 1 + sum(
                size(letters[:index] + new + letters[index + 2 :])
                for index, (left, right) in enumerate(pairwise(letters))
                if left == right
                for new in neighbours(left)
            )
        return known

    return size(axiom)
