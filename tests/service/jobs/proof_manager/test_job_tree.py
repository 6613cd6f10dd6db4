"""Where the work of a solve with workers goes: its tree, its tasks under way, and its numbers over time."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest
from services import Service

from proofbase.engine.games import open_game
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.job_questions import JobTree, TreeNode, read_job_tree
from proofbase.service.cli.output.job_tree import print_job_tree
from proofbase.service.client import Budget, SolveProgress
from proofbase.service.jobs.proof_manager.proof_number_history import MOMENTS, ProofNumberHistory
from proofbase.service.jobs.solve.model import ProofNumberSample
from proofbase.service.words.sparkline import sparkline

HARD = "connect-four"


def all_nodes(node: TreeNode) -> list[TreeNode]:
    return [node, *(below for child in node.children for below in all_nodes(child))]


def read_tree(service: Service, job_id: str, *, depth: int = 3, most: int = 10) -> JobTree:
    return read_job_tree(service.client, service.client.job(job_id), depth=depth, most=most)


def test_the_tree_of_a_running_job_shows_its_tasks_and_its_line(service: Service) -> None:
    job = service.client.start_solve(HARD, at_least=1, algorithm="pn-dag", workers=2)
    deadline = time.monotonic() + 120
    while True:
        found = read_tree(service, job.id)
        progress = found.progress
        shown = [node for node in found.root.children if node.tasks]
        if progress.tasks >= 3 and shown and len(progress.course) >= 3:
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert found.state == "running" and found.root.at_least == 1 and found.root.nodes > 0
    assert {len(progress.under_way), found.root.tasks} <= {1, 2} and shown[0].at_least == 0
    rules = open_game(HARD)
    for task in progress.under_way:
        assert task.line_moves == len(task.line) and task.nodes > 0 and task.seconds >= 0
        assert task.at_least == (0 if len(task.line) % 2 else 1), "the side to move there asks the opposite"
        position = rules.initial()
        for text in task.line:
            position = rules.play(position, rules.parse_move(position, text))
    times = [moment.seconds for moment in progress.course]
    assert times == sorted(times) and progress.course[-1].nodes <= progress.nodes
    service.client.cancel(job.id)
    cancelled = service.client.wait(job.id).progress
    assert isinstance(cancelled, SolveProgress) and cancelled.under_way == () and cancelled.tasks_under_way == 0


def test_the_tree_of_a_job_that_was_given_up_has_the_numbers_of_the_store(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    job = service.client.solve(HARD, at_least=1, algorithm="pn-dag", workers=2, budget=Budget(nodes=400_000))
    found = read_tree(service, job.id, depth=4)
    [root] = service.client.lookup(HARD).estimates
    assert (found.root.proof, found.root.disproof, found.root.nodes) == (root.proof, root.disproof, root.nodes)
    nodes = all_nodes(found.root)
    assert len(nodes) > 1 and all(node.tasks == 0 for node in nodes)
    rules = open_game(HARD)
    for node in nodes:
        kept = service.store.estimates().get_many(HARD, [(rules.key(rules.parse(node.position)), node.at_least)])
        believed: Any = kept[0]
        if node.position != found.root.position and believed is not None:
            assert (node.proof, node.disproof, node.nodes) == (believed.proof, believed.disproof, believed.work)
    assert len(found.root.children) + found.root.unsearched + found.root.left_out + found.root.answered == 4, (
        "of seven moves four are different up to symmetry"
    )
    few = read_tree(service, job.id, depth=1, most=1).root
    assert len(few.children) == 1 and few.left_out == len(found.root.children) - 1
    assert few.children[0].children == [] and few.children[0].nodes == max(node.nodes for node in found.root.children)
    print_job_tree(found)
    printed = capsys.readouterr().out
    assert "at least 1? done" in printed and "100 %" in printed and "└─ " in printed


def test_answered_questions_and_other_jobs_have_no_tree(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    job = service.client.solve("connect-four:4x4", at_least=1, workers=2)
    found = read_tree(service, job.id)
    assert found.root.answer is False and found.root.children == []
    print_job_tree(found)
    assert "answered: no" in capsys.readouterr().out
    verification = service.client.verify("connect-four:4x4")
    with pytest.raises(UsageError, match="is no solve"):
        read_tree(service, verification.id)


def test_a_course_has_a_bounded_number_of_moments_over_all_of_the_time() -> None:
    course = ProofNumberHistory()
    for tenth in range(100_000):
        course.add(ProofNumberSample(tenth / 10, tenth, 1))
    now = ProofNumberSample(10_000.0, 7, 1)
    kept = course.until(now)
    assert MOMENTS / 3 < len(kept) <= MOMENTS and kept[-1] == now and kept[0].seconds == 0
    gaps = [after.seconds - before.seconds for before, after in pairwise(kept[:-1])]
    assert max(gaps) <= 1.1 * min(gaps)
    again = ProofNumberHistory(kept)
    again.add(ProofNumberSample(10_000.1, 8, 1))
    assert len(again.until(ProofNumberSample(20_000.0, 8, 1))) <= MOMENTS


def test_a_sparkline_is_logarithmic() -> None:
    assert sparkline([1, 10, 100, 1000, 10_000, -1], 1, 10_000) == "▁▃▅▇██"
    assert sparkline([5, 5], 5, 5) == "▁▁"
    assert sparkline([], 1, 1) == ""
