"""What the protocols share: a game, who advises, lines in and out, and searches while the other side thinks."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from proofbase.service.cli.output.wording import error_text
from proofbase.service.cli.play.adviser import Adviser
from proofbase.service.cli.play.played_game import PlayedGame, start_game
from proofbase.service.cli.play.pondering import Pondering
from proofbase.service.errors import error_mapping

__all__ = ["Engine", "ProtocolError"]

LEAST_SECONDS = 0.02


class ProtocolError(Exception):
    """A command that makes no sense; the text goes to whoever sent it."""


class Engine(ABC):
    """Answers the commands of one protocol until it is told to end, or the input ends.

    Args:
        game: name of the game.
        adviser_of: makes who advises about a game that begins.
        seconds: for a move where the protocol does not say it.
        ponder: whether to search while the other side thinks.
        read: gives the next line, None at the end of the input.
    """

    families: ClassVar[tuple[str, ...]] = ()
    """Families of the games that the protocol is for; none: all."""

    def __init__(
        self,
        game: str,
        adviser_of: Callable[[PlayedGame], Adviser],
        seconds: float,
        ponder: bool,
        read: Callable[[], str | None],
    ) -> None:
        self._adviser_of = adviser_of
        self._ponders = ponder
        self._read = read
        self._pondering: Pondering | None = None
        self.seconds = seconds
        self.begin(game)

    def begin(self, game: str, position: str = "-") -> None:
        """Begins a game."""
        self.game = start_game(game, position)
        self.adviser = self._adviser_of(self.game)

    def run(self) -> None:
        """Takes commands."""
        while (line := self._read()) is not None:
            self._end_pondering()
            words = line.replace("\t", " ").split("#", 1)[0].split()
            if not words:
                continue
            try:
                if not self.take(words):
                    break
            except Exception as error:
                if not isinstance(error, ProtocolError) and error_mapping(error).type is Exception:
                    raise  # a mistake in the program
                self.refuse(words, error_text(error))
        self._end_pondering()

    @abstractmethod
    def take(self, words: list[str]) -> bool:
        """Answers a command; False ends the program."""

    @abstractmethod
    def refuse(self, words: list[str], message: str) -> None:
        """Answers a command that makes no sense, or that failed."""

    def say(self, text: str) -> None:
        """A line to whoever asked."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def choose(self, seconds: float | None = None) -> tuple[int, str]:
        """A move for the side to move, and why. The game stays as it is.

        Raises:
            ProtocolError: the game is over.
        """
        if self.game.ending() is not None:
            raise ProtocolError("the game is over")
        self.adviser.set_seconds(max(LEAST_SECONDS, self.seconds if seconds is None else seconds))
        choice = self.adviser.choose(self.game.position, self.game.lead())
        return choice.move.number, choice.reason

    def start_pondering(self) -> None:
        """Searches until the next command comes."""
        if self._ponders and self.game.ending() is None:
            self._pondering = Pondering(self.adviser)
            self._pondering.start(self.game)

    def _end_pondering(self) -> None:
        if self._pondering is not None:
            self._pondering.end()
            self._pondering = None
