"""Positions and games of checkers in PDN, read and written."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.game_lines import game_lines
from proofbase.engine.formats.notation import read_line, read_position
from proofbase.engine.formats.pgn import Branch, write_pgn
from proofbase.engine.formats.played_games import read_played_games
from proofbase.engine.games import open_game
from proofbase.engine.rules import Checkers

RULES = Checkers()
ENDING = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
PDN = f"""[Event "Test"]
[Date "2024.??.??"]
[White "Second"]
[Black "First"]
[Result "0-1"]
[GameType "21"]

1. 11-15 23-19 2. 8-11 22-17 {{the main road}} 3. 11-16 (3. 4-8 25-22) 3... 24-20
4. 16x23 27x11 5. 7x16 20x11 0-1

[Event "Ending"]
[GameType "21,B,8,8,N2,0"]
[FEN "{ENDING}."]

1. 22-17! 15-19 1/2-1/2
"""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (ENDING, ENDING.replace("W18,24,27,28,K10,K15", "WK10,K15,18,24,27,28")),
        (ENDING + ".", ENDING.replace("W18,24,27,28,K10,K15", "WK10,K15,18,24,27,28")),
        ("B:B1-12:W21-32", START),
        ("b: w21-32: b1-12.", START),
        ('"W:WK1-3:BK30"', "W:WK1,K2,K3:BK30"),
        ("W:B1:WK9", "W:WK9:B1"),
        ("11-15 23-19", "B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"),
        ("1. 11-15! 23-19", "B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"),
        ('[FEN "W:B1:WK9"] 9-6 1:10', "W:W:B10"),
    ],
)
def test_positions_are_read_as_people_write_them(written: str, read: str) -> None:
    for game in (RULES, open_game("checkers")):
        assert game.text(read_position(game, written)) == read


@pytest.mark.parametrize(
    ("written", "cause"),
    [
        ("B:W18-33:B2", "squares are 1 to 32"),
        ("B:W18:W19", "not the side to move"),
        ("11-15 22-18 15x22", None),
        ("11-15 23-19 15-20", "move 3"),
        ('[GameType "20"] 1. 11-15', "GameType"),
        ("11-15 22-18 8-11", "there is a jump"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_cause(written: str, cause: str | None) -> None:
    if cause is None:
        assert read_position(RULES, written).side == 1
        return
    with pytest.raises(InvalidPositionError, match=cause):
        read_position(RULES, written)


def test_games_are_read_with_variations_and_first_positions() -> None:
    lines = game_lines(RULES, PDN, variations=True)
    assert [len(line.moves) for line in lines] == [10, 2, 2]
    assert lines[0].moves[6:] == ("16x23", "27x18x11", "7x16", "20x11")
    assert lines[2].start == RULES.text(read_position(RULES, ENDING)) and lines[2].moves == ("22-17", "15-19")
    played = list(read_played_games("checkers", PDN))
    assert played[0].players == ("First", "Second") and played[1].start == f"{ENDING}."


def test_written_games_are_read_back() -> None:
    random = Random(4)
    native = open_game("checkers")
    for number in range(20):
        start = RULES.initial() if number % 2 else read_position(RULES, ENDING)
        position, moves = start, list[int]()
        while RULES.terminal(position) is None and len(moves) < 80:
            moves.append(random.choice(RULES.moves(position)))
            position = RULES.play(position, moves[-1])
        text = write_pgn(RULES, start, moves)
        assert '[GameType "21"]' in text and ('[SetUp "1"]' in text) == (number % 2 == 0)
        found_start, found_moves, last = read_line(RULES, text)
        assert (found_start, found_moves, last) == (start, moves, position)
        assert write_pgn(native, native.parse(RULES.text(start)), moves) == text
        value = RULES.terminal(position)
        result = "*" if value is None else "1-0" if position.side == 0 else "0-1"
        assert f'[Result "{result}"]' in text and text.endswith(f"{result}\n")


def test_a_proof_is_written_with_variations() -> None:
    start = RULES.parse("W:WK14,K15:B5,12")
    move = {name: RULES.parse_move(start, name) for name in ("14-10", "14-9")}
    below = [Branch(move["14-10"], "quiet", [Branch(RULES.parse_move(RULES.play(start, move["14-10"]), "5-9"))])]
    text = write_pgn(RULES, start, (), [*below, Branch(move["14-9"])])
    assert text.endswith("1... 14-10 {quiet} (1... 14-9) 2. 5-9 *\n")
