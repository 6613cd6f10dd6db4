"""Textbook algorithms in plain Python: short, cited, slow, and the oracle of the property tests of the native core."""

from __future__ import annotations

from proofbase.engine.reference.explicit_game import ExplicitGame, random_graph
from proofbase.engine.reference.graph import Graph, explore, value_by_strategies, values
from proofbase.engine.reference.minimax import minimax
from proofbase.engine.reference.pn_search import PnSearch, multi_valued_pn_search
from proofbase.engine.reference.records import exact_claims, exact_records, merge_records, passing_claims

__all__ = [
    "ExplicitGame",
    "Graph",
    "PnSearch",
    "exact_claims",
    "exact_records",
    "explore",
    "merge_records",
    "minimax",
    "multi_valued_pn_search",
    "passing_claims",
    "random_graph",
    "value_by_strategies",
    "values",
]
