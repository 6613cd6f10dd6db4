"""SSS*: the best-first search with the upper bound that is still achievable as its measure.

G.C. Stockman, "A minimax algorithm better than alpha-beta?", Artificial Intelligence 12 (1979); Allis (1994), 2.5.2.
"""

from __future__ import annotations

from heapq import heappop, heappush

from proofbase.engine.papers.reference.valued_tree import TreeNode

__all__ = ["sss_star"]


def sss_star(root: TreeNode, lowest: int, highest: int, visited: list[TreeNode]) -> int:
    """The value of the root; adds the nodes that it visits.

    Args:
        root: a max node of a game without endless lines.
        lowest, highest: limits of all values.
        visited: where the nodes go.
    """
    # By merit, then from left to right: paths compare as places in the tree.
    agenda: list[tuple[int, tuple[int, ...], bool, TreeNode]] = [(-highest, (), False, root)]
    settled = set[tuple[int, ...]]()
    while True:
        merit, path, solved, node = heappop(agenda)
        if any(path[:length] in settled for length in range(len(path))):
            continue  # below a max node that another child has solved
        parent = node.parent
        if -merit == lowest or (solved and parent is None):
            return -merit
        if not solved:
            visited.append(node)
            if node.value is not None:
                heappush(agenda, (max(merit, -node.value), path, True, node))
            for number, child in enumerate(node.expand() if node.is_max else node.expand()[:1]):
                heappush(agenda, (merit, (*path, number), False, child))
        elif parent is not None and node.is_max and path[-1] + 1 < len(parent.children):
            after = path[-1] + 1
            heappush(agenda, (merit, (*path[:-1], after), False, parent.children[after]))
        elif parent is not None:
            if parent.is_max:
                settled.add(path[:-1])
            heappush(agenda, (merit, path[:-1], True, parent))
