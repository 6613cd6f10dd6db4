"""The games are OpenSpiel's: beside its own states, after its own minimax, and by every requirement of `Game`."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from openspiel_games import LARGE, SMALL

from proofbase.engine import check_game, open_game, read_position, solve_positions
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.openspiel.comparison import difference_from_openspiel
from proofbase.engine.openspiel.dots_and_boxes import DotsAndBoxes, DotsState
from proofbase.engine.openspiel.keys import has_key
from proofbase.engine.openspiel.mancala import CAP, FAR, OWN, PITS, MancalaState, longest_rest
from proofbase.engine.openspiel.rules import PyspielRules
from proofbase.engine.openspiel.turns import Turn, TurnGame

OTHERS = (
    "breakthrough",
    "breakthrough(columns=3,rows=6)",
    "checkers(columns=4,rows=8)",
    "clobber",
    "connect_four",
    "dots_and_boxes(num_cols=3,utility_margin=true)",
    "gomoku(anti=true,connect=3,size=4,wrap=true)",
    "gomoku(connect=3,dims=3,size=3)",
    "havannah(board_size=4)",
    "hex(board_size=3,swap=true)",
    "mnk(k=4,m=5,n=4)",
    "nim",
    "oware(num_houses_per_player=1,num_seeds_per_house=5)",
    "y(board_size=5)",
)
SLOW_VALUES = ("connect_four", "go", "gomoku", "mnk", "tic_tac_toe", "hex(board", "oware")
"""Games whose minimax takes seconds."""


LONG = ("checkers(columns=2,rows=7)", "quoridor(board_size=3,wall_count=0)")
"""Small games with long lines."""


def opened(name: str) -> TurnGame:
    return cast("TurnGame", open_game(f"openspiel:{name}", "python"))


@pytest.mark.parametrize("name", [*SMALL, *LARGE, *OTHERS])
def test_random_games_are_those_of_openspiel(name: str) -> None:
    assert difference_from_openspiel(opened(name), seconds=0.05, seed=7) is None


def test_a_board_has_no_signs_that_control_a_terminal() -> None:
    game = opened("twixt(board_size=5)")
    assert " .  .  .  ." in game.draw(game.initial()) and "\x1b" not in game.draw(game.initial())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *LARGE, *OTHERS])
def test_every_requirement_of_a_game_is_kept(name: str) -> None:
    where = f"openspiel:{name}"
    report = check_game(opened(name), seconds=1, positions=400, where=where if name in SMALL else None)
    assert report.violations == []


def test_a_small_game_keeps_every_requirement() -> None:
    report = check_game(opened("nim(pile_sizes=1;2)"), seconds=10, where="openspiel:nim(pile_sizes=1;2)")
    assert report.violations == [] and report.complete and report.left_out is None


class Forgetful(DotsAndBoxes):
    """Its keys forget whose boxes are whose."""

    def text(self, state: DotsState) -> str:
        return super().text(state._replace(points=(sum(state.points), 0)))


def test_a_key_that_forgets_is_shown_by_two_games_that_lead_to_it() -> None:
    game = opened("dots_and_boxes")
    made = TurnGame(game.name, Forgetful(game.rules.game, 2, 2, margin=False), 1, 1)
    found = difference_from_openspiel(made, seconds=30)
    assert found is not None and "and so do the actions" in found
    report = check_game(made, seconds=10, positions=50)
    assert "openspiel" in {violation.requirement for violation in report.violations}


@pytest.mark.slow("quoridor")
@pytest.mark.parametrize("name", SMALL)
def test_small_games_have_their_values(name: str) -> None:
    solved = solve_positions(opened(name), [opened(name).initial()])
    assert (solved.lower[0], solved.upper[0]) == (SMALL[name], SMALL[name])


@pytest.mark.slow(*SLOW_VALUES)
@pytest.mark.parametrize("name", [name for name in SMALL if name not in LONG])
def test_values_are_those_of_openspiels_minimax(name: str) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    value, _ = alpha_beta_search(opened(name).rules.game, maximum_depth=200)
    assert value == SMALL[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_games_have_the_values_of_their_states(name: str) -> None:
    """By minimax over OpenSpiel's states that looks at each key, or each board and ply, once: its own takes hours."""
    game = opened(name)
    memo: dict[object, float] = {}

    def value(state: Any, position: Turn) -> float:
        keyed = game.key(position) if has_key(game.rules) else (str(state), state.current_player(), state.move_number())
        if keyed not in memo:
            if state.is_terminal():
                memo[keyed] = state.player_return(0)
            else:
                after = [(state.child(action), game.play(position, action)) for action in state.legal_actions()]
                best = max if state.current_player() == 0 else min
                memo[keyed] = best(
                    value(child, game.play(there, game.wait) if there.waits and not child.is_terminal() else there)
                    for child, there in after
                )
        return memo[keyed]

    assert value(game.rules.game.new_initial_state(), game.initial()) == SMALL[name]


