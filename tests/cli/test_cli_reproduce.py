"""`proofbase reproduce`: what it prints for people and for programs, and its exit status."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import types
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine.papers import reproduce
from proofbase.engine.papers.reproduce import Options, Progress, Report, Row, Table, headlines
from proofbase.engine.papers.reproduce.headlines import Claim, Verdict
from proofbase.service.cli import reproducing

__all__ = ["cli"]

PLOT = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of an invented paper: one that agrees, one that is off, one with a figure, one with two."""

    def good(options: Options, progress: Progress) -> Report:
        progress(0.5, "half")
        rows = (Row("nodes", 1000, 1049, "nodes", 12.5), Row("time", None, 0.25, "s"))
        return Report("Nobody (1999), Table 1", rows, (f"{options.orders_or(100)} orders",))

    def bad(options: Options, progress: Progress) -> Report:
        return Report("Nobody (1999), Table 2", (Row("fine", 10, 10), Row("wrong", 12345, 14000)))

    def drawn(options: Options, progress: Progress) -> Report:
        return Report("Nobody (1999), Figure 3", (Row("x", 1, 1),), plot=PLOT if options.plot else None)

    def drawn_twice(options: Options, progress: Progress) -> Report:
        return Report("Nobody (1999), Figures 4 and 5", (), plot={"4": PLOT, "5": PLOT + PLOT})

    module = types.ModuleType(f"{reproduce.__name__}.invented")
    vars(module).update(good=good, bad=bad, drawn=drawn, drawn_twice=drawn_twice)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    invented = {
        "t-1": Table("One", "invented:good"),
        "t-2": Table("Two", "invented:bad"),
        "t-3": Table("Three", "invented:drawn"),
        "t-4": Table("Four", "invented:drawn_twice"),
    }
    monkeypatch.setattr(reproduce, "TABLES", invented)
    monkeypatch.setattr(reproducing, "TABLES", invented)


@pytest.mark.usefixtures("tables")
def test_the_tables_are_listed(cli: Run) -> None:
    shown = cli("reproduce")
    assert shown.status == 0
    assert [line.split() for line in shown.out.splitlines()[1:]] == [
        ["t-1", "One"],
        ["t-2", "Two"],
        ["t-3", "Three"],
        ["t-4", "Four"],
    ]
    assert cli("reproduce", "--json").json["tables"][1] == {"name": "t-2", "title": "Two"}


@pytest.mark.usefixtures("tables")
def test_printed_figures_beside_ours(cli: Run) -> None:
    shown = cli("reproduce", "t-1")
    assert shown.status == 0
    assert shown.err == ""
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[0] == ["t-1:", "Nobody", "(1999),", "Table", "1"]
    assert ["nodes", "1,000", "1,049", "nodes", "±", "12.5", "1.049"] in lines
    assert ["time", "0.25", "s"] in lines
    assert ["100", "orders"] in lines
    assert "7 orders" in cli("reproduce", "t-1", "--orders", 7).out


@pytest.mark.usefixtures("tables")
def test_rows_that_are_off_are_marked(cli: Run) -> None:
    shown = cli("reproduce", "t-2")
    assert shown.status == 1
    marked = [line.split()[0] for line in shown.out.splitlines() if line.endswith("  off")]
    assert marked == ["wrong"]


@pytest.mark.usefixtures("tables")
def test_json(cli: Run) -> None:
    found = cli("reproduce", "t-1", "--json")
    assert found.status == 0
    assert set(found.json) == {"table", "source", "rows", "notes", "agrees"}
    assert found.json["rows"] == [
        {
            "label": "nodes",
            "printed": 1000,
            "measured": 1049,
            "error": 12.5,
            "unit": "nodes",
            "ratio": 1.049,
            "off": False,
        },
        {"label": "time", "printed": None, "measured": 0.25, "error": None, "unit": "s", "ratio": None, "off": False},
    ]
    assert found.json["agrees"] is True
    off = cli("reproduce", "t-2", "--json")
    assert off.status == 1
    assert [row["off"] for row in off.json["rows"]] == [False, True]
    assert off.json["agrees"] is False


@pytest.mark.usefixtures("tables")
def test_plots_are_written(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    assert cli("reproduce", "t-3", "--plot", file).status == 0
    assert file.read_bytes() == PLOT
    assert cli("reproduce", "t-4", "--plot", file).status == 0
    assert [(tmp_path / f"figure-{number}.svg").read_bytes() for number in "45"] == [PLOT, PLOT + PLOT]
    none = cli("reproduce", "t-1", "--plot", tmp_path / "none.svg")
    assert none.status == 2
    assert "t-1 has no figure" in none.err
    assert not (tmp_path / "none.svg").exists()


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("arguments", [("t-9",), ("t-1", "--orders", "0"), ("--orders", "3"), ("--plot", "x")])
def test_what_makes_no_sense_is_usage(cli: Run, arguments: tuple[str, ...]) -> None:
    refused = cli("reproduce", *arguments)
    assert refused.status == 2
    assert refused.err.startswith("proofbase: ")
    assert refused.out == ""


def test_headlines(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = (
        Claim("Nobody 1999, 1", "It is large.", "{9,000} nodes", "a sample", lambda: (8_000,), lambda x: x[0] > 100),
        Claim("Nobody 1999, 2", "It is small.", "{}", "a sample", lambda: (7,), lambda x: x[0] < 5, "it grew"),
        Claim("Nobody 1999, 3", "It is lost.", "{1.5} %", because="nobody has it"),
    )
    monkeypatch.setattr(headlines, "CLAIMS", claims[::2])
    shown = cli("reproduce", "--headlines")
    assert shown.status == 0
    assert shown.out.startswith(
        "Nobody 1999, 1: It is large.\n  printed: 9,000 nodes; ours 8,000 nodes (a sample)\n  holds\n\n"
        "Nobody 1999, 3: It is lost.\n  printed: 1.5 %\n  cannot be measured here, because nobody has it\n\n"
        "holds: 1, does not hold: 0, cannot be measured here: 1\n"
    )
    monkeypatch.setattr(headlines, "CLAIMS", claims)
    found = cli("reproduce", "--headlines", "--json")
    assert found.status == 1
    assert set(found.json) == {"headlines", "seconds"}
    assert [line["verdict"] for line in found.json["headlines"]] == list(Verdict)
    assert found.json["headlines"][1] == {
        "place": "Nobody 1999, 2",
        "claim": "It is small.",
        "printed": [],
        "measured": [7],
        "figures": "{}",
        "sample": "a sample",
        "verdict": "does not hold",
        "because": "it grew",
    }
    for arguments in (("schijf-4.1",), ("--orders", 3)):
        assert cli("reproduce", "--headlines", *arguments).status == 2


def test_a_progress_bar_on_a_terminal() -> None:
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "proofbase", "reproduce", "schijf-a.1", "--orders", "3", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = bytearray()
        while True:
            try:
                part = os.read(mine, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
        assert process.stdout is not None
        assert process.stdout.read().startswith(b'{"table": "schijf-a.1"')
    os.close(mine)
    assert b"schijf-a.1" in seen
