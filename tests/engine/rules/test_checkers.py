"""Checkers against published counts, open_spiel, and itself: both rules, keys, texts, moves, results."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine._core import open_game
from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
)
from proofbase.engine.rules.checkers import Checkers, CheckersPosition
from proofbase.engine.rules.draughts.board import turned
from proofbase.engine.rules.draughts.fen import defect

BOTH = (open_rules, open_game)


def moves_of(game: Any, text: str) -> list[str]:
    position = game.parse(text)
    return [game.move_text(position, move) for move in game.moves(position)]


def after(game: Any, text: str, move: str) -> str:
    position = game.parse(text)
    return str(game.text(game.play(position, game.parse_move(position, move))))


def random_position(random: Random, men: int) -> CheckersPosition:
    """Any men anywhere."""
    own = other = kings = 0
    for square in random.sample(range(32), men):
        here = 1 << square
        mine = random.random() < 0.5
        own, other = own | here * mine, other | here * (not mine)
        if random.random() < 0.5 or (square >= 28 * mine and (mine or square < 4)):
            kings |= here
    return CheckersPosition(own, other, kings, random.randrange(2))


def test_perft_is_the_published_one() -> None:
    """Aart Bik, "Perft for Checkers"."""
    game = open_game("checkers")
    level = Counter({game.initial(): 1})
    counts = []
    for _ in range(8):
        following: Counter[bytes] = Counter()
        for position, ways in level.items():
            for move in game.moves(position):
                following[game.play(position, move)] += ways
        level = following
        counts.append(sum(level.values()))
    counts.append(sum(ways * len(game.moves(position)) for position, ways in level.items()))
    assert counts == [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]


def spiel_action(cell: int, to: int) -> int:
    """OpenSpiel's action: a cell, a direction, and whether a man is taken; cells row by row from the top left."""
    (row, column), (to_row, to_column) = divmod(cell, 8), divmod(to, 8)
    direction = [(-1, -1), (-1, 1), (1, 1), (1, -1)].index(
        ((to_row > row) - (to_row < row), (to_column > column) - (to_column < column))
    )
    return (cell * 4 + direction) * 2 + (abs(to_row - row) == 2)


def spiel_cell(square: str) -> int:
    """OpenSpiel's first player moves up: its board is ours, turned by half."""
    row, place = divmod(32 - int(square), 4)
    return row * 8 + place * 2 + (row + 1) % 2


