"""The tree of a proof manager as the store has it: the estimates of its questions."""

from __future__ import annotations

from proofbase.service.jobs.proof_manager.knowledge import Knowledge
from proofbase.service.jobs.proof_manager.question_tree import INFINITE, Node, QuestionTree

__all__ = ["load_tree"]


def load_tree(tree: QuestionTree, knowledge: Knowledge, *, trusts: bool = False) -> None:
    """Lets a new tree grow to where an earlier manager has left it.

    A node has children there if work was spent on one of them.

    Args:
        tree: has a root and nothing else.
        knowledge: the game and its store.
        trusts: what a search has answered without a solution counts as answered (`QuestionTree.trust`).
    """
    root = tree.root
    [answer] = knowledge.settled([(root.position, root.question[1])])
    if answer is not None:
        tree.settle(root.question, answer)
        return
    waiting = [root]
    _believe(tree, waiting, knowledge, trusts)
    while waiting:
        node = waiting.pop()
        if node.settled is not None or node.children is not None or node.work <= 0:
            continue
        children = knowledge.children(node.position, node.question[1])
        believed = knowledge.estimates([child.question for child in children])
        if not any(entry is not None and entry.work > 0 for entry in believed):
            continue
        below = [child for child in tree.expand(node) if child.is_open]
        _believe(tree, below, knowledge, trusts)
        tree.update([node])
        waiting += below
    tree.changed.clear()


def _believe(tree: QuestionTree, nodes: list[Node], knowledge: Knowledge, trusts: bool) -> None:
    """Takes the numbers of leaves from the store."""
    for node, found in zip(nodes, knowledge.estimates([node.question for node in nodes]), strict=True):
        if found is not None and node.children is None:
            node.proof, node.disproof = min(found.proof, INFINITE - 1), min(found.disproof, INFINITE - 1)
            node.work = node.own_work = found.work
            node.searched_by = found.algorithm
            if trusts and INFINITE in (found.proof, found.disproof):
                tree.trust(node, found.proof < INFINITE)
