"""A game graph as a game, so that every search, store and check runs on it."""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.papers.reference.graph import Graph
from proofbase.engine.rules.game import Game

__all__ = ["ExplicitGame"]


class ExplicitGame(Game[int]):
    """A game whose positions are the nodes of a graph; move m is the m-th edge; keys are 4 bytes, big-endian.

    Args:
        graph: its nodes and edges; the game begins at node 0.
        highest_value: the highest value of a position.
        limits: the limit of the value of each node; None: `highest_value` for all.
    """

    name = "explicit"

    def __init__(self, graph: Graph, highest_value: int = 1, limits: Sequence[int] | None = None) -> None:
        self.graph = graph
        self.highest_value = highest_value
        self.limits = limits
        self.acyclic = all(rho is None for rho in graph.rho)

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return self.graph.terminal[position]

    def moves(self, position: int) -> Sequence[int]:
        return range(len(self.graph.edges[position]))

    def play(self, position: int, move: int) -> int:
        if not 0 <= move < len(self.graph.edges[position]):
            raise InvalidMoveError(f"node {position} has no edge {move}")
        return self.graph.edges[position][move].child

    def reward(self, position: int, move: int) -> int:
        return self.graph.edges[position][move].reward

    def repetition(self, position: int) -> int | None:
        return self.graph.rho[position]

    def limit(self, position: int) -> int:
        return self.highest_value if self.limits is None else self.limits[position]

    def key(self, position: int) -> bytes:
        return position.to_bytes(4, "big")

    def position(self, key: bytes) -> int:
        number = int.from_bytes(key, "big")
        if len(key) != 4 or number >= len(self.graph):
            raise InvalidKeyError(f"{key.hex()} is not the key of one of {len(self.graph)} nodes")
        return number

    def text(self, position: int) -> str:
        return f"n{position}"

    def parse(self, text: str) -> int:
        digits = text[1:]
        if text[:1] == "n" and digits.isascii() and digits.isdigit() and len(digits) < 10:
            number = int(digits)
            if number < len(self.graph) and str(number) == digits:
                return number
        raise InvalidPositionError(f"{quoted(text)} is not one of the nodes n0 to n{len(self.graph) - 1}")
