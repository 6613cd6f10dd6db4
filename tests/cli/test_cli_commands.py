"""The table of commands agrees with the commands, and what needs no command loads none."""

import json
import subprocess
import sys

import pytest

from proofbase.service.cli.commands import COMMANDS, Command
from proofbase.service.cli.program import load_command

LOADED = """
import json, sys
from proofbase.service.cli import main
try:
    main()
except SystemExit as end:
    print(json.dumps([end.code, [name for name in sys.modules if name.startswith("proofbase.")]]))
"""
TABLE = [(name, command) for commands in COMMANDS.values() for name, command in commands.items()]


@pytest.mark.parametrize(("name", "command"), TABLE, ids=[name for name, _ in TABLE])
def test_the_sentence_of_a_command_begins_its_own_help(name: str, command: Command) -> None:
    loaded = load_command(name, command)
    assert loaded.name == name
    assert " ".join(loaded.help.split("\n\n")[0].split()) == command.sentence


@pytest.mark.parametrize(("words", "status"), [(["--version"], 0), (["--help"], 0), ([], 2), (["solv"], 2)])
def test_what_calls_no_command_loads_no_games_and_stores(words: list[str], status: int) -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    ended, modules = json.loads(ran.stdout.splitlines()[-1])
    assert ended == status
    heavy = ("proofbase.engine", "proofbase.storage", "proofbase.v1")
    if status == 0:
        assert not [name for name in modules if name.startswith(heavy)]
    assert "proofbase.service.cli.reading" not in modules
