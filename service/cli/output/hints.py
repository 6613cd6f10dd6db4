"""Commands that messages propose: they work when they are copied into a shell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from proofbase.engine.games import open_game
from proofbase.engine.rules import is_built_in
from proofbase.service.cli.credentials import credential_words
from proofbase.service.cli.plugins import plugin_options
from proofbase.service.cli.session import DEFAULT_STORE, tables_options
from proofbase.service.jobs.solve.model import SolveResult, SolveSpec
from proofbase.service.resources.native import LARGEST_SIZE, is_native, new_table_work
from proofbase.service.words.values import rules_of
from proofbase.storage import shown_url, store_directory

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = [
    "all_moves_of",
    "hint",
    "larger_budget",
    "own_files",
    "rows_of_positions",
    "search_for",
    "tables_of_endings",
]

MOST_ENTRIES = 200_000_000
"""Of tables that a message proposes to build: about a minute of the processor."""
MOST_TIMES = 2
"""A position with more than so many times the men of the largest proposed tables gains little by them."""


def hint(client: Service, *words: str) -> str:
    """A command line for the store or the server of a client, without passwords.

    For a store of this process alone it is one for the default store.

    Args:
        client: what the proposed command has to open.
        words: the command with its arguments, without the name of the program.
    """
    where: tuple[str, ...] = ()
    if client.is_remote:
        where = ("--server", client.target, *credential_words())
    elif not client.is_temporary and client.target not in (DEFAULT_STORE, os.environ.get("PROOFBASE_STORE")):
        where = ("--store", shown_url(client.target))
    return f"`{shlex.join(('proofbase', *words, *where))}`"


def own_files(client: Service) -> list[str]:
    """The options for the games and the tables of one's own that a proposed command needs; a server has its own."""
    return [] if client.is_remote else [*plugin_options(), *tables_options()]


def _about(client: Service, command: str, position: str, answer: PositionAnswer, *options: str) -> str:
    """A command line about the position of an answer, as it was asked for."""
    where = () if position in ("", "-") else (position,)
    return hint(client, command, answer.game, *where, *options, *own_files(client))


def _enough(seconds: float = 0.0) -> tuple[str, str]:
    """A limit of time for a search that was not made yet: so many seconds, and a minute at least."""
    return "--seconds", f"{max(60.0, seconds):.0f}"


def rows_of_positions(client: Service, job: Job) -> str | None:
    """How to print what a job over positions has found; None for other jobs, and where the store is gone."""
    if job.kind != "positions" or client.is_temporary:
        return None
    return f"{hint(client, 'jobs', 'positions', job.id)} prints a row for each position"


def all_moves_of(client: Service, position: str, answer: PositionAnswer, seconds: float) -> str | None:
    """How many moves of a solved position have a known value, and how to get those of the others.

    Args:
        client: that solved it.
        position: it, as it was asked for.
        answer: what is known of it.
        seconds: that the solve has taken.

    Returns:
        None where the value of the position is not known, and where those of all its moves are.
    """
    known = sum(move.known for move in answer.moves)
    if not answer.known or known == len(answer.moves):
        return None
    command = _about(client, "solve", position, answer, "--all-moves", *_enough(4 * seconds))
    return f"{known} of {len(answer.moves)} have a known value; {command} finds the others"


def search_for(client: Service, position: str, answer: PositionAnswer) -> str | None:
    """How to search for a value that is not known.

    Args:
        client: that was asked for it.
        position: as it was asked for.
        answer: what is known of it.

    Returns:
        None where the value is known, and where a search was made.
    """
    if answer.known or answer.searched is not None:
        return None
    if answer.package is not None:
        return f"{_about(client, 'lookup', position, answer, '--search', '100000')} searches for the value"
    return f"{_about(client, 'solve', position, answer, *_enough())} searches for the value, and stores its proof"


def larger_budget(client: Service, job: Job) -> str | None:
    """How to go on with a solve whose budget was used up, with a budget that is four times as large.

    Returns:
        None for other jobs, where the store is gone with this process, and where a server allows no more memory.
    """
    spec, result = job.spec, job.result
    if not job.resumable or not isinstance(result, SolveResult) or client.is_temporary:
        return None
    assert isinstance(spec, SolveSpec)
    if result.unknown_reason == "memory":
        largest = client.limits().job_memory_bytes
        before = spec.budget.memory_bytes or largest
        more = 4 * before
        if client.is_remote:
            more = min(largest, more)
            if before >= largest:
                return None
        option = ("--memory", str(more))
    elif result.unknown_reason == "seconds":
        option = ("--seconds", f"{4 * max(result.seconds, spec.budget.seconds or 0):.0f}")
    else:
        option = ("--nodes", str(4 * max(result.nodes, spec.budget.nodes or 0)))
    command = hint(client, "jobs", "resume", job.id, *option, *own_files(client))
    if result.found_value is not None:
        return f"the answer is found, and the time was over before its proof was stored: {command} stores it"
    return f"the work is kept: {command} goes on with it"


def tables_of_endings(client: Service, answer: PositionAnswer) -> str | None:
    """How to build the tables that would have answered, or that a search of this position ends in.

    Args:
        client: that has searched, and found no answer.
        answer: what is known of the position now.

    Returns:
        None where the tables are there, or the position is far from those of its game that are built in a minute.
    """
    rules = rules_of(answer.game) if is_built_in(answer.game) else None
    if rules is None or rules.table_size_unit is None:
        return None
    if not client.is_remote and not tables_options() and store_directory(client.target) is None:
        return None
    game, position = open_game(answer.game), rules.parse(answer.position)
    if not is_native(game):
        return None
    entry = rules.table_entry(position)
    size, plan, has_value = 0, list["TableEntry"](), False
    while not has_value and size < LARGEST_SIZE:
        larger = new_table_work(game, Path(), size + 1, 1).plan()
        if sum(table.entries for table in larger) > MOST_ENTRIES:
            break
        size, plan = size + 1, larger
        has_value = entry is not None and any(table.name == entry[0] for table in plan)
    present = {table.name for table in client.statistics(answer.game).tables}
    men, first_men = rules.men_on_board(position), rules.men_on_board(rules.initial())
    is_near = men is not None and men <= MOST_TIMES * size and bool(first_men)  # else men come onto the board
    if not (has_value or is_near) or present.issuperset(table.name for table in plan):
        return None
    unit = rules.table_size_unit
    use = "have its value" if has_value else "settle its endings"
    command = hint(client, "tables", "build", answer.game, f"--{unit}", str(size), *tables_options())
    entries = sum(table.entries for table in plan)
    return f"tables to {size} {unit} {use}: {command} builds them ({entries:,} entries)"
