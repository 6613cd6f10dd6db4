"""The examination of a game as a whole: every requirement of `Game`, by exhaustion and by random play."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from proofbase.engine.conformance.answers import compare_with_another_process
from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.conformance.promises import OF_A_GAME, OF_A_POSITION, bad_input, brute_force
from proofbase.engine.conformance.requirements import Answers, Broken, Violation
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
    advice: str | None = None
    """What the game may well lack, although no requirement asks for it."""

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
    violations: dict[str, Violation] = {}
    left_out = [] if where is not None else ["the answers of another process: the class is not in a module"]

    def run(check: Callable[..., Answers | None], *arguments: Any, sample: Sample | None = None) -> bool:
        exam.sample = sample
        try:
            for requirement, asked, answer, expected in check(exam, *arguments) or ():
                if answer != expected:
                    exam.require(requirement, False, f"{asked} is {exam.shown(answer)}, and not {exam.shown(expected)}")
        except Broken as broken:
            violations.setdefault(broken.violation.requirement, broken.violation)
            return False
        except BaseException as error:  # of a method of a position, such as __eq__
            failure = failure_of(exam.name, "a position's method", error)
            if not isinstance(failure, GameFailedError) or not failure.frames:
                raise
            violations.setdefault("errors", Violation("errors", str(failure)))
            return False
        return True

    if run(_check_attributes):
        collected = run(Examination.collect)
        if factory is not None:
            run(lambda exam: exam.objects.append(GuardedGame(factory())))
        left_out += _check_positions(exam, run)
        for check in OF_A_GAME:
            run(check)
        if isinstance(game, TurnGame):
            run(_check_openspiel, game)
        if exam.complete and collected and not violations:
            run(brute_force)
        if where is not None and "determinism" not in violations and exam.samples and "text" not in violations:
            run(compare_with_another_process, where)
    return ConformanceReport(
        game=exam.name,
        violations=list(violations.values()),
        positions=len(exam.samples),
        complete=exam.complete,
        seconds=time.monotonic() - started,
        left_out="; ".join(filter(None, left_out)) or None,
        advice=None if violations else _advice(game, exam),
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
        violation = report.violations[0]
        raise GameFailedError(
            violation.detail if violation.position is None else f"{violation.detail}, in {violation.position}"
        )
    if report.violations:
        raise BrokenGameError(
            f"{report.game} breaks a requirement of Game: {report.violations[0].message} "
            "(`proofbase check-game` looks for more)"
        )


def _check_positions(exam: Examination, run: Callable[..., bool]) -> list[str]:
    """All tests of single positions, each up to the first one that it fails. Returns what there was no time for."""
    failed: set[Callable[..., Answers]] = set()
    samples = exam.samples[20:]
    exam.random.shuffle(samples)
    samples = [*exam.samples[:20], *samples]  # those near the start first: they are easy to look at
    for tested, sample in enumerate(samples):
        if tested and exam.share_used() > 0.9:
            return [f"{len(samples) - tested} of {len(samples)} positions, for lack of time"]
        for check in (*OF_A_POSITION, *((bad_input,) if tested < BAD_INPUTS else ())):
            if check not in failed and not run(check, sample, sample=sample):
                failed.add(check)
    return []


def _advice(game: Game[Any], exam: Examination) -> str | None:
    """The member `side`, where the game leaves it out and its positions tell nevertheless who is to move."""
    if type(game).side is not Game.side:
        return None
    plies: dict[Sample | None, int] = {None: -1}
    sides: dict[bytes, int] = {}
    for sample in exam.samples:  # parents come first
        plies[sample] = plies[sample.parent] + 1
        for key, ply in ((sample.key, plies[sample]), *((key, plies[sample] + 1) for key in sample.child_keys)):
            if sides.setdefault(key, ply % 2) != ply % 2:
                return None
    return "the same side is always to move in a position: define side(position), so that answers name that side"


def _check_openspiel(exam: Examination, game: TurnGame) -> None:
    """Random games beside OpenSpiel's own: those of one key must go on alike."""
    difference = difference_from_openspiel(game, seconds=exam.seconds / 10, seed=exam.random.randrange(2**32))
    exam.require("openspiel", difference is None, difference or "")


def _check_attributes(exam: Examination) -> None:
    game, name = exam.game, exam.game.name
    named = isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9-]{0,39}(:[!-@\[-~]{1,59})?", name) is not None
    detail = "it is lower-case letters, digits and '-', at most 40, and parameters of up to 59 characters without "
    exam.require("attributes", named, f"name is {exam.shown(name)}; {detail}spaces and capitals after a colon")
    for attribute, most in (("rules_version", 2**31 - 1), ("highest_value", MOST_HIGHEST_VALUE)):
        value = getattr(game, attribute)
        kept = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
        exam.require("attributes", kept, f"{attribute} is {exam.shown(value)}, which is not from 1 to {most}")
    detail = f"acyclic is {exam.shown(game.acyclic)}, which is neither True nor False"
    exam.require("attributes", isinstance(game.acyclic, bool), detail)
