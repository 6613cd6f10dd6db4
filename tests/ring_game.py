"""A correct user's game with everything that `Game` offers: cycles, rewards, limits, symmetry, sides."""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.rules import Game

__all__ = ["Place", "Ring"]

Place = tuple[int, int, int, int]
"""Two pawns on a ring, coins that are left, and whose move it is."""


class Ring(Game[Place]):
    """Two pawns on a ring of places; each side has one. A move shifts one's pawn by one place either way.

    Who moves to the place of the other pawn takes it and wins what is left; who passes place 0 takes a coin. Endless
    play is worth 1 to the side that begins. Turning the ring over is a symmetry.
    """

    name = "ring"
    acyclic = False

    def __init__(self, places: str = "6") -> None:
        self.places = int(places)
        self.name = "ring" if places == "6" else f"ring:{places}"
        self.coins = 2
        self.highest_value = 2 * self.coins + 1

    def initial(self) -> Place:
        return (1, self.places // 2 + 1, self.coins, 0)

    def terminal(self, position: Place) -> int | None:
        mine, theirs, coins, _ = position
        return -coins - 1 if mine == theirs else None

    def moves(self, position: Place) -> Sequence[int]:
        return (0, 1)

    def play(self, position: Place, move: int) -> Place:
        mine, theirs, coins, side = position
        after = (mine + (1 if move else -1)) % self.places
        return (theirs, after, coins - self.reward(position, move), 1 - side)

    def reward(self, position: Place, move: int) -> int:
        mine, _, coins, _ = position
        return 1 if coins and (mine + (1 if move else -1)) % self.places == 0 else 0

    def repetition(self, position: Place) -> int | None:
        return -1 if position[3] else 1

    def limit(self, position: Place) -> int:
        return position[2] * 2 + 1

    def side(self, position: Place) -> int:
        return position[3]

    def mirrored(self, position: Place) -> Place:
        mine, theirs, coins, side = position
        return (-mine % self.places, -theirs % self.places, coins, side)

    def key(self, position: Place) -> bytes:
        return min(bytes(position), bytes(self.mirrored(position)))

    def position(self, key: bytes) -> Place:
        if len(key) == 4 and max(key[:2]) < self.places and key[2] <= self.coins and key[3] < 2:
            position = (key[0], key[1], key[2], key[3])
            if self.key(position) == key:
                return position
        raise InvalidKeyError(f"{key.hex()} is no key of a ring")

    def text(self, position: Place) -> str:
        return "-".join(map(str, position))

    def parse(self, text: str) -> Place:
        parts = text.split("-")
        if len(parts) == 4 and all(part.isascii() and part.isdigit() for part in parts):
            mine, theirs, coins, side = map(int, parts)
            position = (mine, theirs, coins, side)
            if max(mine, theirs) < self.places and coins <= self.coins and side < 2 and self.text(position) == text:
                return position
        raise InvalidPositionError(f"{text!r} is not two places, the coins and the side, such as 1-4-2-0")

    def move_text(self, position: Place, move: int) -> str:
        return "right" if move else "left"
