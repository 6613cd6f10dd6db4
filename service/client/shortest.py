"""The shortest win of a position, with both proofs: a win within n plies, and no win within fewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Unpack

from proofbase.engine.rules.within import FAMILY, MOST_PLIES
from proofbase.service.answers import PositionAnswer
from proofbase.service.client.options import QuestionOptions, SolveOptions
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve import SolveResult
from proofbase.service.positions import Where

__all__ = ["ShortestWin", "solve_shortest"]


class _Client(Protocol):
    """The calls of a client that are needed here."""

    def lookup(self, game: str, position: Where = None) -> PositionAnswer: ...

    def start_solve(self, game: str, position: Where, **asked: Unpack[QuestionOptions]) -> Job: ...


@dataclass(frozen=True)
class ShortestWin:
    """What is known of the shortest win of the side to move.

    Attributes:
        game: the plain game.
        position: its text.
        plies: of the shortest win, None where no win was proved.
        no_win_within: so many plies were proved to be too few; 0: none.
        no_win_at_all: the value of the plain game is proved to be no win.
        reason: why it ended without a win: a part of the budget, `plies` for the most that were to be asked, None
            where there is no win or the win was proved.
        jobs: one for each question, in turn.
    """

    game: str
    position: str
    plies: int | None
    no_win_within: int
    no_win_at_all: bool
    reason: str | None
    jobs: tuple[Job, ...]

    @property
    def nodes(self) -> int:
        """Of all questions together."""
        return sum(result_of(job).nodes for job in self.jobs)

    @property
    def seconds(self) -> float:
        """Of all questions together."""
        return sum(result_of(job).seconds for job in self.jobs)


def result_of(job: Job) -> SolveResult:
    """The result of a solve that has ended."""
    assert isinstance(job.result, SolveResult)
    return job.result


def solve_shortest(
    client: _Client,
    game: str,
    position: Where,
    run: Callable[[Job], Job],
    *,
    by_own_move: bool,
    most_plies: int = MOST_PLIES,
    **options: Unpack[SolveOptions],
) -> ShortestWin:
    """Asks for a win within 1, 2, 3 ... plies, until one is proved: the one before was refuted, so it is the shortest.

    All proofs are stored, as claims of `within:N:GAME`; so is what they say about the plain game.

    Args:
        client: the service.
        game, position: where.
        run: waits for a job and returns it with its result.
        by_own_move: whether wins are made by one's own move (`Game.wins_by_own_move`): then even numbers are left out.
        most_plies: the last number that is asked.
        options: as for `Client.start_solve`; the budget is that of all questions together, its memory that of each.
    """
    answer = client.lookup(game, position)
    budget = options.get("budget") or Budget()
    jobs = list[Job]()
    refuted = 0

    def outcome(plies: int | None = None, reason: str | None = None, *, none: bool = False) -> ShortestWin:
        return ShortestWin(answer.game, answer.position, plies, refuted, none, reason, tuple(jobs))

    if answer.terminal or (answer.value.upper_known and answer.value.upper <= 0):
        return outcome(none=True)
    nodes, seconds = 0, 0.0
    for plies in range(1, most_plies + 1, 2 if by_own_move else 1):
        reason = budget.used_up(nodes, seconds)
        if reason is not None:
            return outcome(reason=reason)
        options["budget"] = Budget(
            None if budget.nodes is None else budget.nodes - nodes,
            None if budget.seconds is None else budget.seconds - seconds,
            budget.memory_bytes,
        )
        where = f"{answer.position} plies={plies}"
        job = run(client.start_solve(f"{FAMILY}:{plies}:{answer.game}", where, at_least=1, **options))
        jobs.append(job)
        result = result_of(job)
        nodes, seconds = nodes + result.nodes, seconds + result.seconds
        if result.status == "proved":
            return outcome(plies)
        if result.status != "disproved":
            return outcome(reason=result.unknown_reason)
        refuted = plies
    return outcome(reason="plies")
