"""What composers ask of a problem, in the words of the codex of chess composition (docs/glossary.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.problems.questions import OutOfTimeError, Questions
from proofbase.engine.rules import open_rules
from proofbase.engine.rules.within import FAMILY

__all__ = ["Attempt", "Continuation", "Dual", "Problem", "ProblemReport", "Reply", "examine", "plies_of"]

MOST_MOVES = 100
"""The longest win that is looked for where nobody says how long it is."""

Verdict = Literal["sound", "cooked", "short", "unsolvable", "open"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be examined.

    Attributes:
        game: its name.
        position: its text.
        moves: in so many moves the side to move is to win; None: in as few as can be.
        intended: keys of the author; another one is a cook. None: not known.
        seconds: for all questions together; None: no limit.
    """

    game: str
    position: str
    moves: int | None = None
    intended: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Continuation:
    """A move of the attacker that wins in time, and the replies to it; none after the last move."""

    move: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A move of the defender, with all moves of the attacker that win in time. Of these the first one is followed.

    Attributes:
        move: of the defender.
        continuations: a second one is a dual.
        short: whether the attacker wins in fewer moves than there are left.
    """

    move: str
    continuations: tuple[Continuation, ...]
    short: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """A first move that does not win in time, and a reply that shows it.

    Attributes:
        move: of the attacker.
        refutation: of the defender; empty where the game is over, or no plies are left.
        only: it is the only reply that does: then the move is a try. None: not known.
    """

    move: str
    refutation: str
    only: bool | None = None


class Dual(NamedTuple):
    """A reply with more than one continuation."""

    line: tuple[str, ...]
    """The moves that lead there, the reply last."""
    continuations: tuple[str, ...]
    with_threat: bool
    """One of them is the threat, which the reply does not stop."""


@dataclass(slots=True)
class ProblemReport:
    """What is proved of a problem.

    Attributes:
        problem: what was asked.
        verdict: `sound` with one key, `cooked` with more, `short` with a win in fewer moves, `unsolvable` with none;
            `open` if the time was over before that was known.
        moves: of the win; None where none is proved.
        keys: first moves that win in time.
        attempts: all other first moves.
        set_play: for each move of the defender, if it were his turn, what wins in a move fewer; None where the game
            has no passing, or the attacker gives check.
        threats: what would win next if the defender passed after the key; None as above.
        variations: by key the replies to it.
        duals: each reply with more than one continuation.
        complete: whether all of this was looked for in the time.
        questions: with their proofs.
        root: the position in the game of the proofs.
    """

    problem: Problem
    verdict: Verdict = "open"
    moves: int | None = None
    keys: list[str] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    set_play: list[Reply] | None = None
    threats: dict[str, list[str]] = field(default_factory=dict)
    variations: dict[str, tuple[Reply, ...]] = field(default_factory=dict)
    duals: list[Dual] = field(default_factory=list)
    complete: bool = False
    questions: Questions | None = None
    root: Any = None

    @property
    def cooks(self) -> list[str]:
        """Keys that the author did not mean; none where no key of his is known."""
        intended = self.problem.intended
        return [key for key in self.keys if key not in intended] if intended else []

    @property
    def failing_keys(self) -> list[str]:
        """Keys of the author that are none."""
        return [key for key in self.problem.intended if self.keys and key not in self.keys]

    @property
    def tries(self) -> list[Attempt]:
        """First moves that one reply alone refutes."""
        return [attempt for attempt in self.attempts if attempt.only]


def plies_of(game: str, moves: int) -> int:
    """Plies of a win in so many moves: one more where the loser makes the last move."""
    return 2 * moves - (0 if open_rules(game).loses_by_own_move else 1)


def examine(problem: Problem) -> ProblemReport:
    """Examines a problem.

    Raises:
        InvalidPositionError: the position is none of the game, or the game is over.
        ValueError: a game with rewards, or that has a limit of plies already.
    """
    if problem.game.startswith(f"{FAMILY}:"):
        raise ValueError(f"{problem.game} has a limit of plies already")
    rules = open_rules(problem.game)
    if rules.highest_value != 1 or rules.has_rewards():
        raise ValueError(f"{problem.game} has scores: problems are of games that are won, drawn or lost")
    report = ProblemReport(problem)
    lengths = range(1, MOST_MOVES + 1) if problem.moves is None else range(1, problem.moves + 1)
    questions = report.questions = Questions(problem.game, plies_of(problem.game, lengths[-1]), problem.seconds)
    examination = _Examination(questions, problem.game, problem.position)
    report.root = examination.root(lengths[-1])
    if questions.game.terminal(report.root) is not None:
        raise InvalidPositionError(f"{problem.position}: the game is over")
    try:
        for moves in lengths:
            if questions.is_won(examination.root(moves)):
                report.moves = moves
                break
        report.root = examination.root(report.moves or lengths[-1])
        _verdict(report, examination)
        _tries(report, examination)
        if report.keys:
            report.set_play = examination.set_play(report.moves or 1)
            for key in report.keys:
                after = examination.after(report.root, key)
                report.threats[key] = examination.threats(after)
                report.variations[key] = examination.replies(after)
        report.complete = True
    except OutOfTimeError:
        pass
    for key, replies in report.variations.items():
        report.duals += _duals((key,), replies, set(report.threats[key]))
    return report


def _verdict(report: ProblemReport, examination: _Examination) -> None:
    """Takes in the keys and the verdict, with one refutation of each other move."""
    keys, attempts = list[str](), list[Attempt]()
    for name, after in examination.moves(report.root):
        refutation = examination.refutations(after, 1)
        if refutation:
            attempts.append(Attempt(name, refutation[0]))
        else:
            keys.append(name)
    report.keys, report.attempts = keys, attempts
    if report.problem.moves is not None and report.moves not in (None, report.problem.moves):
        report.verdict = "short"
    else:
        report.verdict = "unsolvable" if not keys else "cooked" if report.cooks or len(keys) > 1 else "sound"


def _tries(report: ProblemReport, examination: _Examination) -> None:
    """Says of each first move that fails whether it is a try."""
    for place, attempt in enumerate(report.attempts):
        refutations = examination.refutations(examination.after(report.root, attempt.move), 2)
        report.attempts[place] = Attempt(
            attempt.move, attempt.refutation, len(refutations) == 1 and refutations != [""]
        )


def _duals(before: tuple[str, ...], replies: Sequence[Reply], threats: set[str]) -> Iterator[Dual]:
    for reply in replies:
        line = (*before, reply.move)
        names = tuple(continuation.move for continuation in reply.continuations)
        if len(names) > 1:
            yield Dual(line, names, not threats.isdisjoint(names))
        for continuation in reply.continuations:
            yield from _duals((*line, continuation.move), continuation.replies, set())


class _Examination:
    """The moves of one problem. Positions are those of the game of the questions."""

    def __init__(self, questions: Questions, game: str, position: str) -> None:
        self._questions, self._game, self._position = questions, questions.game, position
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
        found = list[str]()
        if self._questions.is_lost(after):
            return found
        if self._game.terminal(after) is not None:
            return [""]  # the game is over without a win, or there are no plies left
        for name, position in self.moves(after):
            if not self._questions.is_won(position):
                found.append(name)
                if len(found) == most:
                    break
        return found

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

    def set_play(self, moves: int) -> list[Reply] | None:
        """What wins after each move of the defender, if it were his turn."""
        passed = self._passed(self.root(moves)) if moves > 1 else None
        return None if passed is None else [reply for reply in self.replies(passed) if reply.continuations]

    def threats(self, after: Any) -> list[str]:
        """Moves that would win in time if the defender passed."""
        passed = None if self._game.terminal(after) is not None else self._passed(after)
        return [] if passed is None else [name for name, child in self.moves(passed) if self._questions.is_lost(child)]

    def replies(self, after: Any) -> tuple[Reply, ...]:
        """The replies to a move of the attacker."""
        return tuple(self._reply(name, position) for name, position in self.moves(after))

    def _reply(self, name: str, position: Any) -> Reply:
        found = [(move, after) for move, after in self.moves(position) if self._questions.is_lost(after)]
        continuations = [
            Continuation(move, () if place or self._game.terminal(after) is not None else self.replies(after))
            for place, (move, after) in enumerate(found)
        ]
        return Reply(name, tuple(continuations), bool(found) and self._is_short(position))

    def _is_short(self, position: Any) -> bool:
        text, _, plies = self._game.text(position).rpartition(" plies=")
        return int(plies) > 2 and self._questions.is_won(self._game.parse(f"{text} plies={int(plies) - 2}"))
