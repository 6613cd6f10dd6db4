"""What composers ask of a problem, in the words of the codex of chess composition (docs/glossary.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.problems.questions import OpenTables, OutOfTimeError, Questions
from proofbase.engine.problems.reading import Problem, is_offered
from proofbase.engine.problems.report import Attempt, Continuation, Dual, ProblemReport, Reply, Solution
from proofbase.engine.records import tables_in
from proofbase.engine.rules import open_rules
from proofbase.engine.rules.within import FAMILY

__all__ = ["Examined", "examine", "plies_of"]

MOST_MOVES = 100
"""The longest win that is looked for where nobody says how long it is."""


class Examined(NamedTuple):
    """A report, and the proofs of all that it says.

    Attributes:
        report: what is proved.
        questions: with their proofs.
        root: the position in the game of the proofs.
    """

    report: ProblemReport
    questions: Questions
    root: Any


def plies_of(game: str, moves: int) -> int:
    """Plies of a win in so many moves: one more where the loser makes the last move."""
    return 2 * moves - (0 if open_rules(game).loses_by_own_move else 1)


def examine(problem: Problem, open_tables: OpenTables | None = None) -> Examined:
    """Examines a problem.

    Args:
        problem: what is to be examined.
        open_tables: of the tables that settle its endings; None: there are none.

    Raises:
        InvalidPositionError: the position is none of the game, or the game is over.
        ValueError: a game with scores, or that has a limit of plies already.
    """
    if problem.game.startswith(f"{FAMILY}:"):
        raise ValueError(f"{problem.game} has a limit of plies already")
    if not is_offered(problem.game):
        raise ValueError(f"{problem.game} has scores: problems are of games that are won, drawn or lost")
    report = ProblemReport(problem.game, problem.position, problem.moves)
    lengths = range(1, MOST_MOVES + 1) if problem.moves is None else range(1, problem.moves + 1)
    questions = Questions(
        problem.game, plies_of(problem.game, lengths[-1]), problem.seconds, problem.nodes, open_tables
    )
    examination = _Examination(questions, problem.game, problem.position)
    root = examination.root(lengths[-1])
    if questions.game.terminal(root) is not None:
        raise InvalidPositionError(f"{problem.position}: the game is over")
    with suppress(OutOfTimeError):
        report.moves = next((moves for moves in lengths if questions.is_won(examination.root(moves))), None)
        root = examination.root(report.moves or lengths[-1])
        _verdict(report, problem, examination, root)
        _tries(report, examination, root)
        if report.keys:
            report.set_play = examination.set_play(report.moves or 1)
            for key in report.keys:
                after = examination.after(root, key)
                report.solutions += (Solution(key, examination.threats(after), examination.replies(after)),)
        report.complete = True
    report.duals = tuple(
        dual
        for solution in report.solutions
        for dual in _duals((solution.key,), solution.replies, set(solution.threats))
    )
    report.questions, report.records = questions.asked, len(questions.table)
    if questions.has_tables:
        report.tables = tuple(sorted(tables_in(questions.table.chunks())))
    return Examined(report, questions, root)


def _verdict(report: ProblemReport, problem: Problem, examination: _Examination, root: Any) -> None:
    """Takes in the keys and the verdict, with one refutation of each other move."""
    keys, attempts = list[str](), list[Attempt]()
    for name, after in examination.moves(root):
        refutation = examination.refutations(after, 1)
        if refutation:
            attempts.append(Attempt(name, refutation[0]))
        else:
            keys.append(name)
    report.keys, report.attempts = tuple(keys), tuple(attempts)
    if keys and problem.intended:
        report.cooks = tuple(key for key in keys if key not in problem.intended)
        report.failing_keys = tuple(key for key in problem.intended if key not in keys)
    if problem.moves is not None and report.moves not in (None, problem.moves):
        report.verdict = "short"
    else:
        report.verdict = "unsolvable" if not keys else "cooked" if report.cooks or len(keys) > 1 else "sound"


def _tries(report: ProblemReport, examination: _Examination, root: Any) -> None:
    """Says of each first move that fails whether it is a try."""
    for attempt in report.attempts:
        refutations = examination.refutations(examination.after(root, attempt.move), 2)
        attempt.only = len(refutations) == 1 and refutations != [""]


def _duals(before: tuple[str, ...], replies: Sequence[Reply], threats: set[str]) -> Iterator[Dual]:
    for reply in replies:
        line = (*before, reply.move)
        names = tuple(continuation.move for continuation in reply.continuations)
        if len(names) > 1:
            yield Dual(len(line) + 1, line, names, not threats.isdisjoint(names))
        for continuation in reply.continuations:
            yield from _duals((*line, continuation.move), continuation.replies, set())


class _Examination:
    """The moves of one problem. Positions are those of the game of the questions."""

    def __init__(self, questions: Questions, game: str, position: str) -> None:
        self._questions, self._game, self._position = questions, questions.game, position
        self._refuting = Counter[str]()
        self._inner = game

    def root(self, moves: int) -> Any:
        """The position with so many moves of the attacker left."""
        return self._game.parse(f"{self._position} plies={plies_of(self._inner, moves)}")

    def moves(self, position: Any) -> list[tuple[str, Any]]:
        """All moves, and the positions after them."""
        game = self._game
        return [(game.move_text(position, move), game.play(position, move)) for move in game.moves(position)]

    def after(self, position: Any, move: str) -> Any:
        return dict(self.moves(position))[move]

    def refutations(self, after: Any, most: int) -> list[str]:
        """Replies after which the attacker does not win in time, at most so many of them."""
        names = list[str]()
        if self._questions.is_lost(after):
            return names
        if self._game.terminal(after) is not None:
            return [""]  # the game is over without a win, or there are no plies left
        for name, position in sorted(self.moves(after), key=self._is_tried_late):
            if not self._questions.is_won(position):
                names.append(name)
                self._refuting[name] += 1
                if len(names) == most:
                    break
        return names

    def _is_tried_late(self, reply: tuple[str, Any]) -> tuple[bool, int]:
        """The order of replies: first those that are proved to refute, then what refuted most other moves."""
        name, position = reply
        return not self._questions.is_proved_not_won(position), -self._refuting[name]

    def _passed(self, position: Any) -> Any:
        """The position with the other side to move and a ply fewer; None where that is no position."""
        text, _, plies = self._game.text(position).rpartition(" plies=")
        board, side, rights, *_ = [*text.split(), "", ""][:4]
        if not self._game.name.endswith(":chess") or side not in ("w", "b"):
            return None
        try:
            return self._game.parse(f"{board} {'wb'[side == 'w']} {rights} - plies={int(plies) - 1}")
        except InvalidPositionError:
            return None  # a check

    def set_play(self, moves: int) -> tuple[Reply, ...]:
        """What wins after each move of the defender, if it were his turn."""
        passed = self._passed(self.root(moves)) if moves > 1 else None
        return () if passed is None else tuple(reply for reply in self.replies(passed) if reply.continuations)

    def threats(self, after: Any) -> tuple[str, ...]:
        """Moves that would win in time if the defender passed."""
        passed = None if self._game.terminal(after) is not None else self._passed(after)
        if passed is None:
            return ()
        return tuple(name for name, child in self.moves(passed) if self._questions.is_lost(child))

    def replies(self, after: Any) -> tuple[Reply, ...]:
        """The replies to a move of the attacker."""
        return tuple(self._reply(name, position) for name, position in self.moves(after))

    def _reply(self, name: str, position: Any) -> Reply:
        self._questions.stop_reading()
        lost_children = [(move, after) for move, after in self.moves(position) if self._questions.is_lost(after)]
        continuations = [
            Continuation(move, () if place or self._game.terminal(after) is not None else self.replies(after))
            for place, (move, after) in enumerate(lost_children)
        ]
        return Reply(name, tuple(continuations), bool(lost_children) and self._is_short(position))

    def _is_short(self, position: Any) -> bool:
        text, _, plies = self._game.text(position).rpartition(" plies=")
        return int(plies) > 2 and self._questions.is_won(self._game.parse(f"{text} plies={int(plies) - 2}"))
