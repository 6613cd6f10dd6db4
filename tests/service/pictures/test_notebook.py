"""Pictures of answers in notebooks."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from services import Service

from proofbase.service.answers import Line
from proofbase.service.answers.html_repr import picture_of
from proofbase.service.notebook import live
from proofbase.service.pictures.curves import Sample, progress_curve

VOID = {"br", "hr", "input"}


class Balanced(HTMLParser):
    """Refuses markup whose elements do not close in order, and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag != "script" and not any(name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += f" {data}"


def read(html: str | None) -> str:
    """The text of a picture, which is well-formed."""
    assert html is not None
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return " ".join(parser.text.split())


def test_an_answer_shows_its_board_and_its_moves(solved: Service) -> None:
    text = read(solved.client.lookup("tic-tac-toe", "51")._repr_html_())
    assert "tic-tac-toe: X is to move" in text
    assert "7 legal moves, best first" in text and "decided within" in text and "draw best" in text


def test_pictures_of_one_notebook_have_ids_of_their_own(solved: Service) -> None:
    answer = solved.client.lookup("tic-tac-toe", "51")
    names = [set(re.findall(r' id="([^"]+)"', answer._repr_html_() or "")) for _ in range(2)]
    assert names[0] and names[0].isdisjoint(names[1])


def test_a_game_over_and_an_unknown_position_say_so(service: Service) -> None:
    assert "the game is over" in read(service.client.lookup("tic-tac-toe", "15243")._repr_html_())
    assert "value not known" in read(service.client.lookup("gomoku", "h8")._repr_html_())


def test_a_line_shows_its_moves_and_why_it_stops(solved: Service) -> None:
    line = solved.client.line("tic-tac-toe")
    text = read(line._repr_html_())
    assert all(f" {step.move} " in text for step in line.steps) and "It stops: the game is over" in text


def test_an_analysis_shows_its_curve_and_where_the_game_was_decided(solved: Service) -> None:
    text = read(solved.client.analyse_game("tic-tac-toe", "5 2 1 9 7 3 4")._repr_html_())
    assert "Result over the game for X" in text
    assert "Decided by move 2, 2: a draw became a loss; better:" in text


def test_a_proof_is_a_tree(solved: Service) -> None:
    html = solved.client.proof("tic-tac-toe", "5 1 9")._repr_html_() or ""
    assert "<details" in html
    text = read(html)
    assert "at least draw" in text and "at most draw" in text and "the game is over" in text


def test_a_job_shows_its_progress_and_its_outcome(service: Service) -> None:
    seen: list[str] = []
    job = service.client.solve("connect-four:5x4", on_progress=lambda job: seen.append(read(job._repr_html_())))
    assert "solve connect-four:5x4" in seen[0]
    assert "value 0, best move" in read(job._repr_html_())


def test_what_has_no_picture_has_none() -> None:
    assert picture_of(object()) is None
    assert isinstance(Line, type)


def test_live_progress_updates_one_output(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str]] = []

    class Handle:
        def display(self, picture: Any) -> None:
            calls.append(("display", picture._repr_html_()))

        def update(self, picture: Any) -> None:
            calls.append(("update", picture._repr_html_()))

    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(DisplayHandle=Handle))
    service.client.solve("connect-four:6x4", on_progress=live())
    assert [name for name, _ in calls] == ["display", *["update"] * (len(calls) - 1)]
    assert "done" in read(calls[-1][1])


def test_live_progress_without_ipython_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.setitem(sys.modules, "IPython.display", None)
    with pytest.raises(ModuleNotFoundError, match="pip install ipython"):
        live()


def test_the_curve_of_a_search_has_infinite_numbers_at_its_top() -> None:
    samples = [Sample(0.0, 1, 1, 0), Sample(1.0, 40, 3, 1000), Sample(2.5, 0, -1, 5000)]
    text = read(progress_curve(samples))
    assert "5,000 nodes, proof number 0, disproof number -1" in text and "2.5 seconds" in text
    read(progress_curve([]))


def test_chess_is_said_in_the_words_of_its_players(service: Service) -> None:
    mate = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"
    service.client.solve("chess", mate, at_least=1)
    text = read(service.client.lookup("chess", mate, distances=True)._repr_html_())
    assert "to move White" in text and "value mate in 1 (proved shortest)" in text and "decided within" not in text
    assert "winning (" in text and "mate in 1 best" in text
    line = read(service.client.line("chess", mate)._repr_html_())
    assert "Qb8# loss" in line
