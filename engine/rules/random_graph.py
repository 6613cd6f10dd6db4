"""Random game graphs: an artificial game with as many positions, transpositions, cycles and values as one asks for.

1. The positions are the nodes 0 to nodes - 1; node 0 is the initial one. `group` nodes in a row make a group. Moves
   lead to other nodes of the same group, or to one of the `span` nodes behind it: play can come back only within a
   group, and with groups of 1 it cannot come back at all.
2. `ends` per cent of the nodes, but not node 0, are ends; so is a node that no move could leave. An end is worth
   -values to values to the side to move.
3. Elsewhere there are 1 to `degree` drawings: drawing j gives move j, unless an earlier one led to the same node.
4. The nodes lie in ten stages of equal size (a group in that of its first node). A move to a later stage adds
   -rewards to rewards to the mover's score, other moves add nothing.
5. Endless play is worth nothing, or, with `repetition` r, r to the side that begins; then every move leads from an even
   node to an odd one or back, so that even nodes are those of the side that begins.

Nothing is stored: everything follows from `seed` by a hash. With all numbers modulo 2^64, mix the finaliser of
MurmurHash3 (Austin Appleby, public domain) and g = 0x9e3779b97f4a7c15,

    start = mix(seed + g), at(node) = mix(start + g * (node + 1)), drawn(node, k) = mix(at(node) + g * (k + 1))

    end: drawn(node, 0) % 100 < ends; its value: drawn(node, 1) % (2 * values + 1) - values
    number of drawings: 1 + drawn(node, 2) % degree
    drawing j, with h = drawn(node, 3 + 2 * j): among the n nodes that rule 1 (and 5) allows within the group if h is
        even, behind it if h is odd (where there are none, among the others), number (h >> 1) % n counted from the
        smallest; its reward: drawn(node, 4 + 2 * j) % (2 * rewards + 1) - rewards
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    quoted,
)
from proofbase.engine.rules.game import Game

__all__ = ["Drawing", "RandomGraph"]

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
KEY_BYTES = 5
STAGES = 10


class Parameter(NamedTuple):
    """One of the numbers in a name."""

    default: int
    """0 for span: a tenth of the nodes."""
    least: int
    most: int


PARAMETERS = {
    "nodes": Parameter(1000, 2, 1 << 40),
    "degree": Parameter(4, 1, 64),
    "span": Parameter(0, 1, 1 << 40),
    "ends": Parameter(5, 0, 100),
    "values": Parameter(1, 1, 1000),
    "rewards": Parameter(0, 0, 1000),
    "group": Parameter(1, 1, 1 << 40),
    "repetition": Parameter(0, -1000, 1000),
    "seed": Parameter(1, 0, (1 << 63) - 1),
}
"""In the order of canonical names, which leave out parameters at their defaults."""


class Drawing(NamedTuple):
    """One legal move."""

    move: int
    child: int
    reward: int


class RandomGraph(Game[int]):
    """The game of these parameters (see the module). A position is the number of a node, its text `n` and the number.

    Args:
        parameters: such as `nodes=1000,degree=4,seed=7`, in any order; None for all defaults.

    Raises:
        InvalidParametersError: an unknown or repeated parameter, or a number outside its limits.
    """

    def __init__(self, parameters: str | None = None) -> None:
        settings = _read_parameters(parameters)
        tenth = max(1, settings["nodes"] // 10)
        if settings["span"] == 0:
            settings["span"] = tenth
        self.nodes, self.degree, self.span, self.ends = (settings[name] for name in ("nodes", "degree", "span", "ends"))
        self.values, self.rewards, self.group = settings["values"], settings["rewards"], settings["group"]
        self.endless = settings["repetition"]
        if self.endless and self.group == 1:
            raise InvalidParametersError("random-graph: 'repetition' asks for cycles: 'group' must be at least 2")
        defaults = {name: limits.default for name, limits in PARAMETERS.items()} | {"span": tenth}
        named = ",".join(f"{name}={settings[name]}" for name in PARAMETERS if settings[name] != defaults[name])
        self.name = f"random-graph:{named}" if named else "random-graph"
        self.acyclic = self.group == 1
        self.highest_value = max(self.values, abs(self.endless)) + (STAGES - 1) * self.rewards  # rules 2, 4 and 5
        self._start = mix(settings["seed"] + GOLDEN)
        self._moves_of = lru_cache(1 << 14)(self._drawings)

    def initial(self) -> int:
        return 0

    def side(self, position: int) -> int:
        return position % 2 if self.endless else 0

    def repetition(self, position: int) -> int | None:
        if self.acyclic:
            return None
        return -self.endless if position % 2 else self.endless

    def terminal(self, position: int) -> int | None:
        if self._moves_of(position):
            return None
        return self._drawn(position, 1) % (2 * self.values + 1) - self.values

    def moves(self, position: int) -> Sequence[int]:
        return [drawing.move for drawing in self._moves_of(position)]

    def play(self, position: int, move: int) -> int:
        return self._legal(position, move).child

    def has_rewards(self) -> bool:
        return self.rewards != 0

    def reward(self, position: int, move: int) -> int:
        return self._legal(position, move).reward

    def key(self, position: int) -> bytes:
        return position.to_bytes(KEY_BYTES, "big")

    def position(self, key: bytes) -> int:
        if len(key) != KEY_BYTES:
            raise InvalidKeyError(f"a random-graph key has {KEY_BYTES} bytes, not {len(key)}")
        number = int.from_bytes(key, "big")
        if number >= self.nodes:
            raise InvalidKeyError(f"{key.hex()} is no key: {number} is not one of {self.nodes} nodes")
        return number

    def text(self, position: int) -> str:
        return f"n{position}"

    def parse(self, text: str) -> int:
        if re.fullmatch("n(0|[1-9][0-9]{0,12})", text) and int(text[1:]) < self.nodes:
            return int(text[1:])
        raise InvalidPositionError(f"{quoted(text)} is not one of the nodes n0 to n{self.nodes - 1}")

    def draw(self, position: int) -> str:
        value = self.terminal(position)
        if value is not None:
            return f"n{position}, an end worth {value}"
        lines = [
            f"{drawing.move}: n{drawing.child}" + (f" ({drawing.reward:+})" if drawing.reward else "")
            for drawing in self._moves_of(position)
        ]
        return "\n".join([f"n{position}", *lines])

    def _drawn(self, node: int, number: int) -> int:
        return mix(mix(self._start + GOLDEN * (node + 1)) + GOLDEN * (number + 1))

    def _group(self, node: int) -> tuple[int, int]:
        """The first and the last node of a node's group."""
        first = node - node % self.group
        return first, min(first + self.group, self.nodes) - 1

    def _targets(self, node: int) -> tuple[range, range]:
        """The nodes that moves may lead to within the group (itself not left out yet), and behind it."""
        first, last = self._group(node)
        behind = last + 1
        step = 2 if self.endless else 1
        if self.endless:  # rule 5
            first += (first + node + 1) % 2
            behind += (behind + node + 1) % 2
        return range(first, last + 1, step), range(behind, min(last + self.span, self.nodes - 1) + 1, step)

    def _drawings(self, node: int) -> tuple[Drawing, ...]:
        """Rule 3. None at an end."""
        if node != 0 and self._drawn(node, 0) % 100 < self.ends:
            return ()
        inside, behind = self._targets(node)
        others = [len(inside) - (node in inside), len(behind)]
        if not any(others):
            return ()
        drawings: dict[int, Drawing] = {}
        for number in range(1 + self._drawn(node, 2) % self.degree):
            drawn = self._drawn(node, 3 + 2 * number)
            part = drawn % 2 if others[drawn % 2] else 1 - drawn % 2
            index = (drawn >> 1) % others[part]
            child = behind[index] if part else inside[index + (node in inside and inside[index] >= node)]
            if child not in drawings:
                drawings[child] = Drawing(number, child, self._reward(node, child, number))
        return tuple(drawings.values())

    def _reward(self, node: int, child: int, number: int) -> int:
        """Rule 4."""
        if self._stage(node) == self._stage(child):
            return 0
        return self._drawn(node, 4 + 2 * number) % (2 * self.rewards + 1) - self.rewards

    def _stage(self, node: int) -> int:
        return self._group(node)[0] * STAGES // self.nodes

    def _legal(self, position: int, move: int) -> Drawing:
        for drawing in self._moves_of(position):
            if drawing.move == move:
                return drawing
        raise InvalidMoveError(f"{move} is not a move of n{position}")


def mix(word: int) -> int:
    """Spreads all bits of a 64-bit word over all bits."""
    word &= WORD
    word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD & WORD
    word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53 & WORD
    return word ^ word >> 33


def _read_parameters(parameters: str | None) -> dict[str, int]:
    """All parameters, given or default."""
    values: dict[str, int] = {}
    for part in [] if parameters is None else parameters.split(","):
        name, _, text = part.partition("=")
        limits = PARAMETERS.get(name)
        if limits is None:
            raise InvalidParametersError(
                f"random-graph: {quoted(part)} is no parameter such as nodes=1000; there are {', '.join(PARAMETERS)}"
            )
        if name in values:
            raise InvalidParametersError(f"random-graph: {quoted(name)} is there twice")
        if not re.fullmatch("0|-?[1-9][0-9]{0,18}", text) or not limits.least <= int(text) <= limits.most:
            raise InvalidParametersError(
                f"random-graph: {name}={quoted(text)}: a number from {limits.least} to {limits.most} is asked for"
            )
        values[name] = int(text)
    return {name: limits.default for name, limits in PARAMETERS.items()} | values
