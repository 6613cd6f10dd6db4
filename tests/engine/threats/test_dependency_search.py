"""Db-search of chapter 5 of Allis 1994 for go-moku: its operators, its examples, and that what it finds is won."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from gomoku_threats.plain_board import PlainBoard, replay_tree
from gomoku_threats.threat_questions import Ask, board_of, lanes_of, question, random_position

Operator = tuple[int, int, frozenset[int], frozenset[int]]
"""Move, category, replies, squares."""


def operators_of(answer: Sequence[str]) -> list[Operator]:
    def squares(text: str) -> frozenset[int]:
        return frozenset(int(square) for square in text.split(",") if square)

    parts = (operator.split(":") for operator in answer)
    return [(int(move), int(category), squares(replies), squares(used)) for move, category, replies, used in parts]


def row(cells: str, exact: bool = False) -> PlainBoard:
    """One row of a board of 15x15, the lowest but one."""
    return board_of("............... " * 13 + cells.ljust(15, "#").replace("#", "o") + " ...............", exact)


def on_row(answer: Sequence[str], first: int, last: int) -> set[tuple[int, int, frozenset[int]]]:
    """(move, category, replies) of the threats on the row of `row`, as columns from `first` to `last`."""
    found = set()
    for move, category, replies, used in operators_of(answer):
        if all(15 + first <= square <= 15 + last for square in used):
            found.add((move - 15, category, frozenset(reply - 15 for reply in replies)))
    return found


def test_a_four_has_the_fifth_square_as_its_reply(ask: Ask) -> None:
    """Figure 5.1 (a): four of five squares; in either of two ways if two are empty."""
    answer = ask([question("operators", row("oxx.x.o"), "narrow")])[0]
    assert on_row(answer, 0, 14) == {(3, 1, frozenset({5})), (5, 1, frozenset({3}))}


@pytest.mark.parametrize(
    ("cells", "move", "replies"),
    [
        ("..x.x..", 3, {1, 5}),  # (c): seven squares, two replies
        ("..xx...", 4, {1, 5}),
        ("o.x.x..o", 3, {1, 5, 6}),  # (d): six squares, three replies
        (".x.x...", 2, {0, 4, 5}),  # at the edge of the board
        ("o.xx...o", 4, {1, 5, 6}),
        ("o.xx...o", 5, {1, 4, 6}),  # (e): broken
        ("o.x..x.o", 3, {1, 4, 6}),
        ("o.xx..o", 4, set()),  # five squares
        ("o.x.x.o", 3, set()),
    ],
)
def test_threes_have_two_or_three_replies(ask: Ask, cells: str, move: int, replies: set[int]) -> None:
    """Figure 5.1 (c) to (e)."""
    threats = on_row(ask([question("operators", row(cells), "narrow")])[0], 0, len(cells) - 1)
    found = {threat[2] for threat in threats if threat[:2] == (move, 2)}
    assert found == ({frozenset(replies)} if replies else set())


def test_every_operator_is_a_threat_that_its_replies_meet(ask: Ask) -> None:
    """With the move the attacker has a square that makes a five or a straight four; with all replies no more of it."""
    random = Random("operators")
    for exact in (False, True):
        boards = [random_position(random, 15, 5, exact, random.randint(3, 8)) for _ in range(8)]
        for board, answer in zip(boards, ask([question("operators", b, "narrow") for b in boards]), strict=True):
            if board.winning("x"):
                continue
            operators = operators_of(answer)
            assert len(set(operators)) == len(operators)
            straight = {square for square in board.empty() if _straight(board, square)}
            for move, category, replies, used in operators:
                assert replies | {move} <= used and all(board.cells[s] != "o" for s in used)
                board.cells[move] = "x"
                if category == 1:
                    assert replies <= set(board.winning("x"))
                elif not straight:
                    assert any(_straight(board, square) for square in used - {move} if board.cells[square] == ".")
                for reply in replies:
                    board.cells[reply] = "o"
                assert not any(board.wins_with(square, "x") for square in used if category == 1)
                for square in [move, *replies]:
                    board.cells[square] = "."


def _straight(board: PlainBoard, square: int) -> bool:
    return any(board.straight_four(square, direction) for direction in ((1, 0), (0, 1), (1, 1), (-1, 1)))


FOUR_THREATS = """
...............
...............
...............
...............
...............
....x....x.....
..........x....
....x..x..x....
........x......
....x..........
........x......
...............
...............
...............
...............
"""
"""A win like that of figure 5.4, whose position is not in the text: threes, all replies to each played at once."""

GLOBAL_REFUTATION = """
...............
...............
...............
...............
........o......
....o.....o....
....o..x.......
....o....x.....
......x........
.......x.......
.........x.....
...............
...............
...............
...............
"""
"""As in figure 5.6: many potential winning sequences, and no win, since a four of the defender meets them all."""

INTERJECTED_FOURS = """
...............
...............
...............
...............
......x........
....x..o.......
..........x....
.....o.........
.....x....x....
....xx.........
......o........
...............
...............
...............
...............
"""
"""As in figure 5.5: a sequence fails only because of fours played after a three, with which a four is met by a five."""


@pytest.mark.parametrize("kind", ["sequences", "thesis"])
def test_a_sequence_wins_although_all_replies_are_played_at_once(ask: Ask, kind: str) -> None:
    board = board_of(FOUR_THREATS)
    outcome, _, _, unproved, *tree = ask([question(kind, board, "narrow", 300)])[0]
    assert (outcome, unproved) == ("won", "0")
    assert replay_tree(board, [int(number) for number in tree]) > 5


@pytest.mark.parametrize("kind", ["sequences", "thesis"])
def test_a_global_refutation_ends_the_search_after_ten_sequences(ask: Ask, kind: str) -> None:
    board = board_of(GLOBAL_REFUTATION)
    outcome, nodes, potential, unproved = ask([question(kind, board, "narrow", 100_000)])[0]
    assert (outcome, unproved) == ("cut", "0")
    assert int(potential) > 10 and int(nodes) < 1_000
    assert ask([question("threes", board, "narrow", 100_000)])[0][0] == "none"


def test_fours_interjected_after_threes_are_seen_by_the_test_of_the_thesis(ask: Ask) -> None:
    outcome, _, potential, unproved, *tree = ask([question("thesis", board_of(INTERJECTED_FOURS), "narrow", 300)])[0]
    assert int(potential) > 0 and unproved == "0"
    if outcome == "won":
        replay_tree(board_of(INTERJECTED_FOURS), [int(number) for number in tree])


@pytest.mark.slow("True")
@pytest.mark.parametrize("exact", [False, True])
def test_what_sequences_win_is_won_by_the_rules_and_never_refuted_by_the_search_of_threes(
    ask: Ask, exact: bool
) -> None:
    random = Random(f"sequences {exact}")
    boards = [random_position(random, 15, 5, exact, random.randint(5, 8)) for _ in range(12)]
    cases = [(board, lanes) for board in boards for lanes in lanes_of(board)]
    threes = ask([question("threes", board, lanes, 2_000) for board, lanes in cases])
    won = 0
    for kind in ("sequences", "thesis"):
        answers = ask([question(kind, board, lanes, 300) for board, lanes in cases])
        for (board, lanes), answer, other in zip(cases, answers, threes, strict=True):
            outcome, _, _, unproved, *tree = answer
            assert unproved == "0"
            if outcome == "won":
                won += 1
                assert other[0] != "none"
                if lanes == "narrow":
                    replay_tree(board, [int(number) for number in tree])
        assert answers[::2] == answers[1::2], "both forms of rows search alike"
    assert won > 4
