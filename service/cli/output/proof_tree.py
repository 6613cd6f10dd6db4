"""A proof on the screen: its pages put together and drawn as a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rich.text import Text
from rich.tree import Tree

from proofbase.service.answers import Proof, ProofNode
from proofbase.service.cli import screen
from proofbase.service.cli.console import console
from proofbase.service.words.evidence import evidence_text

if TYPE_CHECKING:
    from proofbase.service.client.contract import Service

__all__ = ["print_tree", "read_tree"]


def read_tree(
    client: Service,
    game: str,
    position: str,
    *,
    side: Literal["lower", "upper"] | None,
    max_depth: int | None,
    max_nodes: int,
) -> Proof:
    """The proof below a position, page after page, up to `max_nodes` nodes."""
    page_size = client.limits().proof_nodes
    nodes: list[ProofNode] = []
    continuation: str | None = None
    while True:
        proof = client.proof(
            game,
            position,
            side=side,
            max_depth=max_depth,
            max_nodes=min(page_size, max_nodes - len(nodes)),
            continuation=continuation,
        )
        nodes += proof.nodes
        continuation = proof.cut.continuation if proof.cut else None
        if continuation is None or len(nodes) >= max_nodes:
            return replace(proof, nodes=tuple(nodes))


def print_tree(proof: Proof) -> None:
    """Draws the tree, and says when it was cut."""
    top = Tree(Text(f"{proof.game} {proof.position}"))
    branches: dict[int, Tree] = {}
    for node in proof.nodes:
        parent = top if node.number == node.parent else branches.get(node.parent, top)
        branches[node.number] = parent.add(Text(_label(node)))
    console().print(top)
    if proof.cut is not None:
        screen.note(f"cut: {proof.cut.message}")


def _label(node: ProofNode) -> str:
    move = f"{node.move}: " if node.move else ""
    rank = "" if node.claim.rank is None else f" rank {node.claim.rank}"
    claim = f"{node.claim.side} {node.claim.bound}{rank}"
    details = {
        "inner": f" by {node.claim.witness}" if node.claim.witness else "",
        "terminal": ", game over",
        "leaf": f", {evidence_text(node.claim)}",
        "repeated": f", as node {node.same_as}",
        "cut": ", not expanded",
        "missing": ", not in the store",
        "range": ", the limit of the game's values",
    }
    return f"{move}{claim}{details[node.kind]} [{node.number}]"
