"""The solution below a position as a graph for Graphviz."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

from proofbase.engine.rules import Game
from proofbase.service.answers import Cut, Value
from proofbase.service.positions import oriented_move
from proofbase.service.probe import Probe, probe_positions
from proofbase.service.resources import Resources
from proofbase.storage import Evidence, Side

__all__ = ["Drawing"]


class _Counter(Protocol):
    records: int


class Drawing:
    """A graph of positions and of the moves that the claims rest on.

    Boxes are positions where the first player moves, ellipses those of the second. At most `max_nodes` positions are
    expanded, breadth first; the others are drawn dashed.
    """

    def __init__(self, resources: Resources, game: Game[Any], root: Any, max_nodes: int) -> None:
        self._resources = resources
        self._game = game
        self._root = root
        self._max_nodes = max_nodes
        self._not_expanded = 0

    def cut(self) -> Cut | None:
        """Why the drawing is not complete; None if it is. Asked when the last line was taken."""
        if not self._not_expanded:
            return None
        cut = f"{self._not_expanded} positions are drawn dashed, without what is below"
        return Cut("count", f"{cut}: allow more than {self._max_nodes}")

    def lines(self, counter: _Counter) -> Iterator[bytes]:
        """The file, line by line. Counts the positions with records in `counter`."""
        game, tables = self._game, self._resources.tables.of(self._game)
        yield f"digraph {_quoted(game.name)} {{\n".encode()
        yield b'  node [fontname="monospace"];\n'
        numbers = {game.key(self._root): 0}
        queue = deque([(0, self._root)])
        while queue:
            number, position = queue.popleft()
            probe = probe_positions(game, [position], self._resources.store, tables)[0]
            expanded = number < self._max_nodes
            yield self._node(number, position, probe, dashed=not expanded)
            if probe.record is not None:
                counter.records += 1
            if not expanded:
                self._not_expanded += 1
                continue
            for move in self._moves(position, probe):
                child = game.play(position, move)
                key = game.key(child)
                if key not in numbers:
                    numbers[key] = len(numbers)
                    queue.append((numbers[key], child))
                name = _quoted(game.move_text(position, move))
                yield f"  n{number} -> n{numbers[key]} [label={name}];\n".encode()
        yield b"}\n"

    def _moves(self, position: Any, probe: Probe) -> list[int]:
        """The moves that the claims of a position rest on."""
        if probe.record is None:
            return []
        legal = list(self._game.moves(position))
        claims = [claim for claim in probe.record.claims if claim.evidence == Evidence.CHILDREN]
        if any(claim.side == Side.UPPER for claim in claims):
            return legal
        witnesses = {claim.witness for claim in claims if claim.witness is not None}
        oriented = {oriented_move(self._game, position, probe.key, witness) for witness in witnesses}
        return [move for move in legal if move in oriented]

    def _node(self, number: int, position: Any, probe: Probe, *, dashed: bool) -> bytes:
        game = self._game
        shape = "box" if game.side(position) == 0 else "ellipse"
        style = ", style=dashed" if dashed and not probe.terminal else ""
        label = f"{game.draw(position)}\n{_interval(probe.value)} rank {probe.rank}"
        return f"  n{number} [shape={shape}{style}, label={_quoted(label)}];\n".encode()


def _interval(value: Value) -> str:
    return f"value {value.lower}" if value.exact else f"value {value.lower}..{value.upper}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
