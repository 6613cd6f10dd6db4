"""The shortest win of a position, or its longest defence, with both proofs: within n plies, and not within fewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from proofbase.engine.rules.within import FAMILY
from proofbase.service.answers import PositionAnswer
from proofbase.service.client.contract import Service
from proofbase.service.client.shortest.questions import Questions, result_of
from proofbase.service.client.shortest.small_tables import build_small_table, has_small_table
from proofbase.service.client.shortest.trial import is_tried, shortest_by_trial
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.solve.thresholds import ThresholdOrder
from proofbase.service.pictures.boards import has_threats
from proofbase.service.positions import Where
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import highest_value

__all__ = ["ShortestWin", "proved_shortest", "shortest_win"]

MOST_PLIES = 199
"""The last question without another limit: proofs of wins in a hundred moves are far beyond these searches."""
LEAST_PLAIN_NODES, PLAIN_NODES = 1_000, 200_000
"""Nodes of a question about the plain game, at least. Once they are used, it is asked who wins, with so many more."""


@dataclass(frozen=True)
class ShortestWin:
    """What is known of the shortest win of the side to move, or of its longest defence.

    Attributes:
        game: the plain game.
        position: its text.
        plies: of the shortest win, None where no win was proved.
        table: name of the table of plies that says so, None where searches proved it.
        win_within: plies of a win that was proved, where the search ended before a shorter one was refuted; else None.
        no_win_within: so many plies were proved to be too few; 0: none.
        no_win_at_all: the value of the plain game is proved to be no win.
        reason: why it ended without an answer: a part of the budget, `plies` for the most that were to be asked, None
            where there is no win and no loss, or the win or the loss was proved.
        jobs: one for each question, in turn.
        loss_plies: of a lost position, those of the longest defence; None where none was proved.
        no_loss_within: so many plies were proved to be too few for a loss; 0: none.
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
    loss_plies: int | None = None
    no_loss_within: int = 0

    @property
    def proved(self) -> bool:
        """Whether the shortest win or the longest defence is proved."""
        return (self.plies or self.loss_plies) is not None

    @property
    def nodes(self) -> int:
        """Nodes of all questions together."""
        return sum(result_of(job).nodes for job in self.jobs)

    @property
    def seconds(self) -> float:
        """Seconds of all questions together."""
        return sum(result_of(job).seconds for job in self.jobs)


def _table_of_plies(answer: PositionAnswer) -> str | None:
    """The table of plies that a win or a loss rests on, if it says the shortest one; else None."""
    value = answer.value
    side, none_within = ("lower", answer.no_win_within) if value.lower > 0 else ("upper", answer.no_loss_within)
    if answer.rank is None or (value.lower <= 0 <= value.upper) or none_within < answer.rank - 1:
        return None
    return next((claim.table for claim in answer.claims if claim.side == side and claim.evidence == "table"), None)


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
    most_plies: int | None = None,
    *,
    algorithm: str = "auto",
    thresholds: ThresholdOrder = "auto",
    budget: Budget | None = None,
) -> ShortestWin:
    """Asks for a win within 1, 2, 3 ... plies, until one is proved: the one before was refuted, so it is the shortest.

    Of a position that is lost it asks for a loss in the same way, in games of win, draw and loss. The plain game is
    asked who wins where that takes some nodes, and where a question takes no more nodes than the one before.
    In games with threats the plain game is asked first: the length of a win by threats is an upper bound at once. All
    proofs are stored, as claims of `within:N:GAME`; so is what they say about the plain game. Where a table of
    plies has the position, it is the answer, and nothing is asked. Searches take positions of such tables as leaves.
    Where such tables are missing that are built within a minute, they are built once a question was hard. Where a win
    is seen by a short trial, the question before it comes next: its refutation is that of all shorter ones.

    Args:
        client: the service.
        game, position: where.
        run: waits for a job and returns it with its result.
        most_plies: the last number that is asked. Where wins are made by one's own move (`Game.wins_by_own_move`), even
            numbers are left out; where they are made by the loser's, odd ones.
        algorithm, thresholds: as for `Service.start_solve`.
        budget: of all questions together, its memory that of each.

    Raises:
        InvalidRequestError: a game with a limit of plies.
    """
    if game.partition(":")[0] == FAMILY:
        raise InvalidRequestError(f"shortest asks about a game without a limit of plies: {game} has one", field="game")
    words = GameWords.of(game)
    step = 2 if words.wins_by_own_move or words.loses_by_own_move else 1
    end = (MOST_PLIES if most_plies is None else most_plies) + 1
    answer = client.lookup(game, position)
    questions = Questions(client, answer.game, answer.position, run, algorithm, thresholds, budget or Budget())
    return _Series(client, answer, questions, end - 1).outcome(
        range(2 if words.loses_by_own_move else 1, end, step), range(2 if words.wins_by_own_move else 1, end, step)
    )


