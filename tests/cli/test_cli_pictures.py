"""Pictures: the plot of a game that was played, and a solution as a graph."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_runs import GAME, Run, cli, store

__all__ = ["cli", "store"]

MOVES = "1 2 2 1 3 3 3 1 4"


def _texts(svg: Path) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_plot_has_three_named_levels_and_a_point_after_the_last_move(cli: Run, store: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    svg = tmp_path / "game.svg"
    assert cli("analyse", GAME, MOVES, "--nodes", "100k", "--store", store, "--plot", svg).status == 0
    texts = _texts(svg)
    assert {"win", "draw", "loss"} <= set(texts)
    assert not {"0.5", "1.0"} & set(texts)  # no numbers between the levels
    assert {"0", "9"} <= set(texts)  # before the first and after the last of nine moves
    assert {"3. 2", "4. 1"} <= set(texts)  # the moves that changed the outcome
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: [^;\"]*?([\d.]+)px", svg.read_text("utf-8"))]
    assert min(sizes) >= 10


def test_a_plot_of_scores_has_numbers(cli: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    svg = tmp_path / "awari.svg"
    outcome = cli("analyse", "awari", "C c", "--store", tmp_path / "s", "--nodes", "10", "--plot", svg)
    assert outcome.status == 1
    texts = _texts(svg)
    assert "win" not in texts
    assert "score for the player of the first move" in texts


def test_a_drawing_is_coloured_by_value_and_marks_the_main_line(cli: Run, store: str) -> None:
    drawn = cli("export", "tic-tac-toe", "-", "--format", "dot", "--nodes", "5000", "--store", store).out
    nodes = dict(re.findall(r"^  (n\d+) \[(shape=.*)\];$", drawn, re.MULTILINE))
    assert len(nodes) > 100
    for text in nodes.values():
        label = re.search(r'label="(.*)"', text)
        assert label is not None
        word = re.search(r"(win|loss|draw)(?: in \d+)?$", label[1])
        first = text.startswith("shape=box")
        sign = {"win": 1, "draw": 0, "loss": -1}[word[1]] * (1 if first else -1) if word else None
        colour = {1: "#b7dfb0", 0: "#e4e4e4", -1: "#f2b6ab", None: "#ffffff"}[sign]
        assert f'fillcolor="{colour}"' in text, text
    assert {1, -1} <= {int("#b7dfb0" in text) or -int("#f2b6ab" in text) for text in nodes.values()}
    edges = re.findall(r"^  (n\d+) -> (n\d+) \[(.*)\];$", drawn, re.MULTILINE)
    line = [(parent, child) for parent, child, text in edges if "penwidth" in text]
    at, length = "n0", 0
    while following := [child for parent, child in line if parent == at]:
        assert len(following) == 1
        assert "penwidth" in nodes[at]
        at, length = following[0], length + 1
    assert length == len(line) > 4
    assert re.search(r"draw(?: in \d+)?\"", nodes[at])  # best play of both sides keeps the value
