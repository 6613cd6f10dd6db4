"""awari:oware, in which a grand slam captures nothing: against OpenSpiel to the end of games, native rules, tables."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from awari_positions.endgames import endgames

from proofbase.engine import open_game
from proofbase.engine._core import Search, Tables, TableWork
from proofbase.engine.errors import InvalidParametersError
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.rules import Awari
from proofbase.engine.rules.awari import AwariPosition
from proofbase.engine.tables import PythonTables

GAME, OLD = Awari(oware=True), Awari()
NATIVE: Any = open_game("awari:oware")
SLAM = "0,0,0,0,2,1/0,0,0,0,0,2/S"
"""F sows one stone each into a and b, which then hold 2 and 3: all that North has."""


def test_a_grand_slam_captures_nothing() -> None:
    old = OLD.parse(SLAM)
    assert OLD.moves(old) == [5] and OLD.reward(old, 5) == 5
    position = GAME.parse(SLAM)
    assert GAME.reward(position, 5) == 0
    assert GAME.text(GAME.play(position, 5)) == "0,0,0,0,3,2/0,0,0,0,0,0/N"
    assert NATIVE.reward(NATIVE.parse(SLAM), 5) == 0
    assert NATIVE.text(NATIVE.play(NATIVE.parse(SLAM), 5)) == "0,0,0,0,3,2/0,0,0,0,0,0/N"
    with_another = GAME.parse("1,0,0,0,2,1/0,0,0,0,0,2/S")
    assert GAME.reward(with_another, 5) == 5  # a stone is left: an ordinary capture


def test_parameters() -> None:
    assert GAME.name == NATIVE.name == "awari:oware"
    assert open_game("oware").name == "awari:oware"
    for rules in ("native", "python"):
        with pytest.raises(InvalidParametersError, match="'slam' is not oware"):
            open_game("awari:slam", rules)  # type: ignore[arg-type]


def test_native_and_python_rules_are_the_same_in_games_with_grand_slams(thorough: bool) -> None:
    random, slams = Random(3), 0
    for _ in range(400 if thorough else 100):
        position, native = GAME.initial(), NATIVE.initial()
        for _ in range(150):
            assert NATIVE.moves(native) == list(GAME.moves(position)) and NATIVE.text(native) == GAME.text(position)
            assert NATIVE.terminal(native) == GAME.terminal(position)
            if GAME.terminal(position) is not None:
                break
            rewards = [GAME.reward(position, move) for move in GAME.moves(position)]
            assert [NATIVE.reward(native, move) for move in NATIVE.moves(native)] == rewards
            slams += rewards != [OLD.reward(position, move) for move in GAME.moves(position)]
            move = random.choice(GAME.moves(position))
            position, native = GAME.play(position, move), NATIVE.play(native, move)
    assert slams > 30


def test_open_spiel_plays_the_same_moves_and_captures() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    other, random, slams, ends = pyspiel.load_game("oware"), Random(5), 0, 0
    for _ in range(300):
        state, position = other.new_initial_state(), GAME.initial()
        while not state.is_terminal():
            assert board_of(state) == board_of_ours(position)
            moves = list(GAME.moves(position))
            assert sorted(move % 6 for move in state.legal_actions()) == moves
            starve = position.side == 0 and random.random() < 0.7  # South leaves North few stones
            move = min(moves, key=lambda m: sum(GAME.play(position, m).own)) if starve else random.choice(moves)
            slams += OLD.reward(position, move) != GAME.reward(position, move)
            state.apply_action(next(action for action in state.legal_actions() if action % 6 == move))
            position = GAME.play(position, move)
        if not any(position.other) and not any(any(GAME.play(position, move).own) for move in GAME.moves(position)):
            # OpenSpiel ends the game here: who is to move gets all that is left.
            ends += 1
            stores = {position.side: position.own_store + sum(position.own), 1 - position.side: position.other_store}
            assert scores_of(state) == (stores[0], stores[1])
    assert slams > 5 and ends > 15


def scores_of(state: Any) -> tuple[int, int]:
    found = dict(re.findall(r"Player ([01]) score = ([0-9]+)", str(state)))
    return int(found["0"]), int(found["1"])


def board_of(state: Any) -> tuple[list[int], tuple[int, int]]:
    """The pits of South and of North, and both stores."""
    lines = [line for line in str(state).splitlines() if re.match(r" +[0-9]", line)]
    rows = [[int(stones) for stones in re.findall("[0-9]+", line)] for line in lines]
    return rows[1] + rows[0][::-1], scores_of(state)


def board_of_ours(position: AwariPosition) -> tuple[list[int], tuple[int, int]]:
    own, other = (list(position.own), position.own_store), (list(position.other), position.other_store)
    south, north = (other, own) if position.side else (own, other)
    return south[0] + north[0], (south[1], north[1])


def test_tables_are_those_of_brute_force(tmp_path: Path) -> None:
    assert TableWork(NATIVE, str(tmp_path), 5, threads=2).build()
    graph, positions = endgames(5, oware=True)
    tables, python = Tables(NATIVE, str(tmp_path)), PythonTables(GAME, tmp_path)
    expected, differing = values(graph), 0
    for node, (key, position) in enumerate(positions.items()):
        assert tables.value(key) == python.value(position) == expected[node]
    for value, old in zip(expected, values(endgames(5)[0]), strict=True):
        differing += value != old
    assert differing > 10
    for stones in range(6):
        forwards, backwards = list[tuple[int, int]](), list[tuple[int, int]]()
        for entry in range(tables.entries()[stones].entries):
            position = GAME.table_position(f"awari_oware-{stones}", entry)
            for move in GAME.moves(position):
                if GAME.reward(position, move) == 0:
                    forwards.append((entry, GAME.table_entry(GAME.play(position, move))[1]))
            backwards += [(before, entry) for before in tables.predecessors(stones, entry)]
        assert sorted(forwards) == sorted(backwards)
    assert sorted(path.name for path in tmp_path.glob("*.table")) == [f"awari_oware-{n}.table" for n in range(6)]


@pytest.mark.parametrize("algorithm", ["df-pn", "pn-base-twin"])
def test_searches_agree_with_tables(algorithm: str) -> None:
    graph, positions = endgames(4, oware=True)
    expected = values(graph)
    for node, position in list(enumerate(positions.values()))[::41]:
        native = NATIVE.parse(GAME.text(position))
        for at_least in (expected[node], expected[node] + 1):
            if not -GAME.limit(position) < at_least <= GAME.limit(position):
                continue
            search = Search(NATIVE, native, at_least, algorithm=algorithm)
            assert search.run().status == ("proved" if at_least <= expected[node] else "disproved")
