"""Questions about a position and about wins within so many plies of it, which share one budget."""

from __future__ import annotations

from collections.abc import Callable

from proofbase.engine.rules.within import FAMILY
from proofbase.service.answers import PositionAnswer
from proofbase.service.client.contract import Service
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.model import SolveResult
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.resources.algorithm_choice import is_automatic

__all__ = ["Questions", "result_of"]


def result_of(job: Job) -> SolveResult:
    """The result of a solve that has ended."""
    assert isinstance(job.result, SolveResult)
    return job.result


class Questions:
    """Asks them, each by a job.

    Args:
        client: the service.
        game, position: the plain game and the text of the position.
        run: waits for a job and returns it with its result.
        algorithm, thresholds: as for `Service.start_solve`.
        budget: of all questions together, its memory that of each.

    Attributes:
        run: as above.
        jobs: one for each question, in turn.
        nodes, seconds: that all of them have taken.
    """

    def __init__(
        self,
        client: Service,
        game: str,
        position: str,
        run: Callable[[Job], Job],
        algorithm: str,
        thresholds: ThresholdOrder,
        budget: Budget,
    ) -> None:
        self._client = client
        self._game = game
        self._position = position
        self.run = run
        self._algorithm = algorithm
        self._thresholds = thresholds
        self._budget = budget
        self.jobs = list[Job]()
        self.nodes, self.seconds = 0, 0.0

    def used_up(self) -> str | None:
        """The part of the budget that is used up; None: none is."""
        return self._budget.used_up(self.nodes, self.seconds)

    def seconds_left(self) -> float | None:
        """Of the budget; None: time is not limited."""
        return None if self._budget.seconds is None else self._budget.seconds - self.seconds

    def ask_plain(self, most_nodes: int, at_least: int | None = None) -> PositionAnswer:
        """What is known of the plain game after a question about it."""
        self._ask(self._game, self._position, at_least, most_nodes)
        return self._client.lookup(self._game, self._position)

    def ask_within(
        self,
        plies: int,
        at_least: int,
        *,
        most_nodes: int | None = None,
        share: float = 1.0,
        algorithm: str | None = None,
    ) -> SolveResult | None:
        """Whether the value is at least so much where the game ends after so many plies; None: no budget is left.

        Args:
            plies, at_least: the question.
            most_nodes: it may take.
            share: of what is left of the budget.
            algorithm: takes the place of `auto`; None: `auto` stays.
        """
        if self.used_up() is not None:
            return None
        game, position = f"{FAMILY}:{plies}:{self._game}", f"{self._position} plies={plies}"
        return self._ask(game, position, at_least, most_nodes, share, algorithm)

    def _ask(
        self,
        game: str,
        position: str,
        at_least: int | None,
        most_nodes: int | None = None,
        share: float = 1.0,
        algorithm: str | None = None,
    ) -> SolveResult:
        """One question, within this share of what is left of the budget."""
        budget, seconds_left = self._budget, self.seconds_left()
        nodes_left = None if budget.nodes is None else max(1, int(share * (budget.nodes - self.nodes)))
        rest = Budget(
            nodes_left if most_nodes is None else min(most_nodes, nodes_left or most_nodes),
            None if seconds_left is None else max(1e-6, share * seconds_left),
            budget.memory_bytes,
        )
        chosen = algorithm if algorithm is not None and is_automatic(self._algorithm) else self._algorithm
        job = self._client.start_solve(
            game, position, at_least=at_least, algorithm=chosen, thresholds=self._thresholds, budget=rest
        )
        job = self.run(job)
        self.jobs.append(job)
        result = result_of(job)
        self.nodes, self.seconds = self.nodes + result.nodes, self.seconds + result.seconds
        return result
