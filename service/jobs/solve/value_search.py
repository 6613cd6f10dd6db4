"""The search that tells what the value may be, before the first question: then fewer questions lead to it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from proofbase.service.jobs.solve.account import SolveAccount
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.jobs.solve.searches import Searches

__all__ = ["search_for_value"]

FIRST_NODES, GROWTH = 100_000, 4
"""Nodes of the search: some milliseconds. While it has not found the value, it goes on to so many times the nodes, if
that will take no longer of the processor than a slice (not by the clock, so that a busy machine asks no more
questions). No checkpoint holds what it has searched: a job that is killed meanwhile begins it again, and one that had
got to its questions does not go on with it."""
SHARE = 4
"""The share of a budget that it may take: one part in four."""


def search_for_value(
    context: SolveContext,
    account: SolveAccount,
    searches: Searches,
    slice_seconds: float,
    stop_if_asked: Callable[[], None],
) -> None:
    """Searches for the value, where no order of questions was asked for. Its table serves the questions.

    Args:
        context: the solve; its value is not known.
        account: learns what the search has taken, and what to expect.
        searches: make the search.
        slice_seconds: of the processor, at most.
        stop_if_asked: raises when the job is to stop.
    """
    spec, control = context.spec, context.control
    if spec.at_least is not None or spec.thresholds != "auto":
        return
    nodes_left, seconds = account.nodes_left(), spec.budget.seconds
    most = FIRST_NODES if account.schedule.nodes else sys.maxsize
    if nodes_left is not None:
        most = min(most, nodes_left // SHARE)
    nodes = min(FIRST_NODES, most)
    search = searches.for_value(stop_if_asked) if nodes > 0 else None
    if search is None:
        return
    context.table.lend(search)
    control.on_stop(search.cancel)
    started = time.thread_time()
    while True:
        search.find_value(nodes=nodes, memory=context.memory)
        lower, upper = search.value_bounds or (0, 0)
        if lower == upper or nodes == most or control.reason is not None:
            break
        if GROWTH * (time.thread_time() - started) > slice_seconds:
            break
        if seconds is not None and GROWTH * search.progress().seconds > seconds / SHARE:
            break
        nodes = min(GROWTH * nodes, most)
    context.table.keep(search)
    account.schedule.expect(search.value_bounds)
    nodes, first_choice = search.progress().nodes, searches.choice.for_question(1).nodes
    account.spent.nodes += nodes
    if first_choice is not None and nodes >= first_choice:
        searches.choice.note_nodes_used_up(1)  # it would take them in vain
