"""Checkers of OpenSpiel and our own: positions both ways, actions as moves, what the limit of 40 actions changes."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pyspiel
import pytest

from proofbase.engine import open_rules
from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.openspiel import counterpart_of, open_openspiel, position_of
from proofbase.engine.openspiel.checkers import NOBODY, CheckersState
from proofbase.engine.openspiel.checkers_positions import state_of_fen
from proofbase.engine.openspiel.translation import move_reader


def test_a_game_is_the_same_in_both() -> None:
    own: Any = open_rules("checkers")
    other: Any = open_openspiel("checkers")
    random, going_on, compared = Random(2), 0, 0
    state, there = pyspiel.load_game("checkers").new_initial_state(), other.initial().state
    while not state.is_terminal():
        text = other.rules.text(there)
        if there.jumper != NOBODY:
            going_on += 1
            with pytest.raises(InvalidPositionError, match="a man goes on taking"):
                position_of(state)
            with pytest.raises(InvalidPositionError, match="a man goes on taking"):
                counterpart_of("openspiel:checkers", text)
        else:
            compared += 1
            found = counterpart_of("openspiel:checkers", text)
            assert compared % 8 or found == position_of(state)
            position = own.parse(found.position)
            assert own.side(position) == state.current_player()
            starts = {move >> 9 for move in own.moves(position)}
            assert len(starts) == len({action // 8 for action in state.legal_actions()})
            words = text.split()
            assert counterpart_of(*found) == ("openspiel:checkers", " ".join([*words[:2], "0", "-"]))
        action = random.choice(state.legal_actions())
        state.apply_action(action)
        there = other.rules.apply(there, action)
    assert going_on >= 1 and compared >= 30


@cache
def openspiels_value(state: CheckersState) -> int:
    """For the player who acts, by all lines."""
    rules: Any = open_openspiel("checkers").rules
    result = rules.result(state)
    if result is not None:
        return int(result) * (1 if state.player == 0 else -1)
    values = []
    for action in rules.actions(state):
        after = rules.apply(state, action)
        values.append(openspiels_value(after) * (1 if after.player == state.player else -1))
    return max(values)


def test_a_win_is_one_with_the_limit_of_openspiel_while_there_is_time_for_it() -> None:
    """White loses in 8 plies, the last of which takes its man."""
    state = state_of_fen("W:W23:BK22")
    assert [openspiels_value(state._replace(quiet=quiet)) for quiet in (31, 32, 33)] == [-1, -1, 0]


def test_an_illegal_action_is_named() -> None:
    game: Any = open_rules("checkers")
    read = move_reader(game)
    assert read is not None
    with pytest.raises(InvalidMoveError, match="action 329 is not legal"):
        read(game.initial(), [329])


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (("connect-four:5x4", "...../...../..o../..x.."), ("columns=5,rows=4", "...../...../..o../..x.. x")),
        (("gomoku:5x4-4", "...../..o../x..../....."), ("k=4,m=5,n=4", "")),
    ],
)
def test_stones_have_counterparts(own: tuple[str, str], other: tuple[str, str]) -> None:
    found = counterpart_of(*own)
    assert found.game.startswith("openspiel:") and f"({other[0]})" in found.game
    assert not other[1] or found.position == other[1]
    assert counterpart_of(*found) == own


@pytest.mark.parametrize(
    ("game", "position"), [("awari", "-"), ("openspiel:clobber(columns=2,rows=2)", "ox/xo o"), ("checkers", "B:W:B")]
)
def test_what_has_no_counterpart_is_refused(game: str, position: str) -> None:
    with pytest.raises(InvalidPositionError):
        counterpart_of(game, position)


def test_a_man_on_the_last_row_has_no_counterpart() -> None:
    rows = ["........"] * 8
    rows[0], rows[7] = ".o......", "*......."
    with pytest.raises(InvalidPositionError, match="a man on the last row is a king"):
        counterpart_of("openspiel:checkers", f"{'/'.join(rows)} + 0 -")
