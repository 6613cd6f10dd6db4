"""Many positions in one call: the values against brute force, the forms of positions, limits, and interruptions."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from search_combinations import random_game

from proofbase.engine import _core, many_positions
from proofbase.engine.errors import InvalidPositionError, NoTablesError, UnknownAlgorithmError, UnknownGameError
from proofbase.engine.games import open_game
from proofbase.engine.many_positions import PositionStatus, SolvedPositions, solve_positions
from proofbase.engine.rules import Game

BOARD = "connect-four:5x4"


def random_positions(game: Any, count: int, seed: int) -> list[Any]:
    """Positions of random games, finished ones included."""
    random, positions = Random(seed), []
    while len(positions) < count:
        position = game.initial()
        for _ in range(random.randrange(30)):
            if game.terminal(position) is not None:
                break
            position = game.play(position, random.choice(list(game.moves(position))))
        positions.append(position)
    return positions


def rows(solved: SolvedPositions) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in solved.columns().values()), strict=True))


def exact(solved: SolvedPositions) -> list[int]:
    assert solved.status.tolist() == [PositionStatus.EXACT] * len(solved)
    assert solved.lower.tolist() == solved.upper.tolist()
    return list(solved.lower.tolist())


CYCLIC = ("cyclic", "cyclic with rewards", "repetition wins", "repetition loses")


@pytest.mark.parametrize("kind", ["acyclic", "acyclic with rewards", *CYCLIC])
def test_values_and_best_moves_of_random_games_are_those_of_brute_force(kind: str) -> None:
    random = Random(kind)
    for _ in range(60):
        game, value = random_game(random, kind, most_nodes=40)
        solved = solve_positions(game, [game.initial()], table_mib=1)
        assert exact(solved) == [value]
        if game.terminal(game.initial()) is not None:
            continue
        best = int(solved.best_move[0])
        child = game.play(game.initial(), best)
        assert exact(solve_positions(game, [child])) == [game.reward(game.initial(), best) - value]


CIRCLES = "random-graph:nodes=60,degree=3,span=12,group=6,values=5,rewards=2"
"""A game with cycles: each question has a search of its own."""


@pytest.mark.parametrize(
    "name", [BOARD, f"{BOARD},score", "tic-tac-toe", "random-graph:nodes=60,values=5,rewards=2", CIRCLES]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_best_move_keeps_the_value_and_thresholds_agree_with_it(name: str, threads: int) -> None:
    game = open_game(name)
    positions = random_positions(game, 60, seed=7)
    solved = solve_positions(game, positions, threads=threads)
    values = exact(solved)
    going_on = [i for i, position in enumerate(positions) if game.terminal(position) is None]
    children = [game.play(positions[i], int(solved.best_move[i])) for i in going_on]
    rewards = [game.reward(positions[i], int(solved.best_move[i])) for i in going_on]
    after = exact(solve_positions(game, children, threads=threads))
    assert [reward - value for reward, value in zip(rewards, after, strict=True)] == [values[i] for i in going_on]
    for i, position in enumerate(positions):
        if game.terminal(position) is not None:
            assert (values[i], solved.best_move[i], solved.nodes[i]) == (game.terminal(position), -1, 0)
    for at_least in {value for value in values if value > -game.highest_value}:
        asked = solve_positions(game, positions, at_least=at_least)
        for value, (lower, upper, _, _, status) in zip(values, rows(asked), strict=True):
            assert status == (PositionStatus.PROVED if value >= at_least else PositionStatus.DISPROVED)
            assert lower <= value <= upper


def test_scores_have_the_signs_of_the_plain_game() -> None:
    texts = ["-", "3", "33", "3344", "12345", "3333"]
    plain = exact(solve_positions(BOARD, texts))
    scores = exact(solve_positions(f"{BOARD},score", texts))
    assert [(score > 0) - (score < 0) for score in scores] == plain


def test_all_forms_of_a_position_give_the_same_row() -> None:
    game = open_game(BOARD)
    position = game.play(game.play(game.initial(), 2), 0)
    key = game.key(position)
    forms = ["31", "moves:31", "3 1", " 3,1 ", game.text(position), [2, 0], (2, 0), position]
    first, *others = rows(solve_positions(game, forms))
    assert all(row[:2] == first[:2] and row[4] == 0 for row in others)
    by_key = solve_positions(game, [key])
    packed = solve_positions(game, key * 3)
    assert rows(by_key)[0][:2] == first[:2]
    assert len(packed) == 3 and exact(packed) == exact(by_key) * 3
    assert exact(solve_positions(game, memoryview(key))) == exact(by_key)
    assert exact(solve_positions(game, iter(["31"]))) == exact(solve_positions(game, ("31",)))


def test_an_empty_list_has_empty_columns() -> None:
    solved = solve_positions(BOARD, [])
    assert len(solved) == 0 and rows(solved) == [] and repr(solved) == "<0 solved positions>"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("339", r"positions\[2\]: .*3 of '339'"),
        ("33333", r"positions\[2\]: move 5 of '33333'.*full"),
        ("12131415", r"positions\[2\]: the game is over after move 7"),
        ("x....", r"positions\[2\]: .*4 rows"),
        ("moves:9", r"positions\[2\]: move 1 of '9'"),
        ("\ud800", r"positions\[2\]: .*"),
        (b"\xff", r"positions\[2\]: .*"),
        (b"", r"positions\[2\]: .*"),
        ([2, 7], r"positions\[2\]: move 7 is not the number of a legal move"),
        ([2, "1"], r"positions\[2\]: move '1' is not the number of a legal move"),
        ([2, True], r"positions\[2\]: move True is not"),
    ],
)
def test_an_item_that_is_no_position_is_named_by_its_index(bad: Any, message: str) -> None:
    with pytest.raises(InvalidPositionError, match=message):
        solve_positions(BOARD, ["3", "33", bad, "also bad"])


def test_other_arguments_that_make_no_sense() -> None:
    with pytest.raises(TypeError, match=r"positions\[1\]: a position is a text .*, not float"):
        solve_positions(BOARD, ["3", 1.5])
    with pytest.raises(TypeError, match="not a text"):
        solve_positions(BOARD, "33")
    with pytest.raises(TypeError):
        solve_positions(BOARD, 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="5 bytes are not a whole number of keys"):
        solve_positions(BOARD, b"12345")
    with pytest.raises(UnknownGameError):
        solve_positions("connect-fife", ["3"])
    for name in ("nodes", "seconds", "total_nodes", "total_seconds"):
        with pytest.raises(ValueError, match=f"{name} must be positive, not 0"):
            solve_positions(BOARD, ["3"], **{name: 0})
        with pytest.raises(TypeError, match=f"{name} is a"):
            solve_positions(BOARD, ["3"], **{name: "many"})
    for name, most in (("table_mib", 1 << 24), ("threads", 255)):
        for number in (0, most + 1):
            with pytest.raises(ValueError, match=f"{name} is from 1 to {most}, not {number}"):
                solve_positions(BOARD, ["3"], **{name: number})
    for at_least in (-1, 2):
        with pytest.raises(ValueError, match="is no question"):
            solve_positions(BOARD, ["3"], at_least=at_least)


def test_limits_leave_positions_open_and_say_which_limit_it_was() -> None:
    texts = ["-", "4", "44"]
    for limits, status in (
        ({"nodes": 50}, PositionStatus.NODES),
        ({"total_nodes": 50}, PositionStatus.NODES),
        ({"seconds": 1e-6}, PositionStatus.SECONDS),
        ({"total_seconds": 1e-6}, PositionStatus.SECONDS),
    ):
        solved = solve_positions("connect-four", texts, **limits)
        assert solved.status.tolist() == [status] * 3
        assert solved.lower.tolist() == [-1] * 3 and solved.upper.tolist() == [1] * 3
        if status == PositionStatus.NODES:
            assert sum(solved.nodes.tolist()) == (150 if "nodes" in limits else 50)


def test_a_limit_of_each_position_leaves_the_others_alone() -> None:
    game = open_game(f"{BOARD},score")
    late = "3" * 4 + "2" * 4 + "4" * 4
    solved = solve_positions(game, [late, "-", late], nodes=3_000, table_mib=1)
    assert solved.status.tolist() == [PositionStatus.EXACT, PositionStatus.NODES, PositionStatus.EXACT]
    value = exact(solve_positions(game, ["-"]))[0]
    assert solved.lower[1] <= value <= solved.upper[1]
    assert solved.nodes[1] == 3_000


ENDGAME = "1,0,1,0,2,0/0,2,0,0,1,1/S"  # a draw; both questions take some hundred thousand nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_of_games_with_cycles_leave_positions_open_and_say_which_limit_it_was(threads: int) -> None:
    for limits, status in (
        ({"nodes": 500}, PositionStatus.NODES),
        ({"total_nodes": 500}, PositionStatus.NODES),
        ({"seconds": 1e-3}, PositionStatus.SECONDS),
        ({"total_seconds": 1e-3}, PositionStatus.SECONDS),
    ):
        solved = solve_positions("awari", [ENDGAME] * 3, threads=threads, **limits)
        assert solved.status.tolist() == [status] * 3
        assert solved.lower.tolist() == [-8] * 3 and solved.upper.tolist() == [8] * 3
        assert solved.best_move.tolist() == [-1] * 3
        if status == PositionStatus.NODES:
            most = 1_500 if "nodes" in limits else 500 * threads  # each thread may take what was left
            assert 500 <= sum(solved.nodes.tolist()) <= most + 20  # the last expansion is finished


def test_a_search_that_uses_up_its_memory_is_followed_by_one_that_fits() -> None:
    game = open_game("awari")
    position = game.parse("0,0,1,1,0,1/1,1,0,1,0,0/S")
    search = _core.Search(game, position, 1)
    assert search.run(memory=1 << 20).reason == "memory"
    assert exact(solve_positions(game, [position], table_mib=1)) == [0]


def test_nodes_are_counted_for_each_position() -> None:
    solved = solve_positions(BOARD, ["-", "-", "3"], total_nodes=10_000_000)
    assert solved.nodes[0] > 1_000
    assert solved.nodes[1] < solved.nodes[0] / 100, "the table knows the position"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["connect-four", "awari"])
def test_ctrl_c_ends_the_call(game: str, threads: int) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start what is in the background without
    try:
        timer.start()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            solve_positions(game, ["-"] * 3, threads=threads, table_mib=16, total_seconds=60)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - started < 10


def test_other_python_threads_run_meanwhile() -> None:
    started = time.monotonic()
    thread = threading.Thread(target=solve_positions, args=("connect-four", ["-"]), kwargs={"total_seconds": 2.0})
    thread.start()
    turns = 0
    while thread.is_alive() and turns < 20:
        turns += 1
        time.sleep(0.001)
    assert time.monotonic() - started < 2.0 and thread.is_alive()
    thread.join()


def test_columns_are_numpy_arrays_or_else_memoryviews(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")
    with_numpy = solve_positions(BOARD, ["3", "33"])
    kinds = {name: column.dtype.str[1:] for name, column in with_numpy.columns().items()}
    assert kinds == {"lower": "i4", "upper": "i4", "best_move": "i4", "nodes": "u8", "status": "u1"}
    assert all(isinstance(column, numpy.ndarray) for column in with_numpy.columns().values())
    monkeypatch.setattr(many_positions, "find_spec", lambda name: None)
    without = solve_positions(BOARD, ["3", "33"])
    assert all(isinstance(column, memoryview) for column in without.columns().values())
    assert rows(without) == rows(with_numpy)


def test_a_user_s_game_is_solved_by_its_own_positions_texts_and_keys() -> None:
    game: Game[Any] = open_game("connect-four:3x3", "python")
    wrapped = _core.python_game(game)
    position = game.play(game.initial(), 1)
    forms = [position, game.text(position), "2", "moves:2", game.key(position)]
    for rules in (game, wrapped):
        assert exact(solve_positions(rules, forms)) == [0] * len(forms)
    with pytest.raises(InvalidPositionError, match=r"positions\[1\]: "):
        solve_positions(game, [position, "2222"])
    with pytest.raises(UnknownAlgorithmError, match="one thread only"):
        solve_positions(game, [position], threads=2)


@pytest.mark.parametrize(
    ("name", "first"),
    [("Test_L3_R1", 500), ("Test_L2_R1", 500), ("Test_L1_R1", 20)],
)
def test_scores_of_the_public_sets(shared_data: Path, name: str, first: int) -> None:
    lines = (shared_data / f"c4_pons_{name}.txt").read_text().splitlines()
    entries = [line.split() for line in lines if not line.startswith("#")][:first]
    solved = solve_positions("connect-four:7x6,score", [entry[0] for entry in entries], threads=2)
    assert exact(solved) == [int(entry[1]) for entry in entries]


# Tables


def test_tables_settle_positions_of_games_with_cycles(tmp_path: Path) -> None:
    """Every position of two stones by its entry, and positions of three above the tables as without them."""
    game = _core.open_game("awari")
    assert _core.TableWork(game, str(tmp_path), 2).build()
    tables, random = _core.Tables(game, str(tmp_path)), Random(20261130)
    for stones in (2, 3):
        texts = list[str]()
        for _ in range(60):
            pits = [0] * 12
            for _ in range(stones):
                pits[random.randrange(12)] += 1
            texts.append(f"{','.join(map(str, pits[:6]))}/{','.join(map(str, pits[6:]))}/S")
        solved = solve_positions("awari", texts, tables=tmp_path, threads=stones - 1)
        plain = solve_positions("awari", texts)
        assert list(solved.lower) == list(plain.lower) and list(solved.upper) == list(plain.upper)
        assert sum(solved.nodes) < sum(plain.nodes)
        for text, value, best in zip(texts, solved.lower, solved.best_move, strict=True):
            position = game.parse(text)
            assert stones == 3 or value == tables.value(position)
            if game.terminal(position) is None:
                child = game.play(position, best)
                (after,) = solve_positions("awari", [child]).lower
                assert value == game.reward(position, best) - after


def test_tables_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="games with cycles: connect-four:5x4 has none"):
        solve_positions(BOARD, ["-"], tables=tmp_path)
    with pytest.raises(NoTablesError):
        solve_positions(open_game("awari", "python"), [[]], tables=tmp_path)


# Sequences of null windows


@pytest.mark.parametrize("nodes", [1, 5_000, 1_000_000])
def test_every_sequence_of_questions_finds_the_value_and_asks_nothing_twice(nodes: int) -> None:
    for lower, upper in ((-1, 1), (-18, 18), (-3, 12), (4, 9), (-9, -2), (0, 30), (-30, 0)):
        for value in range(lower, upper + 1):
            bounds = _core.null_windows(lower, upper, value, nodes=nodes)
            assert all(lower < bound <= upper for bound in bounds)
            given_up = nodes == 1_000_000 and (upper > 1 or lower < -1)  # the first one, at an end
            answered = bounds[1:] if given_up else bounds
            assert len(set(answered)) == len(answered)
            for needed in (value, value + 1):
                assert needed in answered or not lower < needed <= upper


def test_a_value_of_three_is_found_as_a_solve_asks() -> None:
    assert _core.null_windows(-1, 1, 1) == [1]
    assert _core.null_windows(-1, 1, 0) == [1, 0]
    assert _core.null_windows(-1, 1, -1) == [1, 0]


def test_the_ends_come_first_while_they_are_cheap_and_then_the_sign() -> None:
    assert _core.null_windows(-18, 18, 17) == [16, 17, 18]
    assert _core.null_windows(-18, 18, 12) == [16, -15, 13, -12, 10, 11, 12]
    assert _core.null_windows(-18, 18, -17) == [16, -15, -16, -17]
    assert _core.null_windows(-18, 18, 5, nodes=100, nodes_at_ends=0)[0] == 1
    assert _core.null_windows(-18, 18, -5, nodes=100, nodes_at_ends=0)[:2] == [1, 0]
    hard: Callable[[int], int] = lambda value: len(_core.null_windows(-18, 18, value, nodes_at_ends=0))  # noqa: E731
    assert max(map(hard, range(-18, 19))) <= 11, "the interval is halved"
