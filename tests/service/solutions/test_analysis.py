"""The analysis of games that were played, against minimax."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from cli_runs import Run, cli
from services import MakeService, fill_tic_tac_toe

from proofbase.engine.games import open_game
from proofbase.service.answers import Value
from proofbase.service.commands.solutions.analyse_game import EXCLUDED
from proofbase.service.errors import InvalidRequestError
from proofbase.service.words.values import outcome_of

__all__ = ["cli"]
GAME = open_game("tic-tac-toe", "python")


@cache
def worth(position: Any) -> int:
    value = GAME.terminal(position)
    return max(-worth(GAME.play(position, move)) for move in GAME.moves(position)) if value is None else value


def played(seed: int) -> tuple[list[str], list[int]]:
    """A random game: its moves, and what each gave away."""
    choose = Random(seed).choice
    position, moves, losses = GAME.initial(), list[str](), list[int]()
    while GAME.terminal(position) is None:
        move = choose(GAME.moves(position))
        after = GAME.play(position, move)
        moves.append(GAME.move_text(position, move))
        losses.append(worth(position) + worth(after))
        position = after
    return moves, losses


def test_every_loss_of_random_games_is_found(make_service: MakeService) -> None:
    service = make_service()
    fill_tic_tac_toe(service.store)
    mistakes = 0
    for seed in range(40):
        moves, losses = played(seed)
        analysis = service.client.analyse_game("tic-tac-toe", " ".join(moves))
        assert [move.gives_away for move in analysis.moves] == losses
        assert [move.changes_outcome for move in analysis.moves] == [loss > 0 for loss in losses]
        changes = [number for number, loss in enumerate(losses, 1) if loss]
        assert analysis.decided_by == (changes[-1] if changes else 0)
        for move in analysis.moves:
            position = GAME.parse(move.position)
            assert move.value.lower == move.value.upper == worth(position)
            if not move.gives_away:
                assert move.better_moves == () == move.refutation
                continue
            mistakes += 1
            better = [GAME.parse_move(position, text) for text in move.better_moves]
            assert better and all(-worth(GAME.play(position, m)) > move.value_of_move.upper for m in better)
            end = GAME.parse(move.position_after)
            for text in move.refutation:
                end = GAME.play(end, GAME.parse_move(end, text))
            assert GAME.terminal(end) is not None
    assert mistakes > 20


def test_what_is_not_known_is_not_judged(make_service: MakeService) -> None:
    service = make_service()
    analysis = service.client.analyse_game("tic-tac-toe", "1 2 5", "-")
    assert [move.outcome for move in analysis.moves] == ["unknown"] * 3
    assert not any(move.changes_outcome or move.gives_away or move.better_moves for move in analysis.moves)
    assert analysis.decided_by == 0
    assert service.client.analyse_game("tic-tac-toe", "").moves == ()


def test_games_that_cannot_be_are_refused(make_service: MakeService) -> None:
    client = make_service().client
    with pytest.raises(InvalidRequestError, match="move 3"):
        client.analyse_game("tic-tac-toe", "1 2 1")
    with pytest.raises(InvalidRequestError, match="no list of moves"):
        client.analyse_game("tic-tac-toe", "1" * 50_000)


def test_outcomes_exclude_each_other_exactly_when_no_result_fits_both() -> None:
    results: dict[str, set[int]] = {
        "win": {1}, "draw": {0}, "loss": {-1}, "not_loss": {0, 1}, "not_win": {-1, 0}, "unknown": {-1, 0, 1}
    }  # fmt: skip
    for first, of_first in results.items():
        for second, of_second in results.items():
            assert (second in EXCLUDED[first]) is (not of_first & of_second)  # type: ignore[index]
    assert outcome_of(Value(-3, 5, True, True), 4) == "win"
    assert outcome_of(Value(-4, 5, True, True), 4) == "not_loss"
    assert outcome_of(Value(-9, -4, True, True), 4) == "not_win"
    assert outcome_of(Value.of(-4), 4) == "draw"


def test_the_command_searches_what_is_not_known_and_draws_the_game(cli: Run, tmp_path: Path) -> None:
    moves, losses = played(3)
    assert sum(losses) > 0
    store, image = ("--store", tmp_path / "store"), tmp_path / "game.svg"
    unknown = cli("analyse", "tic-tac-toe", " ".join(moves), *store)
    assert unknown.status == 3  # there is no store yet, and nothing is to be written
    outcome = cli("analyse", "tic-tac-toe", " ".join(moves), *store, "--nodes", 100_000, "--plot", image, "--json")
    assert outcome.status == 0
    assert [move["gives_away"] for move in outcome.json["moves"]] == losses
    assert ElementTree.parse(image).getroot().tag.endswith("svg")
    shown = cli("analyse", "tic-tac-toe", " ".join(moves), *store)
    last = max(number for number, loss in enumerate(losses, 1) if loss)
    assert shown.status == 0 and f"decided by ply {last}, {moves[last - 1]} of" in shown.out
