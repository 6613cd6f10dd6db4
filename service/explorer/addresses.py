"""The addresses of the page: each names a position, and the game that it is a part of."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from proofbase.service.errors import LimitExceededError

__all__ = ["Place", "address", "encoded", "split_moves"]

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*'(),:@/")
_SEPARATORS = re.compile(r"[\s,]+")
MOST_MOVES = 2_000
"""Moves of a game that an analysis takes, at most."""


def address(path: str, **parameters: str | int | tuple[str, ...] | None) -> str:
    """A path with a query; parameters without a value are left out, one with several values stands several times."""
    values = ((name, value if isinstance(value, tuple) else (value,)) for name, value in parameters.items())
    query = "&".join(f"{name}={encoded(str(one))}" for name, each in values for one in each if one not in (None, ""))
    return f"{encoded(path, '=')}?{query}" if query else encoded(path, "=")


def split_moves(text: str) -> tuple[str, ...]:
    """The moves of a text, which are separated by commas or spaces."""
    return tuple(move for move in _SEPARATORS.split(text) if move)


def encoded(text: str, also: str = "") -> str:
    """A text as a part of an address, in which `also` may stand as it is."""
    parts = [
        c if c in _PLAIN or c in also else "".join(f"%{byte:02X}" for byte in c.encode(errors="replace")) for c in text
    ]
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Place:
    """A position as the page shows it: one of a game that was played, or that may be played.

    Attributes:
        game: name of the game.
        start: text of the position where the game starts; empty for the initial one.
        moves: of the game, also those after the position.
        at: how many of them lead to the position.
        turn: by how many quarter turns its board is turned.
    """

    game: str
    start: str = ""
    moves: tuple[str, ...] = ()
    at: int = 0
    turn: int = 0

    @classmethod
    def read(cls, game: str, parameters: dict[str, str]) -> Place:
        """The place of an address: `position`, `moves`, `at`, without which all moves are played, and `turn`.

        Raises:
            LimitExceededError: too many moves.
        """
        moves = split_moves(parameters.get("moves", ""))
        if len(moves) > MOST_MOVES:
            raise LimitExceededError(
                f"a game of {len(moves)} moves: at most {MOST_MOVES}",
                limit="analysis_moves",
                largest=MOST_MOVES,
                field="moves",
            )
        at = parameters.get("at", "")
        played = int(at) if at.isascii() and at.isdigit() and len(at) < 6 else len(moves)
        start = parameters.get("position", "").strip()
        turn = parameters.get("turn", "")
        quarters = int(turn) if turn in ("1", "2", "3") else 0
        return cls(game, "" if start == "-" else start, moves, min(played, len(moves)), quarters)

    @property
    def played(self) -> tuple[str, ...]:
        """The moves that lead to the position."""
        return self.moves[: self.at]

    @property
    def last(self) -> str | None:
        """The last move; None at the start."""
        return self.moves[self.at - 1] if self.at else None

    @property
    def position(self) -> str | None:
        """Text of the position, where it can be told without the rules: from the initial position, or at the start."""
        if not self.at:
            return self.start
        return None if self.start else "moves:" + ",".join(self.played)

    def after(self, *moves: str) -> Place:
        """The place after further moves: the next one of the game, or the first one of another game."""
        if self.moves[self.at : self.at + len(moves)] == moves:
            return replace(self, at=self.at + len(moves))
        played = (*self.played, *moves)
        return replace(self, moves=played, at=len(played))

    def to(self, at: int) -> Place:
        """Another position of the game."""
        return replace(self, at=max(0, min(at, len(self.moves))))

    def href(self, part: str = "", **more: str | int | None) -> str:
        """The address of the position, or of another page about it."""
        path = f"/games/{self.game}" + (f"/{part}" if part else "")
        at = self.at if self.at < len(self.moves) else None
        turn = self.turn or None
        return address(path, position=self.start, moves=",".join(self.moves), at=at, **{"turn": turn, **more})
