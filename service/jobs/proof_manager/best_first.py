"""The order of tasks by proof numbers: each goes to the most proving leaf that no worker has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofbase.service.jobs.proof_manager.question_tree import Node, QuestionTree, Standing
from proofbase.service.jobs.proof_manager.task import TaskResult
from proofbase.service.jobs.proof_manager.task_budget import TaskBudget
from proofbase.service.jobs.proof_manager.task_order import NextTask
from proofbase.service.jobs.proof_manager.workers import Workers

__all__ = ["BestFirst"]


class BestFirst:
    """Goes down the tree to the best leaf.

    Args:
        tree: of the question.
        budget: of its tasks.
        workers: who search.
        text: gives the text of a position.
    """

    trusts = False

    def __init__(self, tree: QuestionTree, budget: TaskBudget, workers: Workers, text: Callable[[Any], str]) -> None:
        self._tree = tree
        self._budget = budget
        self._workers = workers
        self._text = text

    def next(self, most_nodes: int | None) -> NextTask | None:
        """As in `TaskOrder`."""
        tree, count = self._tree, self._workers.count
        budget = self._budget.nodes(tree.root.work, count)
        if most_nodes is not None:
            budget = min(budget, most_nodes)
        while tree.root.settled is None:
            path = tree.most_proving_path()
            if path is None:
                path = tree.most_proving_path(free=False)
                if path is None or path[-1].standing is Standing.ALONE or not path[-1].under_way:
                    return None  # the answers left are being checked
                tree.expand(path[-1])  # one worker searches it, and this one begins below it
                continue
            leaf = path[-1]
            question = self._text(leaf.position), leaf.question[1]
            kept = self._workers.keeps(question) is not None
            alone = leaf.standing is Standing.ALONE
            if not alone and self._budget.is_large(leaf.own_work, budget, tree.root.work, count, kept=kept):
                self._workers.forget(question)
                tree.expand(leaf)
                continue
            nodes = max(budget, 2 * leaf.own_work) if alone else budget
            return NextTask(path, nodes, self._budget.seconds(nodes))
        return None

    def line(self) -> tuple[int, ...]:
        """As in `TaskOrder`: the way to the most proving leaf, also where a worker has it."""
        tree = self._tree
        return (tree.most_proving_path(free=False, spread=False) or [tree.root])[-1].line()

    def ended(self, path: list[Node], result: TaskResult, answer: bool | None) -> None:
        """As in `TaskOrder`."""
        self._tree.searched(path, result.proof, result.disproof, result.nodes, result.algorithm)
