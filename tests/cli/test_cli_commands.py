"""The table of commands agrees with the commands, and what needs no command loads none."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.service.cli.commands import COMMANDS, Command
from proofbase.service.cli.program import load_command
from proofbase.service.client import connect, local_service

__all__ = ["cli"]

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


@pytest.mark.parametrize(("width", "group"), [("80", "tables"), ("100", "store")])
def test_the_help_of_a_group_has_the_whole_sentence_of_each_command(
    cli: Run, monkeypatch: pytest.MonkeyPatch, width: str, group: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = cli(group, "-h").out
    assert max(map(len, shown.splitlines())) <= int(width)
    for name, command in load_command(group, dict(TABLE)[group]).commands.items():
        sentence = " ".join(command.help.partition("\n\n")[0].split())
        assert f" {name} {sentence}" in " ".join(shown.split())


@pytest.mark.parametrize(("words", "status"), [(["--version"], 0), (["--help"], 0), ([], 2), (["solv"], 2)])
def test_what_calls_no_command_loads_no_games_and_stores(words: list[str], status: int) -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    ended, modules = json.loads(ran.stdout.splitlines()[-1])
    assert ended == status
    heavy = ("proofbase.engine", "proofbase.storage", "proofbase.v1")
    if status == 0:
        assert not [name for name in modules if name.startswith(heavy)]
    assert "proofbase.service.cli.reading" not in modules


def test_a_command_that_reads_loads_no_jobs_and_no_pictures(tmp_path: Path) -> None:
    with connect(str(tmp_path)) as client:
        client.solve("tic-tac-toe")
    words = ["lookup", "tic-tac-toe", "--store", str(tmp_path)]
    ran = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    ended, modules = json.loads(ran.stdout.splitlines()[-1])
    assert ended == 0
    heavy = [
        *("engine.conformance", "engine.openspiel", "engine.papers", "service.pictures", "service.scores"),
        *("service.jobs.runner", "service.commands.jobs", "service.commands.transfer.export", "service.client.client"),
        "engine.checking.parallel_check",
    ]
    assert not [name for name in modules for part in heavy if name.startswith(f"proofbase.{part}")]


def test_every_command_of_the_local_client_is_where_its_place_says() -> None:
    places = re.findall(r'"([a-z_.]+:\w+)"', inspect.getsource(local_service))
    assert len(places) > 20
    assert all(callable(local_service.loaded_command(place)) for place in places)
