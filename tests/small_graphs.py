"""Small explicit game graphs, written down by hand."""

from __future__ import annotations

from proofbase.engine.papers.reference.graph import Edge, Graph

__all__ = ["graph_of"]


def graph_of(edges: list[list[tuple[int, int]]], terminal: dict[int, int], rho: list[int] | None = None) -> Graph:
    """Edges as (child, reward)."""
    return Graph(
        [[Edge(number, *edge) for number, edge in enumerate(out)] for out in edges],
        [terminal.get(node) for node in range(len(edges))],
        [None] * len(edges) if rho is None else rho,
        [node.to_bytes(4, "big") for node in range(len(edges))],
    )
