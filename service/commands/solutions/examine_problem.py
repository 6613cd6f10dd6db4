"""A problem: whether exactly one first move wins in so many moves."""

from __future__ import annotations

import time
from collections.abc import Sequence

from proofbase.engine.problems.problem import examine
from proofbase.engine.problems.reading import is_offered, read_problem
from proofbase.engine.problems.report import ProblemReport
from proofbase.service.answers.bounds import message_bytes
from proofbase.service.commands.solutions.lookup_budget import LookupBudget
from proofbase.service.errors import InvalidRequestError
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources

__all__ = ["examine_problem"]

MOST_MOVES = 45
"""Of a problem, and of its replies in the answer: messages with deeper trees are not read."""


def examine_problem(
    resources: Resources,
    game_name: str,
    where: Where = None,
    *,
    moves: int | None = None,
    intended: Sequence[str] = (),
    search_seconds: float | None = None,
) -> ProblemReport:
    """Examines a problem within the limits of a lookup.

    Args:
        resources: the limits, and the games.
        game_name: any name of the game.
        where: the position; a text may be one of composers, which says the length and the key as well.
        moves: the side to move is to win in so many.
        intended: keys of the author.
        search_seconds: of all searches; None for the service's own limit.

    Raises:
        UnknownGameError, InvalidPositionError, InvalidMoveError: there is no such position, or a key is no move.
        InvalidRequestError: the game has no problems, is over in this position, or too many moves are asked for.
        LimitExceededError: more seconds than a lookup may take.
    """
    nodes = resources.limits.search_nodes
    deadline = LookupBudget(nodes, search_seconds).deadline(resources)
    game = resources.games.open(game_name)
    if not is_offered(game.name):
        raise InvalidRequestError(
            f"{game.name}: problems are of built-in games that are won, drawn or lost", field="game"
        )
    position = find_position(game, where)
    if game.terminal(position) is not None:
        raise InvalidRequestError("the game is over in this position: it is no problem", field="position")
    if moves is not None and not 1 <= moves <= MOST_MOVES:
        raise InvalidRequestError(f"a win in {moves} moves: 1 to {MOST_MOVES} can be asked for", field="moves")
    text = game.text(position) if isinstance(where, bytes) else where or ""
    try:
        problem = read_problem(
            game, text, moves=moves, keys=intended, seconds=max(deadline - time.monotonic(), 0.001), nodes=nodes
        )
    except ValueError as error:
        raise error if type(error) is not ValueError else InvalidRequestError(str(error), field="position") from None
    report = examine(problem, resources.tables.of).report
    depth = (report.moves or 1) - 1
    while depth > 0 and (depth >= MOST_MOVES or message_bytes(report) > PAGE_BYTES):
        depth -= 1
        report = report.cut_to(depth)
    return report
