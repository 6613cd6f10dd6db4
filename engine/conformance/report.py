"""The examination of a game as a whole: every requirement of `Game`, by exhaustion and by random play."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from proofbase.engine.conformance.answers import check_again, check_another_process, check_unchanged
from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.conformance.lines import (
    check_recurrence,
    check_repetition,
    check_rewards,
    check_score,
    check_side,
)
from proofbase.engine.conformance.requirements import Broken, Violation
from proofbase.engine.conformance.round_trips import check_bad_input, check_key, check_moves, check_text
from proofbase.engine.conformance.symmetry import check_symmetry
from proofbase.engine.conformance.values import check_values
from proofbase.engine.errors import BrokenGameError, GameFailedError
from proofbase.engine.openspiel.comparison import difference_from_openspiel
from proofbase.engine.openspiel.turns import TurnGame
from proofbase.engine.rules.deadline import call_in_time
from proofbase.engine.rules.failures import failure_of, printable
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.guarded import GuardedGame

__all__ = ["ConformanceReport", "check_game", "refuse_broken_game"]

MOST_HIGHEST_VALUE = 2**29 - 1
SHORT_SECONDS = 0.4
SHORT_POSITIONS = 150
SHORT_PATIENCE = 30.0
BAD_INPUTS = 50
"""Positions whose keys and moves are made wrong."""

PER_POSITION: tuple[Callable[[Examination, Sample], None], ...] = (
    check_key,
    check_text,
    check_symmetry,
    check_repetition,
    check_rewards,
    check_moves,
)


class ConformanceReport(NamedTuple):
    """What the examination of a game has found."""

    game: str
    violations: list[Violation]
    """The first one of each requirement. Empty: no breach was found."""
    positions: int
    """Positions that were looked at."""
    complete: bool
    """Whether these are all positions of the game."""
    seconds: float
    left_out: str | None = None
    """What could not be tested, and why."""

    @property
    def passed(self) -> bool:
        """Whether no requirement was seen broken."""
        return not self.violations


def check_game(
    game: Game[Any],
    *,
    seconds: float = 30.0,
    positions: int = 5000,
    seed: int = 0,
    where: str | None = None,
    factory: Callable[[], Game[Any]] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> ConformanceReport:
    """Tests every requirement of `proofbase.engine.rules.Game`.

    A game with no more than `positions` positions is looked at completely: then its values are computed by brute force,
    too. Of others, positions near the start and along random lines are looked at.

    Args:
        game: the game. Whatever its methods raise is caught, except Ctrl-C.
        seconds: about how long to test, above 0. (A method that does not return is waited for.)
        positions: how many positions to look at, at least 1.
        seed: of the random lines.
        where: for the test in another process: `FILE.py:CLASS[:PARAMETERS]` or `MODULE:CLASS[:PARAMETERS]`. None leaves
            that test out.
        factory: makes another object of the same game, which has to give the same answers; may be None.
        on_progress: called with the number of positions now and then.

    Raises:
        ValueError: a budget that allows nothing.
    """
    if not seconds > 0 or positions < 1:
        raise ValueError(f"seconds and positions must be positive, not {seconds} and {positions}")
    started = time.monotonic()
    exam = Examination(game, seconds=seconds, positions=positions, seed=seed, on_progress=on_progress)
    found: dict[str, Violation] = {}
    left = [] if where is not None else ["the answers of another process: the class is not in a module"]

    def run(check: Callable[..., None], *arguments: Any) -> bool:
        try:
            check(*arguments)
        except Broken as broken:
            found.setdefault(broken.violation.requirement, broken.violation)
            return False
        except BaseException as error:  # of a method of a position, such as __eq__
            failure = failure_of(exam.name, "a position's method", error)
            if not isinstance(failure, GameFailedError) or not failure.frames:
                raise
            found.setdefault("errors", Violation("errors", str(failure)))
            return False
        return True

    if run(_check_attributes, exam):
        collected = run(exam.collect)
        left += _check_positions(exam, run, factory)
        run(check_side, exam, exam.samples)
        run(check_score, exam, exam.samples)
        run(check_recurrence, exam)
        if isinstance(game, TurnGame):
            run(_check_openspiel, exam, game)
        if exam.complete and collected and not found:
            run(check_values, exam)
        if where is not None and "determinism" not in found and exam.samples and "text" not in found:
            run(check_another_process, exam, where)
    return ConformanceReport(
        game=exam.name,
        violations=list(found.values()),
        positions=len(exam.samples),
        complete=exam.complete,
        seconds=time.monotonic() - started,
        left_out="; ".join(filter(None, left)) or None,
    )


def refuse_broken_game(game: Game[Any], patience: float = SHORT_PATIENCE) -> None:
    """The short form, which takes a fraction of a second.

    Args:
        game: the game.
        patience: how many seconds to wait for rules that do not return.

    Raises:
        BrokenGameError: the game breaks a requirement.
        GameFailedError: its rules raise an exception that they may not raise, or do not return.
    """

    def check() -> ConformanceReport:
        return check_game(game, seconds=SHORT_SECONDS, positions=SHORT_POSITIONS)

    report = call_in_time(check, patience, printable(str(getattr(game, "name", type(game).__name__)), 60))
    if report.violations and report.violations[0].requirement == "errors":
        found = report.violations[0]
        raise GameFailedError(found.detail if found.position is None else f"{found.detail}, in {found.position}")
    if report.violations:
        raise BrokenGameError(
            f"{report.game} breaks a requirement of Game: {report.violations[0].message} "
            "(`proofbase check-game` looks for more)"
        )


def _check_positions(exam: Examination, run: Callable[..., bool], factory: Callable[[], Game[Any]] | None) -> list[str]:
    """All tests of single positions. Returns what the time was too short for."""
    before: list[tuple[int, str]] = []
    run(lambda: before.extend((hash(sample.position), exam.shown(sample.position)) for sample in exam.samples))
    if len(before) < len(exam.samples):
        return []
    others = [exam.game]
    if factory is not None:
        run(lambda: others.append(GuardedGame(factory())))
    failed: set[Callable[..., None]] = set()
    order = list(range(20, len(exam.samples)))
    exam.random.shuffle(order)
    order = [*range(min(20, len(exam.samples))), *order]  # those near the start first: they are easy to look at
    tested = 0
    for at in order:
        sample = exam.samples[at]
        for check in PER_POSITION:
            if check not in failed and not run(check, exam, sample):
                failed.add(check)
        if tested < BAD_INPUTS and check_bad_input not in failed and not run(check_bad_input, exam, sample):
            failed.add(check_bad_input)
        for other in others:
            if check_again not in failed and not run(check_again, exam, sample, other):
                failed.add(check_again)
        if check_unchanged not in failed and not run(check_unchanged, exam, sample, before[at]):
            failed.add(check_unchanged)
        tested += 1
        if exam.share_used() > 0.9:
            break
    if tested < len(order):
        return [f"{len(order) - tested} of {len(order)} positions, for lack of time"]
    return []


def _check_openspiel(exam: Examination, game: TurnGame) -> None:
    """Random games beside OpenSpiel's own: those of one key must go on alike."""
    found = difference_from_openspiel(game, seconds=exam.seconds / 10, seed=exam.random.randrange(2**32))
    if found is not None:
        raise exam.broken("openspiel", found)


def _check_attributes(exam: Examination) -> None:
    game = exam.game
    name = game.name
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9-]{0,39}(:[!-@\[-~]{1,59})?", name):
        detail = (
            f"name is {exam.shown(name)}; it is lower-case letters, digits and '-', at most 40, and parameters of up "
            "to 59 characters without spaces and capitals after a colon"
        )
        raise exam.broken("attributes", detail)
    for attribute, most in (("rules_version", 2**31 - 1), ("highest_value", MOST_HIGHEST_VALUE)):
        value = getattr(game, attribute)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise exam.broken("attributes", f"{attribute} is {exam.shown(value)}, which is not from 1 to {most}")
    if not isinstance(game.acyclic, bool):
        raise exam.broken("attributes", f"acyclic is {exam.shown(game.acyclic)}, which is neither True nor False")
