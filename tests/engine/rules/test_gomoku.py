"""Go-moku: rows and overlines, keys under symmetry, texts, small boards by brute force, and positions of others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.rules.gomoku import Gomoku, GomokuStones

Cells = list[list[str]]
"""The cells of each row, row 1 first."""


def cells_of(game: Gomoku, position: GomokuStones) -> Cells:
    return [list(row) for row in reversed(game.text(position).split("/"))]


def text_of(cells: Cells) -> str:
    return "/".join("".join(row) for row in reversed(cells))


def has_line(cells: Cells, stone: str, length: int, standard: bool) -> bool:
    """Rule 3 once more: walks along every unbroken row of stones from its first one."""
    height, width = len(cells), len(cells[0])

    def at(column: int, row: int) -> str:
        return cells[row][column] if 0 <= column < width and 0 <= row < height else "edge"

    for row in range(height):
        for column in range(width):
            for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                if at(column, row) != stone or at(column - right, row - up) == stone:
                    continue
                run = 1
                while at(column + run * right, row + run * up) == stone:
                    run += 1
                if run == length or (run > length and not standard):
                    return True
    return False


@st.composite
def boards(draw: st.DrawFn) -> str:
    width, height = draw(st.integers(3, 19)), draw(st.integers(3, 19))
    length = draw(st.integers(3, min(7, max(width, height))))
    return f"gomoku:{width}x{height}-{length}" + draw(st.sampled_from(["", ",standard"]))


def filled(rules: Gomoku, random: Random) -> tuple[int, int]:
    """Stones of both players anywhere, perhaps no legal position; often nearly all of one, so that rows are long."""
    bits = [1 << c + (rules.width + 1) * r for c in range(rules.width) for r in range(rules.height)]
    weights = random.choice(((1, 1, 1), (1, 8, 1), (0, 1, 1), (4, 1, 2)))
    owners = random.choices((None, 0, 1), weights=weights, k=len(bits))
    first, second = (sum(bit for bit, owner in zip(bits, owners, strict=True) if owner == n) for n in (0, 1))
    return first, second


@settings(max_examples=2 * settings().max_examples)
@given(boards(), st.integers(0, 2**32))
def test_lines_are_those_of_the_rule_text(name: str, seed: int) -> None:
    """Any stones: the test of lines in Python, and through legal positions the native one."""
    rules, native, random = open_rules(name), open_game(name), Random(seed)
    assert isinstance(rules, Gomoku)
    for _ in range(5):
        sets = filled(rules, random)
        cells = [
            [".xo"[(sets[0] >> bit & 1) + 2 * (sets[1] >> bit & 1)] for bit in range(start, start + rules.width)]
            for start in range(0, rules.height * (rules.width + 1), rules.width + 1)
        ]
        for stones, stone in zip(sets, "xo", strict=True):
            assert rules._has_line(stones) == has_line(cells, stone, rules.length, rules.standard), text_of(cells)
        outcomes = []
        for game in (rules, native):
            try:
                outcomes.append((True, game.terminal(game.parse(text_of(cells)))))
            except InvalidPositionError:
                outcomes.append((False, None))
        assert outcomes[0] == outcomes[1], text_of(cells)


@given(boards(), st.integers(0, 2**32))
def test_random_games_end_where_the_rule_text_says(name: str, seed: int) -> None:
    rules, native, random = open_rules(name), open_game(name), Random(seed)
    assert isinstance(rules, Gomoku)
    position, other = rules.initial(), native.initial()
    while True:
        cells = cells_of(rules, position)
        last = "xo"[1 - rules.side(position)]
        full = not any("." in row for row in cells)
        won = has_line(cells, last, rules.length, rules.standard)
        expected = -1 if won else 0 if full else None
        assert rules.terminal(position) == native.terminal(other) == expected, rules.draw(position)
        assert native.text(other) == rules.text(position) and native.key(other) == rules.key(position)
        if expected is not None:
            assert not rules.moves(position) and not native.moves(other)
            break
        moves = rules.moves(position)
        assert native.moves(other) == list(moves)
        move = random.choice(moves[: random.choice((3, 12, 400))])  # often near the centre: rows come about
        position, other = rules.play(position, move), native.play(other, move)


def images(cells: Cells) -> Iterator[Cells]:
    """All symmetric images of the board."""
    turned = [cells]
    if len(cells) == len(cells[0]):
        turned.append([list(column) for column in zip(*cells, strict=True)])
    for board in turned:
        for upside_down in (board, board[::-1]):
            yield upside_down
            yield [row[::-1] for row in upside_down]


def encoded(cells: Cells) -> bytes:
    digits = ["012"[".xo".index(cell)] for row in cells for cell in row]
    return bytes(int("".join(digits[i : i + 5]).ljust(5, "0"), 3) for i in range(0, len(digits), 5))


@given(boards(), st.integers(0, 2**32))
def test_keys_are_the_smallest_image_and_the_same_for_all(name: str, seed: int) -> None:
    rules, native, random = open_rules(name), open_game(name), Random(seed)
    assert isinstance(rules, Gomoku)
    position = rules.initial()
    for _ in range(random.randrange(rules.width * rules.height)):
        if moves := rules.moves(position):
            position = rules.play(position, random.choice(moves))
    found = list(images(cells_of(rules, position)))
    assert len(found) == (8 if rules.width == rules.height else 4)
    key = min(map(encoded, found))
    for image in found:
        text = text_of(image)
        here, there = rules.parse(text), native.parse(text)
        assert rules.key(here) == native.key(there) == key
        assert there == encoded(image)  # a native position is its encoding as it stands
        assert native.terminal(there) == rules.terminal(position)
        assert native.draw(there) == rules.draw(here)
        for game, here_too in ((rules, here), (native, there)):
            assert game.parse(game.draw(here_too)) == here_too
    assert native.position(key) == key and rules.key(rules.position(key)) == key


def test_moves_are_numbered_from_the_centre_outwards() -> None:
    for game in (open_rules("gomoku"), open_game("gomoku")):
        names = [game.move_text(game.initial(), move) for move in game.moves(game.initial())]
        assert names[:10] == ["h8", "g7", "h7", "i7", "g8", "i8", "g9", "h9", "i9", "f6"]
        assert names[-1] == "o15" and names[225 - 56] == "a1" and len(names) == 225
    for game in (open_rules("gomoku:4x3-3"), open_game("gomoku:4x3-3")):
        names = [game.move_text(game.initial(), move) for move in game.moves(game.initial())]
        assert names == ["b2", "c2", "b1", "c1", "b3", "c3", "a1", "d1", "a2", "d2", "a3", "d3"]


def test_the_key_layout_is_the_documented_one() -> None:
    game = open_game("gomoku")
    assert game.key_size == 45 and open_game("gomoku:19x19").key_size == 73
    assert game.initial() == bytes(45)
    assert game.play(game.initial(), game.parse_move(game.initial(), "a1")) == bytes([81]) + bytes(44)
    after = read_position(game, "b1 f1 a2")
    assert after == bytes([27, 2 * 81, 0, 81]) + bytes(41)


SECOND = ("b9", "d9", "f9", "h9", "j9", "l9", "b11", "d11", "f11", "h11")
"""Stones of the second player that make no row."""


def after(name: str, first: str) -> list[int | None]:
    """Values after a game in which the first player made these moves, natively and in Python."""
    moves = " ".join(
        move for pair in zip_longest(first.split(), SECOND[: len(first.split()) - 1]) for move in pair if move
    )
    return [game.terminal(read_position(game, moves)) for game in (open_game(name), open_rules(name))]


@pytest.mark.parametrize(
    ("first", "free", "standard"),
    [
        ("a1 b1 c1 d1 e1", -1, -1),  # five along an edge
        ("o1 o2 o3 o4 o5", -1, -1),
        ("k11 l12 m13 n14 o15", -1, -1),  # into the corner
        ("o1 n2 m3 l4 k5", -1, -1),
        ("d4 e4 f4 h4 i4 g4", -1, None),  # an overline of six, by filling the gap
        ("d4 e4 f4 g4 i4 j4 k4 l4 h4", -1, None),  # of nine
        ("a1 b2 c3 e5 f6 d4", -1, None),
        ("a1 b1 c1 d1 f1 g1 h2 h3 h4 h5 h1", -1, -1),  # h1 to h5; e1 is empty
        ("c3 d3 e3 g3 h3 f1 f2 f4 f5 f3", -1, -1),  # six one way, five the other
        ("m1 n1 o1 a2 b2", None, None),  # a row does not go on in the next one
        ("n3 o4 a6 b7 c8", None, None),
        ("b3 a4 o5 n6 m7", None, None),
        ("b3 a4 o4 n5 m6", None, None),
        ("c14 c15 c1 c2 c3", None, None),
    ],
)
def test_rows_and_overlines(first: str, free: int | None, standard: int | None) -> None:
    for name, expected in (("gomoku", free), ("gomoku:standard", standard)):
        assert after(name, first) == [expected, expected]


@pytest.mark.parametrize(
    ("rows", "standard", "legal"),
    [
        (["xxxxxxxxx", "oooo.oooo"], False, True),  # the gap of a row of nine was filled last
        (["xxxxxxxxx", "oooo.oooo"], True, True),  # nine are nothing
        (["xxxxxxxxxx", "oooo.oooo.", "o........."], False, False),  # every stone leaves five
        (["xxxxx.xxxxx", "oooo.oooo.o"], False, False),  # two rows of five
        (["xxxxxx.....", "oooo.o....."], True, True),
        (["xxxxx......", "oooo......."], False, True),
        (["xxxx.......", "ooooo......"], False, False),  # too many o
        (["xxxxx......", "oooo.o....."], False, False),  # x has won, and o has moved
        (["xxxxx......", "ooooo......"], False, False),  # both have won
    ],
)
def test_finished_positions_have_a_last_move(rows: list[str], standard: bool, legal: bool) -> None:
    name = f"gomoku:{len(rows[0])}x9" + (",standard" if standard else "")
    text = "/".join([*rows, *["." * len(rows[0])] * (9 - len(rows))])
    for game in (open_game(name), open_rules(name)):
        if legal:
            assert game.text(game.parse(text)) == text
        else:
            with pytest.raises(InvalidPositionError):
                game.parse(text)


def refused(ask: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises((InvalidPositionError, InvalidMoveError, InvalidKeyError)) as caught:
        ask(*arguments)
    assert len(str(caught.value)) < 300
    return str(caught.value)


def test_bad_input_is_refused_with_the_cause() -> None:
    empty = ["." * 15] * 15
    for game in (open_game("gomoku"), open_rules("gomoku")):
        assert "15 rows of 15 squares" in refused(game.parse, "/".join(empty[1:]))
        assert "15 rows of 15 squares" in refused(game.parse, "/".join([*empty[1:], "." * 14]))
        assert "'.', 'x'" in refused(game.parse, "/".join([*empty[1:], "." * 14 + "X"]))
        assert "x" in refused(game.parse, "/".join([*empty[1:], "." * 14 + "o"]))
        drawing = game.draw(game.initial())
        assert game.parse("\n" + drawing.replace(" ", "").replace("\n", " \r\n\n")) == game.initial()
        assert game.parse("\n".join(empty)) == game.initial()
        assert "row" in refused(game.parse, drawing.replace("12", "21"))
        for word in ("p1", "a0", "a16", "h", "8h", "h08", "h8 ", "é8", "hh", "h-1", "\N{KELVIN SIGN}1", ""):
            assert "o15" in refused(game.parse_move, game.initial(), word)
        assert game.parse_move(game.initial(), "H8") == 0
        taken = game.play(game.initial(), 0)
        assert "taken" in refused(game.parse_move, taken, "h8")
        won = read_position(game, "a1 a2 b1 b2 c1 c2 d1 d2 e1")
        assert "over" in refused(game.parse_move, won, "h8")
        assert "45 bytes" in refused(game.position, bytes(44))
        for key in (bytes([243]) + bytes(44), bytes([81]) + bytes(44), bytes([2]) + bytes(44)):
            refused(game.position, key)
    for game in (open_game("gomoku:3x3-3"), open_rules("gomoku:3x3-3")):
        refused(game.position, bytes([0, 1]))  # a digit behind the last square


def test_move_lists_may_leave_out_separators() -> None:
    for game in (open_game("gomoku"), open_rules("gomoku")):
        expected = read_position(game, "h8 i9 h10 a1")
        for text in ("h8i9h10a1", "moves:h8i9,h10 a1", "H8,I9,H10,A1", "h8 i9h10 a1"):
            assert read_position(game, text) == expected
        assert "move 3 of 'h8i9z3'" in refused(read_position, game, "h8i9z3")
        assert "move 3 of 'h8i9h8'" in refused(read_position, game, "h8i9h8")


SMALL = {"3x3-3": 0, "4x3-3": 1, "4x3-3,standard": 1, "3x4-3,standard": 1}
"""Values of small boards."""


@pytest.mark.parametrize("board", SMALL)
def test_searches_agree_with_brute_force_on_small_boards(board: str) -> None:
    """Every search proves the value of the empty board, and the values of positions on the way."""
    rules, native = open_rules(f"gomoku:{board}"), open_game(f"gomoku:{board}")
    exact: dict[Any, int] = {}

    def value(position: Any) -> int:
        key = rules.key(position)
        if key not in exact:
            ended = rules.terminal(position)
            moves = rules.moves(position)
            exact[key] = max(-value(rules.play(position, move)) for move in moves) if ended is None else ended
        return exact[key]

    assert value(rules.initial()) == SMALL[board]
    random = Random(board)
    positions = [bytes(native.initial())]
    for _ in range(30):
        position = native.initial()
        for _ in range(random.randrange(2, 7)):
            if moves := native.moves(position):
                position = native.play(position, random.choice(moves))
        if native.terminal(position) is None:
            positions.append(position)
    for algorithm in ("pn-dag", "df-pn", "alpha-beta", "null-window"):
        for position in positions:
            for at_least in (0, 1):
                outcome = Search(native, position, at_least, algorithm=algorithm).run()
                reached = value(rules.position(native.key(position))) >= at_least
                assert outcome.status == ("proved" if reached else "disproved"), native.text(position)


def test_tic_tac_toe_is_a_small_go_moku() -> None:
    graph = explore(open_rules("gomoku:3x3-3"))
    assert values(graph)[0] == 0


def test_values_agree_with_the_shared_ground_truth(shared_data: Path) -> None:
    truth = json.loads((shared_data / "ground_truth.json").read_text())["mnk"]
    for name, expected in {"3x3-3": truth["mnk(m=3,n=3,k=3)"], "4x4-3": truth["mnk(m=4,n=4,k=3)"]}.items():
        game = open_game(f"gomoku:{name}")
        for at_least in (0, 1):
            outcome = Search(game, game.initial(), at_least).run()
            assert outcome.status == ("proved" if expected >= at_least else "disproved")


@pytest.mark.parametrize(("size", "length"), [(15, 5), (7, 4), (5, 3), (19, 5)])
def test_open_spiel_plays_the_same_free_style(size: int, length: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    try:
        other = pyspiel.load_game(f"gomoku(size={size},connect={length},dims=2)")
    except RuntimeError:
        pytest.skip("this open_spiel has no gomoku")
    native, random = open_game(f"gomoku:{size}x{size}-{length}"), Random(size)
    columns = "abcdefghijklmnopqrs"
    for _ in range(20):
        position, state = native.initial(), other.new_initial_state()
        while native.terminal(position) is None:
            assert not state.is_terminal() and len(native.moves(position)) == len(state.legal_actions())
            move = random.choice(native.moves(position)[: random.choice((8, 361))])
            text = native.move_text(position, move)
            state.apply_action(columns.index(text[0]) + size * (int(text[1:]) - 1))
            position = native.play(position, move)
        assert state.is_terminal()
        assert native.terminal(position) == state.returns()[native.side(position)]


def test_winning_sequences_of_others_play_out(shared_data: Path) -> None:
    """Of every published win by fours: the last move makes a five, or leaves two squares for one."""
    problems = json.loads((shared_data / "gomoku_vcf.json").read_text())["problems"]
    game, played = open_game("gomoku"), 0
    for problem in problems:
        stones = {**dict.fromkeys(problem["black"], "x"), **dict.fromkeys(problem["white"], "o")}
        cells = [[stones.get(f"{column}{row}", ".") for column in "abcdefghijklmno"] for row in range(1, 16)]
        position = game.parse(text_of(cells))
        assert game.side(position) == (problem["to_move"] == "white")
        for square in problem["freestyle_vcf_found"] or ():
            position = game.play(position, game.parse_move(position, square))
        if problem["freestyle_vcf_found"] and game.terminal(position) is None:
            for reply in game.moves(position):
                answered = game.play(position, reply)
                assert any(game.terminal(game.play(answered, five)) == -1 for five in game.moves(answered))
        played += bool(problem["freestyle_vcf_found"])
    assert played >= 4


def test_positions_of_a_published_strategy_are_read(shared_data: Path) -> None:
    lines = (shared_data / "gomoku_standard_strategy.txt").read_text().splitlines()
    native, rules = open_game("gomoku:standard"), open_rules("gomoku:standard")
    lists = [line.split(";")[0].strip() for line in lines if not line.startswith("#")]
    assert len(lists) == 300
    for moves in lists:
        position = read_position(native, moves)
        assert native.terminal(position) is None and native.side(position) == len(moves.split()) % 2
        assert rules.key(read_position(rules, moves)) == native.key(position)


def test_professional_positions_begin_as_the_opening_rule_says() -> None:
    """Up to four stones anywhere on 7x7: they are legal where some order of them is, played by the rule's distances."""
    names = ("gomoku:7x7,professional", "gomoku:7x7,standard,professional")
    random, outcomes = Random(5), Counter[bool]()

    def away(square: tuple[int, int]) -> int:
        return max(abs(square[0] - 3), abs(square[1] - 3))

    def can_open(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> bool:
        orders = product(permutations(first), permutations(second))
        return any(
            (not x or away(x[0]) == 0) and (not o or away(o[0]) == 1) and (len(x) < 2 or away(x[1]) == 3)
            for x, o in ((list(one), list(other)) for one, other in orders)
        )

    for _ in range(600):
        near = [(c, r) for c in range(7) for r in range(7) if away((c, r)) < 2 or random.random() < 0.4]
        stones = random.sample(near, random.randrange(5))
        first, second = stones[::2], stones[1::2]
        if stones and random.random() < 0.8 and (3, 3) not in second:
            first = [(3, 3), *[square for square in first if square != (3, 3)][(3, 3) not in first :]]
        cells = [["x" if (c, r) in first else "o" if (c, r) in second else "." for c in range(7)] for r in range(7)]
        for name in names:
            for game in (open_rules(name), open_game(name)):
                if can_open(first, second):
                    assert game.text(game.parse(text_of(cells))) == text_of(cells)
                else:
                    with pytest.raises(InvalidPositionError, match="the first three stones do not fit"):
                        game.parse(text_of(cells))
        outcomes[can_open(first, second)] += 1
    assert min(outcomes[True], outcomes[False]) > 100


@pytest.mark.parametrize(
    ("moves", "move", "cause"),
    [("", "g8", "x begins in the centre"), ("h8", "h10", "next to the centre"), ("h8 g8", "j10", "outside the 5x5")],
)
def test_moves_against_the_opening_rule_are_named(moves: str, move: str, cause: str) -> None:
    for game in (open_rules("gomoku:professional"), open_game("gomoku:professional")):
        position = game.initial()
        for text in moves.split():
            position = game.play(position, game.parse_move(position, text))
        with pytest.raises(InvalidMoveError, match=cause):
            game.parse_move(position, move)
