"""The solution below a position as a graph for Graphviz: colours by value, the main line marked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from proofbase.engine.rules import Game
from proofbase.service.answers import Cut
from proofbase.service.positions import oriented_move
from proofbase.service.positions.probe import Probe, probe_positions
from proofbase.service.resources import Resources
from proofbase.storage import Evidence, Side

__all__ = ["Drawing"]

COLOURS = {1: "#b7dfb0", 0: "#e4e4e4", -1: "#f2b6ab"}
"""Fill colours by the sign of the value for the first player; white where the value is not known."""
UNKNOWN = "#ffffff"
SIGNS = {1: "win", 0: "draw", -1: "loss"}


class _Counter(Protocol):
    records: int


@dataclass(slots=True)
class _Edge:
    """A move that a claim rests on."""

    child: int
    text: str
    reward: int


@dataclass(slots=True)
class _Node:
    """A position, and the moves that its claims rest on."""

    position: Any
    probe: Probe
    dashed: bool
    edges: list[_Edge] = field(default_factory=list)


class Drawing:
    """A graph of positions and of the moves that the claims rest on.

    Boxes are positions where the first player moves, ellipses those of the second. A position is filled by the sign of
    its value for the first player. The main line (best moves of both sides, as far as they are drawn) has thick lines.
    At most `max_nodes` positions are expanded, breadth first; the others are drawn dashed.
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
        nodes = self._nodes()
        self._not_expanded = sum(node.dashed for node in nodes)
        counter.records += sum(node.probe.record is not None for node in nodes)
        main = self._main_line(nodes)
        yield f"digraph {_quoted(self._game.name)} {{\n".encode()
        yield b'  node [fontname="monospace", style="filled", fillcolor="#ffffff"];\n'
        yield f"  label={_quoted(self._legend())};\n".encode()
        on_line = {0} | {nodes[number].edges[index].child for number, index in main}
        for number, node in enumerate(nodes):
            yield self._node(number, node, marked=number in on_line)
            for index, edge in enumerate(node.edges):
                mark = ", color=black, penwidth=4" if (number, index) in main else ""
                yield f"  n{number} -> n{edge.child} [label={_quoted(edge.text)}{mark}];\n".encode()
        yield b"}\n"

    def _legend(self) -> str:
        exact_words = self._game.highest_value == 1
        green, red = ("wins", "loses") if exact_words else ("gains more", "gains less")
        grey = "draw" if exact_words else "equal"
        colours = f"green: the first player {green}; red: the first player {red}; grey: {grey}; white: not known"
        return f"{colours}\nboxes: the first player moves; ellipses: the second; thick: the main line"

    def _nodes(self) -> list[_Node]:
        """The positions breadth first, the root first."""
        game, tables = self._game, self._resources.tables.of(self._game)
        nodes = list[_Node]()
        numbers = {game.key(self._root): 0}
        queue = deque([self._root])
        while queue:
            position = queue.popleft()
            probe = probe_positions(game, [position], self._resources.store, tables)[0]
            node = _Node(position, probe, dashed=len(nodes) >= self._max_nodes)
            nodes.append(node)
            for move in () if node.dashed else self._moves(position, probe):
                child = game.play(position, move)
                key = game.key(child)
                if key not in numbers:
                    numbers[key] = len(numbers)
                    queue.append(child)
                text, reward = game.move_text(position, move), game.reward(position, move)
                node.edges.append(_Edge(numbers[key], text, reward))
        return nodes

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

    def _main_line(self, nodes: list[_Node]) -> set[tuple[int, int]]:
        """The best moves from the root, as numbers of positions and of their edges.

        Of equally good moves the quickest gain and the slowest loss is taken, then the first.
        """
        line = set[tuple[int, int]]()
        number, seen = 0, {0}
        while nodes[number].edges:
            node = nodes[number]
            won = node.probe.value.lower > 0

            def merit(edge: _Edge, gain: bool = won, lower: bool = node.probe.value.lower_known) -> tuple[int, int]:
                child = nodes[edge.child].probe
                bound = child.value.upper if lower else child.value.lower
                rank = child.rank or 0
                return edge.reward - bound, -rank if gain else rank

            best = max(node.edges, key=merit)
            line.add((number, node.edges.index(best)))
            number = best.child
            if number in seen:
                break
            seen.add(number)
        return line

    def _node(self, number: int, node: _Node, *, marked: bool) -> bytes:
        game, probe = self._game, node.probe
        first = game.side(node.position) == 0
        value, colour = probe.value, UNKNOWN
        if value.exact:
            sign = (value.lower > 0) - (value.lower < 0)
            colour = COLOURS[sign if first else -sign]
        shape = "box" if first else "ellipse"
        style = ', style="filled,dashed"' if node.dashed and not probe.terminal else ""
        width = ", penwidth=3" if marked else ""
        label = f"{game.draw(node.position)}\n{self._value_text(probe)}"
        return f'  n{number} [shape={shape}{style}{width}, fillcolor="{colour}", label={_quoted(label)}];\n'.encode()

    def _value_text(self, probe: Probe) -> str:
        """The value for the side to move, and within how many plies it is reached, or that it rests on a table."""
        value = probe.value
        if not value.exact:
            return f"{value.lower} to {value.upper}" if value.anything_known else "not known"
        text = SIGNS[value.lower] if self._game.highest_value == 1 else f"{value.lower:+d}" if value.lower else "0"
        return (
            text
            if probe.terminal or probe.above_tables
            else f"{text} by table"
            if probe.rank is None
            else f"{text} in {probe.rank}"
        )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
