"""Strategies and pairings for tests with hypothesis: any that the encoding can hold, right or wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from proofbase.engine.records import Mark, Side, Strategy

moves = st.one_of(st.integers(0, 260), st.integers(0, 2**31 - 1))
squares = st.integers(0, 2**28)  # the number of a square and its mark is below 2**31


def strategies(side: Side) -> st.SearchStrategy[Strategy]:
    """Diagrams for a claim of a side."""
    return st.builds(
        Strategy,
        st.just(()) if side == Side.LOWER else st.sets(moves, max_size=4).map(lambda named: tuple(sorted(named))),
        st.dictionaries(squares, st.sampled_from(Mark), max_size=5).map(lambda found: tuple(sorted(found.items()))),
    )


@st.composite
def pairings(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """Pairs of different squares, in order."""
    found = draw(st.lists(moves, max_size=10, unique=True))
    return tuple(sorted((min(pair), max(pair)) for pair in zip(found[::2], found[1::2], strict=False)))
