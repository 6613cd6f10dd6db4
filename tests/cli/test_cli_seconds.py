"""No command runs longer than its `--seconds` and two more, whatever the game and however it ends.

Measured by the time of the processor, which does not depend on what else the machine does.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine.rules import FAMILIES

__all__ = ["cli"]

SECONDS = 1.0
OVERDUE = 2.0
ENDS: dict[str, tuple[str, ...]] = {
    "value": ("solve",),
    "one question": ("solve", "--at-least", "1"),
    "shortest": ("solve", "--shortest"),
    "all moves": ("solve", "--all-moves"),
    "workers": ("solve", "--workers", "2"),
    "lookup": ("lookup", "--search", "1M"),
}
SHORT = [("tic-tac-toe", "all moves"), ("othello", "value"), ("chess", "shortest")]
"""A game that is solved, one with many values, and one with cycles."""


GAMES = [family.examples[0] for family in FAMILIES]


@pytest.mark.parametrize(
    ("game", "end"),
    [
        *SHORT,
        *(
            pytest.param(game, end, marks=pytest.mark.slow)
            for game in GAMES
            for end in ENDS
            if (game, end) not in SHORT and not (game.startswith("within:") and end == "shortest")
        ),
    ],
)
def test_no_command_runs_longer_than_its_seconds(game: str, end: str, cli: Run, tmp_path: Path) -> None:
    command, *options = ENDS[end]
    if command == "lookup":
        options += ["--store", "memory:"]
    cli("solve", "tic-tac-toe", "--store", tmp_path / "store")  # what is imported once does not count
    began = time.process_time()
    ended = cli(command, game, "--seconds", f"{SECONDS:g}", "--store", tmp_path / "store", *options)
    threads = 2 if end == "workers" else 1
    assert time.process_time() - began < threads * (SECONDS + OVERDUE)
    assert ended.status in (0, 1), ended.err


@pytest.mark.parametrize(("game", "moves"), [("connect-four", "4"), ("othello", "f5")])
def test_analysing_a_game_takes_the_seconds_for_each_position(game: str, moves: str, cli: Run) -> None:
    began = time.monotonic()
    analysed = cli("analyse", game, moves, "--seconds", f"{SECONDS:g}", "--store", "memory:")
    assert "unknown" in analysed.out and time.monotonic() - began < 2 * SECONDS + OVERDUE
