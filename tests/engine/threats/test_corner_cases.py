"""Cases in which a search of threats easily goes wrong, each by itself; what made false proofs in a prototype."""

from __future__ import annotations

from random import Random

import pytest
from gomoku_threats.plain_board import replay_tree
from gomoku_threats.threat_questions import Ask, board_of, lanes_of, question, random_position, tree_of

EMPTY = "...............\n"

FORK = EMPTY * 6 + ".......x.......\n" * 2 + ".....xx........\n" + EMPTY * 3 + "{defender}\n" + "{second}\n" + EMPTY
"""h7 makes two threes, and the attacker has no fours."""


@pytest.mark.slow("threes-False")
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("kind", ["threes", "sequences", "thesis"])
def test_a_four_of_the_defender_with_two_winning_squares_refutes_a_fork_of_threes(
    ask: Ask, kind: str, exact: bool
) -> None:
    """A row of three that is closed at one end gives a four which is blocked; the threes stay pending. The test of the
    thesis takes the defender's two ways to make that four together, and so rejects the win.
    """
    for defender, outcome in [("...............", "won"), ("xooo...........", "won"), (".ooo...........", "none")]:
        board = board_of(FORK.format(defender=defender, second="..............."), exact)
        answer = ask([question(kind, board, "narrow", 10_000)])[0]
        if kind == "thesis" and defender.startswith("x"):
            outcome = "cut"
        assert answer[0] == outcome, defender
        if outcome == "won":
            replay_tree(board, [int(number) for number in answer[2 if kind == "threes" else 4 :]])


@pytest.mark.parametrize("exact", [False, True])
def test_a_pending_three_wins_after_a_block_that_is_no_threat(ask: Ask, exact: bool) -> None:
    """The attacker, to move, must block a four; the block makes nothing, and his three from before is
    still pending.
    """
    drawing = EMPTY * 5 + ".......x.......\n" + ".......x.......\n" + EMPTY + "....xx.........\n" + EMPTY * 3
    board = board_of(drawing + "xoooo..........\n" + EMPTY * 2, exact)
    assert board.winning("o") == [2 * 15 + 5]
    won = board_of((drawing + "xoooo..........\n" + EMPTY * 2).replace("....xx...", "....xxx.."), exact)
    for kind in ("threes", "sequences"):
        assert ask([question(kind, board, "narrow", 10_000)])[0][0] == "none"
    answer = ask([question("threes", won, "narrow", 10_000)])[0]
    assert answer[0] == "won"
    replay_tree(won, tree_of(answer))


def test_two_fours_of_the_defender_at_once_cannot_be_met(ask: Ask) -> None:
    board = board_of(FORK.format(defender="xoooo..........", second="xoooo.........."))
    assert len(board.winning("o")) == 2
    for kind in ("fours", "threes", "sequences", "thesis"):
        assert ask([question(kind, board, "narrow", 10_000)])[0][0] == "none"


@pytest.mark.parametrize("kind", ["fours", "threes", "sequences", "thesis"])
def test_a_row_too_long_wins_by_one_rule_only(ask: Ask, kind: str) -> None:
    drawing = EMPTY * 7 + "...xxx.xx......\n" + EMPTY * 7
    free, exact = (ask([question(kind, board_of(drawing, rule), "narrow", 10_000)])[0] for rule in (False, True))
    assert free[0] == "won" and exact[0] == "none"


@pytest.mark.slow("True")
@pytest.mark.parametrize("exact", [False, True])
def test_squares_that_meet_several_double_fours_are_those_after_which_none_is_left(
    ask: Ask, exact: bool, thorough: bool
) -> None:
    """Pending threes on different lines may share squares: one stone there meets both."""
    random, boards = Random(f"meeting {exact}"), 60 if thorough else 24
    tried = met = 0
    while tried < boards:
        board = random_position(random, 15, 5, exact, random.randint(6, 10))
        if board.winning("x") or len(board.double_fours()) < 2:
            continue
        tried += 1
        expected = set()
        for reply in board.empty():
            board.cells[reply] = "o"
            if not board.double_fours():
                expected.add(reply)
            board.cells[reply] = "."
        for answer in ask([question("meeting", board, lanes) for lanes in lanes_of(board)]):
            assert answer == ["meeting=" + "".join(f"{reply}," for reply in sorted(expected))]
        met += bool(expected)
    assert met > boards / 6
