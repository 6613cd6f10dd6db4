"""Users' own games for the command line: a module or a file that registers them, or just defines them; their check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from proofbase.engine import conformance
from proofbase.engine.conformance.loading import games_of_module, import_module
from proofbase.engine.errors import UnknownGameError
from proofbase.engine.games import list_games, register
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, positive_count
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.words.amounts import amount

__all__ = ["check_game", "load_plugins", "plugin_options"]


def load_plugins(names: Iterable[str] | None) -> None:
    """Imports every plugin. Where a plugin registers no game itself, its Game classes are registered.

    Raises:
        UsageError: a plugin is not there, does not import, or has no game.
    """
    _loaded[:] = names or ()
    for name in _loaded:
        before = {family.name for family in list_games()}
        try:
            module = import_module(name)
        except UnknownGameError as error:
            raise UsageError(f"plugin {error}") from None
        if {family.name for family in list_games()} - before:
            continue
        classes = games_of_module(module)
        if not classes and module.__name__ not in _seen:
            raise UsageError(f"plugin {name} defines no game: no class of proofbase.engine.rules.Game is in it")
        for game in classes:
            register(game.name.partition(":")[0], game)
        _seen.add(module.__name__)


def plugin_options() -> list[str]:
    """The options that load the same plugins in another command."""
    return [word for name in _loaded for word in ("--plugin", name)]


_seen: set[str] = set()
_loaded: list[str] = []
"""What the command of this process was given."""


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
        found = [{**violation._asdict(), "message": violation.message} for violation in report.violations]
        documents.print_document({**report._asdict(), "violations": found, "passed": report.passed})
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
    return ExitStatus.POSITIVE if report.passed else ExitStatus.NEGATIVE
