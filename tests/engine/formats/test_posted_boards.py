"""Boards and FENs as people copy them from other programs, and from our own pictures."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.reading import read_text
from proofbase.engine.rules import open_rules

FEN = "4k2r/8/8/8/8/8/8/4K2R w K - 0 1"
PRINTED = """r . . . k . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . P . . . . .
. . . . K . . .
"""  # print(board) of python-chess
STOCKFISH = """
 +---+---+---+---+---+---+---+---+
 | r |   |   |   | k |   |   |   | 8
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 7
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 6
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 5
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 4
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 3
 +---+---+---+---+---+---+---+---+
 |   |   | P |   |   |   |   |   | 2
 +---+---+---+---+---+---+---+---+
 |   |   |   |   | K |   |   |   | 1
 +---+---+---+---+---+---+---+---+
   a   b   c   d   e   f   g   h
"""
OTHELLO = "---------------------------OX------XO---------------------------"


PLAYERS = ("first player", "second player")
SIDES = {"chess": ("White", "Black"), "giveaway": ("White", "Black"), "checkers": ("Black", "White")}


@pytest.mark.parametrize(
    "game", [*SIDES, "tic-tac-toe", "connect-four", "gomoku:9x9", "renju", "othello", "othello:6x6"]
)
def test_our_own_pictures_are_read(game: str) -> None:
    rules, random = open_rules(game), Random(1)
    position = rules.initial()
    for _ in range(40):
        side = SIDES.get(game, PLAYERS)[rules.side(position)]
        over = ", but the game is over" if rules.terminal(position) is not None and side in PLAYERS else ""
        read = read_text(rules, f"{rules.draw(position)}\n{side} to move{over}\n")
        assert rules.key(read.position) == rules.key(position) and not read.remarks
        if rules.terminal(position) is not None:
            break
        position = rules.play(position, random.choice(rules.moves(position)))


def test_a_picture_with_the_other_side_is_refused() -> None:
    with pytest.raises(InvalidPositionError, match="the first player is said to be to move"):
        read_text(open_rules("tic-tac-toe"), "x . .\n. . .\n. . .\nfirst player to move")


@pytest.mark.parametrize(
    "text", [PRINTED, STOCKFISH, PRINTED.translate(str.maketrans("rkPK.", "\u265c\u265a\u2659\u2654\u2b58"))]
)
def test_boards_of_chess_programs_are_read(text: str) -> None:
    chess = open_rules("chess")
    read = read_text(chess, text)
    assert chess.text(read.position) == "r3k3/8/8/8/8/8/2P5/4K3 w - - 0 1"
    assert read.remarks == ("only the board is given: White is taken to be to move, without rights to castle",)
    black = read_text(chess, f"{text}\nBlack to move")
    assert chess.text(black.position) == "r3k3/8/8/8/8/8/2P5/4K3 b - - 0 1" and not black.remarks
    with pytest.raises(InvalidPositionError):
        read_text(chess, text.replace("K", ".").replace("\u2654", "."))


@pytest.mark.parametrize(
    "text",
    [
        f"FEN: {FEN}",
        f"fen = {FEN}",
        f"https://lichess.org/analysis/{FEN.replace(' ', '_')}",
        f"https://lichess.org/analysis/standard/{FEN.replace(' ', '_')}?color=black",
        f"https://lichess.org/editor/{FEN.replace(' ', '%20')}#3",
    ],
)
def test_what_stands_before_a_pasted_fen_is_passed_over(text: str) -> None:
    chess = open_rules("chess")
    assert chess.text(read_text(chess, text).position) == FEN


def test_counters_of_a_fen_of_checkers_are_passed_over() -> None:
    checkers = open_rules("checkers")
    for text in ("B:W18,27:B3,10:H0:F1", "FEN: B:W18,27:B3,10:H12", "B:W18,27:B3,10:F7."):
        assert checkers.text(read_text(checkers, text).position) == "B:W18,27:B3,10"
    with pytest.raises(InvalidPositionError):
        read_text(checkers, "B:W18,27:B3,10:G0")


@pytest.mark.parametrize(
    ("board", "side"), [(OTHELLO, "X"), (OTHELLO.replace("-", "X", 1), "O"), (OTHELLO.replace("-", "."), "X")]
)
def test_a_board_of_othello_without_a_side_has_that_of_the_number_of_discs(board: str, side: str) -> None:
    othello = open_rules("othello")
    rows = "\n".join(board[row : row + 8] for row in range(0, 64, 8))
    for text in (board, rows, "\n".join(" ".join(row) for row in rows.splitlines())):
        read = read_text(othello, text)
        assert othello.text(read.position) == f"{board.replace('.', '-')} {side}"
        assert read.remarks and f"{side} is taken to be to move" in read.remarks[0]
    for wrong in (board[1:] + " X", rows[:-1] + "\nX", board[:-1], board + "-"):
        with pytest.raises(InvalidPositionError):
            read_text(othello, wrong)


def test_positions_of_awari_may_have_spaces_and_small_letters() -> None:
    awari = open_rules("awari")
    assert awari.text(read_text(awari, "0, 0,0,0,0,1 / 1,0,0,0,0,0 / n").position) == "0,0,0,0,0,1/1,0,0,0,0,0/N"
    for row in (
        "4 4 4 4 4 4 4 4 4 4 4 4",
        "[4,4,4,4,4,4,0,4,4,4,4,4,4,0]",
    ):
        with pytest.raises(InvalidPositionError, match="write a / between North's pits, f to a, and South's"):
            read_text(awari, row)


def test_a_sign_may_end_the_counters_of_an_epd() -> None:
    chess = open_rules("chess")
    read = read_text(chess, f"{FEN}; bm O-O;")
    assert chess.text(read.position) == FEN and [operation.code for operation in read.operations] == ["bm"]
