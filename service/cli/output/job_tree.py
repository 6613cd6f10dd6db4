"""The tree of a solve's question for people: its numbers, the share of the work, and where the workers are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from proofbase.service.cli import screen
from proofbase.service.jobs.solve.model import SolveProgress
from proofbase.service.words.amounts import amount, duration_text
from proofbase.service.words.estimates import count_text, number_text
from proofbase.service.words.sparkline import sparkline

if TYPE_CHECKING:
    from proofbase.service.cli.job_questions import JobTree, TreeNode
    from proofbase.service.jobs.solve.model import TaskUnderWay

__all__ = ["print_course", "print_job_tree"]

MOST_CHARACTERS = 12
"""Characters of a move in the tree, at most: the moves of a game of users may be of any length."""


def print_job_tree(tree: JobTree) -> None:
    """Prints the tree, and the tasks under way."""
    root, progress = tree.root, tree.progress
    screen.say(f"{tree.game} {root.position}: at least {root.at_least}? {tree.state}")
    if root.answer is not None:
        screen.say(f"answered: {'yes' if root.answer else 'no'}")
        return
    print_course(progress)
    if progress.workers:
        done = f"{amount(progress.tasks, 'task')} done, {progress.tasks_under_way:,} under way"
        screen.say(f"{done}, {amount(progress.workers, 'worker')}")
    if root.nodes == 0 and not root.children:
        screen.say("nothing was searched yet")
        return
    rows = [("all", *_numbers(root, root))]
    rows += [(f"{stem}{_short(node.move or '')}", *_numbers(node, root)) for stem, node in _stems(root, "")]
    headings = ("move", "proof", "disproof", "nodes", "share", "now", "others")
    screen.print_table(headings, rows, right=("proof", "disproof", "nodes", "share"))
    for task in progress.under_way:
        screen.say(
            f"under way: {_line(task)}, {task.algorithm}, {count_text(task.nodes)} nodes, for {task.seconds:.1f} s"
        )
    if progress.tasks_under_way > len(progress.under_way):
        screen.say(f"and {progress.tasks_under_way - len(progress.under_way):,} more")


def print_course(progress: SolveProgress) -> None:
    """How the numbers of the question went: a line each for proof and disproof number."""
    course = [entry for entry in progress.course if entry.nodes > 0]
    if len(course) < 2:
        return
    finite = [number for entry in course for number in (entry.proof, entry.disproof) if number >= 0]
    span = duration_text(course[-1].seconds - course[0].seconds)
    for name in ("proof", "disproof"):
        numbers = [getattr(entry, name) for entry in course]
        first, last = ("∞" if number < 0 else f"{number:,}" for number in (numbers[0], numbers[-1]))
        drawn = sparkline(numbers, min(finite, default=1), max(finite, default=1))
        screen.say(f"{name:<10} {drawn} {first} to {last} in {span}")


def _line(task: TaskUnderWay) -> str:
    more = task.line_moves - len(task.line)
    return (" ".join(task.line) or "the question itself") + (f" and {more} more" if more > 0 else "")


def _stems(node: TreeNode, before: str) -> Iterator[tuple[str, TreeNode]]:
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        yield f"{before}{'└─ ' if last else '├─ '}", child
        yield from _stems(child, before + ("   " if last else "│  "))


def _numbers(node: TreeNode, root: TreeNode) -> tuple[str, ...]:
    share = f"{100 * node.nodes / root.nodes:.0f} %" if root.nodes else ""
    now = [f"{node.tasks} under way"] if node.tasks else []
    now += ["line"] if node.on_line and node is not root else []
    counts = ((node.answered, "answered"), (node.unsearched, "not searched"), (node.left_out, "not shown"))
    others = [f"{number} {what}" for number, what in counts if number]
    proof, disproof = ("" if number is None else number_text(number) for number in (node.proof, node.disproof))
    return proof, disproof, count_text(node.nodes), share, ", ".join(now), ", ".join(others)


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
