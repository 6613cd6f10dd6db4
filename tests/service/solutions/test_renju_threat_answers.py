"""Wins by threats of renju as an answer, held against the rules alone: lines, implicit threats, what stops them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, cast

import pytest
from cli_runs import Run, cli
from renju_fours import win_by_fours
from renju_positions import crowded, squares, text_of
from services import MakeService

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.checker import line_reaches
from proofbase.engine.rules.renju import Renju
from proofbase.service.answers import ThreatAnswer, ThreatStep, ThreatWin
from proofbase.service.errors import InvalidRequestError

__all__ = ["cli"]
DOUBLE_THREE = text_of(15, 15, squares("a1 o1 a15 o15 h1"), squares("g7 h7 i8 i9"))
"""White wins by i7, a double three."""
FORBIDDEN = text_of(15, 15, squares("g8 i8 h7 h9"), squares("e5 f6 g7 o1"))
"""Black to move: White's row wins if Black passes, for Black may not stop it on h8."""


class AfterPass(Renju):
    """Renju where the side with the right number of stones has passed."""

    def side(self, position: Any) -> int:
        return 1 - super().side(position)


def hold_against_rules(rules: Renju, answer: ThreatAnswer) -> str:
    """The kind of the answer. Every third legal move is looked at."""
    position = rules.parse(answer.position)
    own = win_by_fours(rules, position)
    if own is not None:
        assert answer.own.outcome == "won" and answer.implicit is None and len(answer.own.line) == len(own)
        assert line_reaches(rules, position, 1, numbers(rules, answer.own.line))
        return f"won {min(len(own), 3)}"
    if answer.own.outcome == "won":
        assert_attack(cast("Any", open_game(rules.name)), answer)
        return "won by more"
    assert answer.implicit is not None
    passed = win_by_fours(AfterPass(rules.width, rules.height), position[::-1])
    assert (passed is not None) == (answer.implicit.outcome == "won")
    if passed is None:
        assert answer.related == answer.remaining == ()
        return "none"
    line = numbers(rules, answer.implicit.line)
    assert len(line) == len(passed)
    for move in rules.moves(position)[::3]:
        text, after = rules.move_text(position, move), rules.play(position, move)
        ended = rules.terminal(after) is not None
        assert (text in answer.related) == (ended or not line_reaches(rules, after, 1, line))
        assert (text in answer.remaining) == (ended or win_by_fours(rules, after) is None)
    return "implicit, reduced" if answer.remaining != answer.related else "implicit"


def numbers(rules: Any, line: Sequence[str]) -> list[int]:
    return [rules.parse_move(rules.initial(), text) for text in line]


def assert_attack(game: Any, answer: ThreatAnswer) -> None:
    """Plays a whole win against every reply."""
    steps = list(answer.own.steps)
    assert len(steps) == answer.own.size
    played = _play(game, game.parse(answer.position), steps, 0)
    assert played == len(steps)


def _play(game: Any, position: Any, steps: list[ThreatStep], at: int) -> int:
    """Plays the step with a number and all below it; the number behind them."""
    step = steps[at]
    after = game.play(position, game.parse_move(position, step.move))
    if step.last:
        assert game.terminal(after) == -1
        return at + 1
    assert game.terminal(after) is None
    answered, lines, here = set[int](), list[list[int]](), at + 1
    while here < len(steps) and steps[here].depth == step.depth + 1:
        reply = game.parse_move(after, steps[here].reply)
        answered.add(reply)
        begin, here = here, _play(game, game.play(after, reply), steps, here)
        chain = [word for s in steps[begin:here] for word in (s.reply, s.move)][1:]
        if steps[here - 1].depth - step.depth == here - begin:  # one line
            lines.append(numbers(game, [word for word in chain if word]))
    for reply in set(game.moves(after)) - answered:
        child = game.play(after, reply)
        assert game.terminal(child) is None
        assert any(game.line_reaches(child, 1, line) for line in lines) or any(
            game.terminal(game.play(child, move)) == -1 for move in game.moves(child)
        ), game.move_text(after, reply)
    return here


@pytest.mark.parametrize("make_service", ["in process"], indirect=True)
def test_answers_are_those_of_the_rules(make_service: MakeService, thorough: bool) -> None:
    client, random, kinds = make_service().client, Random(11), Counter[str]()
    for number in range(40 if thorough else 16):
        name = ("renju:7x7", "renju:8x6")[number % 2]
        rules = cast("Renju", open_rules(name))
        answer = client.threats(name, rules.text(crowded(random, name, 22)), search=200)
        kinds[hold_against_rules(rules, answer)] += 1
    assert kinds["won 3"] and kinds["none"] and kinds["implicit"]


def test_an_attack_is_played_against_every_reply(make_service: MakeService) -> None:
    client, game = make_service().client, cast("Any", open_game("renju"))
    answer = client.threats("renju", DOUBLE_THREE)
    assert answer.own.outcome == "won" and answer.own.line[0] == "i7" and answer.own.size > 3
    assert_attack(game, answer)
    assert client.threats("renju", DOUBLE_THREE, search=1).own.outcome == "cut"


def test_a_square_that_is_forbidden_to_black_stops_no_four(make_service: MakeService) -> None:
    client = make_service().client
    answer = client.threats("renju", FORBIDDEN)
    assert answer.implicit == ThreatWin(
        "won", 1, ("d4", "c3", "h8"), (ThreatStep(0, None, "d4", False), ThreatStep(1, "c3", "h8", True)), 2
    )
    assert answer.related == ("d4", "c3") and answer.remaining == ()
    assert " 8 . . . . . . x 3 x . . . . . ." in answer.board


def test_renju_on_the_command_line_and_what_has_no_threats(make_service: MakeService, cli: Run) -> None:
    shown = cli("threats", "renju", DOUBLE_THREE, "--tree", "--store=memory:")
    assert shown.status == 0
    assert "the second player wins by threats: 1.i7 2." in shown.out and "!" in shown.out
    none = cli("threats", "renju:7x7", "--store=memory:")
    assert none.status == 1 and "no win by threats was found for the first player" in none.out
    with pytest.raises(InvalidRequestError, match="renju:professional has no threats to search for: go-moku, renju"):
        make_service().client.threats("renju:professional")
