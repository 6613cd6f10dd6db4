"""Work in small parts: how many items at a time, so that a stop takes effect soon.

The time of an item may differ a thousandfold: a claim by search visits up to 10,000 positions, other claims a few.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["ChunkSize", "timed_chunks"]

T = TypeVar("T")

SECONDS = 0.01
"""The time that a part should take: a stop has 50 ms, on a machine that does other things too."""
FIRST = 64
"""Items of the first part, of which nothing is known."""


class ChunkSize:
    """The size of the next part, from the time that the last one took.

    Args:
        most: items of a part at most.

    Attributes:
        size: items of the next part, from 1 to `most`.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.size = min(FIRST, most)

    def took(self, seconds: float) -> None:
        """Tells how long a part of `size` items took. The next part is at most twice as large."""
        fitting = int(self.size * SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 2 * self.size, self._most))


def timed_chunks(items: Iterator[T], most: int) -> Iterator[list[T]]:
    """The items in parts of at most `most`, each of which takes the caller some 10 ms."""
    pace = ChunkSize(most)
    while part := list(islice(items, pace.size)):
        began = time.monotonic()
        yield part
        pace.took(time.monotonic() - began)