@pytest.mark.parametrize("name", LARGE)
def test_endings_have_the_values_of_openspiels_minimax(name: str) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game, random = opened(name), Random(name)
    solved, values = 0, set[int]()
    while solved < 2:
        actions = _random_game(game.rules.game, random)[: -LARGE[name]]
        state, position = game.rules.game.new_initial_state(), game.initial()
        for action in actions:
            position = game.play(game.play(position, game.wait) if position.waits else position, action)
            state.apply_action(action)
        if position.waits:
            position = game.play(position, game.wait)
        try:
            value, _ = alpha_beta_search(game.rules.game, state=state, maximum_depth=9, maximizing_player_id=0)
        except NotImplementedError:  # a line is longer than that
            continue
        found = solve_positions(game, [position], nodes=200_000)
        own = value if game.side(position) == 0 else -value
        assert (found.lower[0], found.upper[0]) == (own, own)
        solved += 1
        values.add(int(value))


def _random_game(game: Any, random: Random) -> list[int]:
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    return list(state.history())


def test_the_cap_of_mancala_is_in_the_key_where_it_matters() -> None:
    game, random = opened("mancala"), Random(3)
    longest = 0
    for _ in range(30):
        state, plies = game.initial().state, 0
        while game.rules.result(state) is None:
            after = game.rules.apply(state, random.choice(game.rules.actions(state)))
            assert longest_rest(after.pits) < longest_rest(state.pits)
            assert after.moves == (plies + 1 if plies + 1 + longest_rest(after.pits) > CAP else FAR)
            state, plies = after, plies + 1
        longest = max(longest, plies)
        assert state.moves == FAR
    assert 40 < longest < 300
    last = game.parse("20,1,0,0,0,0,1,6,1,0,0,0,0,19 1 1000")
    assert game.terminal(game.play(last, 6)) == game.terminal(game.play(last, 1)) == 1
    assert game.terminal(game.play(game.parse("20,1,0,0,0,0,1,6,1,0,0,0,0,19 1 999"), 1)) is None


def test_the_rest_of_a_game_of_mancala_is_bounded() -> None:
    """Whatever is in other pits: of one move from any pit with any number of seeds."""
    game = opened("mancala")
    for pit in OWN[0]:
        for seeds in range(1, 48):
            for other in (pit % 6 + 1, 8, 13):
                pits = [0] * PITS
                pits[pit], pits[other] = seeds, 48 - seeds
                after = game.rules.after(MancalaState(tuple(pits), 0, FAR), pit)  # type: ignore[attr-defined]
                assert longest_rest(after.pits) < longest_rest(pits)


