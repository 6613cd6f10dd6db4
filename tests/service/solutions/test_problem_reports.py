"""Problem reports by a service: those of the engine, within its limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.games import open_game
from proofbase.engine.problems.problem import examine
from proofbase.engine.problems.reading import Problem
from proofbase.service.answers.bounds import message_bytes
from proofbase.service.commands.solutions import examine_problem
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.limits import Limits

TWO_KEYS = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
THREE = "8/8/pQ6/p1P5/P1p5/5p2/2k2P2/R3K3 w Q - 0 1"


@pytest.mark.parametrize(
    "problem",
    [
        Problem("chess", TWO_KEYS, 2, ("Kf7",)),
        Problem("chess", TWO_KEYS, 1),
        Problem("chess", THREE),
        Problem("tic-tac-toe", "xo./.../...", 3),
    ],
)
def test_a_report_is_that_of_the_engine(service: Service, problem: Problem) -> None:
    expected = examine(problem).report
    report = service.client.problem(problem.game, problem.position, moves=problem.moves, intended=problem.intended)
    assert report == expected and report.complete and report.tree_moves is None


def test_the_tables_beside_a_store_settle_endings(make_service: MakeService, tmp_path: Path) -> None:
    client = make_service(str(tmp_path / "store")).client
    before = client.problem("chess", TWO_KEYS, moves=2)
    client.wait(client.start_table("chess", 3).id)
    report = client.problem("chess", TWO_KEYS, moves=2)
    assert report.tables == ("chess-kr-k",) and replace(report, tables=(), records=before.records) == before


def test_the_text_of_a_composer_says_length_and_key(service: Service) -> None:
    report = service.client.problem("chess", f"{TWO_KEYS[:-4]} bm Kf7; dm 2;")
    assert (report.verdict, report.asked_moves, report.cooks) == ("cooked", 2, ("Kg6",))
    by_pieces = service.client.problem("chess", "stipulation #1 white Kf6 Ra1 black Kh8")
    assert (by_pieces.verdict, by_pieces.asked_moves) == ("unsolvable", 1)
    game = open_game("chess")
    key = game.key(game.parse(TWO_KEYS))
    assert len(service.client.problem("chess", key, moves=2).keys) == 2


def test_a_large_tree_is_cut_and_says_so(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = service.client.problem("chess", THREE)
    monkeypatch.setattr(examine_problem, "PAGE_BYTES", message_bytes(whole) - 1)
    cut = service.client.problem("chess", THREE)
    assert cut == whole.cut_to(1) and cut.tree_moves == 1
    monkeypatch.setattr(examine_problem, "PAGE_BYTES", 1)
    least = service.client.problem("chess", THREE)
    assert least.keys == whole.keys and not least.solutions[0].replies and least.attempts == whole.attempts
    assert least.tree_moves == 0
    monkeypatch.undo()
    monkeypatch.setattr(examine_problem, "MOST_MOVES", 2)
    assert service.client.problem("chess", THREE) == whole.cut_to(1), "messages with deeper trees are not read"


def test_limits_end_a_report(make_service: MakeService) -> None:
    hard = "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1"
    late = make_service().client.problem("chess", hard, search_seconds=0.05)
    assert (late.verdict, late.complete) == ("open", False)
    few = make_service(limits=Limits(search_nodes=50)).client.problem("chess", hard)
    assert (few.verdict, few.complete) == ("open", False) and few.questions > 2
    with pytest.raises(LimitExceededError):
        make_service().client.problem("chess", search_seconds=1000)


@pytest.mark.parametrize(
    ("game", "position", "arguments", "error"),
    [
        ("awari", None, {}, InvalidRequestError),
        ("within:3:chess", None, {}, InvalidRequestError),
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - -", {}, InvalidRequestError),
        ("chess", TWO_KEYS, {"moves": 46}, InvalidRequestError),
        ("chess", f"{TWO_KEYS[:-4]} dm -2;", {}, InvalidRequestError),
        ("chess", TWO_KEYS, {"intended": ["Qa1"]}, InvalidMoveError),
        ("chess", "nothing", {}, InvalidPositionError),
    ],
)
def test_what_is_no_problem_is_refused(
    service: Service, game: str, position: str | None, arguments: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        service.client.problem(game, position, **arguments)  # type: ignore[arg-type]
