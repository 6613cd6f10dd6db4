"""Textbook algorithms in plain Python: short, cited, slow, and the oracle of the property tests of the native core."""

from __future__ import annotations

from proofbase.engine.papers.reference.and_or_graph import (
    AndOrGraph,
    SearchGraph,
    graph_of_figure,
    question_graph,
)
from proofbase.engine.papers.reference.base_twin import BaseTwinSearch
from proofbase.engine.papers.reference.base_twin_sets import BaseTwinSetSearch
from proofbase.engine.papers.reference.complete_sets import complete_sets
from proofbase.engine.papers.reference.cyclic_search import CyclicSearch
from proofbase.engine.papers.reference.cyclic_sets import CyclicSetSearch
from proofbase.engine.papers.reference.dag_search import DagSearch
from proofbase.engine.papers.reference.dnf_search import DnfNumbers, DnfSearch
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Graph, explore, values
from proofbase.engine.papers.reference.pn_search import PnSearch, multi_valued_pn_search
from proofbase.engine.papers.reference.proof_set_search import PlainSets, ProofSetSearch
from proofbase.engine.papers.reference.truncated_sets import TruncatedProofSetSearch

__all__ = [
    "AndOrGraph",
    "BaseTwinSearch",
    "BaseTwinSetSearch",
    "CyclicSearch",
    "CyclicSetSearch",
    "DagSearch",
    "DnfNumbers",
    "DnfSearch",
    "ExplicitGame",
    "Graph",
    "PlainSets",
    "PnSearch",
    "ProofSetSearch",
    "SearchGraph",
    "TruncatedProofSetSearch",
    "complete_sets",
    "explore",
    "graph_of_figure",
    "multi_valued_pn_search",
    "question_graph",
    "values",
]
