"""Mutations of a correct game (ring_game.py) that break one requirement each."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

from ring_game import Place, Ring

from proofbase.engine.rules import Game

__all__ = ["MUTATIONS", "ByProcess", "Ring", "mutant"]

count = itertools.count()


class Loose:
    """A position without __eq__: equal to itself only."""

    def __init__(self, place: Place) -> None:
        self.place = place


class Uneven:
    """A position whose comparison fails."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def __hash__(self) -> int:
        return hash(self.place)

    def __eq__(self, other: object) -> bool:
        raise SystemExit(3)


class Box(list[int]):
    """A position that is a list: it has no hash."""


class Grown:
    """A position that the rules change."""

    def __init__(self, place: Place) -> None:
        self.place, self.seen = place, 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grown) and self.place == other.place

    def __hash__(self) -> int:
        return hash(self.place)

    def __repr__(self) -> str:
        return f"{self.place} {self.seen}"


def _raises(error: BaseException) -> Callable[..., Any]:
    def method(*_: Any) -> Any:
        raise error

    return method


def _wrapping(kind: Callable[[Any], Any], inside: Callable[[Any], Any]) -> dict[str, Any]:
    """The same game with another type of positions."""
    return {
        "initial": lambda self: kind(Ring.initial(self)),
        "terminal": lambda self, p: Ring.terminal(self, inside(p)),
        "play": lambda self, p, m: kind(Ring.play(self, inside(p), m)),
        "reward": lambda self, p, m: Ring.reward(self, inside(p), m),
        "repetition": lambda self, p: Ring.repetition(self, inside(p)),
        "limit": lambda self, p: Ring.limit(self, inside(p)),
        "side": lambda self, p: Ring.side(self, inside(p)),
        "key": lambda self, p: Ring.key(self, inside(p)),
        "position": lambda self, k: kind(Ring.position(self, k)),
        "text": lambda self, p: Ring.text(self, inside(p)),
        "parse": lambda self, t: kind(Ring.parse(self, t)),
    }


def _place(position: Any) -> Place:
    place: Place = getattr(position, "place", position)
    return place


def _looked_at(self: Any, position: Grown) -> str:
    position.seen += 1
    return Ring.text(self, position.place)


def _half_symmetric(self: Any, p: Place) -> bytes:
    """Turns over only the pawn of the side to move: other positions get the same key."""
    return min(bytes(p), bytes((-p[0] % self.places, *p[1:])))


