"""`proofbase check-game`: whether a game of one's own keeps every requirement of Game."""

from __future__ import annotations

from typing import Annotated

import typer

from proofbase.engine import conformance
from proofbase.engine.errors import UnknownGameError
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, positive_count
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.words.amounts import amount

__all__ = ["check_game"]


def check_game(
    game: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:CLASS[:PARAMETERS]",
            help="A class of a module or of a .py file, with the text that it is made with; or the name of a game.",
            show_default=False,
        ),
    ],
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, help="Test for about S seconds.")] = 30.0,
    positions: Annotated[int, typer.Option(metavar="N", parser=positive_count, help="Look at N positions.")] = 5000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="The same seed plays the same random lines.")] = 0,
    json: Json = False,
) -> int:
    """Test whether a game of your own keeps every requirement of Game.

    Round trips, keys under symmetry, recurrence, repetition, rewards, limits, numbering, determinism: on all positions
    of a small game, else near the start and along random lines. Exit status 1: a requirement is broken.
    """
    try:
        made = conformance.load_game(game)
    except UnknownGameError as error:
        raise UsageError(str(error)) from None

    with showing_progress("check-game") as show:
        report = conformance.check_game(
            made,
            seconds=seconds,
            positions=positions,
            seed=seed,
            where=game,
            factory=lambda: conformance.load_game(game),
            on_progress=lambda looked_at: show(amount(looked_at, "position"), looked_at, positions),
        )
    if json:
        violations = [{**violation._asdict(), "message": violation.message} for violation in report.violations]
        documents.print_document({**report._asdict(), "violations": violations, "passed": report.passed})
        return ExitStatus.POSITIVE if report.passed else ExitStatus.NEGATIVE
    for violation in report.violations:
        screen.say(violation.message)
        screen.say(f"    the requirement: {conformance.REQUIREMENTS[violation.requirement]}")
    extent = "all its positions" if report.complete else "positions near the start and along random lines"
    verdict = (
        "no requirement is seen broken" if report.passed else f"BROKEN, {amount(len(report.violations), 'requirement')}"
    )
    screen.say(f"{report.game}: {verdict}: {report.positions:,} positions, {extent}, {report.seconds:.1f} s")
    if report.left_out is not None:
        screen.say(f"not tested: {report.left_out}")
    if report.advice is not None:
        screen.say(f"advice: {report.advice}")
    return ExitStatus.POSITIVE if report.passed else ExitStatus.NEGATIVE
