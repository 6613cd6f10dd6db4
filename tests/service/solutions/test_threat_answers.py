"""Wins by threats as an answer: lines that win by the rules, and moves that stop them, held against searches."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from cli_runs import Run, cli
from services import MakeService

from proofbase.engine.games import open_game
from proofbase.service.answers import ThreatAnswer, ThreatWin
from proofbase.service.commands.solutions import threat_wins
from proofbase.service.errors import InvalidRequestError, LimitExceededError
from proofbase.service.resources import Resources
from proofbase.storage import open_store

__all__ = ["cli"]
THREATENED = "h8,a1,i9,a15,h10,o1,j8"
"""Go-moku: after k7, l6 both g11 and the straight four win; only k7 and g11 stop that, and then h9 wins."""


def random_position(game: Any, random: Random, squares: list[int], stones: int) -> Any:
    while True:
        position = game.initial()
        for move in random.sample(squares, stones):
            position = game.play(position, move)
            if game.terminal(position) is not None:
                break
        else:
            return position


def hold_against_searches(game: Any, answer: ThreatAnswer, wins: Any) -> None:
    """`wins(position)`: whether a search finds that the side to move wins by threats."""
    position = game.parse(answer.position)
    assert (answer.own.outcome == "won") == wins(position)
    assert (answer.implicit is None) == (answer.own.outcome == "won")
    if answer.implicit is None:
        assert_won(game, position, answer.own)
        return
    if answer.implicit.outcome != "won":
        assert answer.related == answer.remaining == ()
        return
    assert set(answer.remaining) <= set(answer.related)
    for move in game.moves(position):
        text, after = game.move_text(position, move), game.play(position, move)
        if game.terminal(after) is None:
            assert wins(after) == (text not in answer.remaining), text


def assert_won(game: Any, position: Any, win: ThreatWin) -> None:
    """The moves of the line are legal, and the last one wins."""
    assert win.outcome == "won" and len(win.line) % 2 == 1 and win.size >= len(win.steps) > 0
    assert win.steps[0].move == win.line[0] and win.steps[0].reply is None
    for move in win.line:
        assert game.terminal(position) is None
        position = game.play(position, game.parse_move(position, move))
    assert game.terminal(position) == -1


def test_go_moku_against_searches(make_service: MakeService) -> None:
    client, game = make_service().client, open_game("gomoku:9x9")
    native: Any = game
    squares, random, outcomes = list(game.moves(game.initial()))[:49], Random(2), list[str]()

    def wins(position: Any) -> bool:
        return bool(native.winning_threats([position], "threes", 20_000)[0][0][0] == "won")

    for stones in [8, 9, 10, 11, 12, 13] * 2:
        answer = client.threats("gomoku:9x9", game.text(random_position(game, random, squares, stones)))
        hold_against_searches(game, answer, wins)
        outcomes.append(answer.own.outcome if answer.implicit is None else f"implicit {answer.implicit.outcome}")
        if answer.related and answer.remaining:
            outcomes.append("reduced")
    assert {"won", "implicit won", "reduced"} <= set(outcomes)


def test_qubic_against_searches(make_service: MakeService) -> None:
    client, game = make_service().client, open_game("qubic")
    native: Any = game
    random, outcomes = Random(3), list[str]()

    def wins(position: Any) -> bool:
        return native.winning_lines([position], most_nodes=20_000)[0][0] is not None

    for stones in [15, 16, 17, 18] * 4:
        answer = client.threats("qubic", game.text(random_position(game, random, list(range(64)), stones)))
        hold_against_searches(game, answer, wins)
        outcomes.append(answer.own.outcome if answer.implicit is None else f"implicit {answer.implicit.outcome}")
    assert {"won", "implicit won"} <= set(outcomes)


def test_a_cut_answer_says_so(make_service: MakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threat_wins.WinFinder, "out_of_time", True)
    answer = make_service().client.threats("gomoku", THREATENED)
    if answer.cut is not None:  # a server in another process keeps its own limit
        assert answer.cut.message == "the last 2 moves were not examined: the time was over"
        assert answer.remaining == answer.related == ("k7", "g11")


def test_searches_end_with_the_seconds_of_an_answer() -> None:
    def searched_nodes(deadline: float) -> list[int]:
        """Of searches that are always cut."""
        nodes = list[int]()
        with Resources(open_store("memory:")) as resources:
            finder = threat_wins.win_finder(resources, open_game("gomoku"), 100_000, deadline)
            finder._in_time(nodes.append, lambda _: True)
        return nodes

    assert searched_nodes(time.monotonic() + 600) == [2_000, 8_000, 32_000, 100_000]
    assert searched_nodes(time.monotonic() - 1) == [2_000]


def test_an_answer_is_cut_after_its_seconds(make_service: MakeService) -> None:
    played = "h8 i9 k10 e5 l4 d12 c3 m13 k5 e9 g4 f12"  # many moves to examine, of which each takes some time
    answer = make_service().client.threats("gomoku", played, search=1_000_000, search_seconds=1)
    assert answer.cut is not None and answer.cut.message.endswith("moves were not examined: the time was over")


def test_what_makes_no_sense_is_refused(make_service: MakeService) -> None:
    client = make_service().client
    with pytest.raises(InvalidRequestError, match="tic-tac-toe has no threats to search for"):
        client.threats("tic-tac-toe")
    with pytest.raises(InvalidRequestError, match="the game is over in this position"):
        client.threats("gomoku:9x9", "a1,b1,a2,b2,a3,b3,a4,b4,a5")
    with pytest.raises(InvalidRequestError, match="at least 1 is needed"):
        client.threats("gomoku", search=0)
    with pytest.raises(LimitExceededError, match="nodes for a lookup: at most"):
        client.threats("gomoku", search=10**15)


def test_the_command_shows_the_line_on_the_board(cli: Run) -> None:
    shown = cli("threats", "gomoku", THREATENED, "--tree", "--store=memory:")
    assert shown.status == 0
    assert " 7 . . . . . . . . . . 1 . . . ." in shown.out
    assert "the first player threatens to win: 1.k7 2.l6 3.g11" in shown.out
    assert "2 moves (k7 g11) stop it, every other move loses" in shown.out
    assert "another win by threats answers each of them: the second player loses" in shown.out
    none = cli("threats", "qubic", "--store=memory:")
    assert none.status == 1
    assert "no win by threats was found for the second player, if the first player passes" in none.out
    found = cli("threats", "gomoku", THREATENED + ",o2", "--json", "--store=memory:").json
    assert found["own"]["line"] == ["k7", "l6", "g11"] and found["implicit"] is None
