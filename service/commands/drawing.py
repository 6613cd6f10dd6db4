"""The solution below a position as a graph for Graphviz."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

from proofbase.engine.rules import Game
from proofbase.service.answers import Cut, Value
from proofbase.service.application import Application
from proofbase.service.standing import Standing, stand_many
from proofbase.storage import Evidence, Side

__all__ = ["Drawing"]


class _Counter(Protocol):
    records: int


class Drawing:
    """A graph of positions and of the moves that the claims rest on.

    Boxes are positions where the first player moves, ellipses those of the second. Breadth-first, at most `most`
    positions; what is cut off is drawn dashed.
    """

    def __init__(self, app: Application, game: Game[Any], root: Any, most: int) -> None:
        self._app = app
        self._game = game
        self._root = root
        self._most = most
        self._left_out = 0

    def cut(self) -> Cut | None:
        """Whether the drawing is not the whole, once it is done."""
        if not self._left_out:
            return None
        return Cut(
            "count", f"{self._left_out} positions are drawn dashed, without what is below: allow more than {self._most}"
        )

    def lines(self, counter: _Counter) -> Iterator[bytes]:
        """The file, line by line; counts the positions with records."""
        game = self._game
        yield f"digraph {_quoted(game.name)} {{\n".encode()
        yield b'  node [fontname="monospace"];\n'
        numbers = {game.key(self._root): 0}
        queue = deque([(0, self._root)])
        while queue:
            number, position = queue.popleft()
            here = stand_many(game, [position], self._app.store, self._app.tables.of(game))[0]
            expanded = number < self._most
            yield self._node(number, position, here, dashed=not expanded)
            if here.record is not None:
                counter.records += 1
            if not expanded:
                self._left_out += 1
                continue
            for move in self._moves(position, here):
                child = game.play(position, move)
                key = game.key(child)
                if key not in numbers:
                    numbers[key] = len(numbers)
                    queue.append((numbers[key], child))
                name = _quoted(game.move_text(position, move))
                yield f"  n{number} -> n{numbers[key]} [label={name}];\n".encode()
        yield b"}\n"

    def _moves(self, position: Any, here: Standing) -> list[int]:
        """The moves that the claims of a position rest on."""
        if here.record is None:
            return []
        legal = list(self._game.moves(position))
        own = [claim for claim in here.record.claims if claim.evidence == Evidence.CHILDREN]
        if any(claim.side == Side.UPPER for claim in own):
            return legal
        return [move for move in legal if own and move == here.witness]

    def _node(self, number: int, position: Any, here: Standing, *, dashed: bool) -> bytes:
        game = self._game
        shape = "box" if game.side(position) == 0 else "ellipse"
        style = ", style=dashed" if dashed and not here.terminal else ""
        label = f"{game.draw(position)}\n{_interval(here.value)} rank {here.rank}"
        return f"  n{number} [shape={shape}{style}, label={_quoted(label)}];\n".encode()


def _interval(value: Value) -> str:
    return f"value {value.lower}" if value.exact else f"value {value.lower}..{value.upper}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
