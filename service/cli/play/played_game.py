"""A game that is being played: its moves, its positions, who is to move, and how it is written into a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.game_files import FORMATS
from proofbase.engine.formats.notation import read_line
from proofbase.engine.games import default_rules, open_game
from proofbase.engine.rules import Game

__all__ = ["Ending", "PlayedGame", "start_game"]

REPETITIONS = 3
"""A game ends when a position is on the board so many times: play that goes in a circle would never end."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended.

    Attributes:
        result: of the game as a whole for the side to move, its score so far included.
        by_repetition: a position has come back; no rule of the game has ended it.
    """

    result: int
    by_repetition: bool


class PlayedGame:
    """The moves from a start, and the positions before and after them.

    Attributes:
        rules: of the game.
        moves: their numbers, in order.
        positions: the start and the position after each move.
    """

    def __init__(self, rules: Game[Any], start: Any) -> None:
        self.rules = rules
        self.moves: list[int] = []
        self.positions = [start]

    @property
    def position(self) -> Any:
        """The one on the board."""
        return self.positions[-1]

    @property
    def player(self) -> int:
        """Whose move it is: 0 for the first player. Counted from the start, since some games do not tell."""
        return self.player_at(len(self.moves))

    def player_at(self, ply: int) -> int:
        """Who makes the move of this number, counted from 0."""
        return (self.rules.side(self.positions[0]) + ply) % 2

    def play(self, move: int) -> None:
        """Makes a legal move."""
        after = self.rules.play(self.position, move)
        self.moves.append(move)
        self.positions.append(after)

    def take_back(self) -> None:
        """Takes the last move back."""
        self.moves.pop()
        self.positions.pop()

    def lead(self) -> int:
        """What the side to move is ahead so far, in rewards."""
        lead = self.rules.score(self.positions[0])
        for position, move in zip(self.positions[:-1], self.moves, strict=True):
            lead = -(lead + self.rules.reward(position, move))
        return lead

    def ending(self) -> Ending | None:
        """How the game ended, None while it goes on."""
        value, repeated = self.rules.terminal(self.position), False
        if value is None and self.positions.count(self.position) >= REPETITIONS:
            value, repeated = self.rules.repetition(self.position), True
        return None if value is None else Ending(self.rules.score(self.position) + value, repeated)

    def times(self) -> int:
        """How many times the position on the board has been there."""
        return self.positions.count(self.position)

    def move_texts(self) -> list[str]:
        """The moves as they are written."""
        return [
            self.rules.move_text(position, move) for position, move in zip(self.positions[:-1], self.moves, strict=True)
        ]

    @property
    def from_initial(self) -> bool:
        """Whether the start is the position in which the game begins."""
        return bool(self.positions[0] == self.rules.initial())

    def where(self) -> str:
        """The position on the board as an argument of a command: by its moves where they are known from the start."""
        if not self.moves and self.from_initial:
            return "-"
        return f"moves:{' '.join(self.move_texts())}" if self.from_initial else self.rules.text(self.position)

    def written(self) -> str:
        """The game as a file with one position (as `lookup --file` reads it); its moves are a remark above it."""
        start = "-" if self.from_initial else self.rules.text(self.positions[0])
        moves = " ".join(self.move_texts())
        return f"# {self.rules.name}, from {start}\n# moves {moves or 'none'}\n{self.where()}\n"

    def written_as(self, form: str) -> str:
        """The game as SGF or PGN, by the name of the format; for any other name as `written` has it.

        Raises:
            ValueError: games of this kind are not written like that.
        """
        if form not in FORMATS:
            return self.written()
        return FORMATS[form].write(self.rules, self.positions[0], self.moves, (), "") + "\n"


def start_game(name: str, position: str) -> PlayedGame:
    """A game from a position, as `lookup` takes it. Moves that led to the position are moves of the game.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
    """
    rules = open_game(name, default_rules())
    try:
        start, moves, _ = read_line(rules, position)
    except InvalidPositionError as error:
        raise error if rules.name in str(error) else InvalidPositionError(f"{rules.name}: {error}") from None
    game = PlayedGame(rules, start)
    for move in moves:
        game.play(move)
    return game
