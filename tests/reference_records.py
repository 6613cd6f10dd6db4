"""Records of game graphs: the exact ones, and the valid part of arbitrary ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.graph import Graph, explore, values
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record, merge_claims
from proofbase.engine.rules.game import Game

__all__ = ["exact_claims", "exact_records", "merge_record_sets", "passing_claims"]

ClaimSet = dict[int, tuple[Claim, ...]]
"""Claims by node. Nodes without claims are absent."""


def exact_records(game: Game[Any], root: Any = None, limit: int = 1_000_000) -> dict[bytes, bytes]:
    """Encoded records with the exact value of everything that is not terminal below a position, by ascending key."""
    graph = explore(game, root, limit)
    claims = exact_claims(graph)
    return dict(sorted((graph.keys[node], encode_record(Record(claims[node]))) for node in claims))


def exact_claims(graph: Graph) -> ClaimSet:
    """A lower and an upper claim with the exact value for every inner node, with the smallest ranks there are.

    Retrograde: safety claims have rank 0; the rank of a progress claim starts as unknown and falls until no rank
    changes. That every progress claim of an exact value gets a rank is shown in docs/fact-model.md.
    """
    worth = values(graph)
    inner = [node for node in range(len(graph)) if graph.terminal[node] is None]
    unknown = 2 * len(graph) + 1
    ranks = {Side.LOWER: [0] * len(graph), Side.UPPER: [0] * len(graph)}
    for node in inner:
        rho = graph.rho[node]
        ranks[Side.LOWER][node] = unknown if rho is None or worth[node] > rho else 0
        ranks[Side.UPPER][node] = unknown if rho is None or worth[node] < rho else 0
    changed = True
    while changed:
        changed = False
        for node in reversed(inner):
            best = [edge for edge in graph.edges[node] if edge.reward - worth[edge.child] == worth[node]]
            for side, rank in (
                (Side.LOWER, 1 + min(ranks[Side.UPPER][edge.child] for edge in best)),
                (Side.UPPER, 1 + max(ranks[Side.LOWER][edge.child] for edge in graph.edges[node])),
            ):
                if rank < ranks[side][node]:
                    ranks[side][node] = rank
                    changed = True
    claims: ClaimSet = {}
    for node in inner:
        best = [edge for edge in graph.edges[node] if edge.reward - worth[edge.child] == worth[node]]
        witness = min(best, key=lambda edge: ranks[Side.UPPER][edge.child]).move
        lower = Claim(Side.LOWER, worth[node], ranks[Side.LOWER][node], witness=witness)
        claims[node] = (lower, Claim(Side.UPPER, worth[node], ranks[Side.UPPER][node]))
    return claims


def passing_claims(game: Game[int], claims: ClaimSet) -> ClaimSet:
    """The largest valid part of a set of claims: claims that fail the local check are removed until none fails."""
    claims = dict(claims)
    while True:
        records = {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
        check = LocalCheck(game)
        findings = list(check.findings(list(records.items()), lambda keys: [None] * len(keys)))
        if not findings:
            return claims
        for finding in findings:
            node = game.position(finding.key)
            rest = tuple(claim for claim in claims.get(node, ()) if finding.claim not in (None, claim))
            if rest:
                claims[node] = rest
            else:
                claims.pop(node, None)


def merge_record_sets(*sets: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """The join of whole record sets, by ascending key.

    Raises:
        ContradictionError: two of them exclude each other.
    """
    merged: dict[bytes, bytes] = {}
    for key in sorted({key for records in sets for key in records}):
        claims = [claim for records in sets if key in records for claim in decode_record(records[key]).claims]
        merged[key] = encode_record(merge_claims(claims))
    return merged
