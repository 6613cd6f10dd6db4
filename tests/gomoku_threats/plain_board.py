"""Go-moku by plain definitions on a list of squares, rows counted stone by stone. Shares nothing with the searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
ENDS = 0xFFFF
"""In trees: the attacker, to move, wins at once or leaves two squares that win."""


class Lines:
    """The squares around each square of a board of this size, worked out once.

    Attributes:
        rays: for each square and direction the squares behind it and ahead of it, the nearest first.
        near: for each square those that a row through it can hold, and those beside such rows, with repetitions.
        windows: all rows of `length` squares.
        windows_of: for each square the numbers of the windows that hold it.
    """

    def __init__(self, width: int, height: int, length: int) -> None:
        self.rays: list[dict[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]]] = []
        self.near: list[tuple[int, ...]] = []
        self.windows: list[tuple[int, ...]] = []
        self.windows_of: list[list[int]] = [[] for _ in range(width * height)]
        for square in range(width * height):
            column, row = square % width, square // width
            rays = {}
            for x, y in DIRECTIONS:
                behind, ahead = (
                    tuple(
                        column + steps * x + width * (row + steps * y)
                        for steps in range(sign, sign * max(width, height), sign)
                        if 0 <= column + steps * x < width and 0 <= row + steps * y < height
                    )
                    for sign in (-1, 1)
                )
                rays[x, y] = behind, ahead
                if len(ahead) >= length - 1:
                    window = (square, *ahead[: length - 1])
                    for other in window:
                        self.windows_of[other].append(len(self.windows))
                    self.windows.append(window)
            self.rays.append(rays)
            self.near.append(tuple(s for ray in rays.values() for side in ray for s in side[:length]))


lines_of_size = cache(Lines)


class PlainBoard:
    """Squares are column + width * row. `cells` holds '.', 'x' for the attacker, 'o' for the defender.

    `exact` says that rows of the attacker longer than `length` do not win; rows of the defender do, as the searches
    assume. `defender_exact` is the rule of the game for the defender.
    """

    def __init__(
        self, width: int, height: int, length: int, exact: bool, attacker: Sequence[int], defender: Sequence[int]
    ) -> None:
        self.width, self.height, self.length = width, height, length
        self.exact = {"x": exact, "o": False}
        self.cells = ["."] * (width * height)
        self.lines: Lines = lines_of_size(width, height, length)
        for square in attacker:
            self.cells[square] = "x"
        for square in defender:
            self.cells[square] = "o"

    def on_line(self, square: int, direction: tuple[int, int], steps: int) -> int | None:
        """The square so many steps on; None off the board."""
        column = square % self.width + steps * direction[0]
        row = square // self.width + steps * direction[1]
        return column + self.width * row if 0 <= column < self.width and 0 <= row < self.height else None

    def cell(self, square: int | None) -> str:
        return "#" if square is None else self.cells[square]

    def empty(self) -> list[int]:
        return [square for square, cell in enumerate(self.cells) if cell == "."]

    def row_through(self, square: int, direction: tuple[int, int]) -> tuple[int, int]:
        """How many stones like the one on the square follow each other behind it and ahead of it."""
        colour, counts = self.cells[square], []
        for ray in self.lines.rays[square][direction]:
            count = 0
            for other in ray:
                if self.cells[other] != colour:
                    break
                count += 1
            counts.append(count)
        return counts[0], counts[1]

    def wins_with(self, square: int, colour: str, directions: Sequence[tuple[int, int]] = DIRECTIONS) -> bool:
        """Whether a stone on this square completes a row."""
        if self.cells[square] != ".":
            return False
        self.cells[square] = colour
        rows = [sum(self.row_through(square, direction)) + 1 for direction in directions]
        self.cells[square] = "."
        return any(row == self.length if self.exact[colour] else row >= self.length for row in rows)

    def winning(self, colour: str) -> list[int]:
        one_short = self._windows_with(colour, self.length - 1)
        return sorted(s for s in {s for window in one_short for s in window} if self.wins_with(s, colour))

    def _windows_with(self, colour: str, least: int) -> list[tuple[int, ...]]:
        """The windows that hold at least so many stones of the colour."""
        stones = [square for square, cell in enumerate(self.cells) if cell == colour]
        held = Counter(window for stone in stones for window in self.lines.windows_of[stone])
        return [self.lines.windows[window] for window, count in held.items() if count >= least]

    def completes_after(self, square: int, colour: str) -> bool:
        """Whether the stone of this colour on `square` is in a row that one more stone near it makes win."""
        near = self.lines.near[square]
        if sum(self.cells[other] == colour for other in near) < self.length - 2:
            return False
        return any(self.wins_with(other, colour) for other in near)

    def fours(self, square: int, direction: tuple[int, int], colour: str = "x") -> set[int]:
        """The squares of one line that win in a row that holds a stone on `square`, which is empty."""
        found = set()
        self.cells[square] = colour
        for steps in range(1 - self.length, self.length):
            other = self.on_line(square, direction, steps)
            if other is not None and self.wins_with(other, colour, [direction]):
                self.cells[other] = colour
                behind, ahead = self.row_through(other, direction)
                self.cells[other] = "."
                if (behind >= steps) if steps > 0 else (ahead >= -steps):
                    found.add(other)
        self.cells[square] = "."
        return found

    def straight_four(self, square: int, direction: tuple[int, int]) -> set[int]:
        """The row of length - 1 that a stone makes on this line with a winning square at both ends; empty if none."""
        if self.cells[square] != ".":
            return set()
        self.cells[square] = "x"
        behind, ahead = self.row_through(square, direction)
        ends = [self.on_line(square, direction, steps) for steps in (-behind - 1, ahead + 1)]
        wins = all(end is not None and self.wins_with(end, "x", [direction]) for end in ends)
        self.cells[square] = "."
        if not wins or behind + ahead + 2 != self.length:
            return set()
        row = [self.on_line(square, direction, steps) for steps in range(-behind, ahead + 1)]
        return {stone for stone in row if stone is not None}

    def makes_three(self, square: int, direction: tuple[int, int]) -> bool:
        """Whether after a stone here another one makes a straight four that holds both."""
        self.cells[square] = "x"
        others = [self.on_line(square, direction, steps) for steps in range(-self.length, self.length + 1)]
        found = any(other is not None and square in self.straight_four(other, direction) for other in others)
        self.cells[square] = "."
        return found

    def double_fours(self) -> dict[int, list[int]]:
        """Squares after which the attacker has two squares or more that win, and those."""
        found = {}
        winning = set(self.winning("x"))
        partners: dict[int, set[int]] = {square: winning & set(self.lines.near[square]) for square in self.empty()}
        for window in self._windows_with("x", self.length - 2):
            for square in window:
                if self.cells[square] == ".":
                    partners[square].update(window)
        for square, others in partners.items():
            if len(others) < 2:
                continue
            self.cells[square] = "x"
            wins = [other for other in others if self.wins_with(other, "x")]
            self.cells[square] = "."
            if len(wins) > 1:
                found[square] = wins
        return found


def replay_line(board: PlainBoard, line: Sequence[int]) -> None:
    """Asserts that the attacker, to move, wins by this line of fours whatever the defender plays."""
    for ply, square in enumerate(line[:-1]):
        assert board.cells[square] == "."
        if ply % 2 == 0:
            board.cells[square] = "x"
            assert board.winning("o") == [], "the defender's four was not blocked"
        else:
            assert board.winning("x") == [square], "the defender has another reply"
            board.cells[square] = "o"
    last = line[-1]
    assert len(line) % 2 == 1
    if not board.wins_with(last, "x"):
        board.cells[last] = "x"
        assert board.winning("o") == [] and len(board.winning("x")) >= 2


def ends(board: PlainBoard) -> bool:
    """Whether the attacker, to move, wins at once, or leaves two squares that win and the defender can do nothing."""
    return bool(board.winning("x")) or (not board.winning("o") and bool(board.double_fours()))


def replay_tree(board: PlainBoard, tree: Sequence[int]) -> int:
    """Asserts that the attacker, to move, wins by this tree against every legal reply; how many nodes it has."""
    nodes, end = _replay_node(board, tree, 0)
    assert end == len(tree)
    return nodes


def _replay_node(board: PlainBoard, tree: Sequence[int], at: int) -> tuple[int, int]:
    if tree[at] == ENDS:
        assert ends(board), "a leaf that does not end"
        return 1, at + 1
    move, count = tree[at], tree[at + 1]
    assert board.cells[move] == "."
    board.cells[move] = "x"
    assert board.winning("o") == [], "the defender wins at once"
    nodes, at, listed = 1, at + 2, set()
    for _ in range(count):
        reply = tree[at]
        assert board.cells[reply] == "." and reply not in listed
        listed.add(reply)
        board.cells[reply] = "o"
        below, at = _replay_node(board, tree, at + 1)
        board.cells[reply] = "."
        nodes += below
    wins, doubles = board.winning("x"), board.double_fours()
    for reply in board.empty():
        if reply in listed:
            continue
        board.cells[reply] = "o"
        assert any(board.wins_with(square, "x") for square in wins) or (
            not board.completes_after(reply, "o")
            and any(_is_double(board, square, winning) for square, winning in doubles.items())
        ), f"no punishment of {reply}"
        board.cells[reply] = "."
    board.cells[move] = "."
    return nodes, at


def _is_double(board: PlainBoard, square: int, winning: Sequence[int]) -> bool:
    if board.cells[square] != ".":
        return False
    board.cells[square] = "x"
    left = sum(board.wins_with(other, "x") for other in winning)
    board.cells[square] = "."
    return left > 1
