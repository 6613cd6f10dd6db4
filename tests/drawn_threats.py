"""Threat trees for tests with hypothesis: any that the encoding can hold, right or wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from proofbase.engine.records import ENDS, Side, ThreatNode, ThreatTrees

moves = st.one_of(st.integers(0, 260), st.integers(0, 2**31 - 1))
first_moves = st.one_of(st.integers(0, 260), st.integers(0, 2**31 - 2))  # stored as 1 more


def _above(nodes: st.SearchStrategy[ThreatNode]) -> st.SearchStrategy[ThreatNode]:
    replies = st.dictionaries(moves, nodes, max_size=3).map(lambda found: tuple(sorted(found.items())))
    return st.builds(ThreatNode, first_moves, replies)


nodes = st.recursive(st.just(ENDS), _above, max_leaves=6)


def threats(side: Side) -> st.SearchStrategy[ThreatTrees]:
    """Trees for a claim of a side."""
    if side == Side.LOWER:
        return _above(nodes).map(lambda tree: ThreatTrees(passed=tree))
    return st.builds(
        ThreatTrees,
        st.sets(moves, max_size=4).map(lambda named: tuple(sorted(named))),
        st.one_of(st.none(), nodes),
        st.dictionaries(moves, nodes, max_size=3).map(lambda found: tuple(sorted(found.items()))),
    )
