"""Every command of the page of measurements is run by one script, or the page has a sign for it."""

from __future__ import annotations

import re
from pathlib import Path

from trials import load_trial

measurements = load_trial("bench/measurements")


def test_the_page_and_the_script_have_the_same_commands(repository: Path) -> None:
    page = (repository / "docs" / "measurements.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:proofbase reproduce [a-z]+-[a-z0-9]|[\w/]+\.py\b)[^`]*)`( \u2020)?", page)
    scripts = {command.split()[0] for command in measurements.COMMANDS}
    commands = {command: bool(sign) for command, sign in named if not command.startswith("checker.py")}
    assert len(commands) > 40
    for command, long in commands.items():
        assert long == (command in measurements.LEFT_OUT), command
        assert long or command.split()[0] in scripts, command


def test_every_script_is_there() -> None:
    for command in (*measurements.COMMANDS, *measurements.LEFT_OUT):
        name = command.split()[0]
        assert not name.endswith(".py") or measurements.script_path(name).exists(), command
