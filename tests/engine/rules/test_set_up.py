"""Positions that are set up with any stones and the side to move: connect-four, go-moku, qubic."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from search_combinations import assert_solution

from proofbase.engine import open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.reading import UNREACHABLE, read_text
from proofbase.engine.games import open_game
from proofbase.engine.rules.set_up import is_unreachable, split_mark

GAMES = ("connect-four:4x4", "connect-four:5x3", "connect-four:9x9", "gomoku:5x4-3", "gomoku:17x3-4", "qubic")


def random_board(game: Any, random: Random) -> str:
    """A board with some stones of both colours, without a mark."""
    empty = game.text(game.initial())
    if not game.name.startswith("connect-four"):
        most = random.choice((1, 4, 9))
        return "".join(cell if cell == "/" else random.choice("xo" + "." * most) for cell in empty)
    height = empty.count("/") + 1
    width = len(empty.partition("/")[0])
    columns = [
        "".join(random.choice("xo") for _ in range(random.randint(0, height))).ljust(height, ".") for _ in range(width)
    ]
    return "/".join("".join(column[row] for column in columns) for row in range(height - 1, -1, -1))


def parsed(game: Any, text: str) -> Any:
    try:
        return game.parse(text)
    except InvalidPositionError:
        return None


@pytest.mark.parametrize("name", GAMES)
def test_native_and_python_rules_agree_on_positions_that_are_set_up(name: str) -> None:
    game, rules, random = open_game(name), open_rules(name), Random(name)
    accepted = marked = 0
    for _ in range(40 if name == "qubic" else 150):
        board = random_board(rules, random)
        for side, text in enumerate((f"{board} x", f"{board} o")):
            native, python = parsed(game, text), parsed(rules, text)
            assert (native is None) == (python is None), text
            if python is None:
                continue
            accepted += 1
            lead = board.count("x") - board.count("o")
            assert game.text(native) == rules.text(python) == (board if lead == side else text)
            assert game.side(native) == rules.side(python) == side
            assert is_unreachable(name, rules.text(python)) == (lead != side)
            marked += lead != side
            for _ in range(4):
                assert game.key(native) == rules.key(python)
                assert game.draw(native) == rules.draw(python)
                assert game.terminal(native) == rules.terminal(python)
                assert rules.key(rules.position(rules.key(python))) == rules.key(python)
                if rules.terminal(python) is not None:
                    break
                assert list(game.moves(native)) == list(rules.moves(python))
                move = random.choice(list(rules.moves(python)))
                mover = rules.side(python)
                native, python = game.play(native, move), rules.play(python, move)
                assert game.text(native) == rules.text(python)
                assert game.side(native) == rules.side(python) == 1 - mover
                assert rules.text(rules.parse(rules.text(python))) == rules.text(python)
    assert accepted > 30 and 15 < marked < accepted


@pytest.mark.parametrize("name", ["connect-four:4x4", "gomoku:4x4-3", "qubic"])
def test_positions_that_arise_in_play_are_as_before(name: str) -> None:
    """A mark that says what the numbers of stones say is left out."""
    rules, random = open_rules(name), Random(7)
    for _ in range(20):
        position = rules.initial()
        for _ in range(random.randint(0, 9)):
            if rules.terminal(position) is None:
                position = rules.play(position, random.choice(list(rules.moves(position))))
        text = rules.text(position)
        assert split_mark(text) == (text, None)
        side = rules.side(position)
        assert rules.parse(f"{text} {'xo'[side]}") == position
        if rules.terminal(position) is None:
            other = rules.parse(f"{text} {'xo'[1 - side]}")
            assert rules.text(other) == f"{text} {'xo'[1 - side]}"
            assert rules.key(other) != rules.key(position) or text.count("x") == text.count("o")


@pytest.mark.parametrize(
    ("name", "text", "wins"),
    [
        ("connect-four:4x4", "..../..../..../xxx. x", {"4"}),
        ("connect-four:4x4", "..../..../..../xxx. o", set()),
        ("gomoku:4x4-3", "..../..../..../oo.. o", {"c1"}),
        ("gomoku:4x4-3", "..../..../..../oo.. x", set()),
    ],
)
def test_the_side_to_move_is_the_one_that_is_named(name: str, text: str, wins: set[str]) -> None:
    for game in (open_game(name), open_rules(name)):
        position = game.parse(text)
        after = {game.move_text(position, move): game.play(position, move) for move in game.moves(position)}
        assert {move for move, child in after.items() if game.terminal(child) == -1} == wins


@pytest.mark.parametrize("name", ["connect-four:4x4", "connect-four:3x4", "gomoku:3x3-3", "gomoku:4x3-3"])
def test_values_are_those_of_brute_force_and_claims_pass_both_checks(name: str) -> None:
    game, rules, random = open_game(name), open_rules(name), Random(f"values {name}")

    @cache
    def value(mover: Any) -> int:
        end = rules.terminal(mover)
        return end if end is not None else max(-value(rules.play(mover, move)) for move in rules.moves(mover))

    solved = set()
    unreachable = 0
    while len(solved) < 25:
        board = random_board(rules, random)
        if board.count(".") > 9:
            continue
        text = f"{board} {random.choice('xo')}"
        position = parsed(rules, text)
        if position is None or rules.terminal(position) is not None:
            continue
        exact = value(position)
        unreachable += is_unreachable(name, rules.text(position))
        for at_least in (exact, exact + 1):
            if at_least not in (0, 1):
                continue
            search = Search(game, game.parse(text), at_least, algorithm="pn-dag")
            search.run()
            assert search.status == ("proved" if exact >= at_least else "disproved"), text
            assert_solution(search, game.key(game.parse(text)), at_least, search.status)
            records = dict(pair for chunk in search.solution().chunks(1000) for pair in chunk)
            found = LocalCheck(rules).findings(
                list(records.items()), lambda keys, stored=records: [stored.get(key) for key in keys]
            )  # type: ignore[misc]
            assert not list(found)
        solved.add(text)
    assert unreachable > 10


def test_what_is_refused_and_why() -> None:
    for name in ("connect-four:4x4", "gomoku:4x4-3"):
        for game in (open_game(name), open_rules(name)):
            with pytest.raises(InvalidPositionError, match="names the side to move behind the board, ' x' or ' o'"):
                game.parse("..../..../..../xx..")
            with pytest.raises(InvalidPositionError):
                game.parse("..../..../..../xx.. b")
    for game in (open_game("connect-four:4x4"), open_rules("connect-four:4x4")):
        with pytest.raises(InvalidPositionError, match="float"):
            game.parse("..../..../x.../.... x")
        with pytest.raises(InvalidPositionError, match="four in a row"):
            game.parse("..../..../..../xxxx x")
        assert game.terminal(game.parse("..../..../..../xxxx o")) == -1
    for game in (open_game("connect-four:4x4,score"), open_rules("connect-four:4x4,score")):
        with pytest.raises(InvalidPositionError, match="with scores, x"):
            game.parse("..../..../..../xx.. o")
        assert game.text(game.parse("..../..../..../xo.. x")) == "..../..../..../xo.."


def test_a_reader_is_told_that_a_position_cannot_be_reached() -> None:
    rules = open_rules("gomoku:5x5")
    assert read_text(rules, "...../...../..x../...../..... x").remarks == (UNREACHABLE,)
    assert read_text(rules, "...../...../..x../...../..... o").remarks == ()


def test_plies_are_counted_from_positions_with_any_stones() -> None:
    """Native and Python rules agree on texts, keys and moves to the end of the plies; both kinds of colours arise."""
    for inner, start in (("connect-four:4x4", "..../..../..../xx.."), ("gomoku:4x4-3", "..../.xx./..../....")):
        for mark in (" x", " o"):
            text = f"{start}{mark} plies=2"
            native, rules = open_game(f"within:2:{inner}"), open_rules(f"within:2:{inner}")
            pairs = [(native.parse(text), rules.parse(text))]
            for ply in range(3):
                for first, second in pairs:
                    assert native.text(first) == rules.text(second) and native.key(first) == rules.key(second)
                    assert native.terminal(first) == rules.terminal(second)
                    assert rules.key(rules.parse(native.text(native.position(native.key(first))))) == rules.key(second)
                if ply < 2:
                    pairs = [
                        (native.play(first, move), rules.play(second, move))
                        for first, second in pairs
                        if native.terminal(first) is None
                        for move in rules.moves(second)
                    ]
            assert pairs