MUTATIONS: dict[str, tuple[dict[str, Any], set[str]]] = {
    # What is changed in Ring, and the requirements of which one at least must be named.
    "a name with capitals": (
        {"__init__": lambda self: (Ring.__init__(self), setattr(self, "name", "Ring"))[1]},
        {"attributes"},
    ),
    "rules version 0": ({"rules_version": 0}, {"attributes"}),
    "an acyclic that is no truth value": ({"acyclic": "no"}, {"attributes"}),
    "a highest value of 0": (
        {"__init__": lambda self: (Ring.__init__(self), setattr(self, "highest_value", 0))[1]},
        {"attributes"},
    ),
    "acyclic left at True": ({"acyclic": True}, {"repetition"}),
    "acyclic left at True, and no repetition": ({"acyclic": True, "repetition": lambda self, p: None}, {"recurrence"}),
    "no repetition": ({"repetition": lambda self, p: None}, {"repetition"}),
    "repetition without its sign": ({"repetition": lambda self, p: 1}, {"repetition"}),
    "repetition by the place of a pawn": (
        {"repetition": lambda self, p: 1 if p[0] % 2 else -1},
        {"repetition", "symmetry"},
    ),
    "a reward in a cycle": (
        {
            "reward": lambda self, p, m: int((p[0] + (1 if m else -1)) % self.places == 0),
            "play": lambda self, p, m: (*Ring.play(self, p, m)[:2], p[2], 1 - p[3]),
        },
        {"cycle-reward", "reward"},
    ),
    "a terminal value beyond the highest": ({"terminal": lambda self, p: -9 if p[0] == p[1] else None}, {"terminal"}),
    "a terminal value that is no number": (
        {"terminal": lambda self, p: "lost" if p[0] == p[1] else None},
        {"terminal"},
    ),
    "a terminal value beyond the limit": ({"limit": lambda self, p: 0}, {"limit"}),
    "a limit that the values exceed": (
        {
            "limit": lambda self, p: 5 if p[0] == p[1] else 2,
            "reward": lambda self, p, m: 2 * Ring.reward(self, p, m),
            "play": lambda self, p, m: (
                p[1],
                (p[0] + (1 if m else -1)) % self.places,
                p[2] - Ring.reward(self, p, m),
                1 - p[3],
            ),
        },
        {"limit", "reward"},
    ),
    "an effort of nothing": ({"effort": lambda self, p, bound: (0, 3)}, {"effort"}),
    "an effort that is one number": ({"effort": lambda self, p, bound: 7}, {"effort"}),
    "a limit above the highest value": ({"limit": lambda self, p: 100}, {"limit"}),
    "no moves in the middle of the game": ({"moves": lambda self, p: () if p[2] == 1 else (0, 1)}, {"moves"}),
    "a move twice": ({"moves": lambda self, p: (0, 1, 1)}, {"moves"}),
    "a negative move": ({"moves": lambda self, p: (-1, 1)}, {"moves"}),
    "a move that is a text": ({"moves": lambda self, p: ("0", "1")}, {"moves"}),
    "moves in an order by chance": ({"moves": lambda self, p: random.sample((0, 1), 2)}, {"determinism"}),
    "moves in another order at every call": (
        {"moves": lambda self, p: (0, 1) if next(count) % 2 else (1, 0)},
        {"determinism"},
    ),
    "a reward that is no number": ({"reward": lambda self, p, m: 0.5}, {"reward", "errors", "key"}),
    "a reward that makes more than there is": (
        {
            "reward": lambda self, p, m: 40 * Ring.reward(self, p, m),
            "play": lambda self, p, m: (
                p[1],
                (p[0] + (1 if m else -1)) % self.places,
                p[2] - Ring.reward(self, p, m),
                1 - p[3],
            ),
        },
        {"reward"},
    ),
    "a key that is a text": ({"key": lambda self, p: Ring.text(self, p)}, {"key"}),
    "an empty key": ({"key": lambda self, p: b""}, {"key"}),
    "a key that is too long": ({"key": lambda self, p: bytes(256)}, {"key"}),
    "a key that is not canonical": (
        {
            "key": lambda self, p: bytes(p),
            "position": lambda self, k: min(Ring.position(self, k), self.mirrored(Ring.position(self, k))),
        },
        {"key"},
    ),
    "a key without the side to move": (
        {
            "key": lambda self, p: min(bytes(p[:3]), bytes(self.mirrored(p)[:3])) + b"\0",
            "position": lambda self, k: (
                (*Ring.position(self, k)[:3], 0) if k[3:] == b"\0" else Ring.position(self, b"")
            ),
        },
        {"symmetry"},
    ),
    "a key without the coins": (
        {
            "key": lambda self, p: Ring.key(self, (p[0], p[1], 0, p[3])),
            "position": lambda self, k: Ring.position(self, k) if k[2:3] == b"\0" else Ring.position(self, b""),
        },
        {"symmetry", "position"},
    ),
    "a symmetry that is none": ({"key": _half_symmetric}, {"symmetry", "key"}),
    "keys that are hashes of the process": (
        {"key": lambda self, p: hash(("ring", *p)).to_bytes(8, "big", signed=True)},
        {"key"},
    ),
    "a position of any bytes": ({"position": lambda self, k: tuple(k) if len(k) == 4 else (0, 0, 0, 0)}, {"position"}),
    "a position that refuses by another error": (
        {"position": lambda self, k: Ring.position(self, k) if len(k) == 4 else k[99]},
        {"position"},
    ),
    "a parse that gives another position": (
        {"parse": lambda self, t: Ring.mirrored(self, Ring.parse(self, t))},
        {"text", "parse"},
    ),
    "a parse that refuses what text gives": ({"parse": lambda self, t: Ring.parse(self, t.upper() + "!")}, {"text"}),
    "a parse that refuses by another error": (
        {"parse": lambda self, t: Ring.parse(self, t) if t.count("-") == 3 else int("none")},
        {"parse"},
    ),
    "a text on two lines": ({"text": lambda self, p: Ring.text(self, p) + "\n"}, {"text"}),
    "a text with half of a surrogate pair": ({"text": lambda self, p: "\ud800"}, {"text"}),
    "one text for all moves": ({"move_text": lambda self, p, m: "go"}, {"move-text"}),
    "moves written with a space": ({"move_text": lambda self, p, m: "to right" if m else "to left"}, {"move-text"}),
    "a parse_move that gives the other move": (
        {"parse_move": lambda self, p, t: 1 - Ring.parse_move(self, p, t)},
        {"move-text"},
    ),
    "a parse_move that takes anything": ({"parse_move": lambda self, p, t: int(t == "right")}, {"move-text"}),
    "a side that stays": ({"side": lambda self, p: int(p[2] == 0)}, {"side"}),
    "a side of 2": ({"side": lambda self, p: p[3] * 2}, {"side"}),
    "a score without the rewards": ({"score": lambda self, p: 1 if p[3] else -1}, {"score"}),
    "positions without a hash": (_wrapping(lambda p: Box(p), lambda p: tuple(p)), {"hashing"}),
    "positions whose comparison fails": (_wrapping(Uneven, _place), {"errors"}),
    "positions without equality": (_wrapping(Loose, _place), {"text", "determinism"}),
    "positions that the rules change": ({**_wrapping(Grown, _place), "text": _looked_at}, {"hashing"}),
    "a play that plays by chance": (
        {"play": lambda self, p, m: Ring.play(self, p, random.randrange(2))},
        {"determinism"},
    ),
    "a play that remembers": (
        {"play": lambda self, p, m: Ring.play(self, p, m if next(count) % 7 else 1 - m)},
        {"determinism", "errors"},
    ),
    "an exception in a corner": ({"play": lambda self, p, m: Ring.play(self, p, m) if p[2] else 1 // 0}, {"errors"}),
    "SystemExit": ({"moves": _raises(SystemExit(3))}, {"errors"}),
    "a generator that fails": ({"moves": lambda self, p: (1 // 0 for _ in range(2))}, {"errors"}),
    "one entry of a table for all": ({"table_entry": lambda self, p: ("ring", 0)}, {"table-entry"}),
    "a table entry that is none": ({"table_entry": lambda self, p: 7}, {"table-entry"}),
}


def mutant(name: str) -> Game[Any]:
    """The game with this mutation."""
    made: Game[Any] = type("Mutant", (Ring,), MUTATIONS[name][0])()
    return made


class ByProcess(Ring):
    """Its moves stand in an order that another process does not have."""

    name = "by-process"

    def __init__(self) -> None:
        super().__init__()
        self.name = "by-process"

    def moves(self, position: Place) -> Sequence[int]:
        return sorted((0, 1), key=lambda move: hash(f"{position} {move}"))
