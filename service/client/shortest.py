"""The shortest win of a position, with both proofs: a win within n plies, and no win within fewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from proofbase.engine.rules.set_up import is_unreachable
from proofbase.engine.rules.within import FAMILY
from proofbase.service.answers import PositionAnswer
from proofbase.service.client.contract import Service
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.report import SolveResult
from proofbase.service.jobs.solve.thresholds import Strategy
from proofbase.service.pictures.boards import has_threats
from proofbase.service.positions import Where
from proofbase.service.words.game_words import GameWords

__all__ = ["MOST_PLIES", "ShortestWin", "proved_shortest", "shortest_win", "solve_shortest"]

MOST_PLIES = 199
"""The last question without another limit: proofs of wins in a hundred moves are far beyond these searches."""
LEAST_PLAIN_NODES = 1_000
"""Of a question about the plain game at the least."""


@dataclass(frozen=True)
class ShortestWin:
    """What is known of the shortest win of the side to move.

    Attributes:
        game: the plain game.
        position: its text.
        plies: of the shortest win, None where no win was proved.
        table: name of the table of plies that says so, None where searches proved it.
        win_within: plies of a win that was proved, where the search ended before a shorter one was refuted; else None.
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
    table: str | None = None
    win_within: int | None = None

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


def _table_of_win(answer: PositionAnswer) -> str | None:
    """The table of plies that a win rests on, if it says the shortest one; else None."""
    if answer.rank is None or answer.value.lower <= 0 or answer.no_win_within < answer.rank - 1:
        return None
    return next((claim.table for claim in answer.claims if claim.side == "lower" and claim.evidence == "table"), None)


def proved_shortest(client: Service, game: str, position: Where) -> tuple[str, str]:
    """The `within:N:GAME`, and its position, whose certificate has both proofs of a shortest win.

    Raises:
        InvalidRequestError: no win of the position is known, or no proof that a win takes so many plies.
    """
    answer = client.lookup(game, position, distances=True)
    won = answer.value.lower_known and answer.value.lower > 0 and answer.rank is not None
    if not won or not answer.no_win_within or answer.game.partition(":")[0] == FAMILY:
        raise InvalidRequestError(
            f"no shortest win of {answer.position} in {answer.game} is proved: solve it with --shortest first",
            field="position",
        )
    return f"{FAMILY}:{answer.rank}:{answer.game}", f"{answer.position} plies={answer.rank}"


def shortest_win(
    client: Service,
    game: str,
    position: Where,
    run: Callable[[Job], Job],
    most_plies: int | None,
    *,
    algorithm: str = "auto",
    thresholds: Strategy = "auto",
    budget: Budget | None = None,
) -> ShortestWin:
    """`Client.solve` with `shortest`: `solve_shortest` with what the rules of the game say of wins.

    Raises:
        InvalidRequestError: a game with a limit of plies.
    """
    if game.partition(":")[0] == FAMILY:
        raise InvalidRequestError(f"shortest asks about a game without a limit of plies: {game} has one", field="game")
    words = GameWords.of(game)
    return solve_shortest(
        client,
        game,
        position,
        run,
        wins_by_own_move=words.wins_by_own_move,
        loses_by_own_move=words.loses_by_own_move,
        most_plies=MOST_PLIES if most_plies is None else most_plies,
        algorithm=algorithm,
        thresholds=thresholds,
        budget=budget,
    )


