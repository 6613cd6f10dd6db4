"""Renju: forbidden squares by their definitions, small boards by brute force, and the opening of professional renju."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.rules.renju import Renju

Square = tuple[int, int]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


class Definitions:
    """The rules once more, by their words: unbroken rows are walked along, and stones are put down and taken up."""

    def __init__(self, width: int, height: int, black: set[Square], white: set[Square]) -> None:
        self.squares = {(column, row) for column in range(width) for row in range(height)}
        self.black, self.white = black, white

    def row_through(self, stones: set[Square], square: Square, direction: Square) -> frozenset[Square]:
        """The unbroken row of stones with this one."""
        found = {square}
        for sign in (1, -1):
            at = square
            while (at := (at[0] + sign * direction[0], at[1] + sign * direction[1])) in stones:
                found.add(at)
        return frozenset(found)

    def line(self, square: Square, direction: Square) -> list[Square]:
        return [(square[0] + k * direction[0], square[1] + k * direction[1]) for k in range(-5, 6)]

    def fives(self, black: set[Square], square: Square) -> bool:
        return any(len(self.row_through(black, square, direction)) == 5 for direction in DIRECTIONS)

    def fours(self, black: set[Square], direction: Square, square: Square) -> dict[frozenset[Square], set[Square]]:
        """The fours with the stone on a line, each with the squares that make five of it."""
        found: dict[frozenset[Square], set[Square]] = {}
        for more in self.line(square, direction):
            if more in self.squares - black - self.white:
                row = self.row_through(black | {more}, more, direction)
                if len(row) == 5 and square in row:
                    found.setdefault(row - {more}, set()).add(more)
        return found

    def is_straight(self, four: frozenset[Square]) -> bool:
        stones = sorted(four)
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(stones)}
        return len(steps) == 1 and max(map(abs, next(iter(steps)))) == 1

    def threes(self, black: set[Square], direction: Square, square: Square) -> set[frozenset[Square]]:
        found = set()
        for more in self.line(square, direction):
            if more not in self.squares - black - self.white or self.fives(black | {more}, more):
                continue
            for four, wins in self.fours(black | {more}, direction, more).items():
                if square in four and len(wins) == 2 and self.is_straight(four) and not self.forbidden(black, more):
                    found.add(four - {more})
        return found

    def forbidden(self, black: set[Square], square: Square) -> str | None:
        after = black | {square}
        if self.fives(after, square):
            return None
        if any(len(self.row_through(after, square, direction)) > 5 for direction in DIRECTIONS):
            return "an overline"
        if sum(len(self.fours(after, direction, square)) for direction in DIRECTIONS) > 1:
            return "a double four"
        if sum(len(self.threes(after, direction, square)) for direction in DIRECTIONS) > 1:
            return "a double three"
        return None


def text_of(width: int, height: int, black: set[Square], white: set[Square]) -> str:
    cells = {**dict.fromkeys(black, "x"), **dict.fromkeys(white, "o")}
    rows = ["".join(cells.get((column, row), ".") for column in range(width)) for row in reversed(range(height))]
    return "/".join(rows)


def crowded_positions(random: Random) -> Iterator[tuple[Renju, Any, set[Square], set[Square]]]:
    """Positions with Black to move: many stones of Black's in few squares."""
    boards = [(open_rules(name), open_game(name)) for name in ("renju", "renju:9x9", "renju:7x6", "renju:17x8")]
    while True:
        rules, native = random.choice(boards)
        assert isinstance(rules, Renju)
        squares = [(column, row) for column in range(rules.width) for row in range(rules.height)]
        column, row = random.choice(squares)
        size = random.choice((3, 4, 5))
        near = [s for s in squares if abs(s[0] - column) <= size and abs(s[1] - row) <= size]
        black = set(random.sample(near, min(len(near) // 2, random.randrange(5, 20))))
        others = sorted(set(squares) - black)
        inside = [square for square in others if square in near]
        white = set(random.sample(inside, min(len(inside) // 2, random.randrange(8), len(black))))
        left = [square for square in others if square not in white]
        if len(left) < len(black):
            continue
        white |= set(random.sample(left, len(black) - len(white)))
        try:
            rules.parse(text_of(rules.width, rules.height, black, white))
        except InvalidPositionError:
            continue
        yield rules, native, black, white


def test_forbidden_squares_are_those_of_the_definitions(thorough: bool) -> None:
    count = 1200 if thorough else 150
    random, seen = Random(count), Counter[str | None]()
    for _, (rules, native, black, white) in zip(range(count), crowded_positions(random), strict=False):
        text = text_of(rules.width, rules.height, black, white)
        position, other = rules.parse(text), native.parse(text)
        legal = {rules.move_text(position, move) for move in rules.moves(position)}
        assert native.moves(other) == list(rules.moves(position)), text
        assert native.terminal(other) == rules.terminal(position)
        if rules.terminal(position) is not None:
            continue
        definitions = Definitions(rules.width, rules.height, black, white)
        empty = sorted(definitions.squares - black - white)
        names = {square: f"{chr(ord('a') + square[0])}{square[1] + 1}" for square in empty}
        looked_at = [square for square in empty if names[square] not in legal]
        looked_at += random.sample([square for square in empty if square not in looked_at], min(4, len(legal)))
        for square in looked_at:
            fault = definitions.forbidden(black, square)
            assert (names[square] in legal) == (fault is None), (text, names[square], fault)
            seen[fault] += 1
            for game, at in ((rules, position), (native, other)) if fault else ():
                with pytest.raises(InvalidMoveError, match=f"{fault}$"):
                    game.parse_move(at, names[square])
    assert min(seen[fault] for fault in (None, "an overline", "a double four", "a double three")) >= count / 100


@pytest.mark.parametrize(
    ("black", "white", "square", "fault"),
    [
        ("g8 i8 h7 h9", "", "h8", "a double three"),
        ("g8 i8 h7 h9", "h12 h5", "h8", "a double three"),  # a straight four of h7 to h10
        ("g8 i8 h7 h9", "h11 h5", "h8", None),  # no straight four in the column
        ("g8 i8 h7 h9", "e8", "h8", "a double three"),  # j8 makes the straight four of the row
        ("g8 i8 h7 h9 j5 j6 j7 j9 j10", "e8", "h8", None),  # but not where it makes an overline in the column j
        ("f8 g8 i8 h7 h9", "", "h8", None),  # a four and a three
        ("f8 g8 i8 h6 h7 h9", "", "h8", "a double four"),
        ("e8 g8 i8 k8", "", "h8", "a double four"),  # e g h i with f8, g h i k with j8: two fours in one row
        ("e8 g8 i8 k8", "f8", "h8", None),
        ("d8 e8 h8 i8 k8", "", "g8", None),
        ("e8 f8 g8 i8 j8", "", "h8", "an overline"),
        ("e8 f8 g8 i8 j8 h4 h5 h6 h7", "", "h8", None),  # five counts before all
        ("f8 g8 i8 j8 h7 h9 h10", "", "h8", None),
    ],
)
def test_examples(black: str, white: str, square: str, fault: str | None) -> None:
    game, native = open_rules("renju"), open_game("renju")

    def squares(text: str) -> set[Square]:
        return {(ord(word[0]) - ord("a"), int(word[1:]) - 1) for word in text.split()}

    stones = squares(black), squares(white)
    far = [(column, row) for row in (0, 14) for column in range(0, 15, 2)]
    stones[1].update(far[: len(stones[0]) - len(stones[1])])
    assert Definitions(15, 15, *stones).forbidden(stones[0], next(iter(squares(square)))) == fault
    for rules in (game, native):
        position = rules.parse(text_of(15, 15, *stones))
        if fault is None:
            assert rules.move_text(position, rules.parse_move(position, square)) == square
        else:
            with pytest.raises(InvalidMoveError, match=f"forbidden to x: it makes {fault}"):
                rules.parse_move(position, square)


def minimax(definitions: Definitions, black_moves: bool, last: Square | None) -> int:
    """The value for the side to move, by the definitions."""
    black, white = definitions.black, definitions.white
    if last is not None:
        stones = white if black_moves else black
        lengths = [len(definitions.row_through(stones, last, direction)) for direction in DIRECTIONS]
        if (black_moves and max(lengths) >= 5) or (not black_moves and 5 in lengths):
            return -1
    empty = sorted(definitions.squares - black - white)
    if not empty:
        return 0
    best = -1
    for square in empty:
        if black_moves and definitions.forbidden(black, square):
            continue
        stones = black if black_moves else white
        stones.add(square)
        best = max(best, -minimax(definitions, not black_moves, square))
        stones.remove(square)
        if best == 1:
            break
    return best


def test_small_boards_are_worth_what_brute_force_finds() -> None:
    random, values = Random(11), Counter[int]()
    for name, width, height in (("renju:5x5", 5, 5), ("renju:6x5", 6, 5), ("renju:6x6", 6, 6)) * 12:
        game: Any = open_game(name)
        position = game.initial()
        while len(game.moves(position)) > 6 and game.terminal(position) is None:
            position = game.play(position, random.choice(game.moves(position)))
        if game.terminal(position) is not None:
            continue
        rows = game.text(position).split("/")[::-1]
        stones = {cell: {(c, r) for r in range(height) for c in range(width) if rows[r][c] == cell} for cell in "xo"}
        value = minimax(Definitions(width, height, stones["x"], stones["o"]), game.side(position) == 0, None)
        values[value] += 1
        for least in (0, 1):
            assert Search(game, position, least).run().status == ("proved" if value >= least else "disproved")
    assert sum(values.values()) > 15 and len(values) > 1


def test_black_without_a_move_has_lost() -> None:
    """The only empty square would make a row of seven."""
    random, found = Random(2), 0
    game, native = open_rules("renju:7x5"), open_game("renju:7x5")
    while found < 3:
        cells = list("x" * 11 + "o" * 17)
        random.shuffle(cells)
        rows = ["".join(cells[start : start + 7]) for start in range(0, 28, 7)]
        try:
            position = game.parse("/".join([*rows[:2], "xxx.xxx", *rows[2:]]))
        except InvalidPositionError:
            continue
        other = native.parse(game.text(position))
        if game.terminal(position) == 0 or game.moves(position):
            continue
        found += 1
        assert game.terminal(position) == native.terminal(other) == -1
        assert not native.moves(other)


def test_white_wins_by_longer_rows_and_black_does_not() -> None:
    for game in (open_rules("renju:7x5"), open_game("renju:7x5")):
        assert game.terminal(game.parse("oooooo./......./xx.xx.x/......./x......")) == -1
        with pytest.raises(InvalidPositionError, match="more than five"):
            game.parse("xxxxxx./......./oo.oo../......./oo.....")


PROFESSIONAL = ("h8", "h9", "j8", "swap", "a1", "a2", "pass", "a3", "a3:b1")


def test_professional_renju_opens_as_its_rules_say() -> None:
    """24 positions of three stones; then the colours are chosen, and two fifth stones offered."""
    game = open_rules("renju:professional")
    start = game.play(game.initial(), game.parse_move(game.initial(), "h8"))
    thirds = {
        game.key(game.play(second, move))
        for second in (game.play(start, reply) for reply in game.moves(start))
        for move in game.moves(second)
    }
    assert len(game.moves(game.initial())) == 1 and len(game.moves(start)) == 8 and len(thirds) == 24
    position, counts = game.initial(), []
    for text in PROFESSIONAL:
        moves = game.moves(position)
        counts.append(len(moves))
        assert game.parse(game.text(position)) == position and game.position(game.key(position)) is not None
        for move in Random(1).sample(list(moves), min(20, len(moves))):
            assert game.parse_move(position, game.move_text(position, move)) == move
            assert game.parse(game.text(game.play(position, move))) == game.play(position, move)
        position = game.play(position, game.parse_move(position, text))
    # a1 leaves no symmetry: any two of the 221 squares are offered; then one of them is taken, and any other square.
    assert counts == [1, 8, 21, 223, 222, 221, 1, 220, 2 * 220]
    assert game.men_on_board(position) == 6 and game.side(position) == 0


def after(game: Any, moves: str) -> Any:
    position = game.initial()
    for text in moves.split():
        position = game.play(position, game.parse_move(position, text))
    return position


def test_symmetric_squares_are_not_offered() -> None:
    game = open_rules("renju:professional")
    position = after(game, "h8 h9 h10 h7 g8 pass")
    with pytest.raises(InvalidMoveError, match="not symmetric"):
        game.parse_move(position, "i8")
    texts = {game.move_text(position, move) for move in game.moves(position)}
    assert {"g8", "i8"}.isdisjoint(texts) and len(texts) == 221 - 2
    with pytest.raises(InvalidPositionError, match="not symmetric"):
        game.parse(game.text(position).replace("?x.", "?x?").removesuffix(" passed"))


def test_offers_in_either_order_and_their_images_are_one_position() -> None:
    game = open_rules("renju:professional")
    offers = ("h8 h9 j8 a1 a2 pass c5", "h8 h9 j8 a1 c5 pass a2", "h8 h9 f8 o1 o2 pass m5")
    positions = [after(game, moves) for moves in offers]
    assert positions[0] == positions[1] and len({game.key(position) for position in positions}) == 1
    stages = [after(game, "h8 h9 j8 a1" + more) for more in ("", " a2", " a2 pass", " a2 pass c5")]
    assert [game.side(stage) for stage in stages] == [0, 1, 0, 1]
    assert len({game.key(stage) for stage in stages}) == len({game.text(stage) for stage in stages}) == 4
    assert all(game.position(game.key(stage)) is not None for stage in stages)


def test_an_offer_of_two_squares_is_looked_up_quickly() -> None:
    """221 offers, each with its own key, not 24,310."""
    game: Any = open_game("renju:professional")
    position = after(game, "h8 h9 j8 a1 a2 pass")
    assert len({game.key(game.play(position, move)) for move in game.moves(position)}) == 220


@pytest.mark.parametrize(
    ("moves", "move", "cause"),
    [
        ("", "g8", "in the centre"),
        ("h8", "h10", "next to the centre"),
        ("h8 h9", "j6", "farthest from White's"),
        ("h8 i9", "f6", "farthest from White's"),
        ("h8 h9 j8 swap", "swap", "White puts a stone on an empty square$"),
        ("h8 h9 j8 a1", "a1", "offers two empty squares"),
        ("h8 h9 j8 a1 a2", "a3", "White passes, with pass"),
        ("h8 h9 j8 a1 a2 pass", "a2", "a second square"),
        ("h8 h9 j8 a1 a2 pass", "pass", "a second square"),
        ("h8 h9 j8 a1 a2 pass a3", "a2", "takes one of the two squares"),
        ("h8 h9 j8 a1 a2 pass a3", "b1:a2", "takes one of the two squares"),
        ("h8 h9 j8 a1 a2 pass a3", "a2:b1:c1", "moves are"),
    ],
)
def test_moves_against_the_opening_are_named(moves: str, move: str, cause: str) -> None:
    game = open_rules("renju:professional")
    position = game.initial()
    for text in moves.split():
        position = game.play(position, game.parse_move(position, text))
    with pytest.raises(InvalidMoveError, match=cause):
        game.parse_move(position, move)


def test_texts_and_keys_that_are_no_positions_of_professional_renju_are_refused() -> None:
    game = open_rules("renju:professional")
    empty = game.text(game.initial())
    offered = game.text(after(game, "h8 h9 j8 a1 a2"))
    for text in (
        f"{offered} passed swapped",
        f"{offered} swapped",
        empty + " passed",
        empty + " swapped",
        empty.replace(".", "x", 1),
        empty[1:],
        empty.replace(".", "?", 2),
    ):
        with pytest.raises(InvalidPositionError):
            game.parse(text)
    for key in (b"", bytes([3] + [0] * 225), bytes([2] + [0] * 225), bytes([0, 1] + [0] * 224), bytes([1] + [0] * 225)):
        with pytest.raises(InvalidKeyError):
            game.position(key)


def test_the_core_searches_professional_renju() -> None:
    game: Any = open_game("renju:professional")
    rules = open_rules("renju:professional")
    position = rules.initial()
    for text in PROFESSIONAL:
        position = rules.play(position, rules.parse_move(position, text))
    for text in ("h7", "c1", "h6", "d1", "h5", "o15"):  # Black has h5 to h8 with an open end, White four stones
        position = rules.play(position, rules.parse_move(position, text))
    start = game.parse(rules.text(position))
    assert Search(game, start, 1, algorithm="pn-tree").run(nodes=2_000).status == "proved"
