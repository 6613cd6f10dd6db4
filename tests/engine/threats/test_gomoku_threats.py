"""Threats of go-moku: their squares, continuous fours, and threes, against plain definitions, and replayed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from gomoku_threats.plain_board import DIRECTIONS, PlainBoard, replay_line, replay_tree
from gomoku_threats.threat_questions import Ask, board_of, lanes_of, question, random_position


def random_board(random: Random) -> PlainBoard:
    """From empty to full ones, with long rows of a colour by chance."""
    width, height = random.choice(
        [(15, 15), (5, 5), (19, 19), (15, 16), (random.randint(5, 19), random.randint(5, 19))]
    )
    length = random.choice([5, 5, 5, random.randint(3, min(7, width, height))])
    stones, share = random.uniform(0.05, 0.85), random.uniform(0.2, 0.9)
    squares = [square for square in range(width * height) if random.random() < stones]
    attacker = [square for square in squares if random.random() < share]
    return PlainBoard(width, height, length, random.random() < 0.5, attacker, sorted(set(squares) - set(attacker)))


def by_definition(board: PlainBoard) -> dict[str, set[int]]:
    empty = board.empty()
    fours = {square: [board.fours(square, direction) for direction in DIRECTIONS] for square in empty}
    threes = {square: [board.makes_three(square, direction) for direction in DIRECTIONS] for square in empty}
    crossing = [(one, other) for one in range(4) for other in range(4) if one != other]
    return {
        "five": set(board.winning("x")),
        "four": {square for square in empty if any(fours[square])},
        "straight_four": {s for s in empty if any(board.straight_four(s, direction) for direction in DIRECTIONS)},
        "double_four": {square for square in empty if len(set().union(*fours[square])) > 1},
        "three": {square for square in empty if any(threes[square])},
        "four_three": {s for s in empty if any(fours[s][one] and threes[s][other] for one, other in crossing)},
        "double_three": {square for square in empty if sum(threes[square]) > 1},
        "wins": set(board.winning("x")),
        "defender_wins": set(board.winning("o")),
        "defender_fours": {s for s in empty if any(board.fours(s, direction, "o") for direction in DIRECTIONS)},
    }


def sets_of(answer: Sequence[str]) -> dict[str, set[int]]:
    pairs = (part.split("=") for part in answer)
    return {name: {int(square) for square in squares.split(",") if square} for name, squares in pairs}


@pytest.mark.slow
def test_the_squares_of_threats_are_those_of_the_definitions(ask: Ask) -> None:
    random = Random("squares")
    cases = [(board, lanes) for board in (random_board(random) for _ in range(150)) for lanes in lanes_of(board)]
    answers = ask([question("squares", board, lanes) for board, lanes in cases])
    for (board, lanes), answer in zip(cases, answers, strict=True):
        found, expected = sets_of(answer), by_definition(board)
        if expected["wins"]:  # nobody asks further
            assert found["straight_four"] <= found["double_four"] <= expected["double_four"]
            found["double_four"] = expected["double_four"]
        assert found == expected, question("squares", board, lanes)


@pytest.mark.parametrize("lanes", ["narrow", "wide"])
def test_a_row_that_would_become_too_long_is_no_straight_four_by_the_standard_rule(ask: Ask, lanes: str) -> None:
    drawing = "............... " * 14 + ".xxx..x........"
    free, exact = (sets_of(ask([question("squares", board_of(drawing, rule), lanes)])[0]) for rule in (False, True))
    assert 4 in free["straight_four"] and 4 in free["double_four"]
    assert 4 in exact["four"] and 4 not in exact["straight_four"] and 4 not in exact["double_four"]


@pytest.mark.parametrize("lanes", ["narrow", "wide"])
def test_rows_of_the_defender_that_are_too_long_must_be_met_all_the_same(ask: Ask, lanes: str) -> None:
    """A harsher rule for the attacker: then a further stone never hurts the defender."""
    board = board_of("............... " * 14 + "ooo.oo.........", exact=True)
    assert sets_of(ask([question("squares", board, lanes)])[0])["defender_wins"] == {3}


FORK = """
...............
...............
...............
...............
...............
...............
.......x.......
.......x.......
.....xx........
...............
...............
...............
...............
{counter}
"""


@pytest.mark.parametrize("lanes", ["narrow", "wide"])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("counter", ["...............", "xooo...........", "xoo.o..........", "xooo...oo.ox..."])
def test_a_fork_of_threes_wins_although_the_defender_makes_fours_first(
    ask: Ask, lanes: str, exact: bool, counter: str
) -> None:
    """The threes are still pending after each block, which need not be a threat in itself."""
    board = board_of(FORK.format(counter=counter), exact)
    answer = ask([question("threes", board, lanes, 10_000)])[0]
    assert answer[0] == "won"
    assert replay_tree(board, [int(number) for number in answer[2:]]) >= counter.count("ooo")


@pytest.mark.parametrize("lanes", ["narrow", "wide"])
def test_a_single_three_does_not_win(ask: Ask, lanes: str) -> None:
    board = board_of(FORK.format(counter="...............").replace(".....xx..", "........."))
    assert ask([question("threes", board, lanes, 100_000), question("fours", board, lanes, 100)])[0][0] == "none"


@pytest.mark.slow
@pytest.mark.parametrize(("side", "length"), [(15, 5), (7, 4), (9, 5), (19, 5)])
@pytest.mark.parametrize("exact", [False, True])
def test_every_win_found_is_won_by_the_rules(ask: Ask, side: int, length: int, exact: bool) -> None:
    random = Random(f"wins {side} {length} {exact}")
    boards = [random_position(random, side, length, exact, random.randint(3, 9)) for _ in range(40)]
    cases = [(board, lanes) for board in boards for lanes in lanes_of(board)]
    fours = ask([question("fours", board, lanes, 10_000) for board, lanes in cases])
    threes = ask([question("threes", board, lanes, 2_000) for board, lanes in cases])
    won = 0
    for (board, _), by_fours, by_threes in zip(cases, fours, threes, strict=True):
        if by_fours[0] == "won":
            assert by_threes[0] != "none", "fours are threats of both searches"
            line = [int(square) for square in by_fours[2:]]
            stones = [[s for s, cell in enumerate(board.cells) if cell == colour] for colour in "xo"]
            replay_line(PlainBoard(side, side, length, exact, *stones), line)
        if by_threes[0] == "won":
            won += 1
            replay_tree(board, [int(number) for number in by_threes[2:]])
    assert won > 3


def test_a_proof_is_written_although_the_table_has_forgotten_most_of_it(ask: Ask) -> None:
    random = Random("forgetful")
    boards = [random_position(random, 15, 5, False, 8) for _ in range(60)]
    usual = ask([question("threes", board, "narrow", 500) for board in boards])
    forgetful = ask([question("forgetful", board, "narrow", 50_000) for board in boards])
    trees = 0
    for board, answer, other in zip(boards, usual, forgetful, strict=True):
        assert {answer[0], other[0]} != {"won", "none"}
        if answer[0] == "won":
            assert other[0] == "won"
            if len(other) > 10:
                trees += 1
                replay_tree(board, [int(number) for number in other[2:]])
    assert trees > 3


def test_both_forms_of_rows_search_alike(ask: Ask) -> None:
    random = Random("forms")
    boards = [random_position(random, 15, 5, exact, 8) for exact in (False, True) for _ in range(50)]
    for kind in ("squares", "fours", "threes"):
        nodes = None if kind == "squares" else 3_000
        narrow = ask([question(kind, board, "narrow", nodes) for board in boards])
        wide = ask([question(kind, board, "wide", nodes) for board in boards])
        # The searches may try squares in another order only if their bits are ordered differently, which they are not.
        assert narrow == wide


def test_published_problems_of_continuous_fours(ask: Ask, shared_data: Path) -> None:
    problems = json.loads((shared_data / "gomoku_vcf.json").read_text(encoding="utf-8"))["problems"]

    def squares(names: Sequence[str]) -> list[int]:
        return [ord(name[0]) - ord("a") + 15 * (int(name[1:]) - 1) for name in names]

    for problem in problems:
        sides = [squares(problem["black"]), squares(problem["white"])]
        attacker, defender = sides if problem["to_move"] == "black" else sides[::-1]
        board = PlainBoard(15, 15, 5, False, attacker, defender)
        answer = ask([question("fours", board, "narrow", 10_000)])[0]
        assert answer[0] == ("won" if problem["freestyle_vcf_found"] else "none")
        assert int(answer[1]) < 1_000
        if answer[0] == "won":
            replay_line(board, [int(square) for square in answer[2:]])
