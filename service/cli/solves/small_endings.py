"""Endings whose table is built sooner than a search may answer: a solve builds it after its first nodes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from proofbase.engine.errors import EngineError
from proofbase.engine.games import canonical_alias, open_game
from proofbase.engine.rules import is_built_in, open_rules
from proofbase.service.cli import screen
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.solves.question import SolveQuestion
from proofbase.service.client.shortest.questions import Questions, result_of
from proofbase.service.client.shortest.small_tables import build_small_table
from proofbase.service.jobs.budget import Budget
from proofbase.service.resources.algorithm_choice import is_automatic
from proofbase.service.resources.native import is_native, new_table_work

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = ["run_solve"]

FIRST_NODES = 200_000
"""Nodes of the search before: less than a second."""
ENTRIES_A_SECOND = 500_000
"""So many entries of tables are built in half a second of the processor, or less: that is half of a budget."""
MOST_ENTRIES = 30_000_000
"""Of tables that are built where no time is given: a quarter of a minute."""


def run_solve(client: Service, game: str, position: str, question: SolveQuestion) -> Job:
    """Solves a position; of a small ending, by its table where `auto` finds nothing in its first nodes.

    A limit of nodes, a named algorithm and a server are left alone: they ask for searches, and a server has its own
    tables.
    """
    solve = partial(client.start_solve, game, position)
    answer = client.lookup(game, position) if _may_have_table(client, game, question) else None
    if answer is None or not _is_built_soon(client, answer, question.budget.seconds):
        return run_job(client, solve(**question._asdict()))
    first = Budget(FIRST_NODES, question.budget.seconds, question.budget.memory_bytes)
    job = run_job(client, solve(**question._replace(budget=first)._asdict()))
    if result_of(job).unknown_reason != "nodes":
        return job
    screen.note(f"proofbase: {FIRST_NODES:,} nodes found no answer: the table of this ending is built")
    budget = question.budget
    questions = Questions(
        client, answer.game, answer.position, partial(run_job, client), question.algorithm, question.thresholds, budget
    )
    questions.seconds = result_of(job).seconds
    build_small_table(client, answer, questions)
    left = questions.seconds_left()
    rest = Budget(None, None if left is None else max(1e-3, left), budget.memory_bytes)
    return run_job(client, solve(**question._replace(budget=rest)._asdict()))


def _may_have_table(client: Service, game: str, question: SolveQuestion) -> bool:
    name = canonical_alias(game)
    searches = not is_automatic(question.algorithm) or question.budget.nodes is not None or question.workers
    if searches or client.is_remote or client.is_temporary or not is_built_in(name):
        return False
    try:
        return open_rules(name).table_size_unit is not None
    except EngineError:
        return False  # the solve says what is wrong with the game


def _is_built_soon(client: Service, answer: PositionAnswer, seconds: float | None) -> bool:
    """Whether the table of a position of unknown value, with those that it needs, takes half of the time at most."""
    rules, game = open_rules(answer.game), open_game(answer.game)
    position = rules.parse(answer.position)
    men, place = rules.men_on_board(position), rules.table_entry(position)
    if answer.known or men is None or place is None or not is_native(game):
        return False
    present = {table.name for table in client.statistics(answer.game).tables}
    if place[0] in present:
        return False
    work = new_table_work(game, Path(), men, 1)
    try:
        work.restrict_to(place[0])
    except ValueError:
        return False
    entries = sum(entry.entries for entry in work.plan() if entry.name not in present)
    return entries <= (MOST_ENTRIES if seconds is None else min(MOST_ENTRIES, int(ENTRIES_A_SECOND * seconds)))