def test_open_spiel_plays_the_same_rules_but_for_its_limit_of_40_quiet_moves() -> None:
    """There each jump of a move is an action of its own, and 40 actions without a capture are a draw."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    other, random = pyspiel.load_game("checkers"), Random(8)
    ended, long_jumps = Counter[str](), 0
    for number in range(80):
        game: Any = open_rules("checkers") if number % 8 == 0 else open_game("checkers")
        position, state = game.initial(), other.new_initial_state()
        while True:
            if game.terminal(position) is not None:
                ended["won"] += 1
                assert state.is_terminal() and state.returns()[game.side(position)] == -1
                break
            if state.is_terminal():
                ended["quiet"] += 1
                assert state.returns() == [0, 0]
                break
            assert state.current_player() == game.side(position)
            board = "".join("".join(row.split()[0][1:9]) for row in str(state).splitlines() if row[:1].isdigit())
            men = {spiel_cell(str(n + 1)): letter for n, letter in enumerate(letters(game.draw(position)))}
            assert "".join(men.get(cell, ".") for cell in range(64)) == board.translate(str.maketrans("o8+*", "bBwW"))
            paths = {}
            for move in game.moves(position):
                squares = game.move_text(position, move).replace("x", "-").split("-")
                paths[move] = [spiel_action(spiel_cell(a), spiel_cell(b)) for a, b in pairwise(squares)]
            move = random.choice(list(paths))
            for count, action in enumerate(paths[move]):
                begun = [path for path in paths.values() if path[:count] == paths[move][:count]]
                assert {path[count] for path in begun} == set(state.legal_actions()), game.text(position)
                state.apply_action(action)
            long_jumps += len(paths[move]) > 1
            position = game.play(position, move)
    assert ended["won"] > 20 and ended["quiet"] > 2 and long_jumps > 80


def letters(drawn: str) -> str:
    """The dark squares of a drawing in their order."""
    return "".join(letter for letter in drawn if letter in "bBwW.")


def test_colours_change_places_with_the_board_turned_by_half() -> None:
    rules, native, random = Checkers(), open_game("checkers"), Random(3)
    keys = dict[bytes, CheckersPosition]()
    for _ in range(400):
        position = random_position(random, random.randrange(2, 14))
        if defect(*position[:3]):
            continue
        swapped = position._replace(side=1 - position.side)
        texts = [rules.text(one) for one in (position, swapped)]
        for game in (rules, native):
            first, second = (game.parse(text) for text in texts)
            assert game.key(first) == game.key(second) == rules.key(position)
            assert list(game.moves(first)) == list(game.moves(second))
        assert keys.setdefault(rules.key(position), position)[:3] == position[:3]
    assert turned(turned(0x12345678)) == 0x12345678 and turned(1) == 1 << 31


def test_the_key_layout_is_the_documented_one() -> None:
    for opened in BOTH:
        game: Any = opened("checkers")
        assert game.key(game.initial()).hex() == "00000fff" + "fff00000" + "00000000"
        assert game.key(game.parse("W:W32,K5:B1,K12")).hex() == "08000001" + "80100000" + "08100000"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("B:W18,26,27:B14,15", ["14x23x30", "14x23x32", "15x22x31"]),
        ("B:W18:B14,15", ["14x23", "15x22"]),
        ("B:W26,18,32:B22", ["22x31"]),  # becomes a king, and stops: a king would go on over 27 or 26
        ("B:W27,18,32:BK22", ["22x15"]),
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2", "2x9x18x11x2"]),
        ("W:W18:BK14,K15,23,22", ["18x11", "18x9"]),
        ("B:W5:B1", ["1-6"]),
        ("B:WK5:BK1", ["1-6"]),
        ("B:W28,32:B24", ["24-27"]),
        ("W:W5:B1", []),
        ("B:W10:B5,K4", ["4-8", "5-9"]),
    ],
)
def test_jumps_and_steps(text: str, moves: list[str]) -> None:
    for opened in BOTH:
        assert sorted(moves_of(opened("checkers"), text)) == sorted(moves)


def test_a_man_becomes_a_king_and_men_that_are_jumped_leave_the_board() -> None:
    for opened in BOTH:
        game: Any = opened("checkers")
        assert after(game, "B:W18,26,5:B14", "14x23x30") == "W:W5:BK30"
        assert after(game, "W:W18,5:B14,K2", "18x9") == "B:W5,9:BK2"
        assert after(game, "W:W5:B14", "5-1") == "B:WK1:B14"
        assert after(game, "B:W6,7,14,15,32:BK2", "2x11x18x9x2") == "W:W32:BK2"


def test_squares_between_may_be_left_out_where_one_move_is_meant() -> None:
    for opened in BOTH:
        game: Any = opened("checkers")
        position = game.parse("B:W6,7,14,15,32:BK2")
        assert game.move_text(position, game.parse_move(position, "2x2")) == "2x9x18x11x2"  # both ways lead to the same
        assert game.move_text(position, game.parse_move(position, "2x11x18x9x2")) == "2x11x18x9x2"
        with pytest.raises(InvalidMoveError, match="there is a jump"):
            game.parse_move(position, "2-5")
        with pytest.raises(InvalidMoveError, match="not legal"):
            game.parse_move(position, "2x5")
        for word in ("", "2", "2x", "x2", "2x9x", "2 x 9", "02x009", "2/9", "2x9x18x11x2x9x18x11x2x9x18", "2-\u0665"):
            with pytest.raises(InvalidMoveError, match="a move is written like"):
                game.parse_move(position, word)
        with pytest.raises(InvalidMoveError, match="the game is over"):
            game.parse_move(game.parse("B:W5:B"), "1-5")


def test_two_ways_between_the_same_squares_must_be_told_apart() -> None:
    for opened in BOTH:
        game: Any = opened("checkers")
        position = game.parse("B:WK9,K10,17,18,19,K20:B6")
        assert sorted(moves_of(game, game.text(position))) == ["6x13x22", "6x15x22", "6x15x24"]
        assert game.move_text(position, game.parse_move(position, "6x24")) == "6x15x24"
        with pytest.raises(InvalidMoveError, match="name the squares between"):
            game.parse_move(position, "6x22")
        assert after(game, game.text(position), "6x15x22") == "W:WK9,17,19,K20:B22"


def test_who_has_no_men_or_no_move_has_lost() -> None:
    for opened in BOTH:
        game: Any = opened("checkers")
        for text in ("B:WK1:B", "W:W5:B1", "W:W:BK3", "B:W32,27,23:B28"):
            position = game.parse(text)
            blocked = not list(game.moves(position))
            assert game.terminal(position) == (-1 if blocked else None)
            assert game.text(position).split(":")[0] == text[0]
        assert game.terminal(game.parse("B:WK1:B")) == game.terminal(game.parse("W:W5:B1")) == -1


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "it is not the side to move"),
        ("B:W18", "it is not the side to move"),
        ("B:B1:W18", "it is not the side to move"),
        ("b:W18:B1", "it is not the side to move"),
        ("B:W18:B1 ", "it is not the side to move"),
        ("B:W18,:B1", "it is not the side to move"),
        ("B:W18,,19:B1", "it is not the side to move"),
        ("B:W118:B1", "it is not the side to move"),
        ("B:WKK18:B1", "it is not the side to move"),
        ("B:W1\u0665:B1", "it is not the side to move"),
        ("B:W0:B1", "squares are 1 to 32"),
        ("B:W33:B1", "squares are 1 to 32"),
        ("B:W01:B2", "squares are 1 to 32"),
        ("B:W18:BK18", "two men stand on square 18"),
        ("B:W:B1", "the side that has just moved has no men"),
        ("W:W1:B9", "is a king"),
        ("B:W18:B32", "is a king"),
        ("B:W5,6,7,8,9,10,11,12,13,14,15,16,17:B1", "more than 12"),
    ],
)
def test_wrong_texts_are_refused_with_the_cause(text: str, cause: str) -> None:
    for opened in BOTH:
        with pytest.raises(InvalidPositionError, match=cause):
            opened("checkers").parse(text)


def test_wrong_keys_are_refused_by_both() -> None:
    rules, native, random = Checkers(), open_game("checkers"), Random(5)
    refused = 0
    for _ in range(600):
        position = random_position(random, random.randrange(2, 20))
        key = bytearray(rules.key(position))
        key[random.randrange(12)] ^= 1 << random.randrange(8)
        outcomes = list[Any]()
        for game in (rules, native):
            try:
                outcomes.append(game.text(game.position(bytes(key))))
            except InvalidKeyError:
                outcomes.append(None)
        assert outcomes[0] == outcomes[1]
        refused += outcomes[0] is None
    assert 50 < refused < 550
    for opened in BOTH:
        for size in (0, 11, 13):
            with pytest.raises(InvalidKeyError, match="12 bytes"):
                opened("checkers").position(b"\0" * size)
        with pytest.raises(InvalidParametersError):
            opened("checkers:8x8")
