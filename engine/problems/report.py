"""What is proved of a problem. The messages of the service have the same fields, which are documented there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["Attempt", "Continuation", "Dual", "ProblemReport", "Reply", "Solution", "Verdict"]

Verdict = Literal["sound", "cooked", "short", "unsolvable", "open"]


@dataclass(slots=True)
class Continuation:
    """A move of the attacker that wins in time, and the replies to it; none after the last move."""

    move: str
    replies: tuple[Reply, ...] = ()


@dataclass(slots=True)
class Reply:
    """A move of the defender, with all moves of the attacker that win in time. Of these the first one is followed.

    Attributes:
        move: of the defender.
        continuations: a second one is a dual.
        short: whether the attacker wins in fewer moves than there are left.
    """

    move: str
    continuations: tuple[Continuation, ...] = ()
    short: bool = False


@dataclass(slots=True)
class Solution:
    """A key with its play: what it threatens (chess), and the variations, a reply each."""

    key: str
    threats: tuple[str, ...] = ()
    replies: tuple[Reply, ...] = ()


@dataclass(slots=True)
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


@dataclass(slots=True)
class Dual:
    """A reply with more than one continuation.

    Attributes:
        ply: of the continuations, counted from 1.
        after: the moves that lead there, the reply last.
        continuations: all of them.
        with_threat: one of them is the threat, which the reply does not stop.
    """

    ply: int
    after: tuple[str, ...]
    continuations: tuple[str, ...]
    with_threat: bool = False


@dataclass(slots=True)
class ProblemReport:
    """What is proved of a problem.

    Attributes:
        game, position: of the problem.
        asked_moves: in so many moves a win was asked for; None: in as few as can be.
        verdict: `sound` with one key, `cooked` with more, `short` with a win in fewer moves, `unsolvable` with none;
            `open` if the time, nodes or memory were used up before that was known.
        moves: of the win; None where none is proved.
        keys: first moves that win in time.
        cooks: keys that the author did not mean; none where no key of his is known.
        failing_keys: keys of the author that are none.
        attempts: all other first moves.
        set_play: what wins sooner after each move of the defender if it were his turn; empty where the game has no
            passing, or the attacker gives check.
        solutions: the play after each key.
        duals: each reply with more than one continuation.
        complete: whether all of this was looked for in the time.
        questions: that were searched.
        records: of their proofs.
        tables: names of those that the proofs rest on.
        tree_moves: the replies and duals are given for so many moves; None: all of them.
    """

    game: str
    position: str
    asked_moves: int | None = None
    verdict: Verdict = "open"
    moves: int | None = None
    keys: tuple[str, ...] = ()
    cooks: tuple[str, ...] = ()
    failing_keys: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    set_play: tuple[Reply, ...] = ()
    solutions: tuple[Solution, ...] = ()
    duals: tuple[Dual, ...] = ()
    complete: bool = False
    questions: int = 0
    records: int = 0
    tables: tuple[str, ...] = ()
    tree_moves: int | None = None

    @property
    def tries(self) -> list[Attempt]:
        """First moves that one reply alone refutes."""
        return [attempt for attempt in self.attempts if attempt.only]

    def cut_to(self, moves: int) -> ProblemReport:
        """The same report with the replies and duals of its first moves only."""
        return replace(
            self,
            set_play=_cut(self.set_play, moves),
            solutions=tuple(replace(solution, replies=_cut(solution.replies, moves)) for solution in self.solutions),
            duals=tuple(dual for dual in self.duals if dual.ply <= 2 * moves + 1),
            tree_moves=moves,
        )


def _cut(replies: tuple[Reply, ...], moves: int) -> tuple[Reply, ...]:
    if moves == 0:
        return ()
    return tuple(
        replace(
            reply,
            continuations=tuple(replace(one, replies=_cut(one.replies, moves - 1)) for one in reply.continuations),
        )
        for reply in replies
    )
