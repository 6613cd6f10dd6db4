"""States of OpenSpiel as positions, and back."""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel
import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.openspiel import native_name, position_of, state_of

NATIVE = {
    "tic_tac_toe": "tic-tac-toe",
    "connect_four": "connect-four",
    "connect_four(rows=4,columns=5)": "connect-four:5x4",
    "gomoku(size=9)": "gomoku:9x9",
    "gomoku(size=4,connect=4,dims=3)": "qubic",
    "mnk(m=5,n=4,k=4)": "gomoku:5x4-4",
    "nine_mens_morris": "mens-morris:9",
    "oware": "awari:oware",
    "chess": "chess",
    "antichess": "giveaway:antichess",
    "othello": "othello",
    "checkers": "checkers",
}
SET_UP = [name for name in NATIVE if name not in ("nine_mens_morris", "oware", "othello", "checkers")]


def states(name: str, random: Random, most: int = 60) -> list[Any]:
    state, found = pyspiel.load_game(name).new_initial_state(), list[Any]()
    while not state.is_terminal() and len(found) < most:
        found.append(state.clone())
        state.apply_action(random.choice(state.legal_actions()))
    return [*found, state]


def _goes_on(state: Any) -> bool:
    """Whether the player of the last action acts again."""
    before = state.get_game().new_initial_state()
    for action in state.history()[:-1]:
        before.apply_action(action)
    return bool(state.history()) and before.current_player() == state.current_player()


def _square_from(action: int, side: int) -> int:
    """The square from 0, as the side to move sees it, that an action of checkers leaves."""
    row, column = divmod(action // 8, 8)
    square = 31 - (4 * row + column // 2)
    return 31 - square if side else square


@pytest.mark.parametrize("name", NATIVE)
def test_positions_have_the_moves_of_their_states(name: str) -> None:
    compared = 0
    for state in states(name, Random(name)):
        if "Capture time" in str(state) or (name == "checkers" and _goes_on(state)):
            with pytest.raises(InvalidPositionError, match=r"no man is taken yet|a man goes on taking"):
                position_of(state)
            continue
        game, text = position_of(state)
        assert game == NATIVE[name] == native_name(state.get_game())
        rules = open_rules(game)
        position = rules.parse(text)
        if state.is_terminal():
            continue
        assert rules.side(position) == (1 - state.current_player() if "chess" in name else state.current_player())
        if game == "mens-morris:9":
            assert len({move >> 5 for move in rules.moves(position)}) == len(state.legal_actions())
        elif game == "checkers":  # a long jump is several actions
            assert {move >> 9 for move in rules.moves(position)} == {
                _square_from(action, rules.side(position)) for action in state.legal_actions()
            }
        elif name == "antichess" and str(state).split()[3] != "-":  # OpenSpiel compels nobody to capture in passing
            assert len(rules.moves(position)) <= len(state.legal_actions())
        else:
            assert len(rules.moves(position)) == len(state.legal_actions())
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("name", ["othello", "antichess"])
def test_ended_games_are_worth_what_openspiel_pays(name: str) -> None:
    for seed in range(3):
        state = states(name, Random(seed), most=400)[-1]
        if not state.is_terminal():
            continue
        game, text = position_of(state)
        rules = open_rules(game)
        position = rules.parse(text)
        value = rules.terminal(position)
        if name == "antichess" and value is None:  # a draw by repetition or by 50 moves
            continue
        assert value is not None
        first = value if rules.side(position) == 0 else -value
        paid = state.returns()[1 if name == "antichess" else 0]
        assert (first > 0) - (first < 0) == paid


@pytest.mark.parametrize("name", SET_UP)
def test_positions_are_set_up_again(name: str) -> None:
    for state in states(name, Random(name), most=12):
        game, text = position_of(state)
        again = state_of(game, text)
        assert again.legal_actions() == state.legal_actions() and again.current_player() == state.current_player()


def test_others_are_positions_of_openspiels_games() -> None:
    for name in ("hex(board_size=3)", "dots_and_boxes", "connect_four(rows=3,columns=3,x_in_row=3)", "clobber"):
        for state in states(name, Random(3), most=8):
            game, text = position_of(state)
            assert game == f"openspiel:{name.replace('rows=3,columns=3', 'columns=3,rows=3')}"
            rules = open_game(game, "python")
            position = rules.parse(text)
            assert rules.side(position) == state.current_player() or state.is_terminal()
            assert state.is_terminal() or list(rules.moves(position)) == list(state.legal_actions())
            if name != "dots_and_boxes":
                assert state_of(game, text).legal_actions() == state.legal_actions()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("awari:oware", open_rules("awari:oware").text(open_rules("awari:oware").initial())),
        ("openspiel:mancala", "0,4,4,4,4,4,4,0,4,4,4,4,4,4 1 0"),
        ("random-graph", "0"),
        ("othello", open_rules("othello").text(open_rules("othello").initial())),
        ("checkers", "B:W30:B25"),
    ],
)
def test_what_openspiel_cannot_set_up_is_refused(game: str, text: str) -> None:
    with pytest.raises(InvalidPositionError, match="OpenSpiel cannot set up"):
        state_of(game, text)


def test_a_state_that_was_set_up_is_refused() -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state(
        '{"board": ["x", ".", ".", ".", ".", ".", ".", ".", "."], "current_player": "o"}'
    )
    with pytest.raises(InvalidPositionError, match="was set up"):
        position_of(state)


def test_it_is_there_by_its_short_name() -> None:
    import proofbase.openspiel

    assert proofbase.openspiel.position_of is position_of