class _Series:
    """The questions about one position.

    Args:
        client: the service.
        answer: what is known of the position.
        questions: asks them.
        most_plies: the last number that is asked.
    """

    def __init__(self, client: Service, answer: PositionAnswer, questions: Questions, most_plies: int) -> None:
        self._client = client
        self._answer = answer
        self._questions = questions
        self._most_plies = most_plies
        self._table_wanted = has_small_table(answer)
        """Whether the building of a small table can still be tried."""
        self._refuted = 0
        """Within so many plies there is no win, or no loss of a position that is lost."""
        self._proved: int | None = None
        """Plies of a win that may not be the shortest."""

    def outcome(self, win_plies: range, loss_plies: range) -> ShortestWin:
        """What questions about so many plies tell."""
        answer = self._answer
        if (by_table := self._by_table(answer)) is not None:
            return by_table
        if _is_won(answer):
            self._proved = answer.rank
        elif not _is_no_win(answer) and has_threats(answer.game):
            answer = self._questions.ask_plain(LEAST_PLAIN_NODES, at_least=1)
            self._proved = answer.rank if _is_won(answer) else None
        if _is_no_win(answer):
            return self._without_win(answer, loss_plies)
        return self._shortest_win(win_plies, loss_plies)

    def _shortest_win(self, win_plies: range, loss_plies: range) -> ShortestWin:
        """Asks for a win within more and more plies."""
        questions = self._questions
        nodes_before: int | None = None
        asked_who_wins = self._proved is not None
        tried = False
        for plies in win_plies:
            if plies <= self._refuted:
                continue
            result = questions.ask_within(plies, 1)
            if result is None or result.status == "unknown":
                return self._ended(reason=questions.used_up() if result is None else result.unknown_reason)
            if result.status == "proved":
                return self._ended(plies)
            self._refuted = plies
            if (by_table := self._by_new_table()) is not None:
                return by_table
            most_nodes = 0
            if nodes_before is not None and result.nodes <= nodes_before:
                # More plies have changed nothing: perhaps all lines come to an end before.
                most_nodes = max(LEAST_PLAIN_NODES, 10 * result.nodes)
            if not asked_who_wins and questions.nodes > LEAST_PLAIN_NODES:
                asked_who_wins, most_nodes = True, PLAIN_NODES
            nodes_before = result.nodes
            if most_nodes and questions.used_up() is None:
                answer = questions.ask_plain(most_nodes)
                if _is_no_win(answer):
                    return self._without_win(answer, loss_plies)
                if _is_won(answer) and answer.rank is not None:
                    self._proved = min(answer.rank, self._proved or answer.rank)
            if not tried and is_tried(result):
                tried = True
                longer = range(plies + win_plies.step, win_plies.stop, win_plies.step)
                trial = shortest_by_trial(questions, longer, plies)
                self._refuted, self._proved = trial.refuted, trial.proved or self._proved
                if trial.is_shortest:
                    return self._ended(trial.proved)
        return self._ended(reason="plies")

    def _without_win(self, answer: PositionAnswer, loss_plies: range) -> ShortestWin:
        """The longest defence of a position that is lost: asks for a loss within more and more plies."""
        questions = self._questions
        if not answer.value.exact and highest_value(answer.game) == 1 and questions.used_up() is None:
            answer = questions.ask_plain(max(LEAST_PLAIN_NODES, 10 * questions.nodes), at_least=0)
        if not _is_lost(answer):
            return self._ended(none=True, reason=None if answer.value.exact else questions.used_up())
        self._refuted = 0
        for plies in loss_plies:
            result = questions.ask_within(plies, 0)
            if result is None or result.status == "unknown":
                reason = questions.used_up() if result is None else result.unknown_reason
                return self._ended(reason=reason, none=True, lost=True)
            if result.status == "disproved":
                return self._ended(plies, none=True, lost=True)
            self._refuted = plies
            if (by_table := self._by_new_table()) is not None:
                return by_table
        return self._ended(reason="plies", none=True, lost=True)

    def _by_table(self, answer: PositionAnswer) -> ShortestWin | None:
        """What a table of plies says, None where it says nothing."""
        if _has_ended(answer):
            return self._ended(none=True)
        table = _table_of_plies(answer)
        if table is None or answer.rank is None or answer.rank > self._most_plies:
            return None
        self._refuted = answer.rank - 1
        return replace(self._ended(answer.rank, none=_is_lost(answer)), table=table)

    def _by_new_table(self) -> ShortestWin | None:
        """What a small table says that is built once questions have taken some nodes; None where there is none."""
        if not self._table_wanted or self._questions.nodes <= LEAST_PLAIN_NODES:
            return None
        self._table_wanted = False
        build_small_table(self._client, self._answer, self._questions)
        self._answer = self._client.lookup(self._answer.game, self._answer.position)
        return self._by_table(self._answer)

    def _ended(
        self, plies: int | None = None, reason: str | None = None, *, none: bool = False, lost: bool = False
    ) -> ShortestWin:
        lost = lost or _is_lost(self._answer)
        return ShortestWin(
            game=self._answer.game,
            position=self._answer.position,
            plies=None if lost else plies,
            no_win_within=0 if lost else self._refuted,
            no_win_at_all=none,
            reason=reason,
            jobs=tuple(self._questions.jobs),
            win_within=self._proved if plies is None else None,
            loss_plies=plies if lost else None,
            no_loss_within=self._refuted if lost else 0,
        )


def _has_ended(answer: PositionAnswer) -> bool:
    """Whether there is nothing to ask: the game is over, or neither side wins."""
    return answer.terminal or (answer.value.exact and answer.value.upper <= 0 and not _is_lost(answer))


def _is_lost(answer: PositionAnswer) -> bool:
    return highest_value(answer.game) == 1 and answer.value.upper_known and answer.value.upper < 0


def _is_won(answer: PositionAnswer) -> bool:
    return answer.value.lower_known and answer.value.lower > 0


def _is_no_win(answer: PositionAnswer) -> bool:
    return answer.value.upper_known and answer.value.upper <= 0
