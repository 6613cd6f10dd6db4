"""What the command line says: numbers, messages, help, completion, progress without a terminal."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from cli_runs import Run, cli, store

from proofbase.service.cli import screen
from proofbase.service.cli.options import count
from proofbase.service.cli.output import progress
from proofbase.service.cli.output.wording import OPTIONS
from proofbase.service.words.amounts import duration_text, rate_text

__all__ = ["cli", "store"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("500k", 500_000), ("1M", 10**6), ("1.5M", 1_500_000), ("1e6", 10**6), ("2_000", 2000), ("3,000", 3000)],
)
def test_counts_have_suffixes(text: str, number: int) -> None:
    assert count(text) == number


@pytest.mark.parametrize("text", ["", "M", "1.5", "1e-3", "0.3k5", "ten", "1e6x", "--5"])
def test_what_is_no_count_is_usage(cli: Run, text: str) -> None:
    refused = cli("solve", "tic-tac-toe", "--nodes", text, "--store", "memory:")
    assert refused.status == 2
    assert "is not a whole number such as 500000, 500k, 1.5M or 1e6" in refused.err


def test_suffixes_are_read_everywhere(cli: Run, store: str) -> None:
    for command in (
        ("solve", "tic-tac-toe", "--nodes", "1M"),
        ("lookup", "tic-tac-toe", "--search", "1e3"),
        ("tree", "tic-tac-toe", "--nodes", "0.1k"),
        ("line", "tic-tac-toe", "--plies", "1k"),
        ("verify", "tic-tac-toe", "--sample", "1k"),
    ):
        assert cli(*command, "--store", store).status == 0, command


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "tic-tac-toe", "--at-least", "5"),
        ("solve", "tic-tac-toe", "--win-by", "5"),
        ("lookup", "tic-tac-toe", "--search", "1e9"),
        ("line", "tic-tac-toe", "--plies", "1e9"),
        ("export", "tic-tac-toe", "-", "--format", "dot", "--nodes", "1e9"),
        ("solve", "tic-tac-toe", "--memory", "1000G"),
        ("solve", "tic-tac-toe", "--nodes", "0"),
        ("solve", "tic-tac-toe", "--thresholds", "up", "--win"),
    ],
)
def test_messages_name_options_not_fields_of_the_protocol(cli: Run, store: str, command: tuple[str, ...]) -> None:
    refused = cli(*command, "--store", store)
    assert refused.status == 2
    words = refused.err.replace("--thresholds", "")
    assert not [name for name in OPTIONS if name in words.split()], refused.err
    assert "field" not in refused.err


@pytest.mark.parametrize("command", [(), ("solve",), ("jobs",), ("jobs", "list"), ("tables", "build")])
def test_h_is_help(cli: Run, command: tuple[str, ...]) -> None:
    short, long = cli(*command, "-h"), cli(*command, "--help")
    assert short.status == 0
    assert short.out == long.out
    assert "Usage: proofbase" in short.out


def test_shells_complete_commands_and_games() -> None:
    def completed(words: str) -> list[str]:
        environment = {
            **os.environ,
            "_PROOFBASE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        command = [sys.executable, "-m", "proofbase"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout.split()

    assert "solve" in completed("proofbase so")
    assert "connect-four" in completed("proofbase solve con")


def test_a_finished_board_says_who_is_to_move(cli: Run, store: str) -> None:
    shown = cli("lookup", "tic-tac-toe", "xxx/oo./...", "--store", store)
    assert shown.status == 0
    assert "second player to move, but the game is over" in shown.out
    assert "value  loss (the game is over)" in shown.out


def test_progress_is_plain_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    with progress.showing_progress("check") as show:
        for second in range(120):
            clock[0] = float(second)
            show(f"{second} records", second, 240)
    lines = capsys.readouterr().err.splitlines()
    first, gap = int(progress.FIRST_LINE_SECONDS), int(progress.LINE_SECONDS)
    assert len(lines) == 1 + (119 - first) // gap
    assert lines[0] == f"proofbase: check: {first} records ({first} s, about {duration_text(240 - first)} left)"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.314, "0.31 s"), (12.4, "12 s"), (59.7, "1 min"), (250, "4 min 10 s"), (11_100, "3 h 5 min"), (172_800, "2 d")],
)
def test_time_spans_have_two_units_at_most(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("done", "seconds", "text"),
    [(50_000, 1, "50,000 a second"), (3, 2, "1.5 a second"), (3, 60, "3 a minute"), (1, 1800, "2 an hour")],
)
def test_rates_in_words(done: int, seconds: float, text: str) -> None:
    assert rate_text(done, seconds) == text


def test_rows_are_shortened_to_the_width_of_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    row = ("abcdef12", "done", "solve connect-four " + "x" * 80, "value 0, best move " + "y" * 40)
    screen.print_table(("job", "state", "question", "outcome"), [row], shorten=("question", "outcome"))
    printed = capsys.readouterr().out.splitlines()
    assert max(map(len, printed)) <= 60 + len("\x1b[1m\x1b[0m")
    assert "abcdef12" in printed[1]
    assert printed[1].count("…") == 2