def test_texts_and_moves() -> None:
    game = opened("connect_four(columns=4,rows=3,x_in_row=3)")
    position = game.parse("..../.x../oxo. x")
    assert game.key(position) == b"..../.x../oxo. x"
    assert game.move_text(position, 1) == "x1" and game.parse_move(position, "1") == 1
    assert game.terminal(game.play(position, 1)) == -1
    nim = opened("nim")
    assert nim.move_text(nim.initial(), 0) == "pile:1;take:1;"
    assert nim.parse_move(nim.initial(), "pile:1, take:1;") == nim.parse_move(nim.initial(), "0") == 0
    for wrong in ("", "x9", "wait", "-1", "1" * 50):
        with pytest.raises(InvalidMoveError, match="is not a legal move"):
            game.parse_move(position, wrong)


@pytest.mark.parametrize("text", ["x(1,1) o(0,0)", "moves:x(1, 1), o(0, 0)", "x(1;1) o(0;0)", "4, 0", "moves:4 0"])
def test_moves_are_read_as_openspiel_prints_them(text: str) -> None:
    game = opened("tic_tac_toe")
    assert game.text(read_position(game, text)) == "o../.x./... x"
    with pytest.raises(InvalidPositionError, match=r"move 2 of .*not a legal move"):
        read_position(game, "x(1,1) o(1,1)")


def test_a_side_waits_while_the_other_acts_again() -> None:
    game = opened("dots_and_boxes(num_rows=1)")
    before = game.parse("1010010 0:0 2")
    boxed = game.play(before, 4)
    assert game.text(boxed) == "1010110 0:1 2 waits" and list(game.moves(boxed)) == [game.wait]
    assert game.move_text(boxed, game.wait) == "wait" and game.parse_move(boxed, "wait") == game.wait
    assert game.parse(game.text(boxed)) == boxed and "waits" in game.draw(boxed)
    with pytest.raises(InvalidMoveError, match="has to wait"):
        game.play(boxed, 1)
    after = game.play(boxed, game.wait)
    assert game.side(after) == game.side(before) == 1 and game.side(boxed) == 0
    assert game.position(game.key(boxed)) == boxed and game.key(boxed) != game.key(after)
    last = game.parse("1111110 0:1 2")
    assert game.terminal(game.play(last, 6)) == -1  # the side that would wait has lost


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("tic_tac_toe", ["xxx/ooo/... x", "xx./.../... o", ".../.../... y", ".../... x", "xxx/oo./..# o"]),
        ("connect_four(columns=3,rows=3,x_in_row=3)", ["x../.../... o", ".../ooo/xxx x", "..#/.../... x"]),
        ("nim(pile_sizes=1;2)", ["1,3 1", "0,2 1", "1 1", "1,02 1", "1,2 3", "-1,2 2"]),
        ("clobber(columns=2,rows=2)", ["xo/ox", "xo/o x", "xoox o", "xo/oz o"]),
        ("checkers(columns=3,rows=7)", [".+./+.+ o 0 -", "x o 0 -", ".+./+.+/.+./.../.o./o.o/.o. o 0 1"]),
        ("dots_and_boxes(num_rows=1)", ["1111111 0:0 1", "0000000 1:0 1", "000 0:0 1", "0000000 0:0 3"]),
        ("mancala", ["0,4 1", "0,4,4,4,4,4,4,0,4,4,4,4,4,5 1", "0,4,4,4,4,4,4,0,4,4,4,4,4,4 3"]),
        ("nine_mens_morris", ["W" * 24 + " W 9:9 0 -", "." * 24 + " W 9:9 201 -", "." * 24 + " X 9:9 0 -"]),
        ("oware(num_houses_per_player=1,num_seeds_per_house=2)", ["2,2 0:0 1 0", "2,2 0:0 1 zz", "2,3 0:0 1 1"]),
        ("othello", ["start-1", "99", "19-19", "x", "00"]),
    ],
)
def test_what_is_no_position_is_refused(name: str, texts: list[str]) -> None:
    game = opened(name)
    assert game.parse(game.text(game.initial())) == game.initial()
    for text in texts:
        with pytest.raises(InvalidPositionError, match="is no position"):
            game.parse(text)
        if isinstance(game.rules, PyspielRules) or name != "othello":
            with pytest.raises(InvalidKeyError):
                game.position(text.encode())
