"""Texts of others on a terminal: what would control it, end a line or change the direction is printed as an escape."""

from __future__ import annotations

import json
import re
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
from cli_runs import Run, cli
from rich.text import Text
from rich.tree import Tree

from proofbase.service.cli import run, screen
from proofbase.service.cli.console import console
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.client import connect

__all__ = ["cli"]

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b0m\u202egnp\u2066\u2028\r"
NAME = f"a{EVIL}\nsource 9: by admin"
PLUGIN = f"""
from proofbase.engine.rules import Game

EVIL = {EVIL!r}

class Painted(Game[int]):
    name = "painted"

    def initial(self):
        return 3

    def terminal(self, position):
        return None if position else -1

    def moves(self, position):
        return [move for move in (1, 2) if move <= position]

    def play(self, position, move):
        return position - move

    def key(self, position):
        return bytes([position])

    def position(self, key):
        return key[0]

    def text(self, position):
        return f"heap{{position}}{{EVIL}}"

    def parse(self, text):
        if text.startswith("heap"):
            return int(text[4])
        raise ValueError(f"no heap: {{text}}")

    def draw(self, position):
        return f"heap\\n{{position}}{{EVIL}}"

    def move_text(self, position, move):
        return f"{{move}}{{EVIL}}"

    def parse_move(self, position, text):
        return int(text[0])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of records whose source is hostile, a package of it, a game with hostile texts, a file of positions."""
    folder = tmp_path_factory.mktemp("visible")
    first, url = str(folder / "first"), str(folder / "store")
    with connect(first) as client:
        client.solve("tic-tac-toe")
        data = b"".join(client.export("tic-tac-toe", "-", form="jsonl"))
    with connect(url) as client:
        client.import_([data], form="jsonl", source=NAME)
    assert run(["publish", "tic-tac-toe", str(folder / "package"), "--licence", "CC0-1.0", "--store", url]) == 0
    (folder / "painted.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "positions").write_bytes(f"5\n1{EVIL[:-2]}\n".encode())
    return folder


def hidden(text: str) -> set[str]:
    """Signs that no terminal should get."""
    return {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")} - {"\n"}


COMMANDS = [
    ("stats",),
    ("lookup", "tic-tac-toe"),
    ("moves", "tic-tac-toe"),
    ("line", "tic-tac-toe"),
    ("tree", "tic-tac-toe", "--depth", "1"),
    ("verify", "tic-tac-toe"),
    ("jobs", "list"),
    ("store", "info"),
    ("store", "check"),
    ("solve", "painted"),
    ("solve", "painted", "--shortest"),
    ("solve", "painted", "heap2"),
    ("lookup", "painted"),
    ("lookup", "painted", "--search", "100"),
    ("moves", "painted"),
    ("line", "painted"),
    ("tree", "painted"),
    ("rules", "painted"),
    ("analyse", "painted", "1 1 1"),
    ("jobs", "list"),
    ("verify", "painted"),
    ("check-game", "PLUGIN:Painted"),
    ("lookup", "tic-tac-toe", "--file", "POSITIONS"),
    ("stats", "--store", "PACKAGE"),
    ("lookup", "tic-tac-toe", "--store", "PACKAGE"),
    ("stats",),
    ("lookup", EVIL),
    ("lookup", "tic-tac-toe", NAME),
    ("lookup", "painted", NAME),
    ("jobs", "show", NAME),
    ("solve", "tic-tac-toe", "--algorithm", NAME),
    (NAME,),
    ("lookup", "tic-tac-toe", f"--{NAME}"),
]


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_command_prints_a_sign_that_controls(cli: Run, folder: Path, form: tuple[str, ...]) -> None:
    names = {"PLUGIN": "painted.py", "POSITIONS": "positions", "PACKAGE": "package"}
    printed = ""
    for line in COMMANDS:
        words = [re.sub("PLUGIN|POSITIONS|PACKAGE", lambda found: str(folder / names[found[0]]), word) for word in line]
        if "painted" in words:
            words += ["--plugin", str(folder / "painted.py")]
        if "--store" not in words and words[0] not in ("rules", "check-game", NAME):
            words += ["--store", str(folder / "store")]
        outcome = cli(*words, *form)
        assert hidden(outcome.out + outcome.err) == set(), line
        assert "\nsource 9: by admin" not in outcome.out + outcome.err, line
        assert "No such option: --plugin" not in outcome.err and (outcome.out or outcome.err), line
        if form and outcome.out:
            for document in outcome.out.splitlines():
                json.loads(document)
        printed += outcome.out + outcome.err
    if form:
        assert "\\u001b[2J\\u009b0m\\u202egnp\\u2066\\u2028\\r\\nsource 9: by admin" in printed
    else:
        assert "source 1: a\\x1b]0;owned\\x07\\x1b[2J\\x9b0m\\u202egnp\\u2066\\u2028\\r\\nsource 9:" in printed
        assert "heap\n3\\x1b]0;owned\\x07" in printed, "a board keeps its lines"


def test_a_terminal_gets_the_codes_of_ours_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setattr("sys.stderr", terminal)
    screen.print_table(("name", "of"), [(NAME, "x")])
    console().print(Tree(Text(EVIL)))
    with showing_progress("solve") as show:
        show(EVIL)
    printed = terminal.getvalue()
    assert "\x1b[1mname" in printed, "bold"
    assert all(evil not in printed for evil in ("\x1b]0", "\x07", "\x1b[2J", "\x9b", "\u202e", "\u2066", "\nsource"))
    assert printed.count("\\x1b]0;owned") == 3
