"""A small user's game that several tests register: a heap of stones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from proofbase.engine import games
from proofbase.engine.errors import InvalidKeyError, InvalidParametersError, InvalidPositionError, quoted
from proofbase.engine.rules import Game

__all__ = ["Heap", "heap_plugin"]


class Heap(Game[int]):
    """Take one to three stones; who takes the last one wins. `heap` has 12 stones, `heap:13` has 13."""

    name = "heap"

    def __init__(self, size: str = "12") -> None:
        if not size.isdecimal() or not 1 <= int(size) < 256:
            raise InvalidParametersError(f"heap: {quoted(size)} is not a size from 1 to 255")
        self.size = int(size)
        self.name = "heap" if size == "12" else f"heap:{size}"

    def initial(self) -> int:
        return self.size

    def terminal(self, position: int) -> int | None:
        return None if position else -1

    def moves(self, position: int) -> Sequence[int]:
        return range(1, min(3, position) + 1)

    def play(self, position: int, move: int) -> int:
        return position - move

    def key(self, position: int) -> bytes:
        return bytes([position])

    def position(self, key: bytes) -> int:
        if len(key) != 1 or key[0] > self.size:
            raise InvalidKeyError(f"{key.hex()} is no key of {self.name}")
        return key[0]

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        if not text.isdecimal() or int(text) > self.size:
            raise InvalidPositionError(f"{quoted(text)} is not a number of stones up to {self.size}")
        return int(text)


@pytest.fixture
def heap_plugin(tmp_path: Path) -> Iterator[Path]:
    """A file for --plugin that registers the game, which is forgotten after the test."""
    (plugin := tmp_path / "plugin_of_heap.py").write_text(
        "from heap_game import Heap\nfrom proofbase.engine.games import register\nregister('heap', Heap)\n"
    )
    yield plugin
    games._registered.pop("heap", None)
