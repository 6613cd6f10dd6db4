"""Where the work of a solve goes: the tree of its question, from the estimates that the store has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from proofbase.engine.games import default_rules, open_game
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.jobs.solve.model import SolveProgress, SolveSpec
from proofbase.service.positions import find_position

if TYPE_CHECKING:
    from proofbase.engine.rules import Game
    from proofbase.service.answers import Estimate
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = ["JobTree", "TreeNode", "read_job_tree"]


@dataclass
class TreeNode:
    """A question of the tree.

    Attributes:
        move: that leads to it; None for the root.
        position: its position, in text.
        at_least: the question, for the side to move there.
        answer: the answer, if it is known.
        proof, disproof, nodes: what is believed of it, and the nodes that were searched for it; None and 0 if nothing.
        tasks: that are searched now, at it or below it.
        on_line: it is on the line that the manager works on.
        children: those that are shown, the one with the most work first.
        answered, unsearched, left_out: how many others were answered, were not searched yet, and are not shown.
    """

    move: str | None
    position: str
    at_least: int
    answer: bool | None = None
    proof: int | None = None
    disproof: int | None = None
    nodes: int = 0
    tasks: int = 0
    on_line: bool = False
    children: list[TreeNode] = field(default_factory=list)
    answered: int = 0
    unsearched: int = 0
    left_out: int = 0


@dataclass
class JobTree:
    """The tree of the question that a solve asks, and how far the solve is."""

    job: str
    state: str
    game: str
    root: TreeNode
    progress: SolveProgress


def read_job_tree(client: Service, job: Job, *, depth: int, most: int) -> JobTree:
    """Reads the tree of a solve.

    Args:
        client: has the job and its store.
        job: the job.
        depth: levels below the root.
        most: children of each node that are shown.

    Raises:
        UsageError: the job is no solve.
        UnknownGameError: the rules of its game are not loaded here.
    """
    spec = job.spec
    if not isinstance(spec, SolveSpec):
        raise UsageError(f"job {job.id} is no solve: only solves have a tree of questions")
    progress = job.progress if isinstance(job.progress, SolveProgress) else SolveProgress()
    game = open_game(spec.game, default_rules())
    position = find_position(game, spec.position)
    believed = client.lookup(game.name, spec.position).estimates
    at_least = progress.at_least if progress.at_least is not None else spec.at_least
    if at_least is None:
        at_least = max(believed, key=lambda entry: entry.nodes).at_least if believed else 1
    root = TreeNode(None, spec.position, at_least, on_line=True, tasks=len(progress.under_way))
    _Reader(client, game, progress, most).read(root, position, depth)
    return JobTree(job.id, job.state, game.name, root, progress)


class _Reader:
    def __init__(self, client: Service, game: Game[Any], progress: SolveProgress, most: int) -> None:
        self._client = client
        self._game = game
        self._progress = progress
        self._most = most

    def read(self, root: TreeNode, position: Any, depth: int) -> None:
        """Fills in what is known of the root and of those below it."""
        self._look_up(root, position)
        if root.answer is None:
            self._read_children(root, position, (), depth)

    def _look_up(self, node: TreeNode, position: Any) -> None:
        game, bound = self._game, node.at_least
        end = game.terminal(position)
        if end is not None:
            node.answer = end >= bound
            return
        answer = self._client.lookup(game.name, game.key(position))
        if answer.value.lower >= bound or answer.value.upper < bound:
            node.answer = answer.value.lower >= bound
            return
        estimate: Estimate | None = next((entry for entry in answer.estimates if entry.at_least == bound), None)
        if estimate is not None:
            node.proof, node.disproof, node.nodes = estimate.proof, estimate.disproof, estimate.nodes

    def _read_children(self, node: TreeNode, position: Any, line: tuple[str, ...], depth: int) -> None:
        game = self._game
        children: list[tuple[TreeNode, Any, tuple[str, ...]]] = []
        questions = set[tuple[bytes, int]]()
        for move in game.moves(position):
            child_position, text = game.play(position, move), game.move_text(position, move)
            question = game.key(child_position), game.reward(position, move)
            if question in questions:
                continue  # another move leads to the same question
            questions.add(question)
            below = (*line, text)
            child = TreeNode(text, game.text(child_position), game.reward(position, move) - node.at_least + 1)
            child.tasks = sum(task.line[: len(below)] == below for task in self._progress.under_way)
            child.on_line = self._progress.best_line[: len(below)] == below
            self._look_up(child, child_position)
            children.append((child, child_position, below))
        node.answered = sum(child.answer is not None for child, _, _ in children)
        still_open = [entry for entry in children if entry[0].answer is None]
        searched = [entry for entry in still_open if entry[0].nodes or entry[0].tasks]
        node.unsearched = len(still_open) - len(searched)
        searched.sort(key=lambda entry: -entry[0].nodes)
        node.left_out = max(0, len(searched) - self._most)
        for child, child_position, below in searched[: self._most]:
            node.children.append(child)
            if depth > 1:
                self._read_children(child, child_position, below, depth - 1)
