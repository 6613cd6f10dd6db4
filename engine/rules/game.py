"""What a game is: the one interface that Python rules, users' own games and native games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from proofbase.engine.errors import InvalidMoveError, quoted
from proofbase.engine.rules.lines import LineRules
from proofbase.engine.rules.players_words import PlayersWords
from proofbase.engine.rules.squares import SquareRules
from proofbase.engine.rules.threats import ThreatRules

__all__ = ["Game", "Position", "TableClass"]

Position = TypeVar("Position")
"""A game's own type of positions: immutable and hashable, equal exactly when they are the same position."""


class TableClass(NamedTuple):
    """A class of positions whose values are in one table (docs/tables.md)."""

    number: int
    """0 to 65534, another one for each class."""
    name: str
    """At most 32 bytes: the end of the table's name."""
    entries: int
    """Positions of the class."""


class Game(ABC, Generic[Position]):
    """The rules of a two-player perfect-information game with its parameters.

    A game knows nothing of searches, stores or formats. An object of a game has no state that changes: all methods
    are functions of their arguments, always give the same answer, and may be called from several threads.

    **Values.** The value of a position is best play's future score *for the side to move*:
    `value(p) = terminal(p)` at the end of the game, otherwise the maximum over the moves m of
    `reward(p, m) - value(play(p, m))`. It lies in [-highest_value, highest_value].

    **Cycles.** A game in which a position may come back sets `acyclic = False` and gives every position a repetition
    value rho: a line that never ends is worth `repetition(p)` to the side to move at p. In a cycle every reward is 0,
    and `repetition(child) = -repetition(p)` along every move of reward 0; the game must keep both rules; nothing
    checks them at run time. A position that cannot come back may have any repetition value that fits this.

    **Symmetry.** `key` is the same for positions that are the same up to a symmetry of the game. Then their values
    are equal, and the moves of one correspond to the moves of the other with equal rewards and children of equal keys.

    **Moves** are numbers in [0, 2**31). They are legal in the position that they were asked for, in its orientation.
    """

    name: str
    """The canonical name with its parameters, such as `connect-four:5x4`. Lower-case ASCII."""
    rules_version: int = 1
    """Grows when the rules, the keys or the move numbers change: older records are then worth nothing."""
    highest_value: int = 1
    """Limit of the absolute value of every position."""
    acyclic: bool = True
    """True when no line of play visits a position (up to symmetry) twice."""

    wins_by_own_move: bool = False
    """True when no finished position is worth more than 0 to its side to move: who wins has moved last. Then a win
    within an even number of plies is one within a ply less."""

    loses_by_own_move: bool = False
    """True when no finished position is worth less than 0 to its side to move: who loses has moved last. Then a win
    within an odd number of plies is one within a ply less."""

    table_end_value: int | None = None
    """Games whose tables hold plies: what a finished game is worth to its side to move where it is not drawn, -1 or 1.
    None: tables hold values (docs/tables.md)."""

    tables_to_resets: bool = False
    """True: tables hold plies to the next move that nothing takes back, as those of `chess:fifty` do
    (docs/endgame-tables.md#the-fifty-move-rule)."""

    tables_by_size: bool = True
    """False: the game has one set of tables only, that of all positions, and nobody is asked for a size."""

    table_size_unit: str | None = None
    """What the size of tables counts: `stones`, `men`. None: there is no word for it. Only for showing."""

    plies_end_value: int | None = None
    """Games with tables of values -1, 0 and 1, and without rewards, that may have tables of plies beside them: what a
    finished game is worth to its side to move where it is not drawn. None: they have none."""

    players_words: PlayersWords | None = None
    """How its players name values and write lines; None: in plies, without numbers. Only for showing."""

    rules_text: str | None = None
    """The rules in words; None: the docstring of the game's module tells them. Only for showing."""

    @abstractmethod
    def initial(self) -> Position:
        """The position in which the game starts."""

    @abstractmethod
    def terminal(self, position: Position) -> int | None:
        """The value for the side to move when the game is over, None when it goes on."""

    @abstractmethod
    def moves(self, position: Position) -> Sequence[int]:
        """The legal moves, each once, always in the same order. Not empty unless the game is over."""

    @abstractmethod
    def play(self, position: Position, move: int) -> Position:
        """The position after a legal move, the other side to move.

        Raises:
            InvalidMoveError: the game found the move to be illegal. Callers should play legal moves only.
        """

    @abstractmethod
    def key(self, position: Position) -> bytes:
        """The exact, canonical encoding of a position: never a hash. At most 255 bytes.

        It is the smallest encoding under the game's symmetries, and it never changes within one rules_version.
        """

    @abstractmethod
    def position(self, key: bytes) -> Position:
        """The position that a key stands for: `key(position(k)) == k`. Witness moves of records refer to it.

        Raises:
            InvalidKeyError: the bytes are not the canonical key of a legal position.
        """

    @abstractmethod
    def parse(self, text: str) -> Position:
        """The position that a text stands for; accepts every text that `text` gives.

        Raises:
            InvalidPositionError: naming the first thing that is wrong.
        """

    @abstractmethod
    def text(self, position: Position) -> str:
        """One line of text for a position: `parse(text(p)) == p`."""

    def reward(self, position: Position, move: int) -> int:
        """What a legal move adds at once to the score of the side that makes it. 0 in win/draw/loss games."""
        return 0

    def has_rewards(self) -> bool:
        """False when the reward of every move is 0. A class without a `reward` of its own has none."""
        return type(self).reward is not Game.reward

    def repetition(self, position: Position) -> int | None:
        """rho: what a line that never ends is worth to the side to move. None for an acyclic game.

        Within the limits of `highest_value`, like every value.
        """
        return None

    def limit(self, position: Position) -> int:
        """Limit of the absolute value of this position; bounds at it are true without a claim.

        At most `highest_value`, and the same for all positions of a key.
        """
        return self.highest_value

    def effort(self, position: Position, bound: int) -> tuple[int, int]:
        """A first estimate of the work behind a question, for searches by proof numbers (the policy `effort`).

        Games that override it are searched by it unless another initialisation is asked for. A wrong estimate makes a
        search slower, and no answer wrong.

        Args:
            position: one where the game goes on.
            bound: the question is whether its value is at least this: above -limit(position), up to limit(position).

        Returns:
            The effort to show that it is, and the effort to show that it is not: 1 to 1,000,000 each. Only their
            proportions count, such as stones or men still to be captured, or empty squares (Allis 1994, 2.3.3).
        """
        return 1, 1

    def estimates_effort(self) -> bool:
        """Whether the game has an `effort` of its own."""
        return type(self).effort is not Game.effort

    def evaluate(self, position: Position) -> float:
        """What a position in which the game goes on seems to be worth to its side to move, for players that guess.

        In the unit of values, inside `limit(position)`: of a game of win, draw and loss between -1 and 1. The value of
        a position that nobody knows is 0, which shares what is left to be won evenly.
        """
        return 0.0

    def promising_moves(self, position: Position) -> Sequence[int]:
        """The moves that a player who guesses should look at, the best-looking first: at least one legal move."""
        return self.moves(position)

    def evaluates(self) -> bool:
        """Whether the game has an `evaluate` or `promising_moves` of its own."""
        kind = type(self)
        return kind.evaluate is not Game.evaluate or kind.promising_moves is not Game.promising_moves

    def score(self, position: Position) -> int:
        """The lead of the side to move so far: its rewards in the game minus those of its opponent.

        The result of the game as a whole is this plus the value. 0 in games without rewards, and in games whose
        positions do not contain the rewards so far.
        """
        return 0

    def table_names(self, size: int) -> Sequence[str]:
        """Names of the tables of a size, in an order in which they can be built; empty for games without tables.

        Each name begins with the game's own, `:` written `_`, and `-`. Moves lead from a table to itself or to earlier
        ones, moves with a reward to earlier ones only. What size means is the game's to say. Only users' games are
        asked for it.
        """
        return ()

    def table_entry(self, position: Position) -> tuple[str, int] | None:
        """Name of the table that a position belongs in, and the number of its entry. None for games without tables.

        Positions with the same entry have the same value (docs/tables.md).
        """
        return None

    @property
    def table_game(self) -> Game[Position]:
        """The game that the tables of `table_entry` belong to: this one, or the one that `within:N:GAME` limits."""
        return self

    def table_value(self, position: Position, value: int, plies: int | None) -> int:
        """The value of a position of which a table says this.

        Args:
            position: a position that a table has.
            value: its value in `table_game`.
            plies: to the end of the game there, 0 for draws; None from a table of values. With `tables_to_resets` those
                to the next reset.
        """
        return value

    def table_class(self, name: str) -> TableClass | None:
        """The class of positions whose table has this name; None when no table of this game has it."""
        return None

    def table_position(self, name: str, entry: int) -> Position | None:
        """A position with this number in the table of this name: the inverse of `table_entry`.

        Only called for names that `table_class` knows, with numbers below its number of entries. None where no position
        has the number, which may be in tables of plies, and in those whose numbers have gaps (docs/tables.md).
        """
        raise NotImplementedError(f"{self.name} has no tables")

    def square_rules(self) -> SquareRules | None:
        """The squares on which strategies are played out (docs/strategies.md). None: no claim may rest on one."""
        return None

    def line_rules(self) -> LineRules | None:
        """The lines that pairings hold (docs/strategies.md). None: no claim may rest on a pairing."""
        return None

    def threat_rules(self) -> ThreatRules | None:
        """The lines by which wins by threats are checked (docs/zones.md). None: no claim may rest on threat trees."""
        return None

    def side(self, position: Position) -> int:
        """Whose move it is: 0 for the side that moved first in the initial position, 1 for the other.

        Only for showing. Games whose positions do not contain the side to move (Nim) leave it at 0.
        """
        return 0

    def margin_text(self, result: int, side: int, *, or_more: bool = False) -> str:
        """How clearly a game is won or lost, in words that follow "won" or "lost". Only for showing.

        Args:
            result: of the game as a whole for the side to move, its score so far plus its value; not 0.
            side: whose move it is.
            or_more: the result is known to be this or farther from 0.
        """
        return f"by {abs(result)}{' or more' if or_more else ''}"

    def draw(self, position: Position) -> str:
        """The position for a terminal screen, on several lines where the game has a board."""
        return self.text(position)

    def squares(self, position: Position) -> Sequence[str]:
        """The position as a board of squares that can be clicked: its rows from the top, a letter for each square.

        `.` is an empty square, a space is none. Only for showing; without rows the drawing is shown.
        """
        return ()

    def move_squares(self, position: Position, move: int) -> Sequence[int]:
        """The squares of a legal move in the order in which they are clicked, such as a man's and the one he goes to.

        They count row by row from the top left, with those that are a space. Only for showing.
        """
        return ()

    def men_on_board(self, position: Position) -> int | None:
        """The men (stones, discs) on the board of a position; None where the game does not say where they are."""
        rows = self.squares(position)
        return sum(letter not in ". " for row in rows for letter in row) if rows else None

    def move_text(self, position: Position, move: int) -> str:
        """How a legal move is written, without spaces or commas. Different for different moves of a position."""
        return str(move)

    def parse_move(self, position: Position, text: str) -> int:
        """The legal move that a text stands for.

        Raises:
            InvalidMoveError: no legal move of the position is written like this.
        """
        for move in self.moves(position):
            if self.move_text(position, move) == text:
                return move
        raise InvalidMoveError(f"{quoted(text)} is not a legal move in {quoted(self.text(position), 100)}")