def solve_shortest(
    client: Service,
    game: str,
    position: Where,
    run: Callable[[Job], Job],
    *,
    wins_by_own_move: bool,
    loses_by_own_move: bool = False,
    most_plies: int = MOST_PLIES,
    algorithm: str = "auto",
    thresholds: Strategy = "auto",
    budget: Budget | None = None,
) -> ShortestWin:
    """Asks for a win within 1, 2, 3 ... plies, until one is proved: the one before was refuted, so it is the shortest.

    Where a question takes no more nodes than the one before, the plain game is asked whether it has a win at all.
    In games with threats the plain game is asked first: the length of a win by threats is an upper bound at once. All
    proofs are stored, as claims of `within:N:GAME`; so is what they say about the plain game. Where a table of
    plies has the position, it is the answer, and nothing is asked. Searches take positions of such tables as leaves.

    Args:
        client: the service.
        game, position: where.
        run: waits for a job and returns it with its result.
        wins_by_own_move: whether wins are made by one's own move (`Game.wins_by_own_move`): even numbers are left out.
        loses_by_own_move: whether they are made by the loser's (`Game.loses_by_own_move`): odd numbers are left out.
        most_plies: the last number that is asked.
        algorithm, thresholds: as for `Service.start_solve`.
        budget: of all questions together, its memory that of each.

    Raises:
        InvalidRequestError: the position is set up, with other numbers of stones than those of play.
    """
    answer = client.lookup(game, position)
    budget = budget or Budget()
    jobs = list[Job]()
    refuted = 0
    proved: int | None = None

    def outcome(plies: int | None = None, reason: str | None = None, *, none: bool = False) -> ShortestWin:
        within = proved if plies is None else None
        return ShortestWin(answer.game, answer.position, plies, refuted, none, reason, tuple(jobs), win_within=within)

    if answer.terminal or (answer.value.upper_known and answer.value.upper <= 0):
        return outcome(none=True)
    table = _table_of_win(answer)
    if table is not None and answer.rank is not None and answer.rank <= most_plies:
        refuted = answer.rank - 1
        return replace(outcome(answer.rank), table=table)
    nodes, seconds = 0, 0.0

    def ask(name: str, where: str, most_nodes: int | None = None) -> SolveResult:
        """One question, within what is left of the budget."""
        nonlocal nodes, seconds
        left = None if budget.nodes is None else max(1, budget.nodes - nodes)
        rest = Budget(
            left if most_nodes is None else min(most_nodes, left or most_nodes),
            None if budget.seconds is None else max(1e-6, budget.seconds - seconds),
            budget.memory_bytes,
        )
        job = run(client.start_solve(name, where, at_least=1, algorithm=algorithm, thresholds=thresholds, budget=rest))
        jobs.append(job)
        result = result_of(job)
        nodes, seconds = nodes + result.nodes, seconds + result.seconds
        return result

    if answer.value.lower_known and answer.value.lower > 0:
        proved = answer.rank
    elif has_threats(answer.game):
        plain = ask(answer.game, answer.position, LEAST_PLAIN_NODES)
        if plain.status == "disproved":
            return outcome(none=True)
        proved = client.lookup(answer.game, answer.position).rank if plain.status == "proved" else None
    if is_unreachable(answer.game, answer.position):
        raise InvalidRequestError(
            f"{answer.position} is set up with other numbers of stones than those of play, which {FAMILY}:N:GAME "
            "does not take, and the shortest win is found by that: a plain solve says who wins",
            field="position",
        )
    nodes_before: int | None = None
    for plies in range(
        2 if loses_by_own_move else 1, most_plies + 1, 2 if wins_by_own_move or loses_by_own_move else 1
    ):
        reason = budget.used_up(nodes, seconds)
        if reason is not None:
            return outcome(reason=reason)
        result = ask(f"{FAMILY}:{plies}:{answer.game}", f"{answer.position} plies={plies}")
        if result.status == "proved":
            return outcome(plies)
        if result.status != "disproved":
            return outcome(reason=result.unknown_reason)
        refuted = plies
        if nodes_before is not None and result.nodes <= nodes_before and budget.used_up(nodes, seconds) is None:
            # More plies have changed nothing: perhaps all lines come to an end before.
            plain = ask(answer.game, answer.position, max(LEAST_PLAIN_NODES, 10 * result.nodes))
            if plain.status == "disproved":
                return outcome(none=True)
        nodes_before = result.nodes
    return outcome(reason="plies")
