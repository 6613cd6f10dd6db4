"""How many nodes a tree of proof-number search has room for, from the bytes that a search reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofbase.engine._core import Game

__all__ = ["bytes_of_a_node"]


def bytes_of_a_node(game: Game) -> int:
    """The size of a node of `pn-tree`, measured on a search that keeps all its nodes.

    The room for nodes never shrinks, and that of deleted subtrees is used again: at the end of a search it is that of
    the largest tree that was in memory.
    """
    from proofbase.engine._core import Search

    search = Search(game, game.initial(), 1, algorithm="pn-tree+unit+keep")
    search.run(nodes=1_000)
    progress = search.progress()
    return progress.node_memory // progress.nodes
