"""The order of tasks for a search with a transposition table (null-window): depth first, as the search itself goes.

Such a search has no proof numbers, and most of what it answers is no part of the proof. So the tree is not searched
best first. One task is searched at a time, by all threads over one table, and each task goes on where the last one has
ended: what that one has answered is in the table. A question that has taken many nodes is divided, and the search tells
which of its moves comes first. What a task answers is believed and saved as an estimate. Only when the root is answered
so are solutions taken out, from as high in the tree as the table allows.
"""

from __future__ import annotations

from typing import Any, Protocol

from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.rules import Game
from proofbase.service.jobs.proof_manager.question_tree import Node, Question, QuestionTree, Standing
from proofbase.service.jobs.proof_manager.task import TaskResult
from proofbase.service.jobs.proof_manager.task_order import NextTask
from proofbase.service.resources.algorithm_choice import is_automatic
from proofbase.service.resources.native import choose_algorithm, full_algorithm_name

__all__ = ["DepthFirst", "MoveQuestions", "algorithm_with_table"]

DIVIDE_NODES = 100_000_000
"""A question that its own tasks have not answered in so many nodes is divided."""
SEARCH_AGAIN_NODES = 10_000_000
"""A divided question is searched again when one below it was answered. Where the table is warm, so many nodes answer
it, or find the move that is searched next."""
TASK_SECONDS = 5.0
"""A task ends then, and the next one goes on: so often it is told how far the search is."""
SOLUTION_SECONDS = 60.0
"""A task that is to bring the solution of a question that is believed to be answered ends then."""


def algorithm_with_table(game: Game[Any], named: str, threads: int) -> str | None:
    """The search for tasks that hand on a transposition table: `null-window`, with threads that share the table.

    For `auto` in games where a search begins or goes on with it.

    Args:
        game: the game.
        named: the algorithm that was asked for; `auto` if none was.
        threads: that search one task.

    Returns:
        None where another algorithm was asked for, or where threads cannot share the table.
    """
    name = choose_algorithm(game, nodes_used_up=True).name if is_automatic(named) else named
    if name.split("+")[0] != "null-window":
        return None
    if threads == 1 or "+threads-" in name:
        return name
    try:
        full_algorithm_name(game, f"{name}+threads-{threads}")
    except UnknownAlgorithmError:
        return None
    return f"{name}+threads-{threads}"


class MoveQuestions(Protocol):
    """What this order has to know of a game."""

    def after(self, position: Any, bound: int, move: int) -> Question:
        """The question after a move."""

    def mobility(self, position: Any) -> int:
        """How many moves there are."""


class DepthFirst:
    """Goes down one line until it is answered.

    Args:
        tree: of the question, in a game without cycles.
        moves: the game.
    """

    trusts = True

    def __init__(self, tree: QuestionTree, moves: MoveQuestions) -> None:
        self._tree = tree
        self._moves = moves
        self._current_child: dict[Question, Question] = {}
        """The question after the move that the last search of a question was at when it ended."""
        self._search_again = set[Question]()
        """Divided questions below which one was answered since they were searched last."""
        self._failed_nodes: dict[Question, int] = {}
        """Nodes of searches that were to bring the solution of a believed answer, and have not."""
        self._line: tuple[int, ...] = ()

    def next(self, most_nodes: int | None) -> NextTask | None:
        """As in `TaskOrder`."""
        root = self._tree.root
        while root.is_open:
            path = [root]
            while (node := path[-1]).children is not None and node.question not in self._search_again:
                path.append(self._next_child(node))
            if node.under_way:
                return None
            if node.children is None and node.own_work >= DIVIDE_NODES and node.standing is not Standing.ALONE:
                self._divide(node)
                continue
            nodes_left = 0 if node.children is not None else DIVIDE_NODES - node.own_work
            # The root's answer is no part of another one: its solution is wanted at once.
            return self._task(
                path, max(SEARCH_AGAIN_NODES, nodes_left), TASK_SECONDS, most_nodes, with_solution=node is root
            )
        return None if root.settled is not None else self._next_solution(most_nodes)

    def line(self) -> tuple[int, ...]:
        """As in `TaskOrder`: to the question of the last task, and on as far as a search of it has told."""
        return self._line

    def ended(self, path: list[Node], result: TaskResult, answer: bool | None) -> None:
        """As in `TaskOrder`."""
        node, tree = path[-1], self._tree
        tree.searched(path, result.proof, result.disproof, max(1, result.nodes), result.algorithm)
        self._search_again.discard(node.question)
        if answer is not None:
            tree.trust(node, answer)
            open_above = next((above for above in reversed(path[:-1]) if above.is_open), None)
            if open_above is not None:
                self._search_again.add(open_above.question)
        elif node.believed is not None:  # the task was to bring the solution, and has not
            if node.standing is Standing.TRUSTED:
                tree.trust(node, node.believed)
            if not result.stopped:
                self._failed_nodes[node.question] = self._failed_nodes.get(node.question, 0) + result.nodes
        elif result.line:
            self._line = node.line() + result.line
            self._current_child[node.question] = self._moves.after(node.position, node.question[1], result.line[0])

    def _next_child(self, node: Node) -> Node:
        """The open child that the search is at; else one that was begun; else the one with the fewest replies."""
        current = self._current_child.get(node.question)
        below = (child for child in node.children or () if child.is_open)
        return min(below, key=lambda child: (child.question != current, child.work == 0))

    def _divide(self, node: Node) -> None:
        self._tree.expand(node)
        if node.children is not None:
            node.children.sort(key=lambda child: self._moves.mobility(child.position) if child.is_open else 0)

    def _next_solution(self, most_nodes: int | None) -> NextTask | None:
        """The uppermost question of the proof for whose solution no search was made yet.

        With a warm table that is the root. Otherwise the solution comes in parts, each of a question below.
        """
        path = [self._tree.root]
        while not (node := path[-1]).under_way:
            failed = self._failed_nodes.get(node.question)
            if failed is None and node.children is not None:
                return self._task(path, SEARCH_AGAIN_NODES, SOLUTION_SECONDS, most_nodes)
            support = self._support(node)
            if not support:
                return self._task(path, 2 * max(DIVIDE_NODES, failed or 0), SOLUTION_SECONDS, most_nodes)
            path.append(next((child for child in support if not child.under_way), support[0]))
        return None

    @staticmethod
    def _support(node: Node) -> list[Node]:
        """The children whose believed answers a believed answer rests on; none where it is the node's own."""
        answered = [child for child in node.children or () if child.believed is not None]
        if node.believed:
            return sorted((child for child in answered if not child.believed), key=lambda child: child.work)[:1]
        own_answer = any(child.is_open or child.numbers()[0] > 0 for child in node.children or ())
        return [] if own_answer else answered

    def _task(
        self, path: list[Node], nodes: int, seconds: float, most: int | None, *, with_solution: bool = True
    ) -> NextTask:
        line = path[-1].line()
        if self._line[: len(line)] != line:
            self._line = line
        return NextTask(path, nodes if most is None else min(nodes, most), seconds, with_solution)
